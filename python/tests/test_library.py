"""The library is found, and what is missing is named."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import limber
from support import SANITIZED, SLIDER_CRANK


def imported(change):
    """Imports a copy of the package after a change of its folder; what that says."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "limber")
        shutil.copytree(os.path.dirname(limber.__file__), copy)
        change(copy)
        code = f"import sys; sys.path.insert(0, {folder!r}); import limber; print(limber.__file__)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/")
        return done.returncode, (done.stdout if done.returncode == 0 else done.stderr).replace(folder, "FOLDER")


def rewritten(old, new):
    def change(folder):
        path = os.path.join(folder, "_built.py")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert old in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    return change


COLLECTED = """
import gc
import limber
from limber import _library
from support import PENDULUM

model = limber.Model(PENDULUM)
simulation = model.simulation()
simulation.step()
kept = [model, simulation, simulation.save(), simulation.q, model.run()]
kept.append(kept)
del model, simulation, kept
with _library.ffi._lock:  # as while a function is looked up
    print(gc.collect() > 0)
"""


class Library(unittest.TestCase):
    def test_objects_are_freed_while_a_function_is_looked_up(self):
        done = subprocess.run([sys.executable, "-c", COLLECTED], capture_output=True, text=True, timeout=60,
                              cwd=os.path.dirname(__file__))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "True\n", ""))

    def test_the_package_works_wherever_it_is(self):
        self.assertEqual(imported(lambda folder: None), (0, "FOLDER/limber/__init__.py\n"))

    def check_installed(self, what, **environment):
        """Installs a wheel or a source tree into a folder of its own and runs a model with what is there alone."""
        with tempfile.TemporaryDirectory(prefix="some where ") as folder:
            target = os.path.join(folder, "packages")
            env = {**os.environ, **environment, "PYTHONPATH": target, "PYTHONDONTWRITEBYTECODE": "1"}
            pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "install",
                   "--no-index", "--no-deps", "--target", target]
            done = subprocess.run([*pip, what], env=env, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            code = ("import limber\n"
                    f"print(limber.load({os.path.abspath(SLIDER_CRANK)!r}).run()['motor.effort'].shape)\n"
                    "print(sorted({line.split(None, 5)[5].strip() for line in open('/proc/self/maps') if 'liblimber' in line}))")
            done = subprocess.run([sys.executable, "-c", code], env=env, cwd="/", capture_output=True, text=True)
            library = os.path.join(target, "limber", "liblimber.so")
            self.assertEqual(done.stdout, f"(101,)\n[{library!r}]\n", done.stderr)

    @unittest.skipIf(SANITIZED, "pip takes its time")
    def test_a_wheel_installs_elsewhere(self):
        self.check_installed(os.environ["LIMBER_WHEEL"])

    @unittest.skipIf(SANITIZED, "pip takes its time")
    def test_a_source_tree_whose_path_has_spaces(self):
        """`pip install .` of a copy; the library is that of the build tree, which took its time."""
        with tempfile.TemporaryDirectory(prefix="source tree ") as folder:
            tree = os.path.join(folder, "limber")
            os.mkdir(tree)
            for name in ("include", "python", "docs", "scripts"):
                shutil.copytree(name, os.path.join(tree, name), ignore=shutil.ignore_patterns("__pycache__"))
            for name in ("CMakeLists.txt", "LICENSE", "pyproject.toml"):
                shutil.copy(name, tree)
            self.check_installed(tree, LIMBER_BUILD_DIR=os.environ["LIMBER_BUILD"])

    def test_a_missing_library_names_its_package(self):
        code, said = imported(rewritten("NEEDED = {", "NEEDED = {'libgone.so.7': ('/no/libgone.so.7', 'libgone7'), "))
        self.assertEqual(code, 1)
        self.assertIn("ImportError: limber: the shared library libgone.so.7 is missing\n"
                      "  hint: `apt-get install libgone7`", said)

    def test_packages_of_what_is_needed_are_known(self):
        from limber._built import NEEDED

        if not shutil.which("dpkg"):
            self.skipTest("no Debian")
        self.assertEqual(NEEDED["libfyaml.so.0"][1], "libfyaml0")
        for late in ("libopenblas", "liblapacke", "libarpack", "libmetis", "libdmumps_seq"):
            self.assertTrue(any(name.startswith(late) for name in NEEDED), late)

    def test_without_the_library(self):
        code, said = imported(lambda folder: os.remove(os.path.join(folder, "liblimber.so")))
        self.assertEqual(code, 1)
        self.assertIn("ImportError: limber: ", said)
        code, said = imported(lambda folder: os.remove(os.path.join(folder, "_built.py")))
        self.assertEqual(code, 1)
        self.assertIn("hint: `pip install .`", said)


if __name__ == "__main__":
    unittest.main()
