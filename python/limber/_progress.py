"""Progress of long computations."""
from __future__ import annotations

import contextlib
import math
import sys
import time
from typing import Callable, Iterator, Optional, Union

#: Receives the name of what is computed and its fraction, 0 to 1, or NaN where nobody knows; returns True to stop.
Progress = Callable[[str, float], object]

_WIDTH = 30


class Bar:
    """A bar on the standard error, ten times a second at most.

    >>> import io
    >>> out = io.StringIO()
    >>> bar = Bar(out)
    >>> bar("swing", 0.5)
    >>> bar.close()
    >>> out.getvalue().split("\\r")[1].rstrip()
    'swing [###############...............]  50 %'
    """

    def __init__(self, out: Optional[object] = None) -> None:
        self._out = sys.stderr if out is None else out
        self._last = -math.inf
        self._shown = 0

    def __call__(self, what: str, fraction: float) -> None:
        now = time.monotonic()
        if now - self._last < 0.1:
            return
        self._last = now
        line = what
        if not math.isnan(fraction):
            fraction = min(max(fraction, 0.0), 1.0)
            done = int(fraction * _WIDTH)
            line += f" [{'#' * done}{'.' * (_WIDTH - done)}] {100 * fraction:3.0f} %"
        self._put("\r" + line.ljust(self._shown))
        self._shown = len(line)

    def close(self) -> None:
        """Takes the bar away."""
        if self._shown:
            self._put("\r" + " " * self._shown + "\r")
            self._shown = 0

    def _put(self, text: str) -> None:
        print(text, end="", file=self._out, flush=True)  # type: ignore[call-overload]


def progress_of(progress: Union[bool, Progress, None]) -> Optional[Progress]:
    """The progress function that was asked for: a bar (True), one's own, or none."""
    if progress is True:
        return Bar()
    if progress is None or progress is False:
        return None
    return progress


@contextlib.contextmanager
def showing(progress: Union[bool, Progress, None]) -> Iterator[Optional[Progress]]:
    """The same, for a while: a bar is taken away in the end."""
    shown = progress_of(progress)
    try:
        yield shown
    finally:
        if isinstance(shown, Bar):
            shown.close()
