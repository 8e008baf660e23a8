"""Models at an instant: linearised, with modes, state space and frequency response, and the matrices of the equations."""
from __future__ import annotations

import contextlib
import html
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, List, Optional, Tuple, Union

import numpy as np

from . import _errors
from ._checks import shown
from ._library import Call, encode, ffi, lib, text_of

if TYPE_CHECKING:
    from ._model import Model

Names = Union[str, Iterable[str], None]

_ABOUT = ("equilibrium", "steady motion", "accelerated motion, constant matrix", "periodic motion, frozen",
          "moving state, frozen")


# --- numbers and names of structs -----------------------------------------------------------------


def numbers(pointer: Any, *shape: int, order: Any = "C") -> Any:
    """A copy of numbers of the library."""
    count = math.prod(shape)
    if not pointer or count == 0:
        return np.zeros(shape)
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=float).reshape(shape, order=order).copy()


def names(pointer: Any, count: int) -> Tuple[str, ...]:
    """Names of the library."""
    return tuple(text_of(pointer[i]) for i in range(count))


def list_of(given: Names, what: str) -> Tuple[Any, List[Any]]:
    """A list of names for the library, NULL for none, and what it is made of, to be kept."""
    if given is None:
        return ffi.NULL, []
    if isinstance(given, str):
        given = [given]
    kept = [ffi.new("char[]", _text(name, what)) for name in given]
    if not kept:
        raise _errors.UsageError(f"no {what} is named: leave it out for the usual ones")
    return ffi.new("const char *[]", [*kept, ffi.NULL]), kept


def _text(name: Any, what: str) -> bytes:
    if not isinstance(name, str):
        raise _errors.UsageError(f"{what}: a name is a text, not {name!r}")
    return encode(name)


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _errors.UsageError(f"{what} is a number, not {value!r}") from None


class Options:
    """The fields that say where, of an options struct of the library, and what they point to."""

    def __init__(self, kind: str, **given: Any) -> None:
        self.struct = ffi.new(kind)
        self._kept: List[Any] = []
        for key, value in given.items():
            if isinstance(value, bool):
                setattr(self.struct, key, value)
            elif value is not None:
                kept = ffi.new("double *", _number(value, f"`{key}`")) if key == "at" else ffi.new("char[]", _text(value, key))
                self._kept.append(kept)
                setattr(self.struct, key, kept)


# --- what it is about -----------------------------------------------------------------------------


@dataclass(frozen=True)
class About:
    """The state that a model is linearised about."""

    kind: str  #: "equilibrium", "steady motion", ..., or "..., frozen" where the matrix changes along the motion
    time: float  #: in s
    period: Optional[float]  #: of a periodic motion, in s
    load: Optional[float]  #: load factor of an equilibrium of a path


@contextlib.contextmanager
def linearised(model: "Model", **where: Any) -> Iterator[Tuple[Any, Call]]:
    """A model of the library, linearised."""
    compiled = model.compiled()
    call = Call()
    options = Options("lmb_linearised_options *", **where)
    out = ffi.new("lmb_linearised **")
    call.check(lib.lmb_linearised_new(out, call.context, compiled, options.struct))
    try:
        yield out[0], call
    finally:
        lib.lmb_linearised_free(out[0])


def _about(linear: Any, call: Call) -> About:
    out = ffi.new("lmb_linearised_about *")
    call.check(lib.lmb_linearised_judge(linear, out))
    return About(_ABOUT[out.steadiness], out.time, out.period if out.steadiness == lib.LMB_PERIODIC else None,
                 out.load if out.on_path else None)


# --- modes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Modes:
    """Modes of a model: small motions proportional to exp(s t), rigid ones first, then by frequency.

    Arrays have a number, `shapes` a row, for each mode.
    """

    frequency: Any  #: Hz: size of the eigenvalue over 2 pi, 0 where nothing oscillates
    damping: Any  #: ratio to the critical one; negative: the motion grows; NaN for a real eigenvalue
    eigenvalue: Any  #: 1/s, complex: s, of a pair the one with the positive imaginary part
    rigid: Any  #: whether it is a free motion
    time_constant: Any  #: s: in which it decays by a factor e, of real eigenvalues; NaN for others
    shapes: Any  #: displacement of each coordinate, of unit modal mass (real part)
    coordinates: Tuple[str, ...]  #: names of the columns of `shapes`
    about: About  #: the state that they are about

    def __len__(self) -> int:
        return len(self.frequency)

    def moves_most(self, mode: int) -> str:
        """The name of the coordinate that moves most in a mode, counted from 0."""
        return self.coordinates[int(np.argmax(np.abs(self.shapes[mode])))]

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        def cell(x: float) -> str:
            return "" if math.isnan(x) else f"{x:.6g}"

        head = "".join(f"<th>{title}</th>" for title in ("mode", "frequency (Hz)", "damping (ratio)", "eigenvalue (1/s)",
                                                          "time constant (s)", "moves most"))
        rows = []
        for i in range(len(self)):
            s = self.eigenvalue[i]
            decays = not math.isnan(self.time_constant[i])
            cells = (str(i + 1), "" if decays else cell(self.frequency[i]), cell(self.damping[i]),
                     f"{s.real:.6g}" + (f" ± {s.imag:.6g}i" if s.imag else ""), cell(self.time_constant[i]),
                     html.escape(self.moves_most(i)) + (" (rigid)" if self.rigid[i] else ""))
            rows.append("<tr>" + "".join(f"<td>{text}</td>" for text in cells) + "</tr>")
        return f"<p>about {html.escape(self.about.kind)}</p><table><tr>{head}</tr>{''.join(rows)}</table>"


