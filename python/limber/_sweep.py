"""Sweeps: a model over many values of its parameters, on any executor of concurrent.futures."""
from __future__ import annotations

import itertools
import multiprocessing
import os
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _errors
from ._library import issue, one_blas_thread
from ._model import Model
from ._result import Result

#: What is kept of each run: channels by name, or what a function makes of the result.
Wanted = Union[str, Sequence[str], Callable[[Result], Any]]


@dataclass(frozen=True)
class Trial:
    """One run of a sweep."""

    parameters: Dict[str, Any]  #: what was set
    value: Any  #: what was asked for; None if the run failed
    error: Optional[_errors.Error] = None  #: why it failed
    messages: Tuple[_errors.Message, ...] = ()  #: what it was warned of


class Sweep(Sequence[Trial]):
    """The trials of a sweep, the last parameter of the grid fastest."""

    def __init__(self, grid: Mapping[str, Sequence[Any]], trials: Iterable[Trial]) -> None:
        self.grid = {name: list(values) for name, values in grid.items()}
        self.trials = list(trials)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The number of values of each parameter."""
        return tuple(len(values) for values in self.grid.values())

    @property
    def values(self) -> List[Any]:
        """What was asked for of each trial."""
        return [trial.value for trial in self.trials]

    def array(self) -> "np.ndarray[Any, np.dtype[Any]]":
        """The values as one array: the axes of the grid first. They must be numbers or arrays of one shape."""
        values = [np.asarray(trial.value) for trial in self.trials]
        if any(trial.error is not None for trial in self.trials):
            raise _errors.UsageError("some runs failed, which leaves holes in the array: see their `error`")
        if len({v.shape for v in values}) > 1:
            raise _errors.UsageError("the values have different shapes, so that they are no array")
        if not values:
            return np.zeros(self.shape)
        stacked: "np.ndarray[Any, np.dtype[Any]]" = np.stack(values)
        return stacked.reshape(self.shape + values[0].shape)

    def __len__(self) -> int:
        return len(self.trials)

    @overload
    def __getitem__(self, index: int) -> Trial:
        ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Trial]:
        ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Trial, Sequence[Trial]]:
        return self.trials[index]

    def __repr__(self) -> str:
        return f"<limber.Sweep over {', '.join(self.grid)}: {len(self)} trials>"


def _take(result: Result, wanted: Wanted) -> Any:
    if isinstance(wanted, str):
        return result[wanted]
    if callable(wanted):
        return wanted(result)
    return {name: result[name] for name in wanted}


def _try(model: Model, parameters: Dict[str, Any], wanted: Wanted, analyses: "str | Sequence[str] | None") -> Trial:
    """Runs a model with some parameters; in a process of a pool, or in this one."""
    messages: List[_errors.Message] = []
    try:
        own = model.copy().set(**parameters)
        result = own._run(analyses, None, None, None, False, messages.append)
        return Trial(parameters, _take(result, wanted), None, tuple(messages))
    except _errors.Error as error:
        return Trial(parameters, None, error, tuple(messages))


def sweep(model: Model, grid: Mapping[str, Iterable[Any]], wanted: Wanted, *, executor: Optional[Executor] = None,
          jobs: Optional[int] = None, analyses: "str | Sequence[str] | None" = None,
          errors: str = "raise") -> Sweep:
    """Runs a model with every combination of some parameters and keeps of each run what is wanted.

    `wanted` is the name of a channel, several of them (which gives a dictionary), or a function of the result. The runs
    are made by `executor`, any one of concurrent.futures; without one by `jobs` processes (as many as there are
    processors), or with jobs=1 one after the other in this process. Processes are started anew ("spawn"), so that a
    function must be one of a module, and a script must keep what it does behind `if __name__ == "__main__":`.

    A run that fails raises its error; with errors="keep" its trial has the error instead.

    >>> import limber
    >>> model = limber.load("examples/slider-crank/slider-crank.yaml")
    >>> found = limber.sweep(model, {"omega": [10, 20], "r": [0.1, 0.15]}, lambda result: result["pin.force"].max(), jobs=1)
    >>> found.shape, found[1].parameters
    ((2, 2), {'omega': 10, 'r': 0.15})
    >>> bool((found.array()[1] > found.array()[0]).all())
    True
    """
    if errors not in ("raise", "keep"):
        raise _errors.UsageError(f"errors is 'raise' or 'keep', not {errors!r}")
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1):
        raise _errors.UsageError(f"jobs is a number of processes from 1, not {jobs!r}")
    values = {name: list(several) for name, several in grid.items()}
    model.copy().set(**{name: several[0] for name, several in values.items() if several})  # names are there
    points = [dict(zip(values, point)) for point in itertools.product(*values.values())]
    kept = wanted if isinstance(wanted, str) or callable(wanted) else tuple(wanted)

    trials: List[Trial] = []
    own: Optional[Executor] = None
    if executor is None and jobs != 1 and len(points) > 1:
        workers = min(jobs or os.cpu_count() or 1, len(points))
        executor = own = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), one_blas_thread)
    try:
        if executor is None:
            made: Iterable[Trial] = (_try(model, point, kept, analyses) for point in points)
        else:
            futures = [executor.submit(_try, model, point, kept, analyses) for point in points]
            made = (future.result() for future in futures)
        for trial in made:
            for message in trial.messages:
                issue(message)
            if trial.error is not None and errors == "raise":
                raise trial.error
            trials.append(trial)
    except BaseException:
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)
        raise
    if own is not None:
        own.shutdown()
    return Sweep(values, trials)
