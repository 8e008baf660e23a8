"""Simulations that are stepped, read and acted on from outside."""
import gc
import threading
import traceback
import unittest
import warnings
import weakref

import numpy as np

import limber
from support import PENDULUM, SLIDER_CRANK, same_bits

MOTOR = PENDULUM + "forces: {motor: {type: motor, joint: pin, effort: 0}}\n"


class Simulations(unittest.TestCase):
    def setUp(self):
        self.model = limber.Model(MOTOR)
        self.sim = self.model.simulation("swing")

    def test_it_moves_like_a_run(self):
        angle = self.model.run()["bob.angle"]
        found = [self.sim.channels["bob.angle"]]
        for t in angle.time[1:]:
            self.sim.advance(t)
            found.append(self.sim.channels["bob.angle"])
        self.assertEqual(self.sim.time, 1)
        # integrated with the same tolerance, perhaps by other steps
        np.testing.assert_allclose(found, angle, atol=1e-6)

    def test_step(self):
        before = self.sim.time
        self.assertGreater(self.sim.step(), before)
        self.assertEqual(self.sim.channels["pin.force"].shape, (2,))

    def test_copies_and_views(self):
        q, view = self.sim.q, self.sim.view("q")
        same_bits(self, q, np.asarray(view))
        self.assertEqual(len(self.sim.names("q")), len(view))
        self.sim.advance(0.5)
        self.assertNotEqual(q.tobytes(), self.sim.q.tobytes())
        same_bits(self, np.asarray(view), self.sim.q)
        with self.assertRaises(ValueError):
            np.asarray(view)[0] = 1
        kept = np.asarray(view)
        self.sim.close()
        kept.sum()  # this memory is still there
        self.sim.close()
        for use in (lambda: view[0], lambda: self.sim.q, lambda: self.sim.time, lambda: self.sim.step(),
                    lambda: self.sim.inputs["motor"], lambda: list(self.sim.inputs), lambda: self.sim.channels["bob.angle"],
                    lambda: self.sim.before_step(print), lambda: self.sim.rewind(), lambda: list(self.sim)):
            with self.assertRaisesRegex(limber.UsageError, "closed"):
                use()

    def test_snapshots(self):
        self.sim.advance(0.2)
        snapshot = self.sim.save()
        self.sim.advance(0.6)
        later = self.sim.q
        self.sim.restore(snapshot)
        self.assertEqual(self.sim.time, snapshot.time)
        self.sim.advance(0.6)
        same_bits(self, self.sim.q, later)
        other = self.model.simulation("swing")  # of the same model
        other.restore(snapshot)
        other.advance(0.6)
        same_bits(self, other.q, later)
        for wrong in (None, later, "snapshot"):
            with self.assertRaises(limber.UsageError):
                other.restore(wrong)
        with self.assertRaisesRegex(limber.UsageError, "of another model"):
            self.model.copy().set(l=2).simulation().restore(snapshot)

    def test_rewind(self):
        start, times = self.sim.q, list(self.sim)
        self.assertEqual(times[-1], self.sim.end)
        self.assertEqual(len(times), 100)
        self.sim.inputs["motor"] = 2
        there = self.sim.q
        self.sim.rewind()
        self.assertEqual((self.sim.time, self.sim.inputs["motor"]), (0, 0))
        same_bits(self, self.sim.q, start)
        self.assertEqual(list(self.sim), times)
        same_bits(self, self.sim.q, there)
        self.assertEqual(list(self.sim), [])

    def test_inputs(self):
        other = self.model.simulation("swing")
        other.inputs["motor"] = 3.0
        self.sim.advance(0.5)
        other.advance(0.5)
        self.assertGreater(other.channels["bob.angle"], self.sim.channels["bob.angle"])
        self.assertEqual(other.inputs["motor"], 3)
        self.assertEqual((list(other.inputs), len(other.inputs), "motor" in other.inputs), (["motor"], 1, True))
        for wrong in (float("nan"), [1, 2, 3, 4, 5], None, "fast", [[1]], 1j):
            with self.assertRaises(limber.UsageError):
                other.inputs["motor"] = wrong
        self.assertEqual(other.inputs["motor"], 3)
        other.inputs["motor"] = np.float64(2)
        other.inputs["motor"] = [4]
        self.assertEqual(other.inputs["motor"], 4)

    def test_state(self):
        self.sim.advance(0.3)
        state = self.sim.state
        other = self.model.simulation("swing")
        other.state = state
        np.testing.assert_allclose(other.q, state[0], atol=1e-9)
        with self.assertRaises(limber.UsageError):
            other.state = np.append(state[0], 0), state[1]

    def test_wrong_names(self):
        for use in (lambda: self.sim.channels["bob.angel"], lambda: self.sim.inputs.__setitem__("moter", 1),
                    lambda: self.sim.view("p"), lambda: self.model.simulation("swimg"),
                    lambda: self.sim.advance(float("nan"))):
            with self.assertRaises(limber.Error):
                use()

        with self.assertRaisesRegex(limber.UsageError, "inputs of 'swing' are motor"):
            self.sim.inputs["something"] = 1
        for name in (None, 3, b"motor", [1], "a\0b"):
            for use in (lambda: self.sim.point(name), lambda: self.sim.inputs[name], lambda: self.sim.channels[name], lambda: self.sim.inputs.__setitem__(name, 1)):
                with self.assertRaises(limber.UsageError):
                    use()

    def test_two_threads_at_once(self):
        """While a thread steps, here inside a hook of it, another one is refused, and nothing happens."""
        errors = []

        def meddle(sim):
            for use in (sim.step, lambda: sim.channels["bob.angle"], lambda: sim.inputs.__setitem__("motor", 1),
                        sim.close, lambda: sim.point("bob"), sim.rewind, sim.save, lambda: sim.on_accept(print)):
                try:
                    use()
                except limber.UsageError as error:
                    errors.append(str(error))

        def hook(sim):
            thread = threading.Thread(target=meddle, args=(sim,))
            thread.start()
            thread.join()

        self.sim.before_step(hook)
        self.sim.step()
        self.assertEqual(len(errors) % 8, 0)
        for error in errors:
            self.assertRegex(error, "another thread")
        self.assertEqual(self.sim.inputs["motor"], 0)

    def test_simulations_go_without_the_garbage_collector(self):
        gc.disable()
        try:
            sim = self.model.simulation()
            sim.before_step(lambda sim: None)
            sim.step()
            gone = weakref.ref(sim)
            del sim
            self.assertIsNone(gone())
        finally:
            gc.enable()


