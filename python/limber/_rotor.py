"""Rotors: critical speeds, whirl, response to unbalance and run-up."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

import numpy as np

from . import _errors
from ._arrays import call_long, complexes, flags, html_table, numbers, path_text, texts
from ._library import Call, ffi, lib, text_of
from ._progress import Progress, showing
from ._report import Report
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model, Path

_RPM = np.pi / 30  # rad/s


@dataclass(frozen=True)
class CriticalSpeeds:
    """Speeds at which the whirl is a ratio, usually 1, times the rotation; arrays, by speed."""

    speed: Any  #: rad/s: without damping
    damped_speed: Any  #: rad/s: of the damped vibration; NaN where there is none
    damping: Any  #: ratio there
    decrement: Any  #: logarithmic
    whirl: Tuple[str, ...]  #: "forward", "backward", "mixed" or "plane"

    @property
    def rpm(self) -> Any:
        """The speeds in revolutions per minute."""
        return self.speed / _RPM

    @property
    def frequency(self) -> Any:
        """The speeds in Hz."""
        return self.speed / (2 * np.pi)

    def __len__(self) -> int:
        return len(self.speed)


@dataclass(frozen=True)
class Whirl:
    """The lowest vibrations at a speed, or over speeds; arrays have an axis of speeds, if there are several, and one of modes."""

    speed: Any  #: rad/s
    stable: Any  #: whether nothing grows at that speed
    frequency: Any  #: Hz: of whirl; NaN: the vibration is lost there
    natural: Any  #: Hz: size of the eigenvalue over 2 pi
    damping: Any  #: ratio to the critical one
    decrement: Any  #: logarithmic
    sense: Any  #: 1: forward, -1: backward; between: the part that is more
    whirl: Any  #: words: "forward", "backward", "mixed" or "plane"


@dataclass(frozen=True)
class Orbits:
    """Orbits: ellipses of places of the shaft."""

    major: Any  #: half axis
    minor: Any  #: half axis; below 0: backward
    angle: Any  #: of the major axis from y, rad
    phase: Any  #: of the motion along y against the mark on the shaft, rad


@dataclass(frozen=True)
class Instability:
    """The first stretch of speeds at which something grows."""

    start: float  #: rad/s
    end: float  #: rad/s; infinite where the last speed is still unstable
    frequency: float  #: Hz: of what grows; 0: it does not vibrate


@dataclass(frozen=True)
class Estimates:
    """Estimates of the lowest circular frequency at rest, rad/s."""

    discs: Dict[str, float]  #: each disc alone on a shaft without mass
    shaft: float  #: the shaft alone
    others: float  #: masses of supports, seals and couplings alone; 0: there are none
    dunkerley: float  #: a lower bound
    rayleigh: float  #: an upper bound
    finite_elements: float  #: what it is


@dataclass(frozen=True)
class Unbalance:
    """The steady motion exp(i W t) under unbalance, over the speed W."""

    speed: Any  #: rad/s
    y: Any  #: speeds x stations, complex: amplitudes, m
    z: Any  #: speeds x stations, complex
    orbits: Orbits  #: speeds x stations, m
    forces: Any  #: speeds x bearings x 2, complex: of the shaft on them along y and z, N
    peak: Any  #: of each station: the largest half axis, m; infinite: without bounds
    peak_speed: Any  #: and its speed, rad/s


@dataclass(frozen=True)
class RunUp:
    """The motion while the speed grows evenly."""

    t: Any  #: s
    speed: Any  #: rad/s
    y: Any  #: instants x stations, m
    z: Any  #: instants x stations, m
    peak: Any  #: of each station: the largest amplitude, m
    peak_speed: Any  #: and the speed then, rad/s


@dataclass(frozen=True)
class Rotor:
    """All that is computed of a rotor whose shaft lies along x."""

    title: str  #: of the model
    elements: int  #: of the shaft
    mass: float  #: of all that turns, kg
    shaft_mass: float  #: of the shaft alone, kg
    x: Any  #: places of the nodes, m
    discs: Tuple[str, ...]  #: names
    bearings: Tuple[str, ...]  #: names, seals among them
    stations: Tuple[str, ...]  #: names of all places whose motion is reported
    whirl_ratio: float  #: of whirl to rotation at the critical speeds
    criticals: CriticalSpeeds  #: the critical speeds
    instability: Optional[Instability]  #: speeds at which something grows
    service: Whirl  #: vibrations at the service speed, or at rest
    orbits: Orbits  #: of these: modes x nodes; the largest deflection is 1
    campbell: Whirl  #: vibrations over speed, each followed
    estimates: Optional[Estimates]  #: None without bearings
    sag: Any  #: nodes x 2: deflection under weight along y and z, m; None without bearings
    bearing_loads: Dict[str, Any]  #: static forces of the shaft on the bearings along y and z, N
    unbalance: Optional[Unbalance]  #: response, if there is unbalance
    run_up: Optional[RunUp]  #: where the model has one
    words: Tuple[str, ...]  #: sentences that sum it up
    result: Result  #: the same as analyses: campbell and unbalance over speed, shapes over the place, whirl, run-up

    def report(self, path: "Optional[Path]" = None, open: bool = False, *, title: Optional[str] = None) -> Report:
        """The report: tables, figures and the moving rotor."""
        return self.result.report(path, open, title=title)

    def _repr_html_(self) -> str:
        c, s = self.criticals, self.service
        critical = [[i + 1, float(c.rpm[i]), float(c.speed[i]), float(c.damping[i]), c.whirl[i]] for i in range(len(c))]
        modes = [[i + 1, float(s.frequency[i]), float(s.damping[i]), s.whirl[i]] for i in range(len(s.frequency))]
        return (html_table([""], [[word] for word in self.words], self.title) +
                html_table(["critical speed", "rpm", "rad/s", "damping (ratio)", "whirl"], critical) +
                html_table(["vibration", "frequency (Hz)", "damping (ratio)", "whirl"], modes,
                           f"at {float(s.speed) / _RPM:.6g} rpm"))


def _criticals(r: Any) -> CriticalSpeeds:
    found = [r.criticals[i] for i in range(r.critical_count)]

    def column(name: str) -> Any:
        return np.array([getattr(c, name) for c in found], dtype=float)

    return CriticalSpeeds(column("undamped"), column("damped"), column("ratio"), column("decrement"),
                          texts(r.critical_whirl, r.critical_count))


def _whirl(v: Any, alone: bool) -> Whirl:
    shape = (v.speeds, v.modes)
    words = np.array(texts(v.whirl, v.speeds * v.modes), dtype=object).reshape(shape)
    all_of = [numbers(v.speed, v.speeds), flags(v.stable, v.speeds),
              *(numbers(part, *shape) for part in (v.frequency, v.natural, v.damping, v.decrement, v.sense)), words]
    return Whirl(*(part[0] for part in all_of)) if alone else Whirl(*all_of)


def _orbits(pointer: Any, *shape: int) -> Orbits:
    whole = numbers(ffi.cast("double *", pointer), *shape, 4)
    return Orbits(*(whole[..., k].copy() for k in range(4)))


def _estimates(r: Any) -> Estimates:
    e = r.estimates
    discs = numbers(e.disc, r.disc_count).tolist()
    return Estimates(dict(zip(texts(r.discs, r.disc_count), discs)), e.shaft, e.others, e.dunkerley, e.rayleigh, e.exact)


def _unbalance(r: Any) -> Unbalance:
    n, m = r.speed_count, r.station_count
    return Unbalance(numbers(r.speed, n), complexes(r.y, n, m), complexes(r.z, n, m), _orbits(r.response, n, m),
                     complexes(r.forces, n, r.bearing_count, 2), numbers(r.peak, m), numbers(r.peak_speed, m))


def _run_up(r: Any) -> RunUp:
    u, m = r.run_up, r.station_count
    return RunUp(numbers(u.t, u.count), numbers(u.speed, u.count), numbers(u.y, u.count, m), numbers(u.z, u.count, m),
                 numbers(u.most, m), numbers(u.at, m))


def _rotor(r: Any, result: Result) -> Rotor:
    grows = r.instability
    loads = list(numbers(r.loads, r.bearing_count, 2)) if r.estimated else []
    return Rotor(
        text_of(r.title), r.elements, r.mass, r.shaft_mass, numbers(r.x, r.node_count), texts(r.discs, r.disc_count),
        texts(r.bearings, r.bearing_count), texts(r.stations, r.station_count), r.whirl_ratio, _criticals(r),
        Instability(getattr(grows, "from"), grows.to, grows.frequency) if grows.found else None,
        _whirl(r.service, True), _orbits(r.orbits, r.service.modes, r.node_count), _whirl(r.campbell, False),
        _estimates(r) if r.estimated else None, numbers(r.sag, r.node_count, 2) if r.estimated else None,
        dict(zip(texts(r.bearings, r.bearing_count), loads)), _unbalance(r) if r.loaded else None,
        _run_up(r) if r.run_up.count else None, texts(r.words, r.word_count), result)


def rotor(model: "Model", ratio: float, path: "Optional[Path]", progress: Union[bool, Progress, None]) -> Rotor:
    """See Model.rotor."""
    if isinstance(ratio, bool) or not isinstance(ratio, (int, float)) or not ratio > 0:
        raise _errors.UsageError(f"the ratio of whirl to rotation is a number above 0, not {ratio!r}")
    file = path_text(path)
    compiled = model.compiled()
    options = ffi.new("lmb_rotor_options *", {"whirl_ratio": ratio})
    out, memory = ffi.new("lmb_rotor_found **"), ffi.new("lmb_result **")
    try:
        with showing(progress) as shown:
            call = Call(shown)
            call.check(call_long(call, lib.lmb_rotor_find, out, call.context, compiled, options))
        if path is not None:
            call.check(lib.lmb_rotor_save(call.context, out[0], file))
            return _rotor(out[0], Result(os.fspath(path)))
        call.check(lib.lmb_rotor_to_memory(memory, call.context, out[0]))
        return _rotor(out[0], Result._in_memory(memory[0]))
    finally:
        lib.lmb_rotor_free(out[0])
