"""Sweeps on the pools by which studies leave one machine: dask.distributed and MPI, here on this machine alone."""
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

from support import SANITIZED

SAYS = """\
same numbers: True
other processes: True
a series: N (101, 2)
an error: SolverError True
"""
# MPI on this machine alone: by shared memory and the loopback interface, without a program such as ssh; root may run it,
# with more processes than there are processors
ALONE = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "OMPI_MCA_plm": "isolated",
}


def needs(module, package, program=None):
    """Skips a test whose pool is not installed, except in continuous integration."""
    there = importlib.util.find_spec(module) is not None and (program is None or shutil.which(program))
    return unittest.skipUnless(there or os.environ.get("CI"), f"Debian's package {package} is not installed")


@unittest.skipIf(SANITIZED, "pools have libraries of their own")
class Pools(unittest.TestCase):
    def check(self, *command):
        path = os.pathsep.join([os.path.abspath("python/tests"), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(command, env={**os.environ, **ALONE, "PYTHONPATH": path}, capture_output=True,
                              text=True, timeout=300)
        self.assertEqual((done.stdout, done.returncode), (SAYS, 0), done.stderr)

    @needs("distributed", "python3-distributed")
    def test_dask(self):
        self.check(sys.executable, "python/tests/pools.py", "dask")

    @needs("mpi4py", "python3-mpi4py", "mpiexec")
    def test_mpi(self):
        self.check("mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", "python/tests/pools.py", "mpi")


if __name__ == "__main__":
    unittest.main()
