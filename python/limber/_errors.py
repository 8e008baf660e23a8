"""Messages of the library as Python exceptions and warnings."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Match, Optional, Sequence, Tuple, Type

if TYPE_CHECKING:
    from ._result import Result

_TAB = 4
_MOST_CELLS = 100
_MOST_ERRORS = 20

# what controls a terminal or the direction of text, and bytes that are not UTF-8 ("surrogateescape")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _escape(match: "Match[str]") -> str:
    code = ord(match[0])
    byte = code - 0xdc00 if 0xdc80 <= code <= 0xdcff else code if code < 0x80 else None
    return f"\\u{code:04x}" if byte is None else f"\\x{byte:02x}"


def _shown(text: str) -> str:
    """A text as it is safe to print."""
    return _CONTROL.sub(_escape, text)


@dataclass(frozen=True)
class Message:
    """What the library says of an input or a computation, with its place in the input.

    The texts quote the input. Printed, control characters are escaped (`\\x1b`), as the command line does.

    >>> print(Message("there is no joint type 'revolut'", "did you mean 'revolute'?", "a.yaml", 7, 10, 7,
    ...               "  {type: revolut}"))
    a.yaml:7:10: error: there is no joint type 'revolut'
        7 |   {type: revolut}
          |          ^~~~~~~
      hint: did you mean 'revolute'?
    """

    text: str  #: what is wrong
    hint: str = ""  #: what to do about it
    file: str = ""  #: the input that it is about
    line: int = 0  #: from 1; 0 for none
    column: int = 0  #: from 1, in characters; 0 for none
    length: int = 1  #: number of characters that are meant
    source_line: str = ""  #: that line of the input
    severity: str = "error"  #: or "warning"

    def __str__(self) -> str:
        place = _shown(self.file) or "limber"
        if self.file and self.line > 0:
            place += f":{self.line}"
            if self.column > 0:
                place += f":{self.column}"
        lines = [f"{place}: {self.severity}: {_shown(self.text)}"]
        if self.source_line and self.line > 0 and self.column > 0:
            lines += _source(self)
        if self.hint:
            lines.append(f"  hint: {_shown(self.hint)}")
        return "\n".join(lines)


def _source(message: Message) -> List[str]:
    """The line of the input that a message is about and the caret below it, cut where it is long."""
    cells = ""
    first = end = -1
    for i, c in enumerate(message.source_line, 1):
        if i == message.column:
            first = len(cells)
        if i == message.column + message.length:
            end = len(cells)
        if c == "\t":
            cells += " " * (_TAB - len(cells) % _TAB)
        else:
            cells += _shown(c)
    first = len(cells) if first < 0 else first
    end = len(cells) if end < 0 else end
    start, stop = 0, len(cells)
    if stop > _MOST_CELLS:
        start = min(max(first - _MOST_CELLS // 2, 0), stop - _MOST_CELLS)
        stop = start + _MOST_CELLS
    before = "..." if start > 0 else ""
    after = "..." if stop < len(cells) else ""
    marked = "^" + "~" * (min(end, stop) - first - 1)
    return [
        f"{message.line:5d} | {before}{cells[start:stop]}{after}",
        f"      | {' ' * (first - start + len(before))}{marked}",
    ]


class Error(Exception):
    """What all exceptions of Limber are. It prints as the command line does.

    `messages` has all messages of the failed call, warnings among them; `text`, `hint`, `file`, `line`, `column` and
    `source_line` are those of its first error.

    >>> import limber
    >>> try:
    ...     limber.Model("limber: 1\\ndimension: 4").check()
    ... except limber.Error as error:
    ...     print(type(error).__name__, error.file, error.line, error.column)
    InputError model 2 12
    """

    status: int = 0  #: the number of the status, which is the exit code of the program `limber`
    messages: Tuple[Message, ...]

    def __init__(self, messages: "str | Sequence[Message]" = ()) -> None:
        if isinstance(messages, str):
            messages = (Message(messages),)
        self.messages = tuple(messages)
        super().__init__(str(self))

    @property
    def first(self) -> Message:
        """The first error."""
        errors = [m for m in self.messages if m.severity == "error"]
        return errors[0] if errors else Message("failed for an unknown reason")

    @property
    def text(self) -> str:
        return self.first.text

    @property
    def hint(self) -> str:
        return self.first.hint

    @property
    def file(self) -> str:
        return self.first.file

    @property
    def line(self) -> int:
        return self.first.line

    @property
    def column(self) -> int:
        return self.first.column

    @property
    def source_line(self) -> str:
        return self.first.source_line

    def __str__(self) -> str:
        lines: List[str] = []
        errors = 0
        for message in self.messages:
            errors += message.severity == "error"
            if message.severity != "error" or errors <= _MOST_ERRORS:
                lines.append(str(message))
        if errors > _MOST_ERRORS:
            lines.append(f"limber: {errors - _MOST_ERRORS} more errors are not shown")
        return "\n".join(lines) if errors else str(self.first)

    def __reduce__(self) -> "Tuple[Any, ...]":
        return type(self), (self.messages,), dict(self.__dict__)


class UsageError(Error, ValueError):
    """A call with arguments that make no sense."""

    status = 2


class InputError(Error, ValueError):
    """A mistake in a model or in another input."""

    status = 3


class SolverError(Error, RuntimeError):
    """A solver failed, memory ran out, or the run was stopped. `result` has what was computed up to there."""

    status = 4
    result: "Optional[Result]" = None


class FileError(Error, OSError):
    """A file could not be read or written."""

    status = 5


class Warning(UserWarning):
    """What the library warns of: results that cannot be trusted, models that look wrong."""

    def __init__(self, message: "str | Message") -> None:
        self.message = Message(message, severity="warning") if isinstance(message, str) else message
        super().__init__(str(self.message))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return type(self), (self.message,)


_CLASSES: Dict[int, Type[Error]] = {c.status: c for c in (UsageError, InputError, SolverError, FileError)}


def error_of(status: int, messages: Sequence[Message]) -> Error:
    """The exception of a status of the library."""
    return _CLASSES.get(status, Error)(messages)
