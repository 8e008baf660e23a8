"""Sweeps on pools of processes that are started anew, on threads, and in this process."""
import multiprocessing
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np

import functions
import limber
from support import SLIDER_CRANK, same_bits

GRID = {"omega": [10, 20, 30], "r": [0.1, 0.15]}


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.model = limber.load(SLIDER_CRANK).set(m1=1.5)
        self.expected = np.array([[self.model.copy().set(omega=omega, r=r).run()["pin.force"].max() for r in GRID["r"]]
                                  for omega in GRID["omega"]])

    def test_processes(self):
        found = limber.sweep(self.model, GRID, functions.largest_force, jobs=2)
        same_bits(self, found.array(), self.expected)
        self.assertEqual(found[3].parameters, {"omega": 20, "r": 0.15})
        self.assertEqual(len(found), 6)
        self.assertEqual(self.model.settings, {"m1": "1.5"})

    def test_threads(self):
        with ThreadPoolExecutor(2) as pool:
            found = limber.sweep(self.model, GRID, "pin.force", executor=pool)
        same_bits(self, found.array().max(axis=(2, 3)), self.expected)
        self.assertEqual(found.array().shape, (3, 2, 101, 2))
        self.assertEqual(found.values[0].unit, "N")

    def test_a_pool_of_ones_own(self):
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            found = limber.sweep(self.model, {"omega": [10]}, ["pin.force", "motor.effort"], executor=pool)
            self.assertEqual(list(found.values[0]), ["pin.force", "motor.effort"])
            self.assertEqual(pool.submit(functions.title_of, self.model).result(), "Slider-crank at constant speed")
            self.assertEqual(pool.submit(limber.Model.run, self.model).result().analyses, ("turn",))
            with self.assertRaisesRegex(limber.InputError, "no channel 'pin.farce'"):
                limber.sweep(self.model, {"omega": [10]}, "pin.farce", executor=pool)

    def test_many_points(self):
        """Points that go to processes several at a time give what they give one by one, in order; so do errors."""
        grid = {"omega": [10 + 0.1 * i for i in range(40)]}
        expected = limber.sweep(self.model, grid, functions.largest_force, jobs=1)
        found = limber.sweep(self.model, grid, functions.largest_force, jobs=2)
        same_bits(self, found.array(), expected.array())
        self.assertEqual([t.parameters for t in found], [t.parameters for t in expected])
        grid = {"r": [0.1 + 0.011 * i for i in range(40)]}  # from 0.4 on the crank is longer than the rod
        found = limber.sweep(self.model, grid, functions.largest_force, jobs=2, errors="keep")
        failed = [t.error is not None for t in found]
        self.assertEqual(failed, [t.error is not None for t in
                                  limber.sweep(self.model, grid, functions.largest_force, jobs=1, errors="keep")])
        self.assertTrue(failed[-1] and not failed[0])

    def test_failures(self):
        with self.assertRaisesRegex(limber.InputError, "no parameter 'omgea'"):
            limber.sweep(self.model, {"omgea": [1]}, "pin.force", jobs=1)
        grid = {"r": [0.15, 5]}  # a crank that is longer than the rod
        with self.assertRaises(limber.SolverError):
            limber.sweep(self.model, grid, "pin.force", jobs=1)
        found = limber.sweep(self.model, grid, "pin.force", jobs=1, errors="keep")
        self.assertIsNone(found[0].error)
        self.assertIsInstance(found[1].error, limber.SolverError)
        with self.assertRaises(limber.UsageError):
            found.array()
        with self.assertRaisesRegex(limber.UsageError, "on purpose"):
            limber.sweep(self.model, {"r": [0.1]}, functions.fail, jobs=1)


if __name__ == "__main__":
    unittest.main()
