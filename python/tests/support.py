"""What the tests of the package share. They run from the top folder; see tests/python/run.sh."""
import os
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

PROGRAM = os.environ["LIMBER_PROGRAM"]
SCRATCH = os.environ["LIMBER_SCRATCH"]
SHARED = os.environ["LIMBER_SHARED"]  # results of examples, made once for all tests
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")  # see tests/python/run.sh
SLIDER_CRANK = "examples/slider-crank/slider-crank.yaml"

PENDULUM = """\
limber: 1
dimension: 2
gravity: [0, -9.81]
parameters: {l: 1, T: 1}
bodies: {bob: {mass: 2, inertia: 0.1, position: [l, 0], points: {O: [-l, 0]}}}
joints: {pin: {type: revolute, between: [ground, bob.O]}}
analyses: {swing: {type: dynamics, duration: T, output_step: 0.01}}
"""


def limber(*words, check=True):
    """Runs the program."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, errors="surrogateescape")
    if check and done.returncode:
        raise AssertionError(done.stderr)
    return done


def scratch(name):
    """The path of a file that a test writes."""
    os.makedirs(SCRATCH, exist_ok=True)
    return os.path.join(SCRATCH, name)


def in_threads(count, function):
    """What a function returns in each of several threads at once."""
    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(function) for _ in range(count)]]


def same_bits(test: unittest.TestCase, a, b, what=""):
    """Whether two arrays are the same to the last bit."""
    test.assertEqual(a.shape, b.shape, what)
    test.assertEqual(a.tobytes(), b.tobytes(), what)


def check_ctrl_c(test: unittest.TestCase, model, call):
    """Whether Ctrl-C soon stops a call, such as "gradient()", of a model that is given as a text."""
    code = ("import limber\n"
            f"model = limber.Model({model!r})\n"
            "try:\n"
            "    print('begun', flush=True)\n"
            f"    model.{call}\n"
            "except KeyboardInterrupt:\n"
            "    print('stopped')\n")
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=dict(os.environ))
    test.assertEqual(child.stdout.readline(), "begun\n")
    time.sleep(0.3)
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    test.assertEqual(out.splitlines()[-1:], ["stopped"], err)
    test.assertLess(time.monotonic() - began, 10)
