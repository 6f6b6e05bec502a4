"""The progress of a review on stderr: one line that is rewritten on a terminal, a line every few seconds elsewhere."""

import time
from typing import TextIO

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REWRITES = 0.25
CLEAR = "\r\x1b[2K"


class ReviewProgress:
    """Counts the values that are found; `total` of them are needed, `before` were known."""

    def __init__(self, out: TextIO, total: int, before: int) -> None:
        self._out, self._total, self._before = out, total, before
        self._found = 0
        self._first = 0.0
        """When the first value was found: what comes before is mostly the start of the processes."""
        self._last = time.monotonic()
        self._is_terminal = out.isatty()
        if before:
            self.say(f"{before} of {total} values are known; continuing")

    def found(self, game: int) -> None:
        """A value of a game was found."""
        now = time.monotonic()
        if not self._found:
            self._first = now
        self._found += 1
        pause_s = SECONDS_BETWEEN_REWRITES if self._is_terminal else SECONDS_BETWEEN_LINES
        if now - self._last >= pause_s:
            self._last = now
            line = f"game {game}: {self._before + self._found}/{self._total} values, {self._remaining(now)} remaining"
            self._out.write(f"{CLEAR}{line}" if self._is_terminal else f"{line}\n")
            self._out.flush()

    def say(self, text: str) -> None:
        """Print a line at once."""
        self._out.write(f"{CLEAR if self._is_terminal else ''}{text}\n")
        self._out.flush()

    def end(self) -> None:
        """Remove the line that is rewritten."""
        if self._is_terminal:
            self._out.write(CLEAR)
            self._out.flush()

    def _remaining(self, now: float) -> str:
        """The estimated remaining time as h:mm:ss, `?` after a single value."""
        if self._found == 1:
            return "?"
        remaining_s = (self._total - self._before - self._found) * (now - self._first) / (self._found - 1)
        minutes, seconds = divmod(int(remaining_s), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
