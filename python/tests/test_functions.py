"""Functions of Python in expressions: they move models as built-in laws do, and fail as exceptions."""
import gc
import math
import pickle
import threading
import traceback
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import functions
import limber
from limber._functions import _on_function
from limber._library import Call, ffi
from support import in_threads, same_bits

SLIDE = {
    "limber": 1, "dimension": 2, "parameters": {"k": 200, "c": 3, "x0": 0.3},
    "bodies": {"box": {"mass": 2, "inertia": 1, "position": ["x0", 0]}},
    "joints": {"rail": {"type": "prismatic", "between": ["ground", "box"], "axis": [1, 0]}},
    "objectives": {"far": {"integral": "box.position.x^2"}},
}
INTEGRATORS = ("rk45", "generalized-alpha", "adams", "ida")
SPRING = {"type": "spring", "between": [[-1, 0], "box"], "stiffness": "k", "damping": "c", "length": 1}
ARM = """\
limber: 1
dimension: 2
bodies: {arm: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {O: [-0.5, 0]}}}
joints: {pin: {type: revolute, between: [ground, arm.O]}}
drivers: {motor: {joint: pin, angle: swing(t)}}
sensors: {twice: '2*swing(t) + 0*arm.angle'}
analyses: {turn: {type: inverse-dynamics, duration: 1, output_step: 0.1}}
"""


def slide(effort, integrator="rk45", **more):
    """A box on a rail with a law of force, or with a force."""
    analysis = {"type": "dynamics", "duration": 1, "output_step": 0.05, "integrator": integrator}
    if integrator in ("generalized-alpha", "adams"):
        analysis["step"] = 1e-3
    force = effort if isinstance(effort, dict) else {"type": "motor", "joint": "rail", "effort": effort}
    return limber.Model({**SLIDE, "forces": {"pull": force}, "analyses": {"swing": analysis}}, **more)


def spring(x, v):
    return -200 * x - 3 * v


def spring_gradient(x, v):
    return [-200, -3]


class Laws(unittest.TestCase):
    def test_a_spring_is_the_built_in_one(self):
        """To 1e-12 with its gradient; without it Newton's method has tangents of 1e-10, which leave 1e-9."""
        for integrator in INTEGRATORS:
            own = slide(SPRING, integrator).run()["box.position.x"]
            for f, tolerance in ((limber.Function(spring, spring_gradient), 1e-12), (spring, 1e-9)):
                found = slide("pull_back(offset, speed)", integrator, functions={"pull_back": f}).run()
                np.testing.assert_allclose(found["box.position.x"], own, rtol=0, atol=tolerance, err_msg=integrator)

    def test_closed_form(self):
        found = slide("pull_back(offset, speed)").define("pull_back", spring, spring_gradient).run()
        a, t = 3 / 4, found["box.position.x"].time
        w = math.sqrt(100 - a * a)
        exact = 0.3 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
        np.testing.assert_allclose(found["box.position.x"], exact, atol=1e-5)  # 10 times the tolerance of rk45

    def test_drivers_and_sensors(self):
        """A driver needs two derivatives of its law: exact, of differences of the gradient, or of the value alone."""
        def swing(t): return 0.5 * math.sin(3 * t)
        def rate(t): return 1.5 * math.cos(3 * t)
        def acceleration(t): return -4.5 * math.sin(3 * t)
        for given, tolerance in (((swing, rate, acceleration), 1e-13), ((swing, rate), 1e-10), ((swing, ), 3e-8)):
            result = limber.Model(ARM, functions={"swing": limber.Function(*given)}).run()
            effort = result["motor.effort"]
            exact = -4.5 * np.sin(3 * effort.time) * (0.1 + 2 * 0.25)
            np.testing.assert_allclose(effort, exact, rtol=0, atol=tolerance)
            np.testing.assert_allclose(result["twice"], np.sin(3 * effort.time), rtol=0, atol=1e-14)

    def test_events(self):
        model = limber.Model({**SLIDE, "events": {"there": {"when": "reached(box.position.x)", "stop": True}},
                              "forces": {"pull": {"type": "motor", "joint": "rail", "effort": 4}},
                              "analyses": {"go": {"type": "dynamics", "duration": 1, "output_step": 0.1}}},
                             functions={"reached": lambda x: x - 0.39})
        sim = model.simulation()
        self.assertEqual(list(sim)[-1], sim.time)
        self.assertTrue(sim.stopped)
        self.assertAlmostEqual(sim.time, 0.3, delta=1e-9)  # x = 0.3 + t^2

    def test_vectors(self):
        """A force whose two components come from one function of a vector."""
        model = {"limber": 1, "dimension": 2, "bodies": {"ball": {"mass": 2, "inertia": 1, "position": [1, 0]}},
                 "analyses": {"fly": {"type": "dynamics", "duration": 1, "output_step": 0.1}}}
        def wind(x, y, t): return np.array([2 * t, 4.0])
        found = limber.Model({**model, "forces": {"wind": {"type": "force", "at": "ball", "force": "wind(ball.position, t)"}}},
                             functions={"wind": limber.Function(wind, results=2)}).run()["ball.position"]
        t = found.time
        np.testing.assert_allclose(found, np.stack([1 + t**3 / 6, t**2], 1), atol=1e-6)

    def test_modes_and_gradients(self):
        own, called = slide("-k*offset - c*speed"), slide("pull_back(offset, speed)", functions={"pull_back": spring})
        np.testing.assert_allclose(called.modes().frequency, own.modes().frequency, rtol=1e-9)
        for jobs in (1, 2):
            np.testing.assert_allclose(called.gradient(by="x0", jobs=jobs).derivatives,
                                       own.gradient(by="x0").derivatives, rtol=1e-6)

    def test_variants(self):
        """Parameters and functions that change after a run change the next one."""
        model = slide("pull_back(offset, speed)*k/200", functions={"pull_back": spring})
        first = model.run()["box.position.x"]
        soft = model.set(k=100).run()["box.position.x"]
        np.testing.assert_allclose(soft, slide("(-200*offset - 3*speed)/2").run()["box.position.x"], atol=1e-9)
        copy = model.copy().set(k=200)
        same_bits(self, copy.run()["box.position.x"], first)
        copy.define("pull_back", lambda x, v: 0.0)
        np.testing.assert_allclose(copy.run()["box.position.x"], 0.3, atol=1e-12)
        same_bits(self, model.run()["box.position.x"], soft)

    def test_threads(self):
        """A function is called by several threads at the same time."""
        model = slide("pull_back(offset, speed)", functions={"pull_back": spring})
        expected = model.run()["box.position.x"]
        for one in in_threads(4, lambda: model.run()["box.position.x"]):
            same_bits(self, one, expected)
        with ThreadPoolExecutor(2) as pool:
            model = slide("law(offset)*k/200", functions={"law": lambda x: -200 * x})
            found = limber.sweep(model, {"k": [100, 200, 200, 200]}, "box.position.x", executor=pool)
        same_bits(self, found.values[3], model.run()["box.position.x"])

    def test_pickles_and_pools(self):
        model = slide("pull_back(offset, speed)*k/200", functions={"pull_back": functions.pull_back})
        expected = model.run()["box.position.x"]
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual(again.functions, model.functions)
        same_bits(self, again.run()["box.position.x"], expected)
        found = limber.sweep(model, {"k": [100, 200, 300]}, "box.position.x", jobs=2)
        same_bits(self, found.values[1], expected)
        model.define("pull_back", lambda x, v: 0)
        with self.assertRaisesRegex((AttributeError, pickle.PicklingError), "[Cc]an't pickle .*lambda"):
            pickle.dumps(model)
        with self.assertRaisesRegex(limber.UsageError, "function of a module"):
            limber.sweep(model, {"k": [100, 200]}, "box.position.x", jobs=2)
        self.assertEqual(len(limber.sweep(model, {"k": [100, 200]}, "box.position.x", jobs=1)), 2)


