"""Studies: the numbers of the command line, files, mistakes, Ctrl-C."""
import json
import math
import pickle
import unittest
import warnings

import numpy as np

import limber
from support import PENDULUM, check_ctrl_c, limber as program, same_bits, scratch

BALANCE = "examples/balance/balance.yaml"
HALF_CAR = "examples/half-car/half-car.yaml"
FIT = "examples/pendulum-fit/pendulum-fit.yaml"

# the least of (a - 1)^2 + (b + 2)^2 with a + b at most -2 is at (0.5, -2.5)
PLANE = """\
limber: 1
dimension: 2
parameters: {a: 0, b: 0}
bodies: {bob: {type: particle, mass: 1, position: [1, 0]}}
joints: {guide: {type: slot, between: [ground, bob], axis: [1, 0]}}
analyses: {stay: {type: dynamics, duration: 0.01, output_step: 0.01}}
objectives:
  there: {final: "(a - 1)^2 + (b + 2)^2 + 0*bob.position.x"}
  sum: {final: a + b + 0*bob.position.x}
studies:
  least: {type: optimise, minimise: there, design: {a: [-5, 5], b: [-5, 5]}, subject_to: {sum: {at_most: -2}}}
  grid: {type: sweep, vary: {a: [0, 1, 2], b: [-2, 0]}, results: [there]}
  play: {type: tolerance, vary: {a: {normal: [0, 0.1]}, b: {normal: [0, 0.2]}}, results: [there, sum], samples: 8}
"""


def printed(verb, model, study, *words):
    """What the program says of a study."""
    out = program(verb, model, "--study", study, "--json", "--quiet", "-o", scratch(f"{study}.h5"), *words).stdout
    return json.loads(out)


def plain(value):
    """As JSON has it: null where there is no number."""
    return None if isinstance(value, float) and math.isnan(value) else value


class Optimise(unittest.TestCase):
    def test_a_known_optimum(self):
        """By Lagrange: gradient (2 (a - 1), 2 (b + 2)) = -lambda (1, 1), so lambda = 1; the tolerance of the search is
        1e-6 of its box, by which the objective is of second order."""
        found = limber.Model(PLANE).optimise()
        self.assertAlmostEqual(found.best["a"], 0.5, delta=1e-4)
        self.assertAlmostEqual(found.best["b"], -2.5, delta=1e-4)
        self.assertAlmostEqual(found.objective, 0.5, delta=1e-4)
        self.assertEqual([(limit.name, limit.side, limit.limit, limit.active) for limit in found.limits],
                         [("sum", "<", -2.0, True)])
        self.assertAlmostEqual(found.limits[0].multiplier, 1, delta=1e-4)
        self.assertTrue(found.feasible and found.searches[found.best_search].end in ("converged", "stuck"))
        self.assertEqual(found.trials.shape, (len(found.trial_values), 2))
        same_bits(self, found.trials[0], np.zeros(2))
        # the model is set to it
        values = found.model.gradient(by=()).values
        self.assertEqual(values[0], found.objective)

    def test_as_the_command_line(self):
        for study in ("soft", "tight"):
            expected = printed("optimise", HALF_CAR, study)
            found = limber.load(HALF_CAR).optimise(study, jobs=2)
            self.assertEqual(found.best, expected["design"])
            self.assertEqual(dict(zip(found.objectives, found.values)), expected["values"])
            self.assertEqual(dict(zip(found.variables, found.start)), expected["start"])
            self.assertEqual({limit.name: (limit.value, limit.limit, limit.active, plain(limit.multiplier))
                              for limit in found.limits},
                             {name: tuple(limit[key] for key in ("value", "limit", "active", "multiplier"))
                              for name, limit in expected["constraints"].items()})
            self.assertEqual((found.method, found.feasible, found.optimality, len(found.trials), found.gradients),
                             tuple(expected[key] for key in ("method", "feasible", "optimality", "trials", "gradients")))

    def test_trade_off(self):
        expected = printed("optimise", BALANCE, "both")
        found = limber.load(BALANCE).optimise("both")
        self.assertEqual(found.curve_values.tolist(), [point["objectives"] for point in expected["curve"]])
        self.assertEqual(found.curve[:, 0].tolist(), [point["design"]["mw"] for point in expected["curve"]])
        self.assertEqual(found.curve_feasible.tolist(), [point["feasible"] for point in expected["curve"]])

    def test_files(self):
        path = scratch("least.h5")
        model = limber.Model(PLANE)
        found = model.optimise("least", path=path)
        trials = found.result
        same_bits(self, np.ascontiguousarray(trials["design.a"]), np.ascontiguousarray(found.trials[:, 0]))
        self.assertIn("least", found.report().html)
        with self.assertRaisesRegex(limber.UsageError, "path="):
            model.optimise().report()
        with self.assertRaisesRegex(limber.UsageError, "cannot be resumed"):
            model.optimise(resume=True)

    def test_a_study_that_is_resumed(self):
        path = scratch("resumed.h5")
        model = limber.load(BALANCE)
        warnings.simplefilter("ignore", limber.Warning)  # at first nothing depends on the phase
        self.addCleanup(warnings.resetwarnings)
        asked = []
        whole = model.optimise("mean", path=scratch("whole.h5"), jobs=1, progress=lambda *now: asked.append(now))
        half = len(asked) // 2
        asked.clear()

        def stop(what, fraction):
            asked.append((what, fraction))
            return len(asked) > half

        with self.assertRaisesRegex(limber.SolverError, "interrupted"):
            model.optimise("mean", path=path, jobs=1, progress=stop)
        found = model.optimise("mean", path=path, jobs=1, resume=True)
        same_bits(self, found.x, whole.x)
        same_bits(self, found.trials, whole.trials)
        self.assertLess(found.runs, whole.runs)

    def test_it_pickles_and_shows_itself(self):
        found = limber.Model(PLANE).optimise()
        again = pickle.loads(pickle.dumps(found))
        same_bits(self, again.x, found.x)
        self.assertEqual(again.model.settings, found.model.settings)
        self.assertIn("multiplier", found._repr_html_())