def modes_in(found: Any, about: About) -> Modes:
    """The modes of a list of the library."""
    modes = [found.modes[i] for i in range(found.count)]
    shapes = [numbers(mode.shape, found.coordinates) for mode in modes]
    return Modes(np.array([m.frequency for m in modes]), np.array([m.damping for m in modes]),
                 np.array([complex(m.real, m.imaginary) for m in modes]), np.array([m.rigid for m in modes], bool),
                 np.array([m.time_constant for m in modes]), np.array(shapes).reshape(found.count, found.coordinates),
                 names(found.names, found.coordinates), about)


def modes_of(model: "Model", count: Optional[int], **where: Any) -> Modes:
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise _errors.UsageError(f"the number of modes is a whole number from 1, not {count!r}")
    with linearised(model, **where) as (linear, call):
        about = _about(linear, call)
        out = ffi.new("lmb_mode_list *")
        call.check(lib.lmb_linearised_modes(linear, min(count or 0, 10**6), out))
        try:
            return modes_in(out, about)
        finally:
            lib.lmb_mode_list_free(out)


# --- state space ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class StateSpace:
    """The linear system xdot = A x + B u, z = C x + D u of a model.

    It unpacks to its matrices, as programs for control take them: `control.ss(*space)`.
    """

    A: Any  #: states x states
    B: Any  #: states x inputs
    C: Any  #: outputs x states
    D: Any  #: outputs x inputs
    N: Any  #: coordinates x the first states, which are positions: how the coordinates of all bodies move with them
    states: Tuple[str, ...]  #: names of the states: independent coordinates, their rates, first-order states
    inputs: Tuple[str, ...]  #: names of the inputs: forces that are added to those of the model
    outputs: Tuple[str, ...]  #: names of the outputs: channels, as changes from their values in the motion itself
    about: About  #: the state that it is about

    def __iter__(self) -> Iterator[Any]:
        return iter((self.A, self.B, self.C, self.D))


def state_space_of(model: "Model", inputs: Names, outputs: Names, **where: Any) -> StateSpace:
    u, kept_u = list_of(inputs, "input")
    z, kept_z = list_of(outputs, "output")
    with linearised(model, **where) as (linear, call):
        out = ffi.new("lmb_state_space *")
        call.check(lib.lmb_linearised_state_space(linear, u, z, out))
        del kept_u, kept_z
        try:
            n, nu, nz = out.states, out.inputs, out.outputs
            return StateSpace(numbers(out.A, n, n, order="F"), numbers(out.B, n, nu, order="F"),
                              numbers(out.C, nz, n, order="F"), numbers(out.D, nz, nu, order="F"),
                              numbers(out.N, out.n, out.free, order="F"), names(out.state_names, n),
                              names(out.input_names, nu), names(out.output_names, nz), _about(linear, call))
        finally:
            lib.lmb_state_space_free(out)


# --- frequency response ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Response:
    """The steady output amplitude sin(2 pi f t + phase) for an input sin(2 pi f t), over the frequency f."""

    frequency: Any  #: Hz
    amplitude: Any  #: output over input
    phase: Any  #: degrees, from -180 to 180
    values: Any  #: the same as complex numbers, C (i w - A)^-1 B + D
    input: str  #: name of the input
    output: str  #: name of the output
    about: About  #: the state that it is about


