"""Studies of a model file: the best design, fits to measurements, sweeps and tolerances."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Optional, Tuple, TypeVar, Union

import numpy as np

from . import _errors
from ._arrays import call_long, flags, html_table, numbers, path_text, texts, thread_count
from ._library import Call, encode, ffi, lib, text_of
from ._progress import Progress, showing
from ._report import Report
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model, Path

_ENDS = ("converged", "stuck", "limit", "stopped", "failed")  # in the order of lmb_minimise_end
_Taken = TypeVar("_Taken")


@dataclass(frozen=True)
class Study:
    """What all studies have."""

    name: str  #: of the study
    path: Optional[str]  #: of the file that keeps it, or None

    @property
    def result(self) -> Result:
        """The file of the study: its trials as channels over their numbers."""
        if self.path is None:
            raise _errors.UsageError((_errors.Message(f"study '{self.name}' was not kept in a file",
                                                      "make it with `path=`, such as path=\"study.h5\""),))
        return Result(self.path)

    def report(self, path: "Optional[Path]" = None, open: bool = False, *, title: Optional[str] = None) -> Report:
        """The report of a study that is kept in a file: tables, figures and the moving model before and after."""
        return self.result.report(path, open, title=title)


# --- the best design ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limit:
    """A limit of an objective, or the bound of a variable, at a design."""

    name: str  #: of the objective or variable
    value: float  #: what it is
    side: str  #: "<" at most, ">" at least, "=" equal to
    limit: float  #: what it may be
    active: bool  #: whether it is there
    multiplier: float  #: how much the objective would gain by a limit that is wider by 1; NaN: not known


@dataclass(frozen=True)
class Search:
    """What a search from one start came to."""

    end: str  #: "converged", "stuck" (by rounding), "limit" (of trials), "stopped", "failed"
    trials: int  #: that it asked for
    objective: float  #: of its best trial; NaN: all failed
    violation: float  #: of its limits, as a part of them
    start: Any  #: where it began
    x: Any  #: its best design
    values: Any  #: of all objectives there


@dataclass(frozen=True)
class Optimum(Study):
    """The best design of a study of type optimise; `optimum.best` has its parameters by name."""

    model: "Model"  #: the model with the best design
    method: str  #: that has searched
    maximise: bool  #: whether the objective is to be large
    variables: Tuple[str, ...]  #: names of the parameters
    objectives: Tuple[str, ...]  #: names: the one or two to minimise first, then those that are limited
    x: Any  #: the best design
    values: Any  #: of all objectives there
    start: Any  #: the design of the model
    start_values: Any  #: of all objectives there; NaN if it cannot be run
    lower: Any  #: bounds of the variables; of choices the least,
    upper: Any  #: and the largest
    choice: Any  #: whether a variable is chosen from a list
    feasible: bool  #: whether the design keeps to all limits,
    violation: float  #: or by which part it violates one
    limits: Tuple[Limit, ...]  #: all limits
    bounds: Tuple[Limit, ...]  #: bounds that are active
    optimality: float  #: what is left of the gradient, as a part of the largest one; NaN: not known
    searches: Tuple[Search, ...]  #: from all starts
    best_search: int  #: which of them found the design
    curve: Any  #: designs between two objectives, which cannot be better in both: designs x variables
    curve_values: Any  #: designs x 2: their objectives
    curve_feasible: Any  #: whether they keep to all limits
    trials: Any  #: all designs that were tried, in the order in which they ended: trials x variables
    trial_values: Any  #: trials x objectives; NaN where the model could not be run
    trial_search: Any  #: which search has asked for them
    runs: int  #: how many of them were run now, not known from an earlier session
    gradients: int  #: how many with a gradient
    failures: int  #: how many failed
    last_failure: Optional[str]  #: why the last one did

    @property
    def best(self) -> Dict[str, float]:
        """The best design: parameters by name."""
        return dict(zip(self.variables, self.x.tolist()))

    @property
    def objective(self) -> float:
        """What was minimised, or maximised, at the best design."""
        return float(self.values[0])

    def _repr_html_(self) -> str:
        design = [[name, float(a), float(b)] for name, a, b in zip(self.variables, self.start, self.x)]
        values = [[name, float(a), float(b)] for name, a, b in zip(self.objectives, self.start_values, self.values)]
        limits = [[limit.name, limit.value, f"{limit.side} {limit.limit:.6g}", "yes" if limit.active else "", limit.multiplier]
                  for limit in self.limits + self.bounds]
        return (html_table(["", "at first", "best"], design + values, f"{self.name} ({self.method})") +
                html_table(["limit", "value", "", "active", "multiplier"], limits))


def _limits(pointer: Any, count: int) -> Tuple[Limit, ...]:
    return tuple(Limit(text_of(a.name), a.value, a.side.decode(), a.limit, a.active, a.multiplier)
                 for a in (pointer[i] for i in range(count)))


def _searches(o: Any) -> Iterator[Search]:
    n, m = o.variable_count, o.objective_count
    for e in (o.searches[i] for i in range(o.search_count)):
        yield Search(_ENDS[e.end], e.trials, e.objective, e.violation, numbers(e.start, n), numbers(e.x, n),
                     numbers(e.values, m))


def _found_at(model: "Model", variables: Tuple[str, ...], x: Any) -> "Model":
    return model.copy().set(**dict(zip(variables, x.tolist())))


def _optimum(model: "Model", o: Any, path: Optional[str]) -> Optimum:
    n, m = o.variable_count, o.objective_count
    variables, x = texts(o.variables, n), numbers(o.x, n)
    curve = [o.curve[k] for k in range(o.curve_count)]
    trials = numbers(o.trial_values, o.trial_count, 1 + m + n)
    return Optimum(
        text_of(o.name), path, _found_at(model, variables, x), text_of(o.method), o.maximise, variables,
        texts(o.objectives, m), x, numbers(o.values, m), numbers(o.start, n), numbers(o.start_values, m),
        numbers(o.lower, n), numbers(o.upper, n), flags(o.choice, n), o.feasible, o.violation,
        _limits(o.limits, o.limit_count), _limits(o.bounds, o.bound_count), o.optimality, tuple(_searches(o)), o.best,
        np.array([numbers(p.x, n) for p in curve]).reshape(len(curve), n),
        np.array([numbers(p.objective, 2) for p in curve]).reshape(len(curve), 2),
        np.array([p.feasible for p in curve], bool), trials[:, 1 + m:].copy(), trials[:, 1:1 + m].copy(),
        trials[:, 0].astype(int), o.run_count, o.gradient_count, o.failure_count, _text_or_none(o.last_failure))


def optimise(model: "Model", *made: Any) -> Optimum:
    """See Model.optimise."""
    return _study(model, "lmb_optimum", lib.lmb_optimise, lib.lmb_optimum_free, _optimum, *made)


# --- parameters from a measurement ----------------------------------------------------------------


@dataclass(frozen=True)
class FitColumn:
    """A column of a measurement with the channel of the model that it is compared with."""

    column: str  #: of the measurement
    channel: str  #: of the model
    unit: str  #: of both, or ""
    weight: float  #: of its squares
    t: Any  #: instants that count, in s
    measured: Any  #: in SI units
    before: Any  #: of the model there, with its own parameters
    after: Any  #: and with the fitted ones
    rms_before: float  #: of the differences
    rms: float  #: of the differences, fitted

    @property
    def residuals(self) -> Any:
        """What the fitted model is above the measurement."""
        return self.after - self.measured


@dataclass(frozen=True)
class Fit(Study):
    """Parameters of a model from a measurement, by a study of type fit; `fit.best` has them by name."""

    model: "Model"  #: the model with the fitted parameters
    file: str  #: of the measurement
    variables: Tuple[str, ...]  #: names of the parameters
    x: Any  #: their fitted values
    errors: Any  #: standard errors; 0 of those that are held at a bound, NaN: not known
    correlations: Any  #: between the parameters
    held: Any  #: whether a parameter is held at its bound
    start: Any  #: values in the model
    lower: Any  #: bounds; infinite: none
    upper: Any  #: bounds
    columns: Dict[str, FitColumn]  #: what was compared, by column
    sum_of_squares: float  #: of the weighted differences
    start_sum_of_squares: float  #: of those with the parameters of the model
    count: int  #: values that count, of all columns
    converged: bool  #: else it has taken as many steps as allowed
    steps: int  #: that it took
    runs: int  #: of the model
    told_apart: bool  #: whether the measurement tells all parameters apart
    direction: Any  #: the combination of parameters that it tells least about, in parts of them
    course: Any  #: sum of squares of each run

    @property
    def best(self) -> Dict[str, float]:
        """The fitted parameters by name."""
        return dict(zip(self.variables, self.x.tolist()))

    def _repr_html_(self) -> str:
        rows = [[name, float(a), float(b), float(e), "at its bound" if h else ""]
                for name, a, b, e, h in zip(self.variables, self.start, self.x, self.errors, self.held)]
        columns = [[c.column, c.channel, len(c.t), c.rms_before, c.rms, c.unit] for c in self.columns.values()]
        return (html_table(["parameter", "at first", "fitted", "standard error", ""], rows, f"{self.name}: {self.file}") +
                html_table(["column", "channel", "values", "rms at first", "rms", "unit"], columns))


def _column(s: Any) -> FitColumn:
    return FitColumn(text_of(s.column), text_of(s.channel), text_of(s.unit), s.weight, numbers(s.t, s.count),
                     numbers(s.y, s.count), numbers(s.before, s.count), numbers(s.after, s.count), s.rms_before,
                     s.rms_after)


def _fit(model: "Model", f: Any, path: Optional[str]) -> Fit:
    n = f.variable_count
    variables, x = texts(f.variables, n), numbers(f.x, n)
    columns = [_column(f.series[i]) for i in range(f.series_count)]
    return Fit(text_of(f.name), path, _found_at(model, variables, x), text_of(f.file), variables, x, numbers(f.errors, n),
               numbers(f.correlations, n, n), flags(f.held, n), numbers(f.start, n), numbers(f.lower, n),
               numbers(f.upper, n), {c.column: c for c in columns}, f.sum, f.start_sum, f.value_count,
               f.end == lib.LMB_SQUARES_CONVERGED, f.steps, f.run_count, f.told_apart, numbers(f.direction, n),
               numbers(f.course, f.course_count))


def fit(model: "Model", *made: Any) -> Fit:
    """See Model.fit."""
    return _study(model, "lmb_fitted", lib.lmb_fit, lib.lmb_fitted_free, _fit, *made)


# --- sweeps and tolerances ------------------------------------------------------------------------


@dataclass(frozen=True)
class Scatter:
    """Numbers of an objective over all samples that did not fail."""

    count: int  #: samples
    mean: float  #: of them
    mean_error: float  #: standard error of the mean
    deviation: float  #: standard deviation
    deviation_error: float  #: standard error of it
    least: float  #: of all
    low: float  #: 2.5 % are below
    median: float  #: half of them are below
    high: float  #: 97.5 % are below
    largest: float  #: of all


@dataclass(frozen=True)
class MainEffect:
    """What a variable does to an objective."""

    low: float  #: the objective with the variable small,
    high: float  #: and large: means over the values of the other variables, or of a linear regression
    at_low: float  #: where the variable is small
    at_high: float  #: where it is large
    slope: float  #: of the regression; NaN: there is none


@dataclass(frozen=True)
class SweepStudy(Study):
    """A model over many values of its parameters; `study["comfort"]` is an objective, or a parameter, of all samples."""

    sampling: str  #: "grid", "list", "Latin hypercube", "Monte Carlo"
    variables: Tuple[str, ...]  #: names of the parameters
    objectives: Tuple[str, ...]  #: names
    x: Any  #: samples x variables
    values: Any  #: samples x objectives; NaN where the model could not be run
    failures: Tuple[Optional[str], ...]  #: of each sample why it failed, or None
    runs: int  #: how often the model was run now, not known from an earlier session
    scatter: Dict[str, Scatter]  #: statistics of each objective; empty without samples
    effects: Dict[str, Dict[str, MainEffect]]  #: of each objective and variable; empty without samples

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, name: str) -> Any:
        if name in self.objectives:
            return self.values[:, self.objectives.index(name)]
        if name in self.variables:
            return self.x[:, self.variables.index(name)]
        raise KeyError(f"there is no objective or parameter {name!r}: there are "
                       f"{', '.join(self.objectives + self.variables)}")

    def _repr_html_(self) -> str:
        rows = [[name, s.mean, s.deviation, s.least, s.median, s.largest] for name, s in self.scatter.items()]
        return html_table(["objective", "mean", "deviation", "least", "median", "largest"], rows,
                          f"{self.name}: {len(self)} samples ({self.sampling})")


@dataclass(frozen=True)
class Tolerance(SweepStudy):
    """How results scatter with parameters: to first order, and over drawn samples."""

    means: Any  #: of the variables
    deviations: Any  #: standard deviations of the variables
    nominal: Any  #: the objectives at the means
    slopes: Any  #: objectives x variables: derivatives there
    budget: Any  #: standard deviation of each objective, to first order

    @property
    def contributions(self) -> Any:
        """What each variable alone adds: objectives x variables, whose squares add up to those of the budget."""
        return np.abs(self.slopes) * self.deviations

    def _repr_html_(self) -> str:
        rows = [[name, float(self.nominal[i]), float(self.budget[i]), *map(float, self.contributions[i])]
                for i, name in enumerate(self.objectives)]
        head = ["objective", "value", "deviation", *(f"of {name}" for name in self.variables)]
        return html_table(head, rows, "to first order") + super()._repr_html_()


def _scatter(s: Any) -> Dict[str, Scatter]:
    if not s.scatters:
        return {}
    return {name: Scatter(*(getattr(s.scatters[i], key) for key in Scatter.__dataclass_fields__))
            for i, name in enumerate(texts(s.objectives, s.objective_count))}


def _effects(s: Any) -> Dict[str, Dict[str, MainEffect]]:
    if not s.effects:
        return {}
    n = s.variable_count
    return {name: {variable: MainEffect(*(getattr(s.effects[i * n + k], key) for key in MainEffect.__dataclass_fields__))
                   for k, variable in enumerate(texts(s.variables, n))}
            for i, name in enumerate(texts(s.objectives, s.objective_count))}


def _swept(s: Any, path: Optional[str]) -> Tuple[Any, ...]:
    n, m = s.variable_count, s.objective_count
    return (text_of(s.name), path, text_of(s.sampling), texts(s.variables, n), texts(s.objectives, m),
            numbers(s.x, s.count, n), numbers(s.values, s.count, m),
            tuple(_text_or_none(s.failures[k]) for k in range(s.count)), s.run_count, _scatter(s), _effects(s))


def _sweep(model: "Model", s: Any, path: Optional[str]) -> SweepStudy:
    return SweepStudy(*_swept(s, path))


def _tolerance(model: "Model", s: Any, path: Optional[str]) -> Tolerance:
    n, m = s.variable_count, s.objective_count
    further = (numbers(s.means, n), numbers(s.deviations, n), numbers(s.nominal, m), numbers(s.slopes, m, n),
               numbers(s.budget, m))
    return Tolerance(*(_swept(s, path) + further))


def sweep(model: "Model", *made: Any) -> SweepStudy:
    """See Model.sweep_study."""
    return _study(model, "lmb_swept", lib.lmb_sweep, lib.lmb_swept_free, _sweep, *made)


def tolerance(model: "Model", *made: Any) -> Tolerance:
    """See Model.tolerance."""
    return _study(model, "lmb_swept", lib.lmb_tolerance, lib.lmb_swept_free, _tolerance, *made)


# --- making them ----------------------------------------------------------------------------------


def _text_or_none(pointer: Any) -> Optional[str]:
    return text_of(pointer) if pointer else None


def _study(model: "Model", kind: str, make: Any, free: Any, take: Callable[["Model", Any, Optional[str]], _Taken],
           study: Optional[str], path: "Optional[Path]", resume: bool, jobs: Optional[int],
           progress: Union[bool, Progress, None]) -> _Taken:
    """Makes a study, and takes what it is to be from its results, a struct of the library."""
    name = ffi.NULL if study is None else ffi.new("char[]", encode(study))
    file = path_text(path)
    spec, compiled = model._for_study()
    options = ffi.new("lmb_study_options *", {
        "name": name, "path": file, "resume": bool(resume), "jobs": thread_count(jobs), "model": compiled})
    out = ffi.new(f"{kind} **")
    try:
        with showing(progress) as shown:
            call = Call(shown, functions=model._bound())
            call.check(call_long(call, make, out, call.context, spec, options))
        return take(model, out[0], None if path is None else os.path.abspath(os.fspath(path)))
    finally:
        free(out[0])
