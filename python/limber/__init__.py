"""Limber: dynamics of mechanisms of rigid and flexible bodies.

>>> import limber
>>> model = limber.load("examples/slider-crank/slider-crank.yaml")
>>> result = model.set(omega=20).run()
>>> effort = result["motor.effort"]
>>> print(f"{effort[-1]:.5f} {effort.unit} at t = {effort.time[-1]} s")
5.63521 N m at t = 1.0 s

The package is a thin layer over the C library, which it brings along; docs/python.md tells more.
"""
from typing import TYPE_CHECKING

from ._errors import Error, FileError, InputError, Message, SolverError, UsageError, Warning
from ._gradient import Gradient, GradientCheck, GradientHistory
from ._library import version
from ._linear import About, Embedded, Matrices, Modes, Response, StateSpace
from ._model import Mobility, Model, load
from ._part import Part
from ._report import Report
from ._result import Channel, Result, Series, open
from ._simulation import Simulation, Snapshot
from ._sweep import Sweep, Trial, sweep

__all__ = [
    "About", "Channel", "Embedded", "Error", "FileError", "Gradient", "GradientCheck", "GradientHistory",
    "InputError", "Matrices", "Message", "Mobility", "Model", "Modes", "Part", "Report", "Response", "Result", "Series",
    "Simulation", "Snapshot", "SolverError", "StateSpace", "Sweep", "Trial", "UsageError", "Warning", "load",
    "open", "sweep", "version"
]
__version__ = version()

if not TYPE_CHECKING:  # they are of this module, for tracebacks and pickles
    for _name in __all__:
        globals()[_name].__module__ = __name__
