"""Results: channels of a run as arrays."""
from __future__ import annotations

import contextlib
import html
import io
import os
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _errors
from ._checks import checked, shown
from ._library import Call, encode, ffi, lib, text_of
from ._report import Report, folder_for_page

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Channel:
    """What a channel is."""

    name: str  #: such as "crank.position"
    unit: str  #: such as "m", "" for none
    doc: str  #: one sentence
    size: int  #: numbers per instant
    components: str  #: one letter per component, such as "xy"; "" for a scalar

    @property
    def columns(self) -> Tuple[str, ...]:
        """A name for each number per instant.

        >>> Channel("pin.force", "N", "", 2, "xy").columns
        ('pin.force.x', 'pin.force.y')
        """
        letters = self.components
        if self.size == 1:
            return (self.name,)
        if self.size == len(letters):
            return tuple(f"{self.name}.{c}" for c in letters)
        each = len(letters) or 1
        return tuple(f"{self.name}.{i // each + 1}" + (f".{letters[i % each]}" if each > 1 else "")
                     for i in range(self.size))

    @property
    def _shape(self) -> Tuple[int, ...]:
        """The shape of what there is at an instant."""
        letters = len(self.components)
        if self.size == 1:
            return ()
        if letters > 1 and self.size > letters:  # over nodes
            return (self.size // letters, letters)
        return (self.size,)


def _channel(c: Any) -> Channel:
    return Channel(text_of(c.name), text_of(c.unit), text_of(c.doc), c.size, text_of(c.components))


class Series(np.ndarray):  # type: ignore[type-arg]
    """A channel over time: an array with one row per instant, which knows its `unit` and its `time`.

    What is computed from it is a plain array, for it has another unit; a part of its instants is a Series again.

    >>> import limber
    >>> force = limber.load("examples/slider-crank/slider-crank.yaml").run()["pin.force"]
    >>> force.name, force.unit, force.shape, force.time[-1]
    ('pin.force', 'N', (101, 2), 1.0)
    >>> force[50:].time[0], type(2 * force).__name__
    (0.5, 'ndarray')
    """

    channel: Optional[Channel]  #: what it is
    over: Optional[Channel]  #: what `time` is: time, or "mode", "speed" or "place"
    time: Optional["np.ndarray[Any, np.dtype[np.float64]]"]

    def __new__(cls, values: Any, channel: Channel, over: Channel, time: Any) -> "Series":
        out = np.asarray(values, dtype=float).view(cls)
        out.channel, out.over, out.time = channel, over, time
        return out

    def __array_finalize__(self, other: Any) -> None:
        same = isinstance(other, Series) and other.shape == self.shape
        self.channel = other.channel if same else None
        self.over = other.over if same else None
        self.time = other.time if same else None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keys: Any) -> Any:
        plain = [i.view(np.ndarray) if isinstance(i, Series) else i for i in inputs]
        if "out" in keys:
            keys["out"] = tuple(o.view(np.ndarray) if isinstance(o, Series) else o for o in keys["out"])
        return getattr(ufunc, method)(*plain, **keys)

    def __getitem__(self, index: Any) -> Any:
        plain = self.view(np.ndarray)[index]
        if isinstance(index, slice) and self.channel is not None and self.over is not None and self.time is not None:
            return Series(plain, self.channel, self.over, self.time[index])
        return plain

    def __reduce__(self) -> Any:
        return _series, (self.view(np.ndarray), self.channel, self.over, self.time)

    @property
    def name(self) -> str:
        """The name of the channel."""
        return self.channel.name if self.channel else ""

    @property
    def unit(self) -> str:
        """Its unit, such as "N"; "" for none."""
        return self.channel.unit if self.channel else ""

    @property
    def doc(self) -> str:
        """What it is, in one sentence."""
        return self.channel.doc if self.channel else ""


def _series(values: Any, channel: Optional[Channel], over: Optional[Channel], time: Any) -> Any:
    if channel is None or over is None:
        return values
    return Series(values, channel, over, time)


