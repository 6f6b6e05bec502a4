"""How far a run is and how long it still takes, on stderr."""

import time
from typing import TextIO

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REWRITES = 0.25
CLEAR = "\r\x1b[2K"


class Pace:
    """`done` of `total` units are there, of which `before` were there at the start.

    The time up to the first of the others is not counted: most of it is the start of the workers.
    """

    def __init__(self, total: int, before: int) -> None:
        self.total = total
        self.done = self._done_first = before
        self._first_s: float | None = None

    def count(self, units: int = 1) -> None:
        """So many more are done."""
        self.done += units
        if self._first_s is None:
            self._first_s, self._done_first = time.monotonic(), self.done

    def remaining(self) -> str:
        """The estimated time as h:mm:ss, `?` until there is a measure."""
        counted = self.done - self._done_first
        if self._first_s is None or not counted:
            return "?"
        remaining_s = (self.total - self.done) * (time.monotonic() - self._first_s) / counted
        minutes, seconds = divmod(int(remaining_s), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


class LineProgress:
    """One line that is rewritten on a terminal, a line every few seconds elsewhere. `units` is what is counted.

    A context manager: in the end the line that is rewritten is removed.
    """

    def __init__(self, out: TextIO, total: int, before: int, units: str) -> None:
        self._out, self._units = out, units
        self._pace = Pace(total, before)
        self._last_s = time.monotonic()
        self._is_terminal = out.isatty()
        if before:
            self.say(f"{before} of {total} {units} are known; continuing")

    def count(self, units: int = 1, where: str = "") -> None:
        """So many more are done; `where` is put before the line."""
        self._pace.count(units)
        now_s = time.monotonic()
        pause_s = SECONDS_BETWEEN_REWRITES if self._is_terminal else SECONDS_BETWEEN_LINES
        if now_s - self._last_s >= pause_s:
            self._last_s = now_s
            pace = self._pace
            line = f"{where}{pace.done}/{pace.total} {self._units}, {pace.remaining()} remaining"
            self._out.write(f"{CLEAR}{line}" if self._is_terminal else f"{line}\n")
            self._out.flush()

    def say(self, text: str) -> None:
        """Print a line at once."""
        self._out.write(f"{CLEAR if self._is_terminal else ''}{text}\n")
        self._out.flush()

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._out.write(CLEAR)
            self._out.flush()
