"""The library: finding and loading it, and calling its functions."""
from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import warnings
from types import TracebackType
from typing import Any, Callable, Optional, Sequence, Tuple, Type

import cffi

from . import _errors
from ._checks import shown
from ._progress import Progress

try:
    from . import _built
except ImportError as _missing:
    raise ImportError("limber is imported from its sources, without its library\n"
                      "  hint: `pip install .` in the top folder builds and installs it") from _missing

ffi = cffi.FFI()
ffi.cdef(_built.CDEF)


def _missing_library(name: str) -> Optional[str]:
    """The hint for a shared library that is gone."""
    package = _built.NEEDED.get(name, ("", ""))[1]
    return f"the shared library {name} is missing\n  hint: `apt-get install {package}`" if package else None


def _load() -> Any:
    path = os.environ.get("LIMBER_LIBRARY") or os.path.join(os.path.dirname(__file__), "liblimber.so")
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        hints = [_missing_library(name) for name in _built.NEEDED if f"{name}:" in str(error)]
        raise ImportError(f"limber: {next((h for h in hints if h), str(error))}") from None
    # some are loaded when they are first used, where a missing one would end the process: look now
    for name, (place, _) in _built.NEEDED.items():
        if not os.path.exists(place):
            try:
                ffi.dlopen(name)
            except OSError as error:
                raise ImportError(f"limber: {_missing_library(name) or error}") from None
    expected = getattr(library, "LMB_ABI_VERSION", None)  # of the headers
    if expected is not None and has(library, "lmb_abi_version"):
        found = library.lmb_abi_version()
        if found != expected:
            raise ImportError(f"limber: {path} has the binary interface {found}, and this package needs {expected}")
    return library


def has(library: Any, function: str) -> bool:
    """Whether the library has a function."""
    try:
        getattr(library, function)
    except AttributeError:
        return False
    return True


def _bind(library: Any) -> None:
    """Look up the functions that free objects.

    A garbage collection calls them at any moment, and cffi holds a lock while it looks a function up.
    """
    for name in re.findall(r"\blmb_\w+_(?:free|close)\b", _built.CDEF):
        has(library, name)


lib = _load()
_bind(lib)


def text_of(pointer: Any) -> str:
    """A string of the library. Names of files come back as Python has them, with bytes that are not UTF-8."""
    return str(ffi.string(pointer).decode("utf-8", "surrogateescape")) if pointer else ""


def _printable(text: str) -> str:
    """A text with escapes for bytes that are not UTF-8, so that it can be printed and stored."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _message_of(m: Any) -> _errors.Message:
    """A message of the library. Its place is the one in the line as it is kept."""
    line = text_of(m.source_line)
    before, meant = line[:max(m.column - 1, 0)], line[max(m.column - 1, 0):m.column - 1 + m.length]
    column = m.column + len(_printable(before)) - len(before)
    length = m.length + len(_printable(meant)) - len(meant)
    severity = "error" if m.severity == lib.LMB_ERROR else "warning"
    return _errors.Message(_printable(text_of(m.text)), _printable(text_of(m.hint)), text_of(m.file), m.line, column,
                           length, _printable(line), severity)


def encode(text: str) -> bytes:
    """A string for the library, which takes no NUL and no half of a character."""
    if not isinstance(text, (str, os.PathLike)):
        raise _errors.UsageError(f"this must be a text, not {shown(text)}")
    try:
        data = os.fsencode(text) if isinstance(text, os.PathLike) else text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise _errors.UsageError(f"a text with half of a surrogate pair in it: {shown(error.object)}") from None
    if b"\0" in data:
        raise _errors.UsageError(f"a text with a NUL character in it: {text!r}")
    return data


def version() -> str:
    """The version of the library.

    >>> import limber
    >>> limber.version() == limber.__version__
    True
    """
    return text_of(lib.lmb_version())


def one_blas_thread() -> None:
    """Has OpenBLAS work in one thread, as in the program `limber`, unless OPENBLAS_NUM_THREADS says otherwise.

    For processes of our own only: it is the OpenBLAS of NumPy, too.
    """
    if "OPENBLAS_NUM_THREADS" in os.environ:
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # where it is loaded later
    with contextlib.suppress(OSError, AttributeError):
        own = cffi.FFI()
        own.cdef("void openblas_set_num_threads(int count);")
        own.dlopen("libopenblas.so.0", own.RTLD_NOW | own.RTLD_NOLOAD).openblas_set_num_threads(1)


# --- calls ----------------------------------------------------------------------------------------


class _Here(threading.local):
    """What functions and hooks of Python have done in this thread during the call of the library that is under way."""

    calls = False  # whether this thread calls the library, and is not one that the library has made
    error: Optional[BaseException] = None  # that was raised, and ends the call
    note = ""  # what may be why it fails


here = _Here()


class Listener:
    """What hears of the progress and the log of a call."""

    def __init__(self, progress: Optional[Progress], log: Optional[Callable[[str], object]]) -> None:
        self.progress = progress
        self.log = log
        self.raised: Optional[BaseException] = None  # by these functions, or Ctrl-C


def _listener_failed(kind: Type[BaseException], error: BaseException, trace: TracebackType) -> None:
    """An exception before or inside of a function below, such as that of Ctrl-C: kept for after the call."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).raised = error.with_traceback(trace)


