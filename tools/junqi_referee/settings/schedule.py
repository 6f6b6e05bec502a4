"""The schedule: the games of a match or tournament by number, with their engines, first seat and line-ups.

Games come in pairs: the same line-ups, with the engines swapped between the teams. A round has one pair per pairing of
engines. All pairs of a round have the same line-ups and the same first seat, so that results are comparable.

A book has one line-up of 25 letters per line, optionally followed by `;` and a name; `#` starts a comment.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import combinations
from pathlib import Path

from junqi_engine.errors import Refused
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.exit_codes import RefereeError, read_text
from junqi_referee.full_game import FullGame
from junqi_referee.settings.settings import Format, Lineups, MatchSettings, Seed, engine_seed, new_secret, stream

PACKAGED = "lineups.txt"
OPENINGS_STREAM = -1
"""The number of the stream that orders the openings; the streams of rounds count from 0."""


@dataclass(frozen=True)
class Book:
    lineups: tuple[str, ...]

    @classmethod
    def read(cls, path: str | None) -> "Book":
        """Read a book; None is the packaged one. A `RefereeError` names the illegal line."""
        file = resources.files("junqi_referee.settings").joinpath(PACKAGED) if path is None else Path(path)
        return cls.parse(read_text(file, f"book {path or PACKAGED}"), path or PACKAGED)

    @classmethod
    def parse(cls, text: str, name: str) -> "Book":
        """Parse the text of a book; `name` is for messages."""
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            letters = line.partition("#")[0].partition(";")[0].strip()
            if not letters:
                continue
            try:
                lineup.check(letters)
            except Refused as error:
                raise RefereeError(f"book {name}, line {number}: {error}") from error
            found.append(letters)
        if not found:
            raise RefereeError(f"book {name}: there is no line-up in it")
        return cls(tuple(found))

    def draw(self, rng: random.Random, count: int) -> list[str]:
        """Draw `count` line-ups, without repetition if there are enough."""
        if count <= len(self.lineups):
            return rng.sample(self.lineups, count)
        return rng.choices(self.lineups, k=count)


Pairing = tuple[int, int]
"""Two engines by index; results are from the point of view of the first."""


@dataclass(frozen=True)
class Opening:
    """The start of a game: line-ups or a FEN, and moves without their suffixes."""

    lineups: tuple[tuple[str, str], ...]
    first: str
    moves: tuple[str, ...]
    fen: str = ""

    def begin(self, variant: str, rules: Rules) -> FullGame:
        """The game after the moves; `Refused` says what is wrong."""
        full = FullGame(variant, dict(self.lineups), self.first, rules, self.fen)
        for move in self.moves:
            full.play(move)
        return full


@dataclass(frozen=True)
class PlannedGame:
    """One game. `teams` are engines by index; `lineups` is None if the engines make their own; `seed` is the run's.

    `moves` are played from the line-ups or from `fen` before the engines play. `round` counts from 1. In a gauntlet all
    opponents of the first engine get the same `Seed`, because they never play each other.
    """

    game: int
    pairing: Pairing
    teams: tuple[int, int]
    first: str
    lineups: tuple[tuple[str, str], ...] | None
    seed: Seed
    moves: tuple[str, ...] = ()
    fen: str = ""
    round: int = 1
    is_of_gauntlet: bool = False

    @property
    def is_second(self) -> bool:
        return self.game % 2 == 0

    @property
    def other(self) -> int:
        """The number of the other game of the pair."""
        return self.game - 1 if self.is_second else self.game + 1

    def seed_of(self, engine: int, place: int = 0) -> int:
        """The `Seed` of an engine for all its games of the round, at a place in its team.

        An engine thus draws the same line-ups against every opponent. Partners have different seeds: with the same
        seed, an engine could draw its partner's line-up without seeing it.
        """
        player = min(engine, 1) if self.is_of_gauntlet else engine
        return engine_seed(self.seed, self.round, player, *((place,) if place else ()))


class Schedule:
    """All games of the settings, numbered from 1. Settings without a seed get a secret one, or the given one."""

    def __init__(
        self, settings: MatchSettings, book: Book | None, seed: Seed | None = None, openings: Sequence[Opening] = ()
    ) -> None:
        self.settings = settings
        given = settings.seed if seed is None else seed
        self.seed = new_secret() if given is None else given
        self.book = book
        self.openings = list(openings)
        stream(self.seed, OPENINGS_STREAM).shuffle(self.openings)
        self.pairings = pairings(len(settings.engines), settings.format)
        self._board = BOARDS[settings.variant]

    def __len__(self) -> int:
        return 2 * len(self.pairings) * self.settings.rounds

    def __iter__(self) -> Iterator[PlannedGame]:
        return (self.plan(game) for game in range(1, len(self) + 1))

    def plan(self, game: int) -> PlannedGame:
        pair, second = divmod(game - 1, 2)
        round_number, which = divmod(pair, len(self.pairings))
        pairing = self.pairings[which]
        seats = self._board.seats
        planned = PlannedGame(
            game=game,
            pairing=pairing,
            teams=(pairing[1], pairing[0]) if second else pairing,
            first=seats[round_number % len(seats)],
            lineups=() if self.openings else self._lineups(round_number),
            seed=self.seed,
            round=round_number + 1,
            is_of_gauntlet=self.settings.format == Format.GAUNTLET,
        )
        if not self.openings:
            return planned
        opening = self.openings[round_number % len(self.openings)]
        return replace(planned, first=opening.first, lineups=opening.lineups, moves=opening.moves, fen=opening.fen)

    def _lineups(self, round_number: int) -> tuple[tuple[str, str], ...] | None:
        seats = self._board.seats
        rng = stream(self.seed, round_number)
        if self.settings.lineups == Lineups.ENGINE:
            return None
        if self.settings.lineups == Lineups.RANDOM or self.book is None:
            return tuple((seat, lineup_choice.sensible(rng)) for seat in seats)
        return tuple(zip(seats, self.book.draw(rng, len(seats)), strict=True))


def pairings(engines: int, format: Format) -> tuple[Pairing, ...]:
    """The pairings of `engines` engines, in their order within a round."""
    if format == Format.GAUNTLET:
        return tuple((0, other) for other in range(1, engines))
    return tuple(combinations(range(engines), 2))