def response_of(model: "Model", input: str, output: str, frequencies: Any, start: Optional[float], end: Optional[float],
                points: int, linear: bool, **where: Any) -> Response:
    asked = ffi.new("lmb_frequencies *", {"from": -1.0, "to": -1.0, "points": 0, "linear": bool(linear)})
    kept = None
    if frequencies is not None:
        if start is not None or end is not None:
            raise _errors.UsageError("give `frequencies`, or `start` and `end`, not both")
        try:
            given = np.ascontiguousarray(np.atleast_1d(frequencies), dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise _errors.UsageError(f"frequencies are numbers, not {shown(frequencies)}") from None
        if given.ndim != 1 or not given.size:
            raise _errors.UsageError(f"frequencies are a list of numbers, not an array of the shape {given.shape}")
        kept = ffi.from_buffer("double[]", given)
        asked.list, points = kept, given.size
    for key, value in (("from", start), ("to", end)):
        if value is not None:
            if not _number(value, "a frequency") >= 0:
                raise _errors.UsageError(f"a frequency is at least 0 Hz, not {value!r}")
            setattr(asked, key, value)
    if isinstance(points, bool) or not isinstance(points, int) or not 0 < points <= 10**6:
        raise _errors.UsageError(f"`points` is a whole number from 1 to 1000000, not {points!r}")
    asked.points = points
    with linearised(model, **where) as (point, call):
        about = _about(point, call)
        out = ffi.new("lmb_response *")
        call.check(lib.lmb_linearised_response(point, _text(input, "input"), _text(output, "output"), asked, out))
        del kept
        try:
            n = out.count
            return Response(numbers(out.frequency, n), numbers(out.amplitude, n), numbers(out.phase, n),
                            numbers(out.real, n) + 1j * numbers(out.imaginary, n), text_of(out.input),
                            text_of(out.output), about)
        finally:
            lib.lmb_response_free(out)


# --- the equations --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matrices:
    """The equations of motion M a + Phi_q^T lambda = Q, Phi_q a = gamma at an instant."""

    time: float  #: s
    q: Any  #: positions
    v: Any  #: velocities
    a: Any  #: accelerations
    M: Any  #: mass matrix
    Q: Any  #: generalised forces
    Phi: Any  #: values of the constraints
    Phi_q: Any  #: their Jacobian
    gamma: Any  #: right side of Phi_q a = gamma
    multipliers: Any  #: lambda
    positions: Tuple[str, ...]  #: names of the numbers of q
    coordinates: Tuple[str, ...]  #: names of the numbers of v, a and Q
    constraints: Tuple[str, ...]  #: names of the equations


def matrices_of(model: "Model", **where: Any) -> Matrices:
    if where.get("state") is not None:
        where["state"] = os.fspath(where["state"])
    compiled, call = model.compiled(), Call()
    options = Options("lmb_matrices_options *", **where)
    out = ffi.new("lmb_matrices *")
    call.check(lib.lmb_matrices_find(out, call.context, compiled, options.struct))
    try:
        nq, n, rows = out.positions, out.coordinates, out.constraints
        return Matrices(out.time, numbers(out.q, nq), numbers(out.v, n), numbers(out.a, n), numbers(out.M, n, n),
                        numbers(out.Q, n), numbers(out.Phi, rows), numbers(out.Phi_q, rows, n), numbers(out.gamma, rows),
                        numbers(getattr(out, "lambda"), rows), names(out.position_names, nq),
                        names(out.coordinate_names, n), names(out.constraint_names, rows))
    finally:
        lib.lmb_matrices_free(out)


@dataclass(frozen=True)
class Embedded:
    """The equations in independent coordinates, M a_i = Q, where v = B v_i + b and a = B a_i + c."""

    time: float  #: s
    M: Any  #: reduced mass matrix B^T M B
    Q: Any  #: reduced forces B^T (Q - M c)
    a: Any  #: independent accelerations a_i
    v: Any  #: independent velocities v_i
    B: Any  #: all coordinates x independent ones
    b: Any  #: velocities when v_i = 0
    c: Any  #: accelerations when a_i = 0
    coordinates: Tuple[str, ...]  #: names of all coordinates
    independent: Tuple[str, ...]  #: names of the independent ones


def embedded_of(model: "Model", independent: Names, **where: Any) -> Embedded:
    chosen, kept = list_of(independent, "independent coordinate")
    if where.get("state") is not None:
        where["state"] = os.fspath(where["state"])
    compiled, call = model.compiled(), Call()
    options = Options("lmb_matrices_options *", **where)
    out = ffi.new("lmb_embedded *")
    call.check(lib.lmb_embedded_find(out, call.context, compiled, options.struct, chosen))
    del kept
    try:
        n, free = out.n, out.free
        every = names(out.names, n)
        return Embedded(out.time, numbers(out.M, free, free, order="F"), numbers(out.Q, free), numbers(out.a, free),
                        numbers(out.v, free), numbers(out.B, n, free, order="F"), numbers(out.b, n), numbers(out.c, n),
                        every, tuple(every[out.index[i]] for i in range(free)))
    finally:
        lib.lmb_embedded_free(out)
