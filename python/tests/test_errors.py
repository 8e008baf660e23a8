"""Mistakes are exceptions that say what the program says, warnings are Python's."""
import glob
import pickle
import unittest
import warnings

import limber
from support import PENDULUM, SLIDER_CRANK, limber as program, scratch

MASSLESS = PENDULUM.replace("mass: 2, inertia: 0.1, ", "")


class Errors(unittest.TestCase):
    def test_kinds(self):
        with self.assertRaises(limber.FileError) as caught:
            limber.load("no-such-file.yaml")
        self.assertIsInstance(caught.exception, OSError)
        self.assertEqual(caught.exception.status, 5)
        with self.assertRaises(limber.InputError) as caught:
            limber.Model(PENDULUM.replace("revolute", "revolut")).check()
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.file, error.line, error.column), ("model", 6, 22))
        self.assertEqual(error.hint, "did you mean 'revolute'?")
        self.assertIn("\n      |                      ^~~~~~~", str(error))
        with self.assertRaises(limber.InputError):
            limber.open(SLIDER_CRANK)
        with self.assertRaises(limber.InputError):
            limber.load(SLIDER_CRANK).run("no such analysis")

    def test_wrong_arguments(self):
        model = limber.Model(PENDULUM)
        for wrong in ({"l": float("nan")}, {"l": None}, {"l": True}, {"l": "1\0"}, {"l": [1, float("inf")]}):
            with self.assertRaises(limber.UsageError, msg=wrong):
                model.set(**wrong)
        self.assertEqual(model.settings, {})
        for call in (lambda: limber.Model(3), lambda: limber.Model("a.yaml"), lambda: limber.Model({"a": {1, 2}}),
                     lambda: limber.Model({"a": float("nan")}), lambda: model.run([]), lambda: model.run(resume=True),
                     lambda: model.run()[3], lambda: model.run().channels_of("x"),
                     lambda: limber.sweep(model, {"l": [1]}, "pin.force", jobs=0)):
            with self.assertRaises(limber.UsageError):
                call()
        with self.assertRaises(limber.InputError):
            limber.Model("not: [closed")
        with self.assertRaises(limber.FileError):
            model.run(path="/no/such/folder/result.h5")

    def test_they_print_like_the_program(self):
        compared = 0
        for path in sorted(glob.glob("tests/bad/*.yaml"))[::12]:
            said = program("run", path, "-o", scratch("bad.h5"), "--quiet", check=False)
            if said.returncode not in (3, 4) or " rotor" in said.stderr:
                continue
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                with self.assertRaises(limber.Error, msg=path) as caught:
                    limber.load(path).run()
            lines = [str(w.message) for w in warned] + [str(caught.exception), ""]
            self.assertEqual("\n".join(lines), said.stderr, path)
            self.assertEqual(caught.exception.status, said.returncode, path)
            compared += 1
        self.assertGreater(compared, 25)

    def test_hostile_texts_are_kept_and_printed_as_escapes(self):
        with self.assertRaises(limber.InputError) as caught:
            limber.Model('limber: 1\ndimension: 2\nbodies: {"a\\e[2J\u202e": {mass: 1}}\n').check()
        self.assertIn("'a\x1b[2J\u202e'", caught.exception.text)
        self.assertIn("'a\\x1b[2J\\u202e'", str(caught.exception))
        path = scratch("bytes\udcfe.yaml")
        with open(path, "wb") as file:
            file.write("limber: 1\ntitle: \u202e€\t\udcff\udc80\n".encode("utf-8", "surrogateescape"))
        with self.assertRaises(limber.InputError) as caught:
            limber.load(path)
        error = caught.exception
        self.assertEqual((error.file, error.source_line), (path, "title: \u202e€\t\\xff\\x80"))
        said = program("check", path, check=False)
        self.assertEqual(str(error) + "\n", said.stderr)
        self.assertIn("\\u202e€  \\xff\\x80\n      |                 ^~~~\n", str(error))

    def test_what_was_computed_before_a_failure_is_kept(self):
        falling = limber.Model(PENDULUM + "forces: {blow: {type: motor, joint: pin, effort: '1/max(0, 0.5 - t)'}}\n")
        with self.assertRaises(limber.SolverError) as caught:
            falling.run()
        kept = caught.exception.result
        self.assertGreater(len(kept["bob.angle"]), 10)
        self.assertLess(kept["bob.angle"].time[-1], 0.51)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(str(again), str(caught.exception))
        self.assertEqual(len(again.result["bob.angle"]), len(kept["bob.angle"]))

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            limber.Model(MASSLESS.replace("dynamics", "inverse-dynamics").replace(
                "analyses:", "drivers: {d: {joint: pin, angle: t}}\nanalyses:")).run()
        self.assertEqual([w.category for w in warned], [limber.Warning])
        self.assertIn("body 'bob' has no mass", str(warned[0].message))
        self.assertEqual(warned[0].message.message.line, 5)
        self.assertEqual(warned[0].filename, __file__)  # where the model was run

    def test_pickles(self):
        try:
            limber.Model(PENDULUM.replace("revolute", "revolut")).check()
        except limber.InputError as error:
            again = pickle.loads(pickle.dumps(error))
            self.assertIs(type(again), limber.InputError)
            self.assertEqual(again.messages, error.messages)
            self.assertEqual(str(again), str(error))
        warning = limber.Warning("look")
        self.assertEqual(str(pickle.loads(pickle.dumps(warning))), str(warning))


if __name__ == "__main__":
    unittest.main()
