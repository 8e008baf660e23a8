"""Every example gives, through Python, the bits of `limber run`."""
import glob
import os
import subprocess
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import limber
from support import PROGRAM, SHARED, SLIDER_CRANK, same_bits, scratch, limber as program

TOO_LONG = {"afterburner-flexible"}  # seconds, and afterburner and crane have what it has
WARNED = {"bricard", "lee-frame", "right-angle"}


def command_line(name):
    """The result of the program: that which tests share, or one of its own where there are warnings."""
    if name in WARNED:
        path = scratch(f"{name}.h5")
        program("run", f"examples/{name}/{name}.yaml", "-o", path, "--quiet")
        return path
    words = ["tests/support/example.sh", PROGRAM, SHARED, "run", name]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def run(name):
    """The results of the program and of the package; those of a model without analyses are of its rotor."""
    model = limber.load(f"examples/{name}/{name}.yaml")
    return limber.open(command_line(name)), model.run() if model.analyses else model.rotor().result


class Conformance(unittest.TestCase):
    def test_examples(self):
        names = sorted(os.path.basename(os.path.dirname(path)) for path in glob.glob("examples/*/*.yaml"))
        names = [name for name in names if name not in TOO_LONG]
        compared = 0
        with warnings.catch_warnings(), ThreadPoolExecutor(2) as pool:
            warnings.simplefilter("ignore")
            for name, pair in zip(names, pool.map(run, names)):
                compared += 1
                with self.subTest(name):
                    self.compare(*pair)
        self.assertGreater(compared, 45)

    def compare(self, theirs, ours):
        self.assertEqual(theirs.analyses, ours.analyses)
        for analysis in theirs.analyses:
            channels = theirs.channels_of(analysis)
            self.assertEqual(channels, ours.channels_of(analysis))
            for name in channels:
                a, b = theirs[f"{analysis}/{name}"], ours[f"{analysis}/{name}"]
                same_bits(self, a, b, name)
                same_bits(self, a.time, b.time, name)

    def test_values_are_those_of_get(self):
        path = scratch("get.h5")
        result = limber.load(SLIDER_CRANK).run(path=path)
        printed = np.array([[float(x) for x in line.split()] for line in program("get", path, "pin.force").stdout.splitlines()])
        force = result["pin.force"]
        columns = printed[:, -2:]  # time, then the components
        same_bits(self, np.ascontiguousarray(columns), force.view(np.ndarray))


if __name__ == "__main__":
    unittest.main()
