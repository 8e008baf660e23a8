"""Simulations: an analysis that is advanced from outside, step by step."""
from __future__ import annotations

import math
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Tuple, Type, TypeVar

import numpy as np

from . import _errors
from ._access import Access, Channels, Guard, Inputs, PointMotion, View, borrowed, point_motion, quantity_number
from ._checks import checked, shown
from ._library import Call, encode, ffi, here, lib, text_of

if TYPE_CHECKING:
    from ._model import Model

#: A hook, which gets the simulation.
Hook = Callable[["Simulation"], object]
_Given = TypeVar("_Given", bound=Hook)


class Snapshot:
    """The state of a simulation at a time, all that its further motion depends on; see Simulation.save."""

    def __init__(self, snapshot: Any, model: Any, time: float) -> None:
        self._snapshot = snapshot
        self._model = model  # kept, since it is compared with that of the simulation
        self.time = time  #: when it was saved


class _Hooks:
    """Functions that a simulation calls at its steps."""

    def __init__(self, simulation: "Simulation", access: Access) -> None:
        self._simulation = weakref.ref(simulation)
        self._access = access
        self.before: List[Hook] = []
        self.accepted: List[Hook] = []

    def call(self, hooks: List[Hook]) -> int:
        simulation = self._simulation()
        assert simulation is not None  # one of its methods is under way
        self._access.hooked = True
        try:
            for hook in hooks:
                hook(simulation)
        finally:
            self._access.hooked = False
        return 0


def _hook_failed(kind: Type[BaseException], error: BaseException, trace: TracebackType) -> int:
    here.error = error.with_traceback(trace)
    return 1


@ffi.callback("int(void *, lmb_simulation *)", error=1, onerror=_hook_failed)  # type: ignore[misc]
def _before_step(user: Any, simulation: Any) -> int:
    hooks: _Hooks = ffi.from_handle(user)
    return hooks.call(hooks.before)


@ffi.callback("int(void *, lmb_simulation *)", error=1, onerror=_hook_failed)  # type: ignore[misc]
def _on_accept(user: Any, simulation: Any) -> int:
    hooks: _Hooks = ffi.from_handle(user)
    return hooks.call(hooks.accepted)


