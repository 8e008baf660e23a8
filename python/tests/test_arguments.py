"""Arguments of wrong types and sizes are errors of Limber that name them, and nothing else."""
import contextlib
import inspect
import io
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

import limber
from support import PENDULUM

TEXT = PENDULUM.replace("T: 1}", "T: 0.02}") + """\
forces: {motor: {type: motor, joint: pin, effort: 0}}
objectives: {far: {max: bob.position.x}}
studies: {s: {type: sweep, vary: {l: [1, 2]}}}
"""


class Odd:
    pass


def nested(wrap):
    value = wrap(1)
    for _ in range(5000):
        value = wrap(value)
    return value


DEEP = nested(lambda value: [value])
HOSTILE = [5, -1, 1.5, float("nan"), 10**400, 10**5000, "x", "", "\ud800", "a\0b", b"x", [], [5], ["\ud800"], [None], {}, {5: 5},
           range(3), 1j, Odd(), DEEP, nested(lambda value: {"a": value}), True, None]
METHODS = {
    "Model": "define attach check matrices embedded modes state_space response run simulation gradient optimise fit "
             "sweep_study tolerance reduce rotor",
    "Result": "channels_of text save report __getitem__",
    "Simulation": "advance before_step on_accept remove_hook view names point restore",
    "limber": "Model load sweep Part Function Result",
}
LOGGED = """
import limber
from support import PENDULUM

def log(line):
    raise KeyError("mine")

try:
    limber.Model(PENDULUM).run(log=log)
except KeyError as error:
    print(error)
"""


class Arguments(unittest.TestCase):
    def setUp(self):
        self.model = limber.Model(TEXT)
        self.simulation = self.model.simulation()
        owners = {"Model": self.model, "Result": self.model.run(), "Simulation": self.simulation, "limber": limber}
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        with open("model.yaml", "w", encoding="utf-8") as file:
            file.write(TEXT)
        owners["Result"].save("result.h5")
        self.functions = [(getattr(owners[owner], name), f"{owner}.{name}")
                          for owner, names in METHODS.items() for name in names.split()]
        #: arguments that make sense, by name
        self.good = {"input": "motor", "output": "bob.angle", "name": "bob", "grid": {"l": [1]}, "wanted": "bob.angle",
                     "model": self.model, "source": TEXT, "nodes": [[0, 0, 0]], "value": abs, "function": abs, "t": 0.01,
                     "hook": abs, "quantity": "q", "snapshot": self.simulation.save(), "analysis": None, "part": None}

    def refuse(self, what, call):
        """Makes a call, which may work or raise an error of Limber."""
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                call()
            except limber.Error:
                pass
            except Exception as error:
                self.fail(f"{what}: {type(error).__name__}: {str(error)[:200]}")

    def test_every_argument_of_wrong_types(self):
        for function, called in self.functions:
            parameters = inspect.signature(function).parameters
            given = {name: self.good.get(name) for name, p in parameters.items() if p.default is p.empty}
            if "jobs" in parameters:
                given["jobs"] = 1
            if "path" in given:
                given["path"] = "model.yaml" if called == "limber.load" else "result.h5"
            for name in parameters:
                for i, value in enumerate(HOSTILE):
                    if name != "open":  # a browser
                        self.refuse(f"{called} with {name} = HOSTILE[{i}]", lambda: function(**{**given, name: value}))

    def test_parameters_inputs_and_states(self):
        for i, value in enumerate(HOSTILE):
            self.refuse(f"set {i}", lambda: self.model.set(l=value))
            self.refuse(f"input {i}", lambda: self.simulation.inputs.__setitem__("motor", value))
            self.refuse(f"state {i}", lambda: setattr(self.simulation, "state", value))
            self.refuse(f"model {i}", lambda: limber.Model({"limber": 1, "bodies": {"a": value}}))

    def test_messages_name_the_argument(self):
        for call, said in ((lambda: self.model.run(analyses=5), "`analyses` must be a text, a list of texts or None, not 5"),
                           (lambda: self.model.run(path=5), "`path` must be a text, a path or None, not 5"),
                           (lambda: self.model.gradient(step=10**400), "`step` must be a number, not 1000"),
                           (lambda: self.model.set(l=10**400), "`l`: a parameter must be finite and below 1.8e308"),
                           (lambda: self.model.set(l="\ud800"), "half of a surrogate pair in it: '\\ud800'"),
                           (lambda: limber.Model({"a": DEEP}), "this is no model: it is nested too deeply"),
                           (lambda: limber.load(None), "`path` must be a text or a path, not None"),
                           (lambda: limber.sweep(self.model, 5, "x"), "`grid` must be a dictionary, not 5")):
            with self.assertRaises(limber.UsageError) as caught:
                call()
            self.assertIn(said, str(caught.exception))
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'analysis'"):
            self.model.run(analysis="swing")

    def test_a_generator_of_names(self):
        self.assertEqual(self.model.run(name for name in ["swing"]).analyses, ("swing",))

    def test_an_exception_of_log_is_raised_and_not_printed(self):
        done = subprocess.run([sys.executable, "-c", LOGGED], capture_output=True, text=True,
                              cwd=os.path.dirname(os.path.abspath(sys.modules["support"].__file__)))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "'mine'\n", ""))


if __name__ == "__main__":
    unittest.main()
