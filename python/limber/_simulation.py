"""Simulations: an analysis that is advanced from outside, step by step."""
from __future__ import annotations

import contextlib
import math
import threading
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Tuple

import numpy as np

from . import _errors
from ._library import Call, encode, ffi, has, lib

if TYPE_CHECKING:
    from ._model import Model

_QUANTITIES = ("q", "v", "a", "lambda")


class View:
    """Numbers of a simulation where they are, without a copy: they change with it.

    Once the simulation is closed, looking at them is an error. numpy.asarray(view) is an array of the same memory,
    read-only, which keeps that memory alive.
    """

    def __init__(self, simulation: "Simulation", quantity: str) -> None:
        self._simulation = simulation
        self._quantity = quantity

    def __array__(self, dtype: Any = None, copy: Any = None) -> "np.ndarray[Any, Any]":
        array = self._simulation._borrowed(self._quantity)
        if copy:
            array = array.copy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __getitem__(self, index: Any) -> Any:
        return self._simulation._borrowed(self._quantity)[index]

    def __len__(self) -> int:
        return len(self._simulation._borrowed(self._quantity))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._simulation._borrowed(self._quantity))

    def __repr__(self) -> str:
        return f"<limber view of {self._quantity}: {self._simulation._borrowed(self._quantity)}>"


class Snapshot:
    """The state of a simulation at a time, all that its further motion depends on; see Simulation.save."""

    def __init__(self, snapshot: Any, owner: Any, time: float) -> None:
        self._snapshot = snapshot
        self._owner = owner
        self.time = time  #: when it was saved


class _Channels:
    """`simulation.channels`: the channels now, by name."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation
        self._handles: Dict[str, Tuple[int, int]] = {}

    def __getitem__(self, name: str) -> Any:
        """A number, or an array of several."""
        sim = self._simulation
        with sim._busy() as handle:
            if name not in self._handles:
                out = ffi.new("int[2]")
                sim._call.check(lib.lmb_simulation_channel(handle, encode(name), out, out + 1))
                self._handles[name] = (out[0], out[1])
            number, size = self._handles[name]
            values = lib.lmb_simulation_read(handle, number)
            if not values:
                sim._call.check(lib.LMB_SOLVER)
            return values[0] if size == 1 else _copied(values, size)


class _Inputs:
    """`simulation.inputs`: efforts of motors and vectors of forces that are given from outside, by name."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation
        self._handles: Dict[str, Tuple[int, int]] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        sim = self._simulation
        given = np.atleast_1d(np.asarray(value, dtype=float))
        with sim._busy() as handle:
            if name not in self._handles:
                out = ffi.new("int[2]")
                sim._call.check(lib.lmb_simulation_input(handle, encode(name), out, out + 1))
                self._handles[name] = (out[0], out[1])
            number, size = self._handles[name]
            if given.shape != (size,):
                raise _errors.UsageError(f"the input '{name}' takes {size} numbers, not {value!r}")
            if not np.isfinite(given).all():
                raise _errors.UsageError(f"the input '{name}' must be finite, not {value!r}")
            sim._call.check(lib.lmb_simulation_set_input(handle, number, ffi.new("double[]", given.tolist())))