class Lives(unittest.TestCase):
    def test_functions_live_as_long_as_what_calls_them(self):
        class Law:
            def __call__(self, x, v):
                return -200 * x

        law = Law()
        gone = weakref.ref(law)
        model = slide("pull_back(offset, speed)").define("pull_back", law)
        sim = model.simulation()
        model.define("pull_back", spring)
        del law, model
        gc.collect()
        self.assertIsNotNone(gone())
        sim.advance(0.5)
        sim.close()
        del sim
        gc.collect()
        self.assertIsNone(gone())


class Failures(unittest.TestCase):
    def failing(self, error):
        def fail(x, v):
            if x < 0:
                raise error
            return -200 * x
        return slide("fail(offset, speed)", functions={"fail": fail})

    def test_exceptions_are_raised_again(self):
        error = ZeroDivisionError("on purpose")
        model = self.failing(error)
        for use in (model.run, lambda: model.simulation().advance(1), lambda: model.gradient(by="x0"),
                    lambda: model.gradient(by="x0", jobs=2), lambda: model.set(x0=-0.1).modes(as_placed=True)):
            error.__traceback__ = caught = None
            try:
                use()
            except ZeroDivisionError as raised:
                caught = raised
            self.assertIs(caught, error)
            self.assertIn("raise error", "".join(traceback.format_tb(error.__traceback__)))
        slide("-k*offset").run()  # nothing of it is left

    def test_exceptions_in_threads_of_the_library(self):
        """A thread that has called nothing of the library itself leaves its exception to the call that it works for."""
        model = self.failing(LookupError("on purpose"))
        found = []

        def work():
            x, value = ffi.new("double[2]", [-1, 0]), ffi.new("double[1]")
            found.extend(_on_function(model._functions["fail"], x, value, ffi.NULL, ffi.NULL) for _ in range(2))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(found, [1, 1])
        with self.assertRaisesRegex(LookupError, "on purpose"):
            Call(functions=model._bound()).check(0)
        Call(functions=model._bound()).check(0)

    def test_a_simulation_stays_where_it_was(self):
        sim = self.failing(KeyError("x")).simulation()
        sim.advance(0.1)
        q = sim.q
        for _ in range(2):
            with self.assertRaises(KeyError):
                sim.advance(1)
            self.assertEqual(sim.time, 0.1)
            same_bits(self, sim.q, q)
        sim.state = [0.3, 0, 0], [0, 0, 0]
        sim.advance(0.2)

    def test_sensors(self):
        def check(t):
            if t > 0.35:
                raise LookupError("on purpose")
            return t
        for threads in (1, 2):  # channels of a run are found by threads of the library
            model = limber.Model(ARM.replace("duration", f"threads: {threads}, duration").replace("2*swing(t)", "check(t)"),
                                 functions={"swing": math.sin, "check": check})
            with self.assertRaises(LookupError):
                model.run()
        sim = model.simulation()
        self.assertEqual(sim.channels["twice"], 0)
        sim.advance(0.5)
        with self.assertRaises(LookupError):
            sim.channels["twice"]
        sim.rewind()
        self.assertEqual(sim.channels["twice"], 0)

    def test_no_number(self):
        for value, what in ((float("nan"), "the value of function 'law' is not finite for \\(0.3"),
                            (math.inf, "not finite"), (np.nan, "not finite")):
            with self.assertRaisesRegex(limber.SolverError, what) as caught:
                slide("law(offset)", functions={"law": lambda x: value}).run()
            self.assertRegex(str(caught.exception), "force 'pull' is not a finite number")
        with self.assertRaisesRegex(limber.SolverError, "the gradient of function 'law' is not finite"):
            slide("law(offset)", "generalized-alpha",
                  functions={"law": limber.Function(lambda x: -x, lambda x: math.nan)}).run()

    def test_wrong_results(self):
        for value, what in ((None, "1 number, not NoneType"), ([1, 2], "1 number, not an array of shape \\(2,\\)"),
                            ("1", "not str"), (1j, "not complex"), ([], "shape \\(0,\\)")):
            with self.assertRaisesRegex(limber.UsageError, what):
                slide("law(offset)", functions={"law": lambda x: value}).run()
        with self.assertRaisesRegex(limber.UsageError, "the gradient of function 'law' must be 2 numbers"):
            slide("law(offset, speed)", "generalized-alpha",
                  functions={"law": limber.Function(lambda x, v: -x, lambda x, v: 1)}).run()
        for value in (np.float32(0), np.zeros(1), np.array(0), True, 0, [0.0]):
            slide("law(offset)", functions={"law": lambda x: value}).run()

    def test_wrong_definitions(self):
        model = slide("0")
        for use, what in ((lambda: model.define("k", abs), "section 'parameters'"),
                          (lambda: model.define("a b", abs), "cannot be the name"),
                          (lambda: model.define(3, abs), "`name` must be a text, not 3"),
                          (lambda: model.define("f", 3), "`function` must be of the type Function or a function"),
                          (lambda: model.define("f", abs, hessian=abs), "needs its gradient"),
                          (lambda: model.define("f", lambda *x: 0), "cannot be seen from it"),
                          (lambda: model.define("f", lambda *x: 0, arguments=13), "0 to 12 arguments, not 13"),
                          (lambda: model.define("f", abs, results=4), "1, 2 or 3 results"),
                          (lambda: model.define("f", abs, results=10**20), "`results` must be a whole number"),
                          (lambda: model.define("f", abs, arguments="2"), "`arguments` must be a whole number"),
                          (lambda: model.define("f", limber.Function(abs), abs), "has its own gradient"),
                          (lambda: limber.Model({"limber": 1}, functions={"sin": abs}), "have a 'sin' already")):
            with self.assertRaisesRegex(limber.UsageError, what):
                use()
        self.assertEqual(model.functions, {})
        model.run()
        with self.assertRaisesRegex(limber.InputError, "did you mean 'pull_back'"):
            slide("pull_bac(offset)", functions={"pull_back": spring}).check()
        with self.assertRaisesRegex(limber.InputError, "takes 2 numbers, not 1"):
            slide("pull_back(offset)", functions={"pull_back": spring}).check()

    def test_a_function_that_uses_its_own_simulation(self):
        """Whatever it tries is an error."""
        for use in (lambda sim: sim.step(), lambda sim: sim.channels["box.position"], lambda sim: sim.close(),
                    lambda sim: sim.inputs.__setitem__("pull", 1), lambda sim: sim.rewind(), lambda sim: sim.q,
                    lambda sim: sim.point("box"), lambda sim: sim.save()):
            busy = []

            def law(x):
                if busy:
                    use(busy[0])
                return -x
            sim = slide("law(offset)", functions={"law": law}).simulation()
            busy.append(sim)
            with self.assertRaisesRegex(limber.UsageError, "at work"):
                sim.step()
            # nor in a call that a hook makes
            sim.before_step(lambda sim: sim.inputs.__setitem__("pull", 1))
            with self.assertRaisesRegex(limber.UsageError, "at work"):
                sim.step()
            busy.clear()
            self.assertEqual(sim.time, 0)
            sim.step()


if __name__ == "__main__":
    unittest.main()
