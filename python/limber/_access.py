"""What a program reads of a simulation and puts into it: by one thread at a time, or by the hooks of a call."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

from . import _errors
from ._arrays import numbers
from ._checks import shown
from ._library import Call, encode, ffi, here, lib, text_of

_QUANTITIES = ("q", "v", "a", "lambda")


class Access:
    """A simulation of the library with its context, and who uses it."""

    def __init__(self, handle: Any, call: Call) -> None:
        self.handle = handle  # None once it is closed
        self.call = call
        self.lock = threading.RLock()
        self.inside = 0  # calls under way in the thread that has the lock
        self.hooked = False  # a hook of the outermost one is at work

    def open(self) -> Any:
        """The simulation, unless it is closed."""
        if self.handle is None:
            raise _errors.UsageError("the simulation is closed")
        return self.handle


class Guard:
    """Holds a simulation during a `with` statement: for one thread, and one call, or those of a hook inside of it."""

    __slots__ = ("_access", "_by_hooks")

    def __init__(self, access: Access, by_hooks: bool) -> None:
        self._access = access
        self._by_hooks = by_hooks  # whether hooks may call what it guards

    def __enter__(self) -> Any:
        access = self._access
        if not access.lock.acquire(False):
            raise _errors.UsageError("the simulation is in use by another thread")
        try:
            if access.inside and not (self._by_hooks and access.hooked and access.inside == 1):
                raise _errors.UsageError((_errors.Message(
                    "the simulation is at work: a function or hook that it calls cannot call it for this",
                    "hooks may read channels, points and coordinates and set inputs"),))
            handle = access.open()
        except BaseException:
            access.lock.release()
            raise
        access.inside += 1
        here.calls = True
        return handle

    def __exit__(self, *unused: object) -> None:
        self._access.inside -= 1
        self._access.lock.release()


def quantity_number(quantity: str) -> int:
    """The lmb_quantity of a name."""
    if quantity not in _QUANTITIES:
        raise _errors.UsageError(f"there is no quantity {shown(quantity)}: there are {', '.join(_QUANTITIES)}")
    return int(getattr(lib, f"LMB_QUANTITY_{quantity.upper()}"))


def borrowed(access: Access, quantity: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """A quantity where it is, read-only; the array keeps the simulation."""
    handle, number = access.open(), quantity_number(quantity)
    count = lib.lmb_simulation_size(handle, number)
    if count <= 0:
        return np.zeros(0)
    values = lib.lmb_simulation_view(handle, number)
    kept = ffi.gc(ffi.cast("double *", values), lambda _, owner=handle: None)
    array: "np.ndarray[Any, np.dtype[np.float64]]" = np.frombuffer(ffi.buffer(kept, 8 * count), dtype=float)
    array.flags.writeable = False
    return array


class View:
    """Numbers of a simulation where they are, without a copy: they change with it.

    Once the simulation is closed, looking at them is an error. numpy.asarray(view) is an array of the same memory,
    read-only, which keeps that memory alive.
    """

    def __init__(self, access: Access, quantity: str) -> None:
        self._access = access
        self._quantity = quantity

    def __array__(self, dtype: Any = None, copy: Any = None) -> "np.ndarray[Any, Any]":
        array = borrowed(self._access, self._quantity)
        if copy:
            array = array.copy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __getitem__(self, index: Any) -> Any:
        return borrowed(self._access, self._quantity)[index]

    def __len__(self) -> int:
        return len(borrowed(self._access, self._quantity))

    def __iter__(self) -> Iterator[Any]:
        return iter(borrowed(self._access, self._quantity))

    def __repr__(self) -> str:
        return f"<limber view of {self._quantity}: {borrowed(self._access, self._quantity)}>"


class _Handles:
    """Names that are resolved once."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._guard = Guard(access, True)
        self._handles: Dict[str, Tuple[int, int]] = {}

    def _find(self, simulation: Any, name: str, function: Any) -> Tuple[int, int]:
        """The handle of a name and how many numbers it has."""
        try:
            return self._handles[name]
        except (KeyError, TypeError):
            out = ffi.new("int[2]")
            text = encode(name)
        self._access.call.check(function(simulation, text, out, out + 1))
        found = self._handles[name] = (out[0], out[1])
        return found


