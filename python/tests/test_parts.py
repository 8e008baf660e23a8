"""Flexible bodies from arrays: a bar that is assembled here, the same bar of files, pickles, and wrong arrays."""
import copy
import os
import pickle
import unittest

import numpy as np

import limber
from support import scratch

try:
    import scipy.io
    import scipy.sparse
except ImportError:
    scipy = None
needs_scipy = unittest.skipUnless(scipy or os.environ.get("CI"), "no scipy")

ELEMENTS, LENGTH, E, G, RHO, WIDTH, DEPTH = 16, 1.2, 2.1e11, 8e10, 7800, 0.02, 0.03
NODES = np.column_stack([np.linspace(0, LENGTH, ELEMENTS + 1), np.zeros((ELEMENTS + 1, 2))])
ENDS = {"root": [0], "tip": [ELEMENTS]}


def bar():
    """Mass and stiffness of beams of Euler and Bernoulli along x, with rods and shafts, all with consistent masses."""
    n, l = 6 * (ELEMENTS + 1), LENGTH / ELEMENTS
    area, about_z, about_y = WIDTH * DEPTH, WIDTH * DEPTH**3 / 12, DEPTH * WIDTH**3 / 12
    M, K = np.zeros((n, n)), np.zeros((n, n))

    def add(rows, mass, stiffness):
        M[np.ix_(rows, rows)] += mass
        K[np.ix_(rows, rows)] += stiffness

    for first in range(0, 6 * ELEMENTS, 6):
        both, spring = np.array([[2, 1], [1, 2]]) * l / 6, np.array([[1, -1], [-1, 1]]) / l
        add([first, first + 6], RHO * area * both, E * area * spring)
        polar = about_y + about_z
        add([first + 3, first + 9], RHO * polar * both, G * polar * spring)
        for plane, inertia in enumerate((about_z, about_y)):
            s = -l if plane else l
            rows = [first + 1 + plane, first + 5 - plane, first + 7 + plane, first + 11 - plane]
            add(rows,
                RHO * area * l / 420 * np.array([[156, 22 * s, 54, -13 * s], [22 * s, 4 * s * s, 13 * s, -3 * s * s],
                                                 [54, 13 * s, 156, -22 * s], [-13 * s, -3 * s * s, -22 * s, 4 * s * s]]),
                E * inertia / l**3 * np.array([[12, 6 * s, -12, 6 * s], [6 * s, 4 * s * s, -6 * s, 2 * s * s],
                                               [-12, -6 * s, 12, -6 * s], [6 * s, 2 * s * s, -6 * s, 4 * s * s]]))
    return M, K


def model_of(arrays, **more):
    """A free bar whose reduction leaves nothing out."""
    return limber.Model({"limber": 1, "dimension": 3, "bodies": {"bar": {
        "arrays": arrays, "interfaces": {"A": {"node": "root"}, "B": {"node": "tip"}}, "reduction": {"modes": 90},
        **more}}}, name=scratch("part.yaml"))


