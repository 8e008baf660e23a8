"""Sweeps: a model over many values of its parameters, on any executor of concurrent.futures."""
from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import uuid
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _errors
from ._checks import checked
from ._library import issue, one_blas_thread
from ._model import Model
from ._result import Result

_CHUNKS_EACH = 8  # submissions to each worker, so that all end at about the same time
_MOST_IN_CHUNK = 100
_MANY_WORKERS = 64  # of an executor that does not say how many it has

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


class _Work:
    """What every trial of a sweep needs, on its way to the processes of a pool.

    These keep the models that they have compiled, so that the next trials compile variants of them; threads of this
    process take one each.
    """

    _spare: Dict[str, List[Model]] = {}  # of the newest sweep, by its key

    def __init__(self, model: Model, wanted: Wanted, analyses: "str | Sequence[str] | None", stop: bool) -> None:
        self._key = uuid.uuid4().hex
        self._model = model
        self._wanted = wanted
        self._analyses = analyses
        self._stop = stop  # at the first error

    def _take_model(self) -> Model:
        for key in list(self._spare):
            if key != self._key:
                self._spare.pop(key, None)
        with contextlib.suppress(KeyError, IndexError):
            return self._spare[self._key].pop()
        return self._model.copy()

    def __call__(self, points: Sequence[Dict[str, Any]]) -> List[Trial]:
        """Runs the model with some sets of parameters; in a process of a pool, or in this one."""
        model = self._take_model()
        trials: List[Trial] = []
        for point in points:
            trials.append(self._try(model, point))
            if self._stop and trials[-1].error is not None:
                break
        self._spare.setdefault(self._key, []).append(model)
        return trials

    def _try(self, model: Model, parameters: Dict[str, Any]) -> Trial:
        messages: List[_errors.Message] = []
        try:
            model.set(**parameters)
            result = model._run(self._analyses, None, None, None, False, messages.append)
            return Trial(parameters, _take(result, self._wanted), None, tuple(messages))
        except _errors.Error as error:
            return Trial(parameters, None, error, tuple(messages))

    def end(self) -> None:
        """Frees what this process has kept."""
        self._spare.pop(self._key, None)


def _check_pickles(work: _Work) -> None:
    """Says what does not pickle before any process is started."""
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise _errors.UsageError((_errors.Message(
            f"the model or what is wanted of it cannot be sent to other processes: {error}",
            "each function must be a function of a module; with jobs=1 any will do"),)) from error


def _in_chunks(points: Sequence[Dict[str, Any]], workers: int) -> List[Sequence[Dict[str, Any]]]:
    """Points for one submission each: several where there are many, and enough of these to keep all workers busy."""
    size = max(1, min(_MOST_IN_CHUNK, len(points) // (_CHUNKS_EACH * workers)))
    return [points[i:i + size] for i in range(0, len(points), size)]


@checked
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

    work = _Work(model, kept, analyses, errors == "raise")
    trials: List[Trial] = []
    own: Optional[Executor] = None
    workers: int = getattr(executor, "_max_workers", None) or _MANY_WORKERS
    if executor is None and jobs != 1 and len(points) > 1:
        _check_pickles(work)
        workers = min(jobs or os.cpu_count() or 1, len(points))
        executor = own = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), one_blas_thread)
    try:
        if executor is None:
            made: Iterable[List[Trial]] = (work([point]) for point in points)
        else:
            futures = [executor.submit(work, chunk) for chunk in _in_chunks(points, workers)]
            made = (future.result() for future in futures)
        for trial in itertools.chain.from_iterable(made):
            for message in trial.messages:
                issue(message)
            if trial.error is not None and errors == "raise":
                raise trial.error
            trials.append(trial)
    except BaseException:
        if own is not None:
            own.shutdown(wait=True, cancel_futures=True)
        raise
    finally:
        work.end()
    if own is not None:
        own.shutdown()
    return Sweep(values, trials)
