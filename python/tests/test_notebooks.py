"""The notebooks of examples/python are run, each in a process of its own, and print what is stored in them."""
import base64
import glob
import importlib.util
import os
import unittest

import notebooks
from support import SANITIZED

HAS_FIGURES = importlib.util.find_spec("matplotlib") is not None
NOTEBOOKS = ["controller", "fe-part", "first-steps", "optimisation", "sweep"]


def said(outputs):
    """The texts of outputs, without figures."""
    texts = []
    for output in outputs:
        if output["output_type"] != "display_data":
            lines = output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
            texts.append("".join(lines))
    return texts


def images(outputs):
    return [base64.b64decode(o["data"]["image/png"]) for o in outputs if "image/png" in o.get("data", {})]


@unittest.skipIf(SANITIZED, "most of their time is that of other libraries")
class Notebooks(unittest.TestCase):
    def test_all_are_here(self):
        found = [os.path.basename(path)[:-len(".ipynb")] for path in sorted(glob.glob("examples/python/*.ipynb"))]
        self.assertEqual(found, NOTEBOOKS)

    def check_form(self, notebook):
        """Format 4.5: what Jupyter asks of a file."""
        self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
        self.assertEqual(notebook["metadata"]["kernelspec"]["name"], "python3")
        names = [cell["id"] for cell in notebook["cells"]]
        self.assertEqual(len(set(names)), len(names))
        for cell in notebook["cells"]:
            keys = {"cell_type", "id", "metadata", "source"}
            if cell["cell_type"] == "code":
                keys |= {"execution_count", "outputs"}
            self.assertEqual(set(cell), keys)
            self.assertIn(cell["cell_type"], ("code", "markdown"))

    def check(self, name):
        path = f"examples/python/{name}.ipynb"
        notebook = notebooks.read(path)
        self.check_form(notebook)
        outputs, errors = notebooks.run_apart(path)
        self.assertIsNotNone(outputs, errors)
        self.assertEqual(errors, "")
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertEqual([cell["execution_count"] for cell in code], list(range(1, len(code) + 1)))
        for cell, now in zip(code, outputs):
            source = "".join(cell["source"])
            self.assertEqual(said(now), said(cell["outputs"]), source)
            self.assertEqual(len(images(now)), len(images(cell["outputs"])), source)
            for image in images(cell["outputs"]):
                self.assertTrue(image.startswith(b"\x89PNG"))
                self.assertLess(len(image), 40000)


def add(name):
    def test(self):
        self.check(name)

    needs = unittest.skipUnless(HAS_FIGURES or os.environ.get("CI"), "Debian's package python3-matplotlib is not installed")
    setattr(Notebooks, f"test_{name.replace('-', '_')}", needs(test))


for notebook_name in NOTEBOOKS:
    add(notebook_name)

if __name__ == "__main__":
    unittest.main()
