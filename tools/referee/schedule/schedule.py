"""The schedule: every game of a match or tournament by number, with its engines, first seat and line-ups.

Games come in pairs: the same line-ups, with the engines swapped between the teams. Pairs come in rounds, with one pair
per pairing of engines. All pairs of a round have the same line-ups and the same first seat, for comparable results.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from junqi_engine.rules.board import BOARDS
from tools.referee.chance import Seed, engine_seed, new_secret, stream
from tools.referee.schedule.book import Book, random_lineup
from tools.referee.settings.settings import Format, Lineups, Settings

Pairing = tuple[int, int]
"""Two engines by index; results are seen from the side of the first."""


@dataclass(frozen=True)
class PlannedGame:
    """One game. `teams` are engines by index; `lineups` is None if the engines make their own; `seed` is the run's."""

    game: int
    pairing: Pairing
    teams: tuple[int, int]
    first: str
    lineups: tuple[tuple[str, str], ...] | None
    seed: Seed

    @property
    def is_second(self) -> bool:
        """Whether it is the second game of its pair."""
        return self.game % 2 == 0

    @property
    def other(self) -> int:
        """The number of the other game of the pair."""
        return self.game - 1 if self.is_second else self.game + 1

    def seed_of(self, engine: int) -> int:
        """The `Seed` of an engine for both games of the pair."""
        pair = (self.game + 1) // 2
        return engine_seed(self.seed, pair, engine)


class Schedule:
    """All games of the settings, numbered from 1. Settings without a seed get a secret one, or the given one."""

    def __init__(self, settings: Settings, book: Book | None, seed: Seed | None = None) -> None:
        self.settings = settings
        given = settings.seed if seed is None else seed
        self.seed = new_secret() if given is None else given
        self.book = book
        self.pairings = pairings(len(settings.engines), settings.format)
        self._board = BOARDS[settings.variant]

    def __len__(self) -> int:
        return 2 * len(self.pairings) * self.settings.rounds

    def __iter__(self) -> Iterator[PlannedGame]:
        return (self.plan(game) for game in range(1, len(self) + 1))

    def plan(self, game: int) -> PlannedGame:
        """The game with this number."""
        pair, second = divmod(game - 1, 2)
        round_number, which = divmod(pair, len(self.pairings))
        pairing = self.pairings[which]
        seats = self._board.seats
        return PlannedGame(
            game=game,
            pairing=pairing,
            teams=(pairing[1], pairing[0]) if second else pairing,
            first=seats[round_number % len(seats)],
            lineups=self._lineups(round_number),
            seed=self.seed,
        )

    def _lineups(self, round_number: int) -> tuple[tuple[str, str], ...] | None:
        seats = self._board.seats
        rng = stream(self.seed, round_number)
        if self.settings.lineups == Lineups.ENGINE:
            return None
        if self.settings.lineups == Lineups.RANDOM or self.book is None:
            return tuple((seat, random_lineup(rng)) for seat in seats)
        return tuple(zip(seats, self.book.draw(rng, len(seats)), strict=True))


def pairings(engines: int, format: Format) -> tuple[Pairing, ...]:
    """The pairings of some number of engines, in their order within a round."""
    if format == Format.GAUNTLET:
        return tuple((0, other) for other in range(1, engines))
    return tuple(combinations(range(engines), 2))
