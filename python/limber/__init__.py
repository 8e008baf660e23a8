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

from ._access import PointMotion
from ._errors import Error, FileError, InputError, Message, SolverError, UsageError, Warning
from ._functions import Function
from ._gradient import Gradient, GradientCheck, GradientHistory
from ._library import version
from ._linear import About, Embedded, Matrices, Modes, Response, StateSpace
from ._model import Mobility, Model, load
from ._part import Part
from ._reduction import ReducedBody
from ._report import Report
from ._result import Channel, Result, Series, open
from ._rotor import CriticalSpeeds, Estimates, Instability, Orbits, Rotor, RunUp, Unbalance, Whirl
from ._simulation import Simulation, Snapshot
from ._studies import Fit, FitColumn, Limit, MainEffect, Optimum, Scatter, Search, SweepStudy, Tolerance
from ._sweep import Sweep, Trial, sweep

__all__ = [
    "About", "Channel", "CriticalSpeeds", "Embedded", "Error", "Estimates", "FileError", "Fit", "FitColumn",
    "Function", "Gradient", "GradientCheck", "GradientHistory", "InputError", "Instability", "Limit",
    "MainEffect", "Matrices", "Message", "Mobility", "Model", "Modes", "Optimum", "Orbits", "Part", "PointMotion",
    "ReducedBody", "Report", "Response", "Result", "Rotor", "RunUp", "Scatter", "Search", "Series",
    "Simulation", "Snapshot", "SolverError", "StateSpace", "Sweep", "SweepStudy", "Tolerance", "Trial",
    "Unbalance", "UsageError", "Warning", "Whirl", "load", "open", "sweep", "version"
]
__version__ = version()

if not TYPE_CHECKING:  # they are of this module, for tracebacks and pickles
    for _name in __all__:
        globals()[_name].__module__ = __name__
