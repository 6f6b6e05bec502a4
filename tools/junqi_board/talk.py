"""The persons of a game: their words, and whether they want another game."""

import time
from collections import deque
from typing import Any

from junqi_engine.errors import Refused

MAX_LINES = 40
MAX_WORDS_CHARS = 120
MIN_PAUSE_S = 0.7
"""Between two lines of one person."""


class Talk:
    def __init__(self) -> None:
        self.wants_rematch: set[str] = set()
        self._lines: deque[dict[str, Any]] = deque(maxlen=MAX_LINES)
        self._spoke_s: dict[str, float] = {}

    def say(self, seats: str, name: str, words: str) -> None:
        """Add a line; `Refused` for one that is empty or follows another too soon."""
        now_s = time.monotonic()
        if not words.strip():
            raise Refused("bad-words", "words: expected a text")
        if now_s - self._spoke_s.get(seats, -MIN_PAUSE_S) < MIN_PAUSE_S:
            raise Refused("too-fast", "one line after the other, please")
        self._spoke_s[seats] = now_s
        self._lines.append({"seats": seats, "name": name, "words": words.strip()})

    def keep(self, before: "Talk") -> None:
        """Keep what was said in the game before, of the same persons."""
        self._lines = before._lines.copy()

    def as_message(self) -> dict[str, Any]:
        return {"type": "talk", "lines": list(self._lines)}
