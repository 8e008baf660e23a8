"""Simulations that are stepped from outside; skipped where the library has none."""
import threading
import unittest

import numpy as np

import limber
from limber._library import has, lib
from support import PENDULUM, same_bits

MOTOR = PENDULUM + "forces: {motor: {type: motor, joint: pin, effort: 0}}\n"


class Simulations(unittest.TestCase):
    def setUp(self):
        if not has(lib, "lmb_simulation_new"):
            with self.assertRaisesRegex(limber.UsageError, "no simulations"):
                limber.Model(PENDULUM).simulation()
            self.skipTest("the library has no simulations yet")
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
        for use in (lambda: view[0], lambda: self.sim.q, lambda: self.sim.time, lambda: self.sim.step()):
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
        with self.assertRaises(limber.UsageError):
            self.model.simulation("swing").restore(snapshot)

    def test_inputs(self):
        other = self.model.simulation("swing")
        other.inputs["motor"] = 3.0
        self.sim.advance(0.5)
        other.advance(0.5)
        self.assertGreater(other.channels["bob.angle"], self.sim.channels["bob.angle"])
        for wrong in (float("nan"), [1, 2, 3, 4, 5]):
            with self.assertRaises(limber.UsageError):
                other.inputs["motor"] = wrong

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

    def test_two_threads_at_once(self):
        errors = []

        def step():
            try:
                for _ in range(200):
                    self.sim.step()
            except limber.Error as error:
                errors.append(error)

        with self.sim._busy():  # as while another thread steps
            thread = threading.Thread(target=step)
            thread.start()
            thread.join()
        self.assertRegex(str(errors[0]), "another thread")


if __name__ == "__main__":
    unittest.main()