def frequencies(model):
    """The elastic modes of a free body."""
    modes = model.modes()
    return modes.frequency[6:]


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.M, cls.K = bar()
        cls.part = limber.Part(NODES, cls.M, cls.K, sets=ENDS, name="bar")

    def test_a_free_bar(self):
        """Rods and shafts have the modes cos(n pi x / L) exactly; beams are too stiff by (beta l)^4 / 1440."""
        found = frequencies(model_of(self.part))
        a = np.pi * np.arange(1, 3) / ELEMENTS
        for modulus in (E, G):
            w = np.sqrt(modulus / RHO) * ELEMENTS / LENGTH * np.sqrt(6 * (1 - np.cos(a)) / (2 + np.cos(a)))
            for hz in w / (2 * np.pi):
                self.assertLess(abs(found / hz - 1).min(), 1e-8)
        for beta in (4.730040744862704, 7.853204624095838):
            for depth in (WIDTH, DEPTH):
                hz = (beta / LENGTH)**2 * np.sqrt(E * depth**2 / 12 / RHO) / (2 * np.pi)
                self.assertLess(abs(found / hz - 1).min(), 1.1 * (beta / ELEMENTS)**4 / 1440)

    @needs_scipy
    def test_the_same_as_files(self):
        """Dense, sparse in several forms, and as files of another program: the same to the last bit."""
        folder = os.path.dirname(scratch("part.yaml"))
        for name, matrix in (("k", self.K), ("m", self.M)):
            scipy.io.mmwrite(os.path.join(folder, f"{name}.mtx"), scipy.sparse.coo_matrix(matrix), precision=17)
        with open(os.path.join(folder, "bar.csv"), "w") as file:
            file.writelines(f"{i + 1},{x!r},{y!r},{z!r}\n" for i, (x, y, z) in enumerate(NODES.tolist()))
        with open(os.path.join(folder, "k.mapping"), "w") as file:
            file.writelines(f"{i + 1} {i // 6 + 1} {i % 6 + 1}\n" for i in range(len(self.K)))
        files = limber.Model({"limber": 1, "dimension": 3, "bodies": {"bar": {
            "matrices": {"stiffness": "k.mtx", "mass": "m.mtx", "nodes": "bar.csv"},
            "interfaces": {"A": {"node": 1}, "B": {"node": ELEMENTS + 1}}, "reduction": {"modes": 90}}}},
            name=scratch("part.yaml"))
        expected = frequencies(files).tobytes()
        for form in (np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix,
                     scipy.sparse.lil_matrix):
            part = limber.Part(NODES, form(self.M), form(self.K), sets=ENDS)
            self.assertEqual(frequencies(model_of(part)).tobytes(), expected, form.__name__)
        # entries of a coordinate matrix that are there twice are added, as scipy does
        K = scipy.sparse.coo_matrix(self.K)
        twice = scipy.sparse.coo_matrix((np.repeat(K.data, 2) / 2, (np.repeat(K.row, 2), np.repeat(K.col, 2))), K.shape)
        self.assertEqual(frequencies(model_of(limber.Part(NODES, self.M, twice, sets=ENDS))).tobytes(), expected)

    def test_rows_in_another_order(self):
        dofs = np.column_stack([np.repeat(np.arange(ELEMENTS + 1), 6), np.tile(np.arange(6), ELEMENTS + 1)])
        order = np.random.default_rng(1).permutation(len(dofs))
        part = limber.Part(NODES, self.M[np.ix_(order, order)], self.K[np.ix_(order, order)], sets=ENDS,
                           dofs=dofs[order])
        # rounding of another elimination: 1e-16 of the largest eigenvalue, 1e6 times the lowest ones seen here
        np.testing.assert_allclose(frequencies(model_of(part))[:12], frequencies(model_of(self.part))[:12], rtol=1e-9)
        every = limber.Part(NODES, self.M, self.K, sets=ENDS, dofs=range(6), numbers=range(101, 102 + ELEMENTS))
        model = limber.Model({"limber": 1, "dimension": 3, "bodies": {"bar": {
            "arrays": {"name": every, "units": "SI"}, "interfaces": {"A": {"node": 101}, "B": {"nodes": "tip"}}}}})
        self.assertEqual(model.check().bodies, 1)

    def test_models_that_are_copied_pickled_and_loaded(self):
        model = model_of(self.part)
        expected = frequencies(model).tobytes()
        for other in (model.copy(), pickle.loads(pickle.dumps(model))):
            self.assertEqual(frequencies(other).tobytes(), expected)
        part = pickle.loads(pickle.dumps(self.part))
        self.assertEqual(repr(part), "<limber.Part bar: 17 nodes, 102 degrees of freedom>")
        path = scratch("attached.yaml")
        with open(path, "w") as file:
            file.write(model.text)
        loaded = limber.load(path)
        with self.assertRaisesRegex(limber.InputError, "there are no arrays 'bar'"):
            loaded.check()
        self.assertEqual(frequencies(loaded.attach("bar", part)).tobytes(), expected)
        # another part in its place
        heavy = limber.Part(NODES, 4 * self.M, self.K, sets=ENDS)
        np.testing.assert_allclose(frequencies(loaded.attach("bar", heavy))[:12],
                                   frequencies(model)[:12] / 2, rtol=1e-9)
        self.assertEqual(frequencies(model).tobytes(), expected)

    def test_two_parts_of_one_name(self):
        heavy = limber.Part(NODES, 4 * self.M, self.K, sets=ENDS, name="bar")
        ends = {"A": {"node": "root"}, "B": {"node": "tip"}}
        model = limber.Model({"limber": 1, "dimension": 3, "bodies": {
            name: {"arrays": part, "interfaces": ends} for name, part in
            (("a", self.part), ("b", heavy), ("c", self.part))}})
        self.assertIn('"arrays": "bar-2"', model.text)
        self.assertEqual(model.text.count('"arrays": "bar"'), 2)
        mass = np.diag(model.matrices().M)
        names = model.matrices().coordinates
        self.assertAlmostEqual(mass[names.index("b.x")] / mass[names.index("a.x")], 4, places=9)

    def test_the_arrays_are_copied(self):
        nodes, K, tip, dofs = NODES.copy(), self.K.copy(), np.array([ELEMENTS], np.int32), np.arange(6, dtype=np.int32)
        part = limber.Part(nodes, self.M, K, sets={"root": 0, "tip": tip}, dofs=dofs)
        nodes[:], K[:], tip[:], dofs[:] = np.nan, np.nan, -1, -1
        self.assertEqual(frequencies(model_of(part)).tobytes(), frequencies(model_of(self.part)).tobytes())

    def test_elements_with_stresses(self):
        """A block of two hexahedra hangs from its top. Its elements have the mean of the stress rho g z in them, and the
        node between them the mean of both."""
        grid = np.array([(x, y, z) for z in (0, 0.5, 1) for y in (0, 0.2) for x in (0, 0.2)])
        cell = np.array([0, 1, 3, 2, 4, 5, 7, 6])
        block = limber.Part(grid, elements={"hex8": [cell, cell + 4]}, sets={"top": np.arange(8, 12)}, name="block")
        self.assertEqual(repr(block), "<limber.Part block: 12 nodes, 2 elements>")
        model = limber.Model({
            "limber": 1, "dimension": 3, "gravity": [0, 0, -9.81],
            "bodies": {"block": {"arrays": {"name": block, "material": {"E": 2e11, "nu": 0, "density": 7800}},
                                 "interfaces": {"top": {"nodes": "top"}}, "reduction": {"modes": 22},
                                 "probes": {"middle": {"node": 5}, "end": {"node": 1}}}},
            "joints": {"hold": {"type": "fixed", "between": [[0.1, 0.1, 1], "block.top"]}},
            "analyses": {"hang": {"type": "statics"}}}, name=scratch("block.yaml"))
        result = model.run()
        self.assertAlmostEqual(result["hold.force"][-1, 2] / (7800 * 9.81 * 0.04), 1, places=9)
        self.assertAlmostEqual(result["block.stress.middle.zz"][-1] / (7800 * 9.81 * 0.5), 1, places=9)
        self.assertAlmostEqual(result["block.stress.end.zz"][-1] / (7800 * 9.81 * 0.25), 1, places=9)

    def test_wrong_arrays(self):
        M, K = self.M, self.K

        def changed(matrix, row, column, value):
            other = matrix.copy()
            other[row, column] = value
            return other

        usage = [
            (lambda: limber.Part(NODES[:, :2], M, K), "rows of x, y, z, not an array of the shape (17, 2)"),
            (lambda: limber.Part([["a", "b", "c"]], M, K), "nodes must be an array of real numbers"),
            (lambda: limber.Part(NODES, M, K[:, :5]), "K must be a square matrix, not one of the shape (102, 5)"),
            (lambda: limber.Part(NODES, M[:96, :96], K), "M has 96 rows, but K has 102"),
            (lambda: limber.Part(NODES, M, K.astype(complex)), "K must be an array of real numbers"),
            (lambda: limber.Part(NODES, M, K, dofs=[0, 1, 2]), "the matrices have 102 rows, but dofs has 51"),
            (lambda: limber.Part(NODES, M, K, dofs=[[0, 1, 2]]), "dofs are the directions of every node"),
            (lambda: limber.Part(NODES, M, K, numbers=[1, 2]), "there are 17 nodes, but 2 numbers of nodes"),
            (lambda: limber.Part(NODES, M, K, sets={"a": [0.5]}), "the nodes of 'a' must be whole numbers"),
            (lambda: limber.Part(NODES, elements={"hex8": [[1, 2]]}), "elements 'hex8' must be rows of 8 nodes"),
            (lambda: limber.Part(NODES, M, K, name=3), "`name` must be a text, not 3"),
            (lambda: model_of(self.part).attach("bar", M), "`part` must be of the type Part, not"),
        ]
        for make, says in usage:
            with self.assertRaises(limber.UsageError) as caught:
                make()
            self.assertIn(says, str(caught.exception))
        wrong = [
            (limber.Part(NODES, M, changed(K, 3, 9, 1e9), sets=ENDS), "the stiffness is not symmetric: entry (9, 3)"),
            (limber.Part(NODES, changed(M, 3, 9, np.nan), K), "entry (3, 9) of the mass is not a finite number"),
            (limber.Part(NODES, changed(M, 3, 3, -1), K), "entry (3, 3) of the mass is -1 (node 1, ROTX)"),
            (limber.Part(NODES, M, np.tril(K)), "the stiffness is not symmetric"),
            (limber.Part(NODES, M, K, sets={"a": [17]}), "the nodes of 'a' have node 17, but nodes are 0 to 16"),
            (limber.Part(NODES, M, K, sets={"a": []}), "set 'a' has no nodes"),
            (limber.Part(changed(NODES, 2, 1, np.inf), M, K), "node 3 is at (0.15, inf, 0)"),
            (limber.Part(NODES[:16], M, K), "16 nodes have 102 rows, which is neither 3 nor 6 for each"),
            (limber.Part(NODES, M), "there is no stiffness matrix"),
            (limber.Part(NODES), "it has neither matrices nor elements"),
            (limber.Part(NODES, elements={"hex8": [range(10, 18)]}), "elements 'hex8' have node 17"),
            (limber.Part(NODES, elements={"wedge": [range(6)]}), "there are no elements 'wedge'"),
        ]
        for part, says in wrong:
            with self.assertRaises(limber.InputError) as caught:
                model_of(part)
            self.assertIn(f"arrays 'part': error: {says}", str(caught.exception))
        with self.assertRaisesRegex(limber.InputError, "has no node 'tup'.*\n.*\n.*\n.*did you mean 'tip'"):
            limber.Model({"limber": 1, "dimension": 3, "bodies": {"bar": {
                "arrays": self.part, "interfaces": {"A": {"node": "tup"}}}}}).check()
        model = model_of(self.part)
        expected = frequencies(model).tobytes()
        with self.assertRaises(limber.InputError):
            model.attach("bar", wrong[0][0])
        self.assertEqual(frequencies(copy.deepcopy(model)).tobytes(), expected)  # the part that it had is still there


if __name__ == "__main__":
    unittest.main()
