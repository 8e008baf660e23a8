"""Arguments of public functions: wrong types are errors that name the argument."""
from __future__ import annotations

import functools
import inspect
import os
import reprlib
import types
from collections import abc
from numbers import Integral
from typing import Any, Callable, Dict, List, Tuple, TypeVar, Union, cast, get_args, get_origin

from . import _errors

_Function = TypeVar("_Function", bound=Callable[..., Any])

_WORDS = {str: "a text", float: "a number", int: "a whole number below 2^31", os.PathLike: "a path", bool: "True or False",
          type(None): "None", abc.Mapping: "a dictionary", abc.Callable: "a function", abc.Iterable: "a list"}


def shown(value: Any) -> str:
    """A short text of any value, for a message.

    >>> shown([5]), shown(10**5000)
    ('[5]', 'a value of type int')
    """
    try:
        return reprlib.repr(value)
    except Exception:  # of an integer with too many digits, or of the __repr__ of the value
        return f"a value of type {type(value).__name__}"


def _sort(kind: Any) -> Any:
    """The class of a type: that of `Sequence[str]` is Iterable, too."""
    sort = get_origin(kind) or kind
    return abc.Iterable if sort is abc.Sequence else sort


def _kinds(kind: Any, space: Dict[str, Any]) -> List[Any]:
    """The alternatives of an annotation."""
    kind = getattr(kind, "__forward_arg__", kind)
    if isinstance(kind, str):
        parts = [eval(part, space) for part in kind.strip("\"'").split(" | ")]
    elif _sort(kind) is Union:
        parts = list(get_args(kind))
    else:
        return [type(None) if kind is None else kind]
    return [found for part in parts for found in _kinds(part, space)]


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type."""
    sort, parts = _sort(kind), get_args(kind)
    if sort is float:
        try:
            float(value)
        except (TypeError, ValueError, OverflowError):
            return False
        return not isinstance(value, (bool, str, bytes, bytearray))
    if sort is int:
        return isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) < 2**31
    if sort is Union:
        return any(_fits(value, part) for part in parts)
    if sort is Any or not isinstance(value, sort):
        return sort is Any
    if sort is abc.Iterable:
        items: Any = value
        return not isinstance(value, (str, bytes)) and (parts != (str,) or all(isinstance(item, str) for item in items))
    return sort is not abc.Mapping or all(_fits(item, parts[1]) for item in getattr(value, "values")())


def _words(kinds: List[Any]) -> str:
    """What an argument may be.

    >>> from typing import Iterable
    >>> _words([str, Iterable[str], type(None)])
    'a text, a list of texts or None'
    """
    words = [(_WORDS.get(_sort(kind)) or f"of the type {kind.__name__}") +
             (" of texts" if _sort(kind) is abc.Iterable and get_args(kind) == (str,) else "") for kind in kinds]
    return ", ".join(words[:-1]) + (" or " if words[1:] else "") + words[-1]


class _Signature:
    """The parameters of a function and their types, which are found with the first call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._space = getattr(function, "__globals__")
        self._signature = inspect.signature(function)
        self._types: Dict[str, List[Any]] = {}

    def __call__(self, given: Tuple[Any, ...], named: Dict[str, Any]) -> "Tuple[Tuple[Any, ...], Dict[str, Any]]":
        """Check the arguments. Iterators become lists, and flags become True or False."""
        parameters = self._signature.parameters
        self._types = self._types or {name: _kinds(p.annotation, self._space) for name, p in parameters.items()
                                      if p.annotation is not p.empty and p.kind is not p.VAR_KEYWORD}
        try:
            bound = self._signature.bind(*given, **named)
        except TypeError:
            return given, named  # Python says what is wrong
        for name in self._types.keys() & bound.arguments.keys():
            value, kinds = bound.arguments[name], self._types[name]
            if kinds == [bool]:
                value = bound.arguments[name] = bool(value)
            elif isinstance(value, abc.Iterator):
                value = bound.arguments[name] = list(value)
            for one in value if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL else (value,):
                if not any(_fits(one, kind) for kind in kinds):
                    raise _errors.UsageError(f"`{name}` must be {_words(kinds)}, not {shown(one)}")
        return bound.args, bound.kwargs


def checked(function: _Function) -> _Function:
    """Let a public function refuse arguments that are not of the types of its annotations."""
    take = _Signature(function)

    def call(*given: Any, **named: Any) -> Any:
        given, named = take(given, named)
        return function(*given, **named)

    # with the globals of the function, by which doctest knows its module
    own = types.FunctionType(call.__code__, getattr(function, "__globals__"), call.__name__, None, call.__closure__)
    return cast(_Function, functools.wraps(function)(own))