class Drivers(unittest.TestCase):
    """A driver as an input: value, rate and acceleration, then constant acceleration."""

    def setUp(self):
        self.sim = limber.load(SLIDER_CRANK).simulation()

    def test_it_goes_on_as_given(self):
        sim = self.sim
        self.assertEqual(list(sim.inputs), ["motor"])
        sim.advance(0.05)
        np.testing.assert_allclose(sim.inputs["motor"], [0.5, 10, 0], atol=1e-14)  # by its law
        sim.inputs["motor"] = 0.6, 8, -5
        self.assertAlmostEqual(sim.channels["crank.angle"], 0.6, delta=1e-12)
        sim.advance(0.25)
        np.testing.assert_allclose(sim.inputs["motor"], [0.6 + 1.6 - 0.1, 7, -5], atol=1e-14)
        self.assertAlmostEqual(sim.channels["crank.angle"], 2.1, delta=1e-12)
        self.assertAlmostEqual(sim.channels["crank.angular_velocity"], 7, delta=1e-12)
        for wrong in (0.6, [0.6, 8], [1, float("inf"), 0]):
            with self.assertRaises(limber.UsageError):
                sim.inputs["motor"] = wrong

    def test_points(self):
        """Closed forms of a point of the crank, 0.1 m beside its end, and the Jacobian of all of it."""
        sim = self.sim
        sim.advance(0.05)
        found = sim.point("crank.B", [0, 0.1])
        c, s, w = np.cos(0.5), np.sin(0.5), 10
        place = np.array([0.15 * c - 0.1 * s, 0.15 * s + 0.1 * c, 0])
        np.testing.assert_allclose(found.position, place, atol=1e-14)
        np.testing.assert_allclose(found.velocity, [-w * place[1], w * place[0], 0], atol=1e-13)
        np.testing.assert_allclose(found.acceleration, -w * w * place, atol=1e-11)
        np.testing.assert_allclose(found.angular_velocity, [0, 0, w], atol=1e-13)
        np.testing.assert_allclose(found.rotation, [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-14)
        self.assertEqual(found.jacobian.shape, (6, 9))
        np.testing.assert_allclose(found.jacobian @ sim.v, [*found.velocity, *found.angular_velocity], atol=1e-13)
        for name, offset in (("crank.X", None), ("crank", [1]), ("crank", "far"), ("crank", [0, np.nan])):
            with self.assertRaises(limber.UsageError):
                sim.point(name, offset)
        sim.close()
        with self.assertRaisesRegex(limber.UsageError, "closed"):
            sim.point("crank")


class Hooks(unittest.TestCase):
    def setUp(self):
        self.sim = limber.Model(MOTOR).simulation()

    def test_they_see_every_step(self):
        """A counter as state: before and after each step, at times that go on, reading and setting what they may."""
        sim, before, after = self.sim, [], []

        @sim.before_step
        def note(sim):
            before.append((sim.time, sim.channels["bob.angle"], sim.q[0], sim.point("bob").position[0]))
            sim.inputs["motor"] = float(len(before))

        @sim.on_accept
        def check(sim):
            after.append(sim.time)

        sim.advance(0.5)
        self.assertEqual(len(before), len(after))
        self.assertEqual(after[-1], 0.5)
        self.assertEqual([b[0] for b in before[1:]], after[:-1])
        self.assertEqual(sim.inputs["motor"], len(before))
        self.assertEqual(before[0][2], before[0][3])
        sim.remove_hook(note)
        sim.remove_hook(check)
        sim.advance(0.6)
        self.assertEqual(after[-1], 0.5)
        with self.assertRaisesRegex(limber.UsageError, "has no hook"):
            sim.remove_hook(note)
        with self.assertRaises(limber.UsageError):
            sim.before_step(None)

    def test_exceptions(self):
        """The simulation is where it was before the call, inputs included."""
        sim, error = self.sim, KeyError("on purpose")
        sim.advance(0.1)
        q = sim.q

        def fail(sim):
            sim.inputs["motor"] = 5
            if sim.time > 0.3:
                raise error

        for add in (sim.before_step, sim.on_accept):
            add(fail)
            for _ in range(2):
                caught = None
                try:
                    sim.advance(1)
                except KeyError as raised:
                    caught = raised
                self.assertIs(caught, error)
                self.assertIn("raise error", "".join(traceback.format_tb(error.__traceback__)))
                self.assertEqual((sim.time, sim.inputs["motor"]), (0.1, 0))
                same_bits(self, sim.q, q)
            sim.remove_hook(fail)
        sim.advance(1)

    def test_they_cannot_move_it(self):
        sim, errors = self.sim, []

        def meddle(sim):
            for use in (sim.step, lambda: sim.advance(2), sim.close, sim.rewind, sim.save,
                        lambda: setattr(sim, "state", sim.state), lambda: sim.before_step(print)):
                with self.assertRaisesRegex(limber.UsageError, "at work"):
                    use()
                errors.append(1)
            with self.assertRaisesRegex(limber.UsageError, "did you mean 'motor'"):
                sim.inputs["moter"] = 1

        sim.before_step(meddle)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sim.step()
        self.assertGreaterEqual(len(errors), 7)


def riccati(A, B, Q, R):
    """X of A'X + XA - X B R^-1 B' X + Q = 0, from the stable invariant subspace of the Hamiltonian matrix."""
    n = len(A)
    H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values, vectors = np.linalg.eig(H)
    stable = vectors[:, values.real < 0]
    assert stable.shape == (2 * n, n)
    return np.linalg.solve(stable[:n].T, stable[n:].T).T.real


class Controller(unittest.TestCase):
    """An inverted pendulum on a cart is kept upright by state feedback, the optimal one of its linearised model."""

    CART = {
        "limber": 1, "dimension": 2, "gravity": [0, -9.81], "parameters": {"a0": 0},
        "bodies": {"cart": {"mass": 1, "inertia": 1},
                   "pole": {"mass": 0.2, "inertia": 0.01, "position": ["-0.5*sin(a0)", "0.5*cos(a0)"], "angle": "a0",
                            "points": {"foot": [0, -0.5]}}},
        "joints": {"rail": {"type": "translational", "between": ["ground", "cart"], "axis": [1, 0]},
                   "pin": {"type": "revolute", "between": ["cart", "pole.foot"]}},
        "forces": {"drive": {"type": "motor", "joint": "rail", "effort": 0}},
        "analyses": {"balance": {"type": "dynamics", "duration": 8, "output_step": 0.01}}}
    STATES = ["cart.position.x", "pole.angle", "cart.velocity.x", "pole.angular_velocity"]

    def setUp(self):
        self.model = limber.Model(self.CART)
        A, B, C, D = self.model.state_space("drive", self.STATES, as_placed=True)
        self.assertGreater(np.linalg.eigvals(A).real.max(), 1)  # it falls by itself
        T = np.linalg.inv(C)  # the states of the model are what is measured, in other coordinates
        A, B = C @ A @ T, C @ B
        Q, R = np.diag([10.0, 10, 1, 1]), np.eye(1)
        X = riccati(A, B, Q, R)
        np.testing.assert_allclose(A.T @ X + X @ A - X @ B @ B.T @ X + Q, 0, atol=1e-9 * abs(X).max()**2)
        self.gains = (B.T @ X).ravel()
        self.model.set(a0=0.2)

    def force(self, sim):
        return -float(self.gains @ [sim.channels[name] for name in self.STATES])

    def test_it_balances(self):
        for hooked in (False, True):  # once per output step, and by a hook before each step of the integrator
            sim = self.model.simulation()
            if hooked:
                sim.before_step(lambda sim: sim.inputs.__setitem__("drive", self.force(sim)))
            while sim.time < sim.end:
                if not hooked:
                    sim.inputs["drive"] = self.force(sim)
                sim.step()
                self.assertLess(abs(sim.channels["pole.angle"]), 0.3)
            for name in self.STATES:
                self.assertLess(abs(sim.channels[name]), 0.01, (name, hooked))

    def test_as_a_law_of_force(self):
        """The same feedback in continuous time, by a function in an expression."""
        tree = dict(self.CART, forces={"drive": {"type": "motor", "joint": "rail",
                                                 "effort": "feedback(cart.position.x, pole.angle, cart.velocity.x, "
                                                           "pole.angular_velocity)"}})
        model = limber.Model(tree, functions={"feedback": limber.Function(lambda *x: -float(self.gains @ x), arguments=4)})
        result = model.set(a0=0.2).run()
        for name in self.STATES:
            self.assertLess(abs(result[name][-1]), 0.01, name)

    def test_it_falls_without(self):
        sim = self.model.simulation()
        sim.advance(2)
        self.assertGreater(abs(sim.channels["pole.angle"]), 1)


if __name__ == "__main__":
    unittest.main()
