"""Who plays whom from what: every game of a match or tournament, by number, before the first is played.

Games come in pairs, the same line-ups with the engines swapped between the teams; pairs come in rounds, one for each
pairing. All pairings of a round have the same line-ups and the same first seat, so that their results compare.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from junqi_engine.rules.board import BOARDS
from tools.referee.schedule.book import Book, random_lineup
from tools.referee.settings.settings import Format, Lineups, Settings

Pairing = tuple[int, int]
"""Two engines by index, the first of them the one that is spoken of."""


MOST_SEEDS = 2**31


@dataclass(frozen=True)
class Plan:
    """One game to be played. `teams` are engines by index; `lineups` is None when the engines make their own."""

    game: int
    pairing: Pairing
    teams: tuple[int, int]
    first: str
    lineups: tuple[tuple[str, str], ...] | None

    @property
    def is_second(self) -> bool:
        """Whether it is the second game of its pair."""
        return self.game % 2 == 0

    @property
    def other(self) -> int:
        """The number of the other game of the pair."""
        return self.game - 1 if self.is_second else self.game + 1

    def seed_of(self, engine: int, seed: int) -> int:
        """By what an engine that makes its own line-ups draws in both games of this pair; `seed` is the match's."""
        pair = (self.game + 1) // 2
        return random.Random(f"{seed}/{pair}/{engine}").randrange(MOST_SEEDS)


class Schedule:
    """All games of the settings, numbered from 1."""

    def __init__(self, settings: Settings, book: Book | None) -> None:
        self.settings = settings
        self.book = book
        self.pairings = pairings(len(settings.engines), settings.format)
        self._board = BOARDS[settings.variant]

    def __len__(self) -> int:
        return 2 * len(self.pairings) * self.settings.rounds

    def __iter__(self) -> Iterator[Plan]:
        return (self.plan(game) for game in range(1, len(self) + 1))

    def plan(self, game: int) -> Plan:
        """The game of that number."""
        pair, second = divmod(game - 1, 2)
        round_number, which = divmod(pair, len(self.pairings))
        pairing = self.pairings[which]
        seats = self._board.seats
        return Plan(
            game=game,
            pairing=pairing,
            teams=(pairing[1], pairing[0]) if second else pairing,
            first=seats[round_number % len(seats)],
            lineups=self._lineups(round_number),
        )

    def _lineups(self, round_number: int) -> tuple[tuple[str, str], ...] | None:
        seats = self._board.seats
        rng = random.Random(f"{self.settings.seed}/{round_number}")
        if self.settings.lineups == Lineups.ENGINE:
            return None
        if self.settings.lineups == Lineups.RANDOM or self.book is None:
            return tuple((seat, random_lineup(rng)) for seat in seats)
        return tuple(zip(seats, self.book.draw(rng, len(seats)), strict=True))


def pairings(engines: int, format: Format) -> tuple[Pairing, ...]:
    """Who meets whom."""
    if format == Format.GAUNTLET:
        return tuple((0, other) for other in range(1, engines))
    return tuple(combinations(range(engines), 2))