class Channels(_Handles):
    """`simulation.channels`: the channels now, by name."""

    def __getitem__(self, name: str) -> Any:
        """A number, or an array of several."""
        with self._guard as simulation:
            handle, size = self._find(simulation, name, lib.lmb_simulation_channel)
            values = lib.lmb_simulation_read(simulation, handle)
            if here.error is not None or not values:
                self._access.call.check(lib.LMB_SOLVER)
            return values[0] if size == 1 else numbers(values, size)


class Inputs(_Handles):
    """`simulation.inputs`: what acts from outside, by name; iterating gives the names.

    A number is added to the effort of a motor or spring, a vector to that of a force or torque. Those of a driver are
    value, rate and acceleration of its coordinate, which goes on from there with that acceleration instead of by its law.
    """

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._numbers = ffi.new("double[3]")

    def __setitem__(self, name: str, value: Any) -> None:
        with self._guard as simulation:
            handle, size = self._find(simulation, name, lib.lmb_simulation_input)
            try:
                if size == 1 and isinstance(value, (float, int)):
                    self._numbers[0] = value
                else:
                    self._numbers[0:size] = self._several(name, size, value)
            except OverflowError:  # of a whole number
                raise _errors.UsageError(f"the input '{name}' must be finite, not {shown(value)}") from None
            self._access.call.check(lib.lmb_simulation_set_input(simulation, handle, self._numbers))

    def _several(self, name: str, size: int, value: Any) -> Any:
        try:
            given = np.atleast_1d(np.asarray(value, dtype=float))
        except (TypeError, ValueError, OverflowError):
            given = np.zeros(0)
        if given.shape != (size, ):
            raise _errors.UsageError(
                f"the input '{name}' takes {size} number{'s' if size > 1 else ''}, not {shown(value)}")
        return given.tolist()

    def __getitem__(self, name: str) -> Any:
        """A number, or an array of several, as it is now."""
        with self._guard as simulation:
            handle, size = self._find(simulation, name, lib.lmb_simulation_input)
            self._access.call.check(lib.lmb_simulation_get_input(simulation, handle, self._numbers))
            return self._numbers[0] if size == 1 else numbers(self._numbers, size)

    def __iter__(self) -> Iterator[str]:
        names: List[str] = []
        simulation = self._access.open()
        while (name := lib.lmb_simulation_input_name(simulation, len(names))):
            names.append(text_of(name))
        return iter(names)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in list(self)


@dataclass(frozen=True, eq=False)
class PointMotion:
    """How a point of a body moves at an instant, in global axes."""

    position: "np.ndarray[Any, np.dtype[np.float64]]"  #: m
    velocity: "np.ndarray[Any, np.dtype[np.float64]]"  #: m/s
    acceleration: "np.ndarray[Any, np.dtype[np.float64]]"  #: m/s^2
    angular_velocity: "np.ndarray[Any, np.dtype[np.float64]]"  #: of the body there, rad/s
    rotation: "np.ndarray[Any, np.dtype[np.float64]]"  #: 3 x 3, from the axes of the point to global ones
    jacobian: "np.ndarray[Any, np.dtype[np.float64]]"  #: 6 x v: times the velocities v, velocity and angular velocity


def point_motion(access: Access, simulation: Any, name: str, offset: Any) -> PointMotion:
    """See Simulation.point."""
    place = ffi.NULL
    if offset is not None:
        try:
            given = [float(x) for x in offset]
        except (TypeError, ValueError, OverflowError):
            given = []
        if len(given) not in (2, 3):
            raise _errors.UsageError(f"an offset is 2 or 3 numbers, not {shown(offset)}")
        place = ffi.new("double[3]", given)
    out = ffi.new("lmb_point_motion *")
    columns = lib.lmb_simulation_size(simulation, lib.LMB_QUANTITY_V)
    jacobian = np.zeros((6, columns))
    access.call.check(
        lib.lmb_simulation_point(simulation, encode(name), place, out, ffi.cast("double *", jacobian.ctypes.data)))
    return PointMotion(numbers(out.position, 3), numbers(out.velocity, 3), numbers(out.acceleration, 3),
                       numbers(out.angular_velocity, 3), numbers(out.rotation, 3, 3), jacobian)