class Fits(unittest.TestCase):
    def test_as_the_command_line(self):
        expected = printed("fit", FIT, "swing")
        found = limber.load(FIT).fit("swing")
        self.assertEqual(
            {name: {"value": found.x[i], "error": found.errors[i], "start": found.start[i], "held": found.held[i]}
             for i, name in enumerate(found.variables)}, expected["parameters"])
        self.assertEqual(found.correlations.tolist(), expected["correlations"])
        self.assertEqual((found.sum_of_squares, found.start_sum_of_squares, found.count, found.steps, found.runs),
                         tuple(expected[key] for key in ("sum_of_squares", "start_sum_of_squares", "values", "steps",
                                                         "runs")))
        theta = found.columns["theta"]
        self.assertEqual((theta.channel, len(theta.t), theta.rms),
                         tuple(expected["columns"]["theta"][key] for key in ("channel", "values", "rms")))
        # the sum of squares is that of the residuals, but for the order of the sum
        self.assertAlmostEqual((theta.residuals**2).sum() / found.sum_of_squares, 1, delta=1e-12)
        self.assertEqual(found.model.settings, {name: repr(value) for name, value in found.best.items()})
        self.assertIn("standard error", found._repr_html_())
        same_bits(self, pickle.loads(pickle.dumps(found)).x, found.x)


