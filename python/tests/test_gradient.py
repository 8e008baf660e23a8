"""Gradients: against differences of runs, the command line, and mistakes."""
import json
import pickle
import unittest

import numpy as np

import limber
from support import PENDULUM, check_ctrl_c, limber as program, same_bits, scratch

FIVE_BAR = "examples/five-bar/five-bar.yaml"
SPRING = """\
limber: 1
dimension: 2
parameters: {k: 100, m: 1}
bodies: {bob: {type: particle, mass: m, position: [1, 0]}}
joints: {guide: {type: slot, between: [ground, bob], axis: [1, 0]}}
forces: {spring: {type: force, at: bob, force: [-k*bob.position.x, 0]}}
analyses: {swing: {type: dynamics, duration: 0.4, output_step: 0.05, integrator: generalized-alpha, step: 1e-3}}
objectives: {end: {final: bob.position.x}}
"""


class Gradients(unittest.TestCase):
    def test_differences_of_runs(self):
        """Central differences of model.run: their error is d**2 / 6 times the third derivative, 1e-7 here."""
        model = limber.Model(SPRING)
        found = model.gradient()
        d = 1e-3
        for p, (name, value) in enumerate((("k", 100), ("m", 1))):
            ends = [model.copy().set(**{name: value * (1 + s * d)}).run()["bob.position.x"][-1] for s in (-1, 1)]
            self.assertAlmostEqual(found["end", name] * value, (ends[1] - ends[0]) / (2 * d), delta=1e-5)
        self.assertAlmostEqual(found.values[0], model.run()["bob.position.x"][-1], delta=1e-9)
        self.assertEqual(found["end"].shape, (2,))

    def test_as_the_command_line(self):
        expected = json.loads(program("gradient", FIVE_BAR, "--json", "--check").stdout)["objectives"]
        found = limber.load(FIVE_BAR).gradient(check=True)
        self.assertEqual(found.objectives, tuple(expected))
        for i, name in enumerate(found.objectives):
            self.assertEqual(found.values[i], expected[name]["value"])
            self.assertEqual(dict(zip(found.parameters, found.derivatives[i])), expected[name]["gradient"])
            self.assertEqual(found.check.remainders[i].tolist(), expected[name]["remainders"])
        self.assertLess(found.check.direct_against_adjoint[0], 1e-9)

    def test_histories(self):
        path = scratch("slopes.h5")
        found = limber.load(FIVE_BAR).gradient(of="sway", by=["k1", "L01"], path=path, jobs=1)
        history = found.histories["shake"]
        self.assertEqual((history.over, history.objectives), ("time", ("sway",)))
        self.assertEqual(history.derivatives.shape, (len(history.t), 1, 2))
        same_bits(self, np.ascontiguousarray(limber.open(path)["sway.by.L01"]),
                  np.ascontiguousarray(history.derivatives[:, 0, 1]))

    def test_values_alone(self):
        found = limber.load(FIVE_BAR).gradient(of=["cost"], by=())
        self.assertEqual((found.objectives, found.derivatives.shape), (("cost",), (1, 0)))

    def test_it_pickles_and_shows_itself(self):
        found = limber.Model(SPRING).gradient()
        same_bits(self, pickle.loads(pickle.dumps(found)).derivatives, found.derivatives)
        self.assertIn("d end / d k", found._repr_html_())

    def test_parameters_that_are_set(self):
        model = limber.Model(SPRING).set(k=25)
        model.check()  # what is compiled is used
        found = model.gradient()
        self.assertAlmostEqual(found["end", "k"], -0.4 * np.sin(2) * 5 / 50, delta=1e-4)
        self.assertEqual(found.parameter_values.tolist(), [25, 1])

    def test_mistakes(self):
        model = limber.Model(SPRING)
        for wrong, error, piece in (({"of": "ende"}, limber.UsageError, "did you mean 'end'"),
                                    ({"by": ["q"]}, limber.UsageError, "q"),
                                    ({"by": [3]}, limber.UsageError, "`by` must be a text, a list of texts or None"),
                                    ({"of": "en\0d"}, limber.UsageError, "NUL"),
                                    ({"method": "exact"}, limber.UsageError, "method is one of"),
                                    ({"basis": 1}, limber.UsageError, "`basis` must be a text"),
                                    ({"integrator": "alpha"}, limber.UsageError, "there is no integrator"),
                                    ({"step": float("nan")}, limber.UsageError, "step"),
                                    ({"memory": -1}, limber.UsageError, "memory"),
                                    ({"jobs": 0}, limber.UsageError, "threads"),
                                    ({"path": "/nowhere/x.h5"}, limber.FileError, "/nowhere")):
            with self.assertRaisesRegex(error, piece):
                model.gradient(**wrong)
        with self.assertRaisesRegex(KeyError, "there are k, m"):
            model.gradient()["end", "q"]
        with self.assertRaisesRegex(limber.InputError, "has no objectives"):
            limber.Model(PENDULUM).gradient()

    def test_progress_stops_it(self):
        def stop(what, fraction):
            raise LookupError("enough")

        for jobs in (1, 2):
            with self.assertRaisesRegex(LookupError, "enough"):
                limber.Model(SPRING).gradient(progress=stop, jobs=jobs)

    def test_ctrl_c(self):
        check_ctrl_c(self, SPRING.replace("0.4", "1e4"), "gradient(jobs=2, method='differences')")


if __name__ == "__main__":
    unittest.main()
