"""Arrays, names and tables for what the library hands out, and calls that take long."""
from __future__ import annotations

import html
import os
import threading
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _errors
from ._library import Call, encode, ffi, here, text_of

MOST_JOBS = 1024


def numbers(pointer: Any, *shape: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """A copy of numbers of the library; of none where there is no pointer."""
    count = int(np.prod(shape, dtype=np.int64))
    if not pointer or count == 0:
        return np.zeros(shape if count == 0 else (0,) + shape[1:])
    return np.frombuffer(ffi.buffer(pointer, count * 8), dtype=np.float64).reshape(shape).copy()


def complexes(pointer: Any, *shape: int) -> "np.ndarray[Any, np.dtype[np.complex128]]":
    """The same of complex numbers, as pairs of their parts."""
    return np.ascontiguousarray(numbers(pointer, *shape, 2)).view(np.complex128)[..., 0]


def flags(pointer: Any, *shape: int) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """The same of what is true or false."""
    count = int(np.prod(shape, dtype=np.int64))
    if not pointer or count == 0:
        return np.zeros(shape, bool)
    return np.frombuffer(ffi.buffer(pointer, count), dtype=np.bool_).reshape(shape).copy()


def texts(pointer: Any, count: int) -> Tuple[str, ...]:
    """Names of the library."""
    return tuple(text_of(pointer[i]) for i in range(count))


def name_list(names: "str | Iterable[str] | None") -> Tuple[Any, List[Any]]:
    """Names for the library, ended by NULL, and what must live as long; NULL for None."""
    if names is None:
        return ffi.NULL, []
    chosen = [names] if isinstance(names, str) else list(names)
    held = [ffi.new("char[]", encode(name)) for name in chosen]
    return ffi.new("const char *[]", [*held, ffi.NULL]), held


def thread_count(jobs: Optional[int]) -> int:
    """Threads for the library, 0 for as many as there are processors.

    >>> thread_count(None), thread_count(2)
    (0, 2)
    """
    if jobs is None:
        return 0
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise _errors.UsageError(f"jobs is a number of threads from 1 to {MOST_JOBS}, not {jobs!r}")
    return jobs


def path_text(path: "Union[str, os.PathLike[str], None]") -> Any:
    """A path for the library; NULL for None."""
    return ffi.NULL if path is None else ffi.new("char[]", encode(os.fspath(path)))


def call_long(call: Call, function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function of the library that has threads of its own, and returns its status.

    Python handles signals in its main thread alone, which would have to wait for the others: so the call is made by
    another one, and what a signal raises, such as that of Ctrl-C, stops it.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    found: List[Any] = []
    done = threading.Event()

    def work() -> None:
        here.calls = True
        try:
            found.append(function(*arguments))
        except BaseException as error:
            found.append(error)
        call.take_over()
        done.set()

    thread = threading.Thread(target=work, name="limber")
    thread.start()
    while not done.is_set():
        try:
            done.wait()
        except BaseException as error:
            call.stop(error)
    thread.join()
    if isinstance(found[0], BaseException):
        raise found[0]
    return int(found[0])


def html_table(head: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> str:
    """A table for notebooks.

    >>> html_table(["name", "value"], [["a<b", 0.5]])
    '<table><tr><th>name</th><th>value</th></tr><tr><td>a&lt;b</td><td>0.5</td></tr></table>'
    """

    def cell(value: Any) -> str:
        return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))

    lines = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row) + "</tr>" for row in rows)
    first = "".join(f"<th>{html.escape(h)}</th>" for h in head)
    before = f"<p><b>{html.escape(title)}</b></p>" if title else ""
    return f"{before}<table><tr>{first}</tr>{lines}</table>"
