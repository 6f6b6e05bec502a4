"""The host's ladder: an Elo rating by variant, wins by level, runs, Marshals captured; and a rating of problems.

A game counts once, when it ends or its file is deleted. It must be one of the host alone against engines of one level,
without help. A problem counts at its first answer. (Elo, The Rating of Chessplayers, 1978.)
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any

from junqi_board.engines import ELO_OF_FULL, ELO_OF_LEVELS
from junqi_board.store import LADDER, PROBLEMS, Store

if TYPE_CHECKING:
    from junqi_board.game.game import BoardGame

K = 32
"""The most that one game or problem changes a rating."""
MOST_KEPT = 100
FIRST: dict[str, Any] = {"ratings": {}, "wins": {}, "streak": 0, "bestStreak": 0, "marshals": 0, "games": []}
"""By the names under which older boards kept them."""
RATING_OF_PROBLEMS = {"easy": 1000, "medium": 1300, "hard": 1600}
FIRST_PROBLEMS: dict[str, Any] = {"rating": 1200, "tried": 0, "row": 0, "best": 0}


class Ladder:
    """`table` is what the host's page is sent: `ratings` by variant, each with `rating` and `history`, counts, and the
    counted games, the newest last.

    `problems` has the rating of problems, the number of those that were tried, and the run of right first answers with
    the longest one.
    """

    def __init__(self, store: Store, has_levels: Mapping[str, bool]) -> None:
        """`has_levels` has the programs by name."""
        self._store = store
        self._has_levels = has_levels
        found = _parsed(store.settings.get(LADDER))
        if not isinstance(found, dict):
            found = {name: _parsed(store.settings.get(name)) for name in FIRST}
        self.table = FIRST | {name: value for name, value in found.items() if type(value) is type(FIRST.get(name))}
        tried = _parsed(store.settings.get(PROBLEMS)) or {}
        self.problems = FIRST_PROBLEMS | {name: tried[name] for name in FIRST_PROBLEMS if name in tried}

    def begin(self, game: "BoardGame") -> None:
        """Mark a new game as rated if it is one of the host alone against engines of one level."""
        engines = [player.party for player in game.players if player.party.is_engine]
        has_level = all(self._has_levels.get(party.program.name) for party in engines if party.program)
        is_alone = game.person_count == 1 and game.seating.host_seats != ""
        game.is_rated = is_alone and has_level and len({party.elo for party in engines}) == 1

    def count(self, variant: str, elo: int | None, score: float, marshals: int = 0) -> tuple[int, int]:
        """Count a game against engines of an Elo: 1 for a win, 0.5 for a draw, 0 for a loss.

        Return the new rating and its change.
        """
        other = ELO_OF_FULL if elo is None else elo
        before = self.table["ratings"].get(variant, {"rating": other, "history": []})
        rating = before["rating"] + K * (score - expected_score(before["rating"], other))
        history = [*before["history"], round(rating)][-MOST_KEPT:]
        level = next((name for name, value in ELO_OF_LEVELS.items() if value == elo), "")
        change = round(rating) - round(before["rating"])
        game = {"day": date.today().isoformat(), "variant": variant, "level": level, "score": score, "change": change}
        wins = self.table["wins"]
        streak = self.table["streak"] + 1 if score == 1 else self.table["streak"] if score else 0
        self.table |= {
            "ratings": self.table["ratings"] | {variant: {"rating": rating, "history": history}},
            "wins": wins | {level: wins.get(level, 0) + 1} if score == 1 and level else wins,
            "streak": streak,
            "bestStreak": max(streak, self.table["bestStreak"]),
            "marshals": self.table["marshals"] + marshals,
            "games": [*self.table["games"], game][-MOST_KEPT:],
        }
        self._store.set_own(LADDER, json.dumps(self.table))
        return round(rating), change

    def count_problem(self, level: str, is_right: bool) -> None:
        """Count the first answer to a problem."""
        rating, row = self.problems["rating"], self.problems["row"] + 1 if is_right else 0
        self.problems = {
            "rating": rating + K * (is_right - expected_score(rating, RATING_OF_PROBLEMS[level])),
            "tried": self.problems["tried"] + 1,
            "row": row,
            "best": max(row, self.problems["best"]),
        }
        self._store.set_own(PROBLEMS, json.dumps(self.problems))


def _parsed(text: str | None) -> Any:
    """The value of a JSON text; None if it is none."""
    with suppress(ValueError):
        return json.loads(text or "null")
    return None


def expected_score(rating: float, other: float) -> float:
    return 1 / (1 + 10 ** ((other - rating) / 400))
