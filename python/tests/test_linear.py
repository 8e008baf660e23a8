"""Models at an instant: modes, state space, response, matrices, redundant constraints."""
import json
import pickle
import unittest
import warnings

import numpy as np

import limber
from support import SLIDER_CRANK, limber as program, scratch

PARTICLES = "examples/particles/particles.yaml"
BICYCLE = "examples/bicycle/bicycle.yaml"

OSCILLATOR = limber.Model({
    "limber": 1, "dimension": 2, "gravity": [0, -10], "bodies": {"p": {"type": "particle", "mass": 2, "position": [1, 0]}},
    "joints": {"rail": {"type": "slot", "between": ["ground", "p"], "axis": [1, 0]}},
    "forces": {"s": {"type": "spring", "between": [[0, 0], "p"], "stiffness": 800, "damping": 4},
               "load": {"type": "force", "at": "p", "force": [0, 0]}}})

BEAD = """\
limber: 1
dimension: 2
parameters: {g: 0}
bodies: {wire: {mass: 1, inertia: 1}, bead: {type: particle, mass: 1}}
joints:
  turn: {type: revolute, between: [ground, wire]}
  slide: {type: slot, between: [wire, bead], axis: [1, 0]}
drivers: {motor: {joint: turn, angle: 9*t}}
forces: {spring: {type: motor, joint: slide, effort: -(100 + g*sin(turn.angle))*offset}}
analyses: {turning: {type: dynamics, duration: 1}}
"""


def printed(*words):
    """What the program prints as JSON."""
    return json.loads(program(*words, "--json").stdout)


class AsTheProgram(unittest.TestCase):
    """The numbers of the command line, to the last bit but for the signs of zeros, which its JSON does not have."""

    def same(self, a, b, what=""):
        self.assertEqual(a.shape, np.shape(b), what)
        np.testing.assert_array_equal(a, b, what)

    def test_modes(self):
        for path, options, words in ((PARTICLES, {}, ()), (BICYCLE, {"as_placed": True}, ("--as-placed", )),
                                     ("examples/flexible-pendulum/flexible-pendulum.yaml", {}, ())):
            out = printed("modes", path, *words)
            modes = limber.load(path).modes(**options)
            self.assertEqual(modes.about.kind, out["about"])
            self.assertEqual(list(modes.coordinates), out["coordinates"])
            self.assertEqual(len(modes), len(out["modes"]))
            self.same(modes.shapes, np.array([m["shape"] for m in out["modes"]], float), path)
            values = np.array([complex(*m["eigenvalue"]) for m in out["modes"]])
            self.same(modes.eigenvalue, values, path)
            self.assertEqual(modes.rigid.tolist(), [m["rigid"] for m in out["modes"]])

    def test_state_space(self):
        out = printed("modes", PARTICLES, "--state-space", "-", "--inputs", "s1", "--outputs", "p4.position.x")["state_space"]
        space = limber.load(PARTICLES).state_space("s1", "p4.position.x")
        for name in "ABCDN":
            self.same(getattr(space, name), np.array(out[name], float).reshape(getattr(space, name).shape), name)
        self.assertEqual(list(space.states), out["states"])

    def test_response(self):
        out = printed("response", PARTICLES, "--input", "s1", "--output", "p4.position.x")
        response = limber.load(PARTICLES).response("s1", "p4.position.x")
        for name in ("frequency", "amplitude", "phase"):
            self.same(getattr(response, name), np.array(out[name]), name)
        again = limber.load(PARTICLES).response("s1", "p4.position.x", response.frequency)
        self.same(again.amplitude, response.amplitude)

    def test_matrices(self):
        out = printed("matrices", SLIDER_CRANK, "--at", "0.1")
        matrices = limber.load(SLIDER_CRANK).matrices(at=0.1)
        for name in ("q", "Phi", "M", "Phi_q", "gamma", "Q", "v", "a"):
            self.same(getattr(matrices, name), np.array(out[name], float), name)
        self.same(matrices.multipliers, np.array(out["lambda"], float))
        path = "examples/slider-crank-dynamics/slider-crank-dynamics.yaml"
        out = printed("matrices", path, "--embedded")
        embedded = limber.load(path).embedded()
        for key, name in (("Mr", "M"), ("Qr", "Q"), ("B", "B"), ("c", "c")):
            self.same(getattr(embedded, name), np.array(out[key], float), key)
        self.assertEqual(list(embedded.independent), out["independent"])

    def test_redundant_constraints(self):
        path = "examples/bricard/bricard.yaml"
        out = printed("check", path)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            mobility = limber.load(path).check()
        self.assertEqual(list(mobility.redundant_equations), out["redundant_equations"])
        self.assertEqual(list(mobility.not_unique), out["not_unique"])
        self.assertEqual(mobility.redundant, len(mobility.redundant_equations))
        self.assertGreater(mobility.redundant, 0)