class Sweeps(unittest.TestCase):
    def test_a_grid(self):
        found = limber.Model(PLANE).sweep_study("grid", jobs=2)
        self.assertEqual((found.sampling, len(found), found.failures), ("grid", 6, (None,) * 6))
        same_bits(self, found["there"], (found["a"] - 1)**2 + (found["b"] + 2)**2)
        self.assertAlmostEqual(found.scatter["there"].mean, found["there"].mean(), delta=1e-12)
        effect = found.effects["there"]["b"]
        self.assertEqual((effect.at_low, effect.at_high, effect.high - effect.low), (-2, 0, 4))
        with self.assertRaisesRegex(KeyError, "there are there, a, b"):
            found["c"]

    def test_as_the_command_line(self):
        expected = printed("sweep", HALF_CAR, "dampers")
        found = limber.load(HALF_CAR).sweep_study("dampers")
        self.assertEqual(found.x.tolist(), [run["at"] for run in expected["runs"]])
        self.assertEqual(found.values.tolist(), [run["values"] for run in expected["runs"]])
        for name, numbers in expected["statistics"].items():
            numbers["count"] = numbers.pop("runs")
            self.assertEqual(numbers, {key: plain(getattr(found.scatter[name], key)) for key in numbers})
        self.assertIn("comfort", found._repr_html_())

    def test_tolerances(self):
        """To first order there = 5 - 2 a + 4 b and sum = a + b; slopes are found to rounding."""
        found = limber.Model(PLANE).tolerance()
        self.assertLess(abs(found.slopes - [[-2, 4], [1, 1]]).max(), 1e-9)
        self.assertAlmostEqual(found.budget[0], math.hypot(0.2, 0.8), delta=1e-9)
        self.assertEqual((found.nominal.tolist(), found.x.shape), ([5, 0], (8, 2)))
        self.assertIn("to first order", found._repr_html_())
        self.assertEqual(len(pickle.loads(pickle.dumps(found))), 8)

    def test_tolerances_as_the_command_line(self):
        expected = printed("tolerance", HALF_CAR, "scatter")
        found = limber.load(HALF_CAR).tolerance("scatter")
        for i, name in enumerate(found.objectives):
            budget = expected["budgets"][name]
            self.assertEqual((found.nominal[i], found.budget[i]), (budget["value"], budget["deviation"]))
            self.assertEqual(dict(zip(found.variables, found.contributions[i])), budget["contributions"])
            self.assertEqual(found.scatter[name].mean, expected["statistics"][name]["mean"])


class Mistakes(unittest.TestCase):
    def test_wrong_words(self):
        model = limber.Model(PLANE)
        for call, error, piece in ((lambda: model.optimise("leest"), limber.UsageError, "did you mean 'least'"),
                                   (lambda: model.optimise("grid"), limber.UsageError, "is of type sweep"),
                                   (lambda: model.fit(), limber.InputError, "has no study of type fit"),
                                   (lambda: model.optimise(3), limber.UsageError, "`study` must be a text or None"),
                                   (lambda: model.sweep_study("gr\0id"), limber.UsageError, "NUL"),
                                   (lambda: model.tolerance(jobs=0), limber.UsageError, "threads"),
                                   (lambda: model.tolerance(jobs=-1), limber.UsageError, "threads"),
                                   (lambda: model.optimise(path="/nowhere/x.h5"), limber.FileError, "/nowhere"),
                                   (lambda: model.optimise(path=scratch("none.h5"), resume=True), limber.Error, "none.h5"),
                                   (lambda: limber.Model(PENDULUM).optimise(), limber.InputError, "has no study"),
                                   (lambda: limber.load(HALF_CAR).optimise(), limber.UsageError, "soft, tight")):
            with self.assertRaisesRegex(error, piece):
                call()

    def test_progress_stops_it(self):
        def stop(what, fraction):
            raise LookupError("enough")

        for jobs in (1, 2):
            with self.assertRaisesRegex(LookupError, "enough"):
                limber.Model(PLANE).optimise(progress=stop, jobs=jobs)

    def test_functions_of_python(self):
        """Threads call them; what they raise ends the study."""
        text = PLANE.replace("(a - 1)^2 + (b + 2)^2", "bowl(a, b)")
        model = limber.Model(text).define("bowl", lambda a, b: (a - 1)**2 + (b + 2)**2)
        found = model.sweep_study("grid", jobs=2)
        same_bits(self, found["there"], (found["a"] - 1)**2 + (found["b"] + 2)**2)
        self.assertEqual(list(model.optimise().model.functions), ["bowl"])

        def fail(a, b):
            raise LookupError("no bowl")

        for jobs in (1, 2):
            with self.assertRaisesRegex(LookupError, "no bowl"):
                limber.Model(text).define("bowl", fail).sweep_study("grid", jobs=jobs)

    def test_ctrl_c(self):
        check_ctrl_c(self, PLANE.replace("samples: 8", "samples: 10000000"), "tolerance(jobs=2)")


if __name__ == "__main__":
    unittest.main()
