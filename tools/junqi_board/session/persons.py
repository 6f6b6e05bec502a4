"""The persons of a game: their words, whether they want another game, and who may be helped by an engine."""

import time
from collections import deque
from typing import Any

from junqi_board.errors import RequestError
from junqi_board.game.seating import Party
from junqi_board.game.state import BoardGame

MAX_LINES = 40
MAX_WORDS_CHARS = 120
MIN_PAUSE_S = 0.7
"""Between two lines of one person."""


class Talk:
    """The last lines, and the seats of the persons that want a rematch."""

    def __init__(self) -> None:
        self.wants_rematch: set[str] = set()
        self._lines: deque[dict[str, Any]] = deque(maxlen=MAX_LINES)
        self._spoke_s: dict[str, float] = {}

    def say(self, seats: str, name: str, words: str, team: str = "", point: int | None = None) -> None:
        """Add a line; `RequestError` for one that is empty or follows another too soon.

        Only the seats `team` read it, if there are any. `point` is what it is about.
        """
        now_s = time.monotonic()
        if not words.strip():
            raise RequestError("bad-words", "words: expected a text")
        if now_s - self._spoke_s.get(seats, -MIN_PAUSE_S) < MIN_PAUSE_S:
            raise RequestError("too-fast", "one line after the other, please")
        self._spoke_s[seats] = now_s
        self._lines.append({"seats": seats, "name": name, "words": words.strip(), "team": team, "point": point})

    def keep(self, before: "Talk") -> None:
        """Keep what was said in the game before, of the same persons."""
        self._lines = before._lines.copy()

    def as_message(self, seats: str) -> dict[str, Any]:
        """All lines that the persons of these seats may read."""
        readable = [line for line in self._lines if not line["team"] or (seats and seats[0] in line["team"])]
        return {"type": "talk", "lines": readable}


class HelpAgreement:
    """The persons of a game who agree that others are helped. Nobody has agreed when it starts."""

    def __init__(self, game: BoardGame) -> None:
        self._game = game
        self._agreed: set[str] = set()

    def agree(self, seats: str, is_on: bool) -> None:
        self._game.person(seats)
        (self._agreed.add if is_on else self._agreed.discard)(seats)

    def has_agreed(self, seats: str) -> bool:
        return seats in self._agreed

    def is_needed(self, seats: str) -> bool:
        """Whether any person plays against these seats."""
        return bool(self._opponents(seats))

    def allows(self, seats: str) -> bool:
        return all(party.seats in self._agreed for party in self._opponents(seats))

    def require(self, seats: str) -> None:
        """Raise `RequestError` unless the person with these seats may be helped."""
        if not self.allows(seats):
            raise RequestError("help-refused", "a person who plays against you has not agreed to help by engines")

    def _opponents(self, seats: str) -> list[Party]:
        """The persons who play against any of these seats."""
        teams = self._game.board.teams
        parties = (player.party for player in self._game.players if not player.party.is_engine)
        return [party for party in parties if party.seats != seats and _are_enemies(teams, seats, party.seats)]


def _are_enemies(teams: tuple[str, str], seats: str, others: str) -> bool:
    return any((seat in teams[0]) != (other in teams[0]) for seat in seats for other in others)
