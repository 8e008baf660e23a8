"""The library is found, and what is missing is named."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import limber


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


class Library(unittest.TestCase):
    def test_the_package_works_wherever_it_is(self):
        self.assertEqual(imported(lambda folder: None), (0, "FOLDER/limber/__init__.py\n"))

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