@ffi.callback("bool(void *, const char *, double)", error=True, onerror=_listener_failed)  # type: ignore[misc]
def _on_progress(user: Any, what: Any, fraction: float) -> bool:
    # that Python code runs here is what lets signals be handled
    listener = ffi.from_handle(user)
    if listener.raised is not None or here.error is not None:
        return True
    return bool(listener.progress is not None and listener.progress(_printable(text_of(what)), fraction))


@ffi.callback("void(void *, const char *)", onerror=_listener_failed)  # type: ignore[misc]
def _on_log(user: Any, line: Any) -> None:
    listener = ffi.from_handle(user)
    if listener.raised is None:
        listener.log(_printable(text_of(line)))


class Call:
    """A context of the library for one call or a few: its messages become exceptions and warnings.

    After a function of the library, check() raises what went wrong: an exception of the progress function, that of
    Ctrl-C among them, one of a function in an expression of the model or of a hook, or the error of the status. Warnings
    are issued, or handed to `warn`. `functions` are those that threads of the library may call (_functions.Bound).
    """

    def __init__(self, progress: Optional[Progress] = None, log: Optional[Callable[[str], object]] = None,
                 warn: Optional[Callable[[_errors.Message], object]] = None, functions: Sequence[Any] = ()) -> None:
        here.calls = True
        context = lib.lmb_context_new()
        if not context:
            raise MemoryError("out of memory")
        self.context = ffi.gc(context, lib.lmb_context_free)
        self.warn = warn
        self._functions = functions
        self._note = ""
        self._listener = Listener(progress, log)
        self._handle = ffi.new_handle(self._listener)
        lib.lmb_context_on_progress(self.context, _on_progress, self._handle)
        if log is not None:
            lib.lmb_context_on_log(self.context, _on_log, self._handle)

    def stop(self, error: BaseException) -> None:
        """Stops the call that is under way as soon as it asks; check() then raises this."""
        self._listener.raised = self._listener.raised or error

    def take_over(self) -> None:
        """Takes what functions have raised in this thread, which has made a call for another one."""
        self._listener.raised = self._listener.raised or here.error
        self._note = here.note
        here.error, here.note = None, ""

    def messages(self) -> Tuple[_errors.Message, ...]:
        """Takes the messages so far out of the context."""
        taken = tuple(_message_of(lib.lmb_message_at(self.context, i))
                      for i in range(lib.lmb_message_count(self.context)))
        lib.lmb_messages_clear(self.context)
        return taken

    def check(self, status: int) -> None:
        """Raises what went wrong in a call that has returned this status."""
        if (status == lib.LMB_OK and here.error is None and self._listener.raised is None and not self._functions
                and not lib.lmb_message_count(self.context)):
            here.note = ""
            return
        messages = self.messages()
        raised, self._listener.raised = self._listener.raised or here.error, None
        note, self._note = here.note or self._note, ""
        here.error, here.note = None, ""
        for function in self._functions:
            if function.strays:
                raised = raised or function.strays[0]
                function.strays.clear()
        if raised is not None:
            raise raised
        if status != lib.LMB_OK:
            if note:
                messages += (_errors.Message(note, severity="warning"), )
            raise _errors.error_of(status, messages)
        for message in messages:
            (self.warn or issue)(message)


def issue(message: _errors.Message) -> None:
    """Issues a warning, as of the line outside of this package that has led to it."""
    level, frame = 1, sys._getframe()
    inner = (os.path.dirname(__file__), contextlib.__file__)
    outer: Any = frame
    while outer.f_back is not None and outer.f_code.co_filename.startswith(inner):
        outer = outer.f_back
        level += 1
    warnings.warn(_errors.Warning(message), stacklevel=level)