class KnownAnswers(unittest.TestCase):
    def test_an_oscillator(self):
        modes = OSCILLATOR.modes()
        np.testing.assert_allclose(modes.frequency, [20 / (2 * np.pi)], rtol=1e-11)
        np.testing.assert_allclose(modes.damping, [4 / (2 * np.sqrt(1600))], rtol=1e-11)
        A, B, C, D = OSCILLATOR.state_space("load.x", ["p.position.x", "p.velocity.x"])
        np.testing.assert_allclose(A, [[0, 1], [-400, -2]], atol=1e-9)
        np.testing.assert_allclose(B, [[0], [0.5]], atol=1e-11)
        np.testing.assert_allclose(C, np.eye(2), atol=1e-9)  # channels by differences, good to 1e-10 of them
        np.testing.assert_allclose(D, np.zeros((2, 1)), atol=1e-9)
        f = np.array([0.1, 3, 30])
        w = 2 * np.pi * f
        response = OSCILLATOR.response("load.x", "p.position.x", f)
        np.testing.assert_allclose(response.values, 1 / (800 - 2 * w**2 + 4j * w), rtol=1e-8)
        self.assertEqual((response.input, response.output), ("load.x", "p.position.x"))

    def test_about_a_motion(self):
        bead = limber.Model(BEAD)
        for where in ({"as_placed": True}, {"analysis": "turning", "at": 0.25}, {"as_placed": True, "observer": "wire"}):
            modes = bead.modes(1, **where)
            self.assertEqual(modes.about.kind, "steady motion")
            np.testing.assert_allclose(modes.frequency, [np.sqrt(19) / (2 * np.pi)], rtol=1e-8)
        with self.assertWarnsRegex(limber.Warning, "frozen"):
            modes = bead.set(g=3).modes(as_placed=True)
        self.assertAlmostEqual(modes.about.period, 2 * np.pi / 9, 6)

    def test_tables_and_pickles(self):
        modes = limber.load(PARTICLES).modes()
        table = modes._repr_html_()
        self.assertEqual(table.count("<tr>"), 5)
        self.assertIn("2.19947", table)
        for thing in (modes, OSCILLATOR.state_space(), OSCILLATOR.matrices(), OSCILLATOR.response("load.x", "p.position.x")):
            again = pickle.loads(pickle.dumps(thing))
            self.assertEqual(again.__class__, thing.__class__)
        self.assertEqual(again.values.tobytes(), thing.values.tobytes())

    def test_a_state_file(self):
        path = scratch("state.yaml")
        with open(path, "w") as file:
            file.write("time: 0.5\np: {position: [1.25, 0], velocity: [3, 0]}\n")
        matrices = OSCILLATOR.matrices(state=path)
        self.assertEqual(matrices.time, 0.5)
        np.testing.assert_allclose(matrices.Q, [-800 * 0.25 - 4 * 3, -20], rtol=1e-12)


class WrongUses(unittest.TestCase):
    def test_they_are_errors(self):
        model = OSCILLATOR
        wrong = [
            lambda: model.modes(0), lambda: model.modes(-3), lambda: model.modes(1.5), lambda: model.modes(observer="nobody"),
            lambda: model.modes(at=1), lambda: model.modes(at="soon"), lambda: model.modes(observer=7),
            lambda: model.modes(analysis="none"), lambda: model.state_space("nothing"), lambda: model.state_space([]),
            lambda: model.state_space([3]), lambda: model.state_space(None, "p.nothing"),
            lambda: model.response("load", "p.position.x"), lambda: model.response("load.x", "p.position"),
            lambda: model.response(None, "p.position.x"), lambda: model.response("load.x", "p.position.x", [1, np.nan]),
            lambda: model.response("load.x", "p.position.x", [-1]), lambda: model.response("load.x", "p.position.x", []),
            lambda: model.response("load.x", "p.position.x", [[1, 2]]),
            lambda: model.response("load.x", "p.position.x", "fast"),
            lambda: model.response("load.x", "p.position.x", [1], start=1),
            lambda: model.response("load.x", "p.position.x", start=-1),
            lambda: model.response("load.x", "p.position.x", start=float("nan")),
            lambda: model.response("load.x", "p.position.x", points=0),
            lambda: model.response("load.x", "p.position.x", start=3, end=2),
            lambda: model.response("load.x", "p.position.x", start=0), lambda: model.matrices(at=float("nan")),
            lambda: model.matrices(state="/does/not/exist.yaml"), lambda: model.matrices("none"),
            lambda: model.matrices(at=1, state="x"), lambda: model.embedded("p.z"), lambda: model.embedded(["p.x", "p.x"]),
            lambda: model.check("none"), lambda: limber.load("examples/jeffcott/jeffcott.yaml").modes()
        ]
        for i, call in enumerate(wrong):
            with self.subTest(i), self.assertRaises(limber.Error):
                call()


if __name__ == "__main__":
    unittest.main()
