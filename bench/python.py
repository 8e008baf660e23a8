"""What the Python package costs above the C library.

  step     sim.step() above the same step in C; goal: 10 us
  read     a channel of a simulation, one number of it
  input    setting the effort of a motor, without and with a change
  call     a force law by a function of Python, above an expression of the model
  sweep    1 000 variants of the slider-crank (100 instants) by limber.sweep: in this process, and on pools of one and of
           two processes, with and without the time that these need to start. Goal: two 1.8 times as fast as one

scripts/bench runs it with the package of the build tree.
"""
import multiprocessing
import os
import resource
import time
from concurrent.futures import ProcessPoolExecutor

import limber
from limber._library import lib, one_blas_thread

CRANK = "examples/slider-crank/slider-crank.yaml"
SLIDE = {
    "limber": 1, "dimension": 2,
    "bodies": {"box": {"mass": 2, "inertia": 1, "position": [0.3, 0]}},
    "joints": {"rail": {"type": "prismatic", "between": ["ground", "box"], "axis": [1, 0]}},
    "forces": {"pull": {"type": "motor", "joint": "rail", "effort": "-200*offset"}},
    "analyses": {"swing": {"type": "dynamics", "duration": 1, "output_step": 0.01, "integrator": "euler", "step": 1e-4}}}
STEPS, REPEATS, VARIANTS = 100, 30, 1000


def fastest(function, count=STEPS, prepare=lambda: None):
    """The time of a call in us: the fastest of several, which other programs disturb least."""
    best = float("inf")
    for _ in range(REPEATS):
        prepare()
        begin = time.perf_counter()
        for _ in range(count):
            function()
        best = min(best, (time.perf_counter() - begin) / count)
    return 1e6 * best


def measure_calls():
    sim = limber.load(CRANK).simulation()
    handle, bare = sim._access.handle, lib.lmb_simulation_step
    step = fastest(sim.step, STEPS, sim.rewind)
    called = fastest(lambda: bare(handle), STEPS, sim.rewind)  # through cffi
    nothing = fastest(lambda: lib.lmb_simulation_time(handle), 1000)  # cffi alone
    in_c = called - nothing
    print(f"step   slider-crank: {step:.2f} us, in C {in_c:.2f} us: {step - in_c:+.2f} us")
    sim.channels["motor.effort"]
    print(f"read   {fastest(lambda: sim.channels['motor.effort'], 1000):.2f} us a channel")
    sim = limber.Model(SLIDE).simulation()
    sim.inputs["pull"] = 1.0
    same = fastest(lambda: sim.inputs.__setitem__("pull", 1.0), 1000)
    values = [1.0, 2.0]

    def change():
        values.reverse()
        sim.inputs["pull"] = values[0]

    print(f"input  {same:.2f} us as it was, {fastest(change, 1000):.2f} us with a change")


def measure_functions():
    plain = limber.Model(SLIDE).simulation()
    tree = dict(SLIDE, forces={"pull": dict(SLIDE["forces"]["pull"], effort="pull_back(offset)")})
    counts = [0]

    def pull_back(x):
        counts[0] += 1
        return -200 * x

    called = limber.Model(tree, functions={"pull_back": pull_back}).simulation()
    called.step()
    called.rewind()
    counts[0] = 0
    called.step()
    per_step = counts[0]
    more = fastest(called.step, 10, called.rewind) - fastest(plain.step, 10, plain.rewind)
    print(f"call   {more / per_step:.2f} us a call of a function in Python ({per_step} calls a step)")


def largest(result):
    return abs(result["motor.effort"]).max()


def sweep_time(model, **how):
    begin = time.perf_counter()
    limber.sweep(model, {"omega": [10 + 0.01 * i for i in range(VARIANTS)]}, largest, **how)
    return time.perf_counter() - begin


def children_time():
    """What processes that have ended took, whatever else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_sweeps():
    model = limber.load(CRANK)
    print(f"sweep  {VARIANTS} variants of the slider-crank, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    print(f"sweep  in this process {sweep_time(model, jobs=1):.2f} s")
    cold, warm, spent = [], [], []
    for workers in (1, 2):
        before = children_time()
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), one_blas_thread) as pool:
            cold.append(sweep_time(model, executor=pool))
            warm.append(sweep_time(model, executor=pool))
        spent.append(children_time() - before)
    print(f"sweep  one process {cold[0]:.2f} s, two {cold[1]:.2f} s: {cold[0] / cold[1]:.2f} times as fast")
    print(f"sweep  once started {warm[0]:.2f} s and {warm[1]:.2f} s: {warm[0] / warm[1]:.2f} times as fast")
    print(f"sweep  both took {spent[0]:.2f} s of processors in one process, {spent[1]:.2f} s in two: "
          f"{2 * spent[0] / spent[1]:.2f} times as fast where both are free")


if __name__ == "__main__":
    measure_calls()
    measure_functions()
    measure_sweeps()
