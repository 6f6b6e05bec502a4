"""Chat, rematch requests, and the score across rematches."""

import time
from collections import Counter
from contextlib import suppress
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from junqi_board.messages.game import ChatLine, ChatLines
from junqi_engine.errors import Refused

MAX_LINES = 40
"""Kept for each team, and for all."""
MAX_WORDS_CHARS = 120
MIN_PAUSE_S = 0.7
"""Between two lines of one person."""


class Evening(Struct):
    """The chat and the score of a game, as the host's file keeps them."""

    lines: list[tuple[str, ChatLine]]
    counts: dict[str, int]
    score: dict[str, float]


class Chat:
    def __init__(self) -> None:
        self.wants_rematch: set[str] = set()
        self.score: dict[str, float] = {}
        """By team, what it has won since these persons began to play."""
        self._lines: list[tuple[str, ChatLine]] = []
        """Each with the seats that may read it; empty for all."""
        self._counts: Counter[str] = Counter()
        """The number of lines so far, by the seats that may read them."""
        self._spoke_s: dict[str, float] = {}

    def add(self, seats: str, team: str, name: str, words: str) -> None:
        """Add a line for a team, or for all if `team` is empty."""
        self._lines.append((team, ChatLine(seats, name, words, not team)))
        self._counts[team] += 1
        # Not the oldest of all lines: the others would learn from it how much a team says.
        same = [one for one in self._lines if one[0] == team]
        if len(same) > MAX_LINES:
            self._lines.remove(same[0])

    def expect_pause(self, seats: str) -> None:
        """`Refused` if a person says or points out something too soon after the last time."""
        now_s = time.monotonic()
        if now_s - self._spoke_s.get(seats, -MIN_PAUSE_S) < MIN_PAUSE_S:
            raise Refused("too-fast", "one line after the other, please")
        self._spoke_s[seats] = now_s

    def keep(self, before: "Chat") -> None:
        """Keep what was said and won in the game before, of the same persons."""
        self.restore(before.as_kept())

    def as_kept(self) -> Any:
        """The state that is kept between runs, as JSON."""
        return to_builtins(Evening(self._lines, self._counts, self.score))

    def restore(self, kept: Any) -> None:
        with suppress(ValidationError):
            evening = convert(kept, Evening)
            self._lines, self._counts, self.score = evening.lines, Counter(evening.counts), evening.score

    def as_message(self, seats: str) -> ChatLines:
        """The lines that the page of a party may read, and how many there have been. Without seats, those for all."""
        may_read = {team for team in self._counts if not team or (seats and seats[0] in team)}
        lines = [line for team, line in self._lines if team in may_read]
        return ChatLines(lines, sum(self._counts[team] for team in may_read))