def _copied(values: Any, count: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.frombuffer(ffi.buffer(values, 8 * count), dtype=float).copy() if count else np.zeros(0)


class Simulation:
    """An analysis under way, made by Model.simulation: it is advanced, read and acted on from outside.

    A simulation is for one thread at a time; two at once are an error. It can be used in a `with` statement, at whose
    end it is closed.
    """

    def __init__(self, model: "Model", analysis: str) -> None:
        self._lock = threading.Lock()
        self._handle: Any = None
        if not has(lib, "lmb_simulation_new"):
            raise _errors.UsageError("this library has no simulations: it is older than the package")
        self.analysis = analysis
        compiled = model.compiled()
        self._call = call = Call()
        out = ffi.new("lmb_simulation **")
        status = lib.lmb_simulation_new(out, call.context, compiled, encode(analysis))
        if out[0] and status == lib.LMB_OK:
            # model and context are to live as long as the simulation
            self._handle = ffi.gc(out[0], lambda handle, kept=(compiled, call): lib.lmb_simulation_free(handle))
        self._call.check(status)
        self.channels = _Channels(self)  #: channels now, by name: sim.channels["pin.force"]
        self.inputs = _Inputs(self)  #: what acts from outside, by name: sim.inputs["motor"] = 3.0
        self._names: Dict[str, Tuple[str, ...]] = {}

    # --- one thread at a time, and not after close()

    def _open(self) -> Any:
        if self._handle is None:
            raise _errors.UsageError("the simulation is closed")
        return self._handle

    @contextlib.contextmanager
    def _busy(self) -> Iterator[Any]:
        if not self._lock.acquire(blocking=False):
            raise _errors.UsageError("the simulation is in use by another thread")
        try:
            yield self._open()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Frees the simulation."""
        if not self._lock.acquire(blocking=False):
            raise _errors.UsageError("the simulation is in use by another thread")
        self._handle = None  # the memory goes when no array uses it any more
        self._lock.release()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    # --- time

    @property
    def time(self) -> float:
        """The time that it has reached, s."""
        return float(lib.lmb_simulation_time(self._open()))

    @property
    def end(self) -> float:
        """The end of the analysis, s."""
        return float(lib.lmb_simulation_end(self._open()))

    def step(self) -> float:
        """Advances by a step of the analysis; returns the time."""
        with self._busy() as handle:
            self._call.check(lib.lmb_simulation_step(handle))
            return float(lib.lmb_simulation_time(handle))

    def advance(self, t: float) -> float:
        """Advances to a time; returns it."""
        if not math.isfinite(t):
            raise _errors.UsageError(f"a time must be finite, not {t!r}")
        with self._busy() as handle:
            self._call.check(lib.lmb_simulation_advance(handle, float(t)))
            return float(lib.lmb_simulation_time(handle))

    # --- coordinates and multipliers

    @staticmethod
    def _number(quantity: str) -> int:
        if quantity not in _QUANTITIES:
            raise _errors.UsageError(f"there is no quantity {quantity!r}: there are {', '.join(_QUANTITIES)}")
        return int(getattr(lib, f"LMB_QUANTITY_{quantity.upper()}"))

    def _borrowed(self, quantity: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
        handle, number = self._open(), self._number(quantity)
        count = lib.lmb_simulation_size(handle, number)
        if count <= 0:
            return np.zeros(0)
        values = lib.lmb_simulation_view(handle, number)
        if not values:
            raise _errors.UsageError(f"the simulation has no {quantity}")
        kept = ffi.gc(ffi.cast("double *", values), lambda _, owner=handle: None)  # keeps the simulation
        array: "np.ndarray[Any, np.dtype[np.float64]]" = np.frombuffer(ffi.buffer(kept, 8 * count), dtype=float)
        array.flags.writeable = False
        return array

    def view(self, quantity: str) -> View:
        """Coordinates "q", velocities "v", accelerations "a" or multipliers "lambda" where they are, without a copy."""
        self._number(quantity)
        self._open()
        return View(self, quantity)

    def names(self, quantity: str) -> Tuple[str, ...]:
        """The names of the numbers of a quantity: "q", "v", "a" or "lambda"."""
        if quantity not in self._names:
            number = self._number(quantity)
            found: List[str] = []
            with self._busy() as handle:
                text = ffi.new("char[]", 256)
                for i in range(lib.lmb_simulation_size(handle, number)):
                    self._call.check(lib.lmb_simulation_name(handle, number, i, text, 256))
                    found.append(ffi.string(text).decode())
            self._names[quantity] = tuple(found)
        return self._names[quantity]

    def _copy(self, quantity: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
        with self._busy():
            return self._borrowed(quantity).copy()

    @property
    def q(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The coordinates, a copy."""
        return self._copy("q")

    @property
    def v(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The velocities, a copy."""
        return self._copy("v")

    @property
    def a(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The accelerations, a copy."""
        return self._copy("a")

    @property
    def multipliers(self) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The Lagrange multipliers, lambda, a copy."""
        return self._copy("lambda")

    @property
    def state(self) -> "Tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.float64]]]":
        """Coordinates and velocities; to be set as well: sim.state = q, v."""
        return self.q, self.v

    @state.setter
    def state(self, state: Any) -> None:
        q, v = (np.asarray(part, dtype=float) for part in state)
        with self._busy() as handle:
            for name, part in (("q", q), ("v", v)):
                count = lib.lmb_simulation_size(handle, self._number(name))
                if part.shape != (count,):
                    raise _errors.UsageError(f"{name} has {count} numbers, and {part.size} are given")
                if not np.isfinite(part).all():
                    raise _errors.UsageError(f"{name} must be finite")
            self._call.check(
                lib.lmb_simulation_set_state(handle, ffi.new("double[]", q.tolist()), ffi.new("double[]", v.tolist())))

    # --- going back

    def save(self) -> Snapshot:
        """The present state, to be restored later."""
        out = ffi.new("lmb_snapshot **")
        with self._busy() as handle:
            status = lib.lmb_simulation_save(handle, out)
            kept = ffi.gc(out[0], lib.lmb_snapshot_free) if out[0] else None
            self._call.check(status)
            return Snapshot(kept, handle, float(lib.lmb_simulation_time(handle)))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a state that this simulation has saved."""
        if not isinstance(snapshot, Snapshot) or snapshot._owner is not self._open():
            raise _errors.UsageError("a snapshot is restored by the simulation that has saved it")
        with self._busy() as handle:
            self._call.check(lib.lmb_simulation_restore(handle, snapshot._snapshot))

    def __repr__(self) -> str:
        state = "closed" if self._handle is None else f"t = {self.time:g} s"
        return f"<limber.Simulation {self.analysis}: {state}>"