class Simulation:
    """An analysis under way, made by Model.simulation: it is advanced, read and acted on from outside.

    A simulation is for one thread at a time; two at once are an error. It can be used in a `with` statement, at whose
    end it is closed. A `for` statement advances it step by step to the end of the analysis, or to the event that stops
    it, and gives the time after each step.

    >>> import limber
    >>> with limber.load("examples/slider-crank/slider-crank.yaml").simulation() as sim:
    ...     effort = [sim.channels["motor.effort"] for t in sim]
    >>> len(effort), round(max(effort), 6)
    (100, 6.257686)
    """

    def __init__(self, model: "Model", analysis: Optional[str]) -> None:
        compiled = model.compiled()
        call = Call(functions=model._bound())
        out = ffi.new("lmb_simulation **")
        name = ffi.NULL if analysis is None else encode(analysis)
        status = lib.lmb_simulation_new(out, call.context, compiled, name)
        handle = None
        if out[0]:
            # model and context are to live as long as the simulation
            handle = ffi.gc(out[0], lambda gone, kept=(compiled, call): lib.lmb_simulation_free(gone))
        call.check(status)
        self.analysis = text_of(lib.lmb_simulation_analysis(handle))  #: the name of the analysis
        self._model = compiled
        self._access = access = Access(handle, call)
        self._move = Guard(access, False)
        self._look = Guard(access, True)
        self._hooks = _Hooks(self, access)
        self._hooks_handle = ffi.new_handle(self._hooks)
        self.channels = Channels(access)  #: channels now, by name: sim.channels["pin.force"]
        self.inputs = Inputs(access)  #: what acts from outside, by name: sim.inputs["motor"] = 3.0
        self._names: Dict[str, Tuple[str, ...]] = {}

    def close(self) -> None:
        """Frees the simulation."""
        if self._access.handle is not None:
            with self._move:
                self._access.handle = None  # the memory goes when no array uses it any more

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    # --- time

    @property
    def time(self) -> float:
        """The time that it has reached, s."""
        return float(lib.lmb_simulation_time(self._access.open()))

    @property
    def end(self) -> float:
        """The end of the analysis, s."""
        return float(lib.lmb_simulation_end(self._access.open()))

    @property
    def stopped(self) -> bool:
        """Whether an event has stopped it."""
        return bool(lib.lmb_simulation_stopped(self._access.open()))

    def step(self) -> float:
        """Advances by a step of the analysis; returns the time."""
        with self._move as handle:
            self._access.call.check(lib.lmb_simulation_step(handle))
            return float(lib.lmb_simulation_time(handle))

    def advance(self, t: float) -> float:
        """Advances to a time, or to an event before it that stops the motion; returns the time."""
        try:
            finite = math.isfinite(t)
        except (TypeError, OverflowError):
            finite = False
        if not finite:
            raise _errors.UsageError(f"`t` must be a finite time, not {shown(t)}")
        with self._move as handle:
            self._access.call.check(lib.lmb_simulation_advance(handle, float(t)))
            return float(lib.lmb_simulation_time(handle))

    def __iter__(self) -> Iterator[float]:
        while self.time < self.end and not self.stopped:
            yield self.step()

    # --- hooks

    def _set_hooks(self, change: Callable[[Any], None], hook: Any) -> None:
        """Changes one of the lists of hooks, by its method."""
        if not callable(hook):
            raise _errors.UsageError(f"a hook is a function of the simulation, not {shown(hook)}")
        with self._move as handle:
            change(hook)
            self._access.call.check(
                lib.lmb_simulation_on_step(handle, _before_step if self._hooks.before else ffi.NULL,
                                           _on_accept if self._hooks.accepted else ffi.NULL, self._hooks_handle))

    def before_step(self, hook: _Given) -> _Given:
        """Has a function called before each step of the integrator, which may then be tried several times; returns it.

        It gets the simulation, whose channels, points and coordinates it may read and whose inputs it may set, and can
        have a state: a controller is such a function. In kinematics and inverse dynamics it is called before each step()
        or advance(). An exception in it leaves the simulation where it was before the call, which raises it again.

        >>> import limber
        >>> sim = limber.load("examples/slider-crank-dynamics/slider-crank-dynamics.yaml").simulation()
        >>> times = []
        >>> hook = sim.before_step(lambda sim: times.append(sim.time))
        >>> sim.step() > times[-1]
        True
        """
        self._set_hooks(self._hooks.before.append, hook)
        return hook

    def on_accept(self, hook: _Given) -> _Given:
        """Has a function called after each step of the integrator that is accepted, like before_step; returns it."""
        self._set_hooks(self._hooks.accepted.append, hook)
        return hook

    def remove_hook(self, hook: Hook) -> None:
        """Takes back a function of before_step or on_accept."""
        for hooks in (self._hooks.before, self._hooks.accepted):
            if hook in hooks:
                return self._set_hooks(hooks.remove, hook)
        raise _errors.UsageError(f"the simulation has no hook {shown(hook)}")

    # --- coordinates, multipliers and points

    @checked
    def view(self, quantity: str) -> View:
        """Coordinates "q", velocities "v", accelerations "a" or multipliers "lambda" where they are, without a copy."""
        quantity_number(quantity)
        self._access.open()
        return View(self._access, quantity)

    @checked
    def names(self, quantity: str) -> Tuple[str, ...]:
        """The names of the numbers of a quantity: "q", "v", "a" or "lambda"."""
        if quantity not in self._names:
            number = quantity_number(quantity)
            found: List[str] = []
            with self._look as handle:
                text = ffi.new("char[]", 256)
                for i in range(lib.lmb_simulation_size(handle, number)):
                    self._access.call.check(lib.lmb_simulation_name(handle, number, i, text, 256))
                    found.append(text_of(text))
            self._names[quantity] = tuple(found)
        return self._names[quantity]

    def _copy(self, quantity: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
        with self._look:
            return borrowed(self._access, quantity).copy()

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

    def point(self, name: str, offset: Any = None) -> PointMotion:
        """How a body ("crank") or one of its points ("crank.B") moves now, with its Jacobian.

        `offset` is from there to the point that is meant, in axes of the body; there is none on bodies that deform.

        >>> import limber
        >>> sim = limber.load("examples/slider-crank/slider-crank.yaml").simulation()
        >>> pin = sim.point("crank.B")
        >>> print(pin.velocity.round(9) + 0)
        [0.  1.5 0. ]
        >>> abs(pin.jacobian[:3] @ sim.v - pin.velocity).max() < 1e-12
        True
        """
        with self._look as handle:
            return point_motion(self._access, handle, name, offset)

    @property
    def state(self) -> "Tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.float64]]]":
        """Coordinates and velocities; to be set as well: sim.state = q, v."""
        return self.q, self.v

    @state.setter
    def state(self, state: Any) -> None:
        try:
            q, v = (np.asarray(part, dtype=float) for part in state)
        except (TypeError, ValueError, OverflowError):
            raise _errors.UsageError(f"`state` must be two lists of numbers, q and v, not {shown(state)}") from None
        with self._move as handle:
            for name, part in (("q", q), ("v", v)):
                count = lib.lmb_simulation_size(handle, quantity_number(name))
                if part.shape != (count,):
                    raise _errors.UsageError(f"{name} has {count} numbers, and {part.size} are given")
            self._access.call.check(
                lib.lmb_simulation_set_state(handle, ffi.new("double[]", q.tolist()), ffi.new("double[]", v.tolist())))

    # --- going back

    def save(self) -> Snapshot:
        """The present state, to be restored later."""
        out = ffi.new("lmb_snapshot **")
        with self._move as handle:
            status = lib.lmb_simulation_save(handle, out)
            kept = ffi.gc(out[0], lib.lmb_snapshot_free) if out[0] else None
            self._access.call.check(status)
            return Snapshot(kept, self._model, float(lib.lmb_simulation_time(handle)))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes to a state that this simulation has saved, or another one of the same model and analysis."""
        if not isinstance(snapshot, Snapshot):
            raise _errors.UsageError(f"what is restored is a snapshot, not {shown(snapshot)}")
        with self._move as handle:
            self._access.call.check(lib.lmb_simulation_restore(handle, snapshot._snapshot))

    def rewind(self) -> None:
        """Goes back to the start, as a new simulation; hooks stay."""
        with self._move as handle:
            self._access.call.check(lib.lmb_simulation_rewind(handle))

    def __repr__(self) -> str:
        state = "closed" if self._access.handle is None else f"t = {self.time:g} s"
        return f"<limber.Simulation {self.analysis}: {state}>"
