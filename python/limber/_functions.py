"""Functions of Python in the expressions of a model: laws of forces and of drivers, sensors, conditions of events."""
from __future__ import annotations

import inspect
import math
from types import TracebackType
from typing import Any, Callable, Optional, Tuple, Type, Union

import numpy as np

from . import _errors
from ._checks import checked
from ._library import ffi, here

_KINDS = ("value", "gradient", "second derivatives")


class Function:
    """A function for expressions of a model, with its derivatives where these are known.

    `value(x, y, ...)` is called with numbers and returns a number, or a vector of `results` of them. `gradient` and
    `hessian` take the same arguments and return arrays of the shapes (results, arguments) and (results, arguments,
    arguments), where axes of length 1 may be left out. What is not given is found by differences, to about 8 digits.

    `arguments` is how many numbers the function takes, a vector counting as its components; it is found from the
    function where that has a fixed number of them.

    The same arguments must give the same numbers while a step is under way, since steps are repeated; what changes from
    step to step is changed by the hooks of a simulation or between its calls.

    >>> import limber
    >>> limber.Function(lambda x, v: -200*x - 3*v, gradient=lambda x, v: [-200, -3])
    <limber.Function of 2 arguments with gradient>
    """

    @checked
    def __init__(self, value: Callable[..., Any], gradient: Optional[Callable[..., Any]] = None,
                 hessian: Optional[Callable[..., Any]] = None, *, arguments: Optional[int] = None,
                 results: int = 1) -> None:
        for kind, given in zip(_KINDS, (value, gradient, hessian)):
            if not callable(given) and (given is not None or kind == "value"):
                raise _errors.UsageError(f"the {kind} of a function is computed by a function, not by {given!r}")
        if hessian is not None and gradient is None:
            raise _errors.UsageError("a function with second derivatives needs its gradient, too")
        self.value = value  #: computes its value
        self.gradient = gradient  #: computes its gradient, or None
        self.hessian = hessian  #: computes its second derivatives, or None
        self.arguments = _argument_count(value) if arguments is None else arguments  #: how many numbers it takes
        self.results = results  #: how many numbers it returns

    @property
    def derivatives(self) -> int:
        """How many derivatives are given: 0, 1 or 2."""
        return 0 if self.gradient is None else 1 if self.hessian is None else 2

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.__dict__ == other.__dict__

    def __repr__(self) -> str:
        known = ("", " with gradient", " with gradient and second derivatives")[self.derivatives]
        return f"<limber.Function of {self.arguments} argument{'s' if self.arguments != 1 else ''}{known}>"


def _argument_count(function: Callable[..., Any]) -> int:
    """How many arguments a function takes; those with defaults are not counted."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of NumPy, or written in C
        count = getattr(function, "nin", None)
        if isinstance(count, int):
            return count
        parameters = [inspect.Parameter("x", inspect.Parameter.VAR_POSITIONAL)]
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        raise _errors.UsageError((_errors.Message("how many numbers the function takes cannot be seen from it",
                                                  "say so with arguments=..."),))
    return sum(p.kind in plain and p.default is inspect.Parameter.empty for p in parameters)


def function_of(given: "Union[Function, Callable[..., Any]]") -> Function:
    """A function of a model, as it was given or made of a plain one."""
    return given if isinstance(given, Function) else Function(given)


class Bound:
    """A function under the name by which the library calls it."""

    def __init__(self, name: str, function: Function) -> None:
        self.name = name
        self.function = function
        self.strays: "list[BaseException]" = []  # raised in threads of the library
        self._alone = function.results == 1
        n = function.arguments
        self._shapes = tuple(tuple(k for k in (function.results, n, n)[:d + 1] if k != 1) for d in range(3))

    def _numbers(self, found: Any, order: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """What one of the functions has returned, if it is of the right sort and shape."""
        array = np.asarray(found)
        if array.dtype.kind not in "fiub" or tuple(k for k in array.shape if k != 1) != self._shapes[order]:
            what = type(found).__name__ if array.dtype.kind not in "fiub" else f"an array of shape {array.shape}"
            wanted = " x ".join(str(k) for k in self._shapes[order]) or "1"
            numbers = "number" if wanted == "1" else "numbers"
            raise _errors.UsageError(f"the {_KINDS[order]} of function '{self.name}' must be {wanted} {numbers}, not {what}")
        return array.astype(np.float64, order="C")

    def _note(self, arguments: Any, order: int) -> None:
        numbers = ", ".join(f"{x:.6g}" for x in arguments)
        here.note = f"the {_KINDS[order]} of function '{self.name}' is not finite for ({numbers})"

    def _put(self, found: Any, order: int, out: Any, arguments: Any) -> None:
        array = self._numbers(found, order)
        if not np.isfinite(array).all():
            self._note(arguments, order)
        ffi.buffer(out, array.nbytes)[:] = array.tobytes()

    def call(self, x: Any, value: Any, gradient: Any, hessian: Any) -> int:
        """See lmb_function_call; it may raise."""
        f = self.function
        arguments = ffi.unpack(x, f.arguments) if f.arguments else ()
        found = f.value(*arguments)
        if self._alone and isinstance(found, float):
            value[0] = found
            if not math.isfinite(found):
                self._note(arguments, 0)
        else:
            self._put(found, 0, value, arguments)
        if gradient and f.gradient is not None:
            self._put(f.gradient(*arguments), 1, gradient, arguments)
        if hessian and f.hessian is not None:
            self._put(f.hessian(*arguments), 2, hessian, arguments)
        return 0


def _function_failed(kind: Type[BaseException], error: BaseException, trace: TracebackType) -> int:
    """An exception of a function: kept for the thread that has called the library, which raises it."""
    error = error.with_traceback(trace)
    if here.calls:
        here.error = error
    else:
        ffi.from_handle(trace.tb_frame.f_locals["user"]).strays.append(error)
    return 1


@ffi.callback("int(void *, const double *, double *, double *, double *)", error=1,
              onerror=_function_failed)  # type: ignore[misc]
def _on_function(user: Any, x: Any, value: Any, gradient: Any, hessian: Any) -> int:
    bound: Bound = ffi.from_handle(user)
    if here.error is not None or bound.strays:
        return 1  # the call is to end
    return bound.call(x, value, gradient, hessian)


def definition(name: bytes, handle: Any) -> Tuple[Any, Any]:
    """An lmb_function of a bound function (as a handle of cffi), and what it needs while it is handed over."""
    f = ffi.from_handle(handle).function
    text = ffi.new("char[]", name)
    for what, number in (("arguments", f.arguments), ("results", f.results)):
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) > 1000:
            raise _errors.UsageError(f"{what} of a function is a number of them, not {number!r}")
    return ffi.new("lmb_function *", {"name": text, "arguments": f.arguments, "results": f.results,
                                      "derivatives": f.derivatives, "call": _on_function, "user": handle}), text
