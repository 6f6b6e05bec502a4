"""What the persons of a game tell each other beside the board: a few words, and that they want another game."""

import time
from collections import deque
from typing import Any

from tools.board.errors import RequestError

MAX_LINES = 40
MAX_WORDS_CHARS = 120
MIN_PAUSE_S = 0.7
"""Between two lines of one person."""


class Talk:
    """The last lines, and the seats of the persons that want a rematch."""

    def __init__(self) -> None:
        self.wants_rematch: set[str] = set()
        self._lines: deque[dict[str, str]] = deque(maxlen=MAX_LINES)
        self._spoke_s: dict[str, float] = {}

    def say(self, seats: str, name: str, words: str) -> None:
        """Add a line; `RequestError` for one that is empty or follows another too soon."""
        now_s = time.monotonic()
        if not words.strip():
            raise RequestError("bad-words", "words: expected a text")
        if now_s - self._spoke_s.get(seats, -MIN_PAUSE_S) < MIN_PAUSE_S:
            raise RequestError("too-fast", "one line after the other, please")
        self._spoke_s[seats] = now_s
        self._lines.append({"seats": seats, "name": name, "words": words.strip()})

    def as_message(self) -> dict[str, Any]:
        """All lines for a page."""
        return {"type": "talk", "lines": list(self._lines)}