class Result:
    """The results of a run.

    `result["pin.force"]` reads a channel of the last analysis, "pin.force.x" one component, "swing/pin.force" that of
    another analysis. A result is in a file or in memory; it pickles as its path, or with its contents.

    >>> import limber
    >>> result = limber.load("examples/slider-crank/slider-crank.yaml").run()
    >>> result["slider.position.x"][0].round(12)
    0.55
    >>> result.channels["motor.effort"].unit
    'N m'
    >>> "pin.force" in result, "pin.farce" in result
    (True, False)
    >>> result["pin.farce"]  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    limber.InputError: limber: error: no channel 'pin.farce' in '...'
      hint: did you mean 'pin.force'?
    """

    @checked
    def __init__(self, path: Path) -> None:
        self._path: Optional[str] = os.path.abspath(os.fspath(path))
        self._open(lib.lmb_result_open, encode(self._path))

    @classmethod
    def _in_memory(cls, result: Any) -> "Result":
        """A result that the library has in memory (an lmb_result), which becomes this one's own."""
        self = cls.__new__(cls)
        self._path = None
        self._own(result)
        return self

    def _own(self, result: Any) -> None:
        self._lock = threading.Lock()
        self._result = ffi.gc(result, lib.lmb_result_close)

    def _open(self, function: Any, *arguments: Any) -> None:
        call = Call()
        out = ffi.new("lmb_result **")
        status = function(out, call.context, *arguments)
        if out[0]:
            self._own(out[0])
        call.check(status)

    @property
    def path(self) -> Optional[str]:
        """The file; None for a result in memory."""
        return self._path

    @property
    def analyses(self) -> Tuple[str, ...]:
        """The analyses, in the order of the run."""
        count = lib.lmb_result_analysis_count(self._result)
        return tuple(text_of(lib.lmb_result_analysis_name(self._result, i)) for i in range(count))

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channels of the last analysis, by name."""
        return self.channels_of(None)

    @checked
    def channels_of(self, analysis: Optional[str]) -> Mapping[str, Channel]:
        """The channels of an analysis, by name."""
        names = self.analyses
        if not names:
            return {}
        if analysis is not None and analysis not in names:
            raise _errors.UsageError((_errors.Message(f"there is no analysis '{analysis}' in the result",
                                                      f"there are: {', '.join(names)}"),))
        number = len(names) - 1 if analysis is None else names.index(analysis)
        count = lib.lmb_result_channel_count(self._result, number)
        found = (_channel(lib.lmb_result_channel(self._result, number, i)) for i in range(count))
        return {c.name: c for c in found}

    def __getitem__(self, name: str) -> Series:
        if not isinstance(name, str):
            raise _errors.UsageError(f"a channel is asked for by its name, not by {shown(name)}")
        call = Call()
        out = ffi.new("lmb_series *")
        with self._lock:
            status = lib.lmb_result_read(self._result, call.context, encode(name), out)
        if status != lib.LMB_OK:
            call.check(status)
        try:
            channel, over = _channel(out.channel), _channel(out.over)
            time = np.frombuffer(ffi.buffer(out.time, 8 * out.count), dtype=float).copy() if out.count else np.zeros(0)
            count = out.count * out.size
            values = np.frombuffer(ffi.buffer(out.values, 8 * count), dtype=float).copy() if count else np.zeros(0)
            series = Series(values.reshape((out.count, *channel._shape)), channel, over, time)
        finally:
            lib.lmb_series_free(out)
        call.check(status)
        return series

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            self[name]
        except _errors.InputError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    @checked
    def text(self, name: str) -> Optional[str]:
        """A text that is stored with the result: "model", "title", "version", "parameters", ...; None for none."""
        with self._lock:
            found = lib.lmb_result_text(self._result, encode(name))
            return text_of(found) if found else None

    @checked
    def save(self, path: Path) -> "Result":
        """Writes the results to a file, and returns the result of that file."""
        call = Call()
        with self._lock:
            status = lib.lmb_result_save(self._result, call.context, encode(os.fspath(path)))
        call.check(status)
        return Result(path)

    @checked
    def report(self, path: Optional[Path] = None, open: bool = False, *, title: Optional[str] = None,
               compare: "Result | Path | None" = None, columns: Optional[Mapping[str, str]] = None, shift: float = 0.0,
               rate: float = 0.0, decimal_comma: bool = False, start: Optional[float] = None,
               end: Optional[float] = None) -> Report:
        """The report of the result, as of `limber report`: a page with animation, plots and tables.

        It is written to the file `path`, and shown in a browser if `open` is set (without a path from a temporary
        file, which a later call removes); in a notebook it is shown in the cell. `compare` is another result or the file of a
        result or of measurements, to be laid over the channels; of measurements `columns` says which columns are which
        channels, and `rate` how many samples per second they have if they have no times. `shift` is added to the times of
        what is compared. The largest loads are those from `start` to `end`.
        """
        options = ffi.new("lmb_report_options *")
        kept: List[Any] = []  # what the options point to
        if title is not None:
            kept.append(ffi.new("char[]", encode(title)))
            options.title = kept[-1]
        if isinstance(compare, Result):
            options.compare_result = compare._result
        elif compare is not None:
            kept.append(ffi.new("char[]", encode(os.fspath(compare))))
            options.compare = kept[-1]
        if columns is not None:
            pairs = [ffi.new("char[]", encode(f"{column}={channel}")) for column, channel in columns.items()]
            kept.append((pairs, ffi.new("const char *[]", [*pairs, ffi.NULL])))
            options.columns = kept[-1][1]
        options.shift, options.rate, options.decimal_comma = shift, rate, decimal_comma
        for name, value in (("from", start), ("to", end)):
            if value is not None:
                kept.append(ffi.new("double *", value))
                setattr(options, name, kept[-1])
        if path is None and open:
            path = os.path.join(folder_for_page(), "report.html")
        with tempfile.TemporaryDirectory(prefix="limber-") as folder:
            file = os.path.join(folder, "report.html") if path is None else os.fspath(path)
            call = Call()
            with contextlib.ExitStack() as locks:
                for used in sorted({self, compare} if isinstance(compare, Result) else {self}, key=id):
                    locks.enter_context(used._lock)
                status = lib.lmb_report(call.context, self._result, encode(file), options)
            call.check(status)
            with io.open(file, encoding="utf-8", errors="surrogateescape") as stream:
                report = Report(stream.read(), None if path is None else os.path.abspath(file))
        if open:
            report.open()
        return report

    def _names(self, channels: Iterable[str], analysis: Optional[str]) -> Tuple[str, ...]:
        front = "" if analysis is None else f"{analysis}/"
        named = tuple(channels) or tuple(self.channels_of(analysis))
        return tuple(front + name for name in named)

    @checked
    def to_pandas(self, *channels: str, analysis: Optional[str] = None) -> Any:
        """A pandas.DataFrame over time, with a column per component; of all channels if none is named."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas (Debian's package python3-pandas)") from None
        columns: Dict[str, Any] = {}
        index = None
        for name in self._names(channels, analysis):
            series = self[name]
            assert series.channel is not None and series.over is not None
            if index is None:
                index = pandas.Index(series.time, name=series.over.name)
            flat = series.view(np.ndarray).reshape(len(series), series.channel.size)
            for i, column in enumerate(series.channel.columns):
                columns[column] = flat[:, i]
        return pandas.DataFrame(columns, index=index)

    @checked
    def to_xarray(self, *channels: str, analysis: Optional[str] = None) -> Any:
        """An xarray.Dataset over time with units and descriptions; of all channels if none is named."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray() needs xarray (Debian's package python3-xarray)") from None
        variables: Dict[str, Any] = {}
        for name in self._names(channels, analysis):
            series = self[name]
            assert series.channel is not None and series.over is not None
            plain = series.view(np.ndarray)
            dims = [series.over.name, *(f"{series.name}.{'component' if k == plain.ndim - 1 else 'node'}"
                                        for k in range(1, plain.ndim))]
            coords: Dict[str, Any] = {series.over.name: (series.over.name, series.time, {"units": series.over.unit})}
            if plain.ndim > 1 and plain.shape[-1] == len(series.channel.components):
                coords[dims[-1]] = (dims[-1], list(series.channel.components), {})
            variables[series.name] = xarray.DataArray(plain, coords, dims,
                                                      attrs={"units": series.unit, "long_name": series.doc})
        return xarray.Dataset(variables)

    @checked
    def plot(self, *channels: str, analysis: Optional[str] = None, ax: Any = None) -> Any:
        """Draws channels over time with matplotlib, into the axes `ax` or new ones, which are returned."""
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plot() needs matplotlib (Debian's package python3-matplotlib)") from None
        if not channels:
            raise _errors.UsageError("name the channels that are to be plotted")
        axes = pyplot.subplots()[1] if ax is None else ax
        for name in self._names(channels, analysis):
            series = self[name]
            assert series.channel is not None and series.over is not None
            flat = series.view(np.ndarray).reshape(len(series), series.channel.size)
            for i, column in enumerate(series.channel.columns):
                axes.plot(series.time, flat[:, i], label=f"{column} [{series.unit}]" if series.unit else column)
            axes.set_xlabel(f"{series.over.name} [{series.over.unit}]" if series.over.unit else series.over.name)
        axes.legend()
        return axes

    def __getstate__(self) -> Dict[str, Any]:
        if self._path is not None:
            return {"path": self._path}
        size = ffi.new("size_t *")
        image = lib.lmb_result_image(self._result, size)
        return {"bytes": bytes(ffi.buffer(image, size[0]))}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._path = state.get("path")
        if self._path is not None:
            self._open(lib.lmb_result_open, encode(self._path))
        else:
            self._open(lib.lmb_result_open_image, ffi.from_buffer(state["bytes"]), len(state["bytes"]))

    def __repr__(self) -> str:
        place = self._path or "in memory"
        return f"<limber.Result {place}: {', '.join(self.analyses) or 'no analysis'}>"

    def _repr_html_(self) -> str:
        """The channels of the last analysis, for notebooks."""
        rows = "".join(f"<tr><td>{html.escape(c.name)}</td><td>{html.escape(c.unit)}</td><td>{c.size}</td>"
                       f"<td>{html.escape(c.doc)}</td></tr>" for c in self.channels.values())
        title = html.escape(self.text("title") or "Result")
        return (f"<p><b>{title}</b>: {html.escape(', '.join(self.analyses))}</p><table><tr><th>channel</th><th>unit</th>"
                f"<th>size</th><th>meaning</th></tr>{rows}</table>")


@checked
def open(path: Path) -> Result:
    """Opens a result file, as `limber run` and `Result.save` write it.

    >>> import limber, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "crank.h5")
    ...     saved = limber.load("examples/slider-crank/slider-crank.yaml").run().save(path)
    ...     limber.open(path)["crank.angle"][-1].round(9)
    10.0
    """
    return Result(path)
