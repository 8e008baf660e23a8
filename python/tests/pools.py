"""pools.py dask|mpi: a sweep on a pool of dask.distributed, or of MPI (under `mpiexec -m mpi4py.futures`).

Prints whether its numbers are those of this process, whether others computed them, and what becomes of an error.
"""
import contextlib
import os
import sys

import functions
import limber
from support import SLIDER_CRANK

GRID = {"omega": [10, 20, 30], "r": [0.1, 0.15]}


@contextlib.contextmanager
def dask_pool():
    from dask import distributed

    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                                       worker_dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


@contextlib.contextmanager
def mpi_pool():
    from mpi4py import futures

    with futures.MPIPoolExecutor() as pool:
        yield pool


def main(kind):
    model = limber.load(SLIDER_CRANK).set(m1=1.5)
    here = limber.sweep(model, GRID, functions.force_and_process, jobs=1)
    with {"dask": dask_pool, "mpi": mpi_pool}[kind]() as pool:
        there = limber.sweep(model, GRID, functions.force_and_process, executor=pool)
        print("same numbers:", [force for force, _ in here.values] == [force for force, _ in there.values])
        print("other processes:", os.getpid() not in {process for _, process in there.values})
        channel = limber.sweep(model, {"omega": [10]}, "pin.force", executor=pool)[0].value
        print("a series:", channel.unit, channel.shape)
        try:
            limber.sweep(model, {"r": [0.15, 5]}, "pin.force", executor=pool)
        except limber.SolverError as error:
            print("an error:", type(error).__name__, error.result is not None)


if __name__ == "__main__":
    main(sys.argv[1])
