"""The examples of docstrings and of the documentation are run."""
import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

import limber

PRIVATE = [module.name for module in pkgutil.iter_modules(limber.__path__) if module.name.startswith("_")]


def load_tests(loader, tests, pattern):
    seen = set()
    for module in [limber] + [importlib.import_module(f"limber.{name}") for name in PRIVATE]:
        found = [t for t in doctest.DocTestFinder(exclude_empty=True).find(module) if t.examples]
        if found:
            seen.update(t.name for t in found)
            tests.addTests(doctest.DocTestSuite(module))
    # methods are of the module that they are written in, and their classes of `limber`
    for name in limber.__all__:
        thing = getattr(limber, name)
        if isinstance(thing, type):
            found = doctest.DocTestFinder(exclude_empty=True).find(thing, f"limber.{name}", module=False,
                                                                   globs=dict(vars(limber)))
            tests.addTests(doctest.DocTestCase(t) for t in found if t.examples and t.name not in seen)
    return tests


class Documents(unittest.TestCase):
    def test_scripts_of_the_documentation(self):
        """The scripts of docs/python.md print what it says below them."""
        with open("docs/python.md", encoding="utf-8") as file:
            text = file.read()
        scripts = re.findall(r"```python\n([^`]*)```\n\n((?:    .*\n)+)", text)
        self.assertEqual(len(scripts), text.count("```python"))
        for script, printed in scripts:
            with tempfile.TemporaryDirectory() as folder:
                for name in ("slider-crank", "double-pendulum"):
                    os.symlink(os.path.abspath(f"examples/{name}/{name}.yaml"), os.path.join(folder, f"{name}.yaml"))
                path = os.path.join(folder, "script.py")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(script)
                done = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True)
            self.assertEqual(done.stdout, re.sub(r"^    ", "", printed, flags=re.M), done.stderr)


if __name__ == "__main__":
    unittest.main()
