"""How games were played: line-ups, moves by kind and phase, eliminations, lengths and endings, as counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Protocol

from junqi_engine.notation.moves import parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, HEADQUARTERS_INDICES, LINEUP_INDICES, Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.pieces import COUNTS, FLAG, KINDS, LETTERS, PIECES_PER_SEAT, Outcome

FLAG_PLACES = tuple(LINEUP_INDICES.index(index) for index in HEADQUARTERS_INDICES)
"""The places of a line-up that are headquarters, left and right."""


class PlayedGame(Protocol):
    """What is counted of a game; `moves` are the public record with suffixes."""

    @property
    def variant(self) -> str: ...
    @property
    def lineups(self) -> Mapping[str, str]: ...
    @property
    def moves(self) -> Sequence[str]: ...
    @property
    def result(self) -> str: ...
    @property
    def ending(self) -> str: ...


class Phase(IntEnum):
    """A third of the plies of a game."""

    OPENING = 0
    MIDDLE = 1
    END = 2


class Event(IntEnum):
    """What is counted of a ply."""

    PLY = 0
    ATTACK = 1
    CAMPSITE = 2
    """The piece enters a campsite."""


class PlayCounts:
    """The counts of games of one variant.

    `plies` is by (event, phase, seat letter, kind). `places` is by kind, then by place in the line-up, 12 x 25.
    `eliminations` is by (seat letter, cause): `flag`, `no-moves` or `resigned`.
    """

    def __init__(self, board: Board, is_mirrored: bool = False) -> None:
        """With `is_mirrored`, line-ups whose flag is on the right are mirrored, so that it is always on the left."""
        self.board = board
        self.is_mirrored = is_mirrored
        self.lineups = 0
        self.places = [[0] * PIECES_PER_SEAT for _ in range(KINDS)]
        self.beside_flag: Counter[int] = Counter()
        """The kind in the headquarters without the flag."""
        self.plies: Counter[tuple[Event, Phase, str, int]] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.eliminations: Counter[tuple[str, str]] = Counter()
        self.passes: Counter[str] = Counter()
        self.lengths: list[int] = []
        self.longest_quiet: list[int] = []
        """By game, the longest run of plies without a battle."""
        self.endings: Counter[str] = Counter()
        self.results: Counter[str] = Counter()

    @property
    def games(self) -> int:
        return len(self.lengths)

    def add(self, game: PlayedGame) -> None:
        """Count a game that follows the rules."""
        for letters in game.lineups.values():
            self._add_lineup(letters)
        seen = [parse_move(self.board, text) for text in game.moves]
        self._add_moves(game.lineups, seen)
        self.endings[str(game.ending)] += 1
        self.results[game.result] += 1

    def total(self, event: Event, phase: Phase | None = None, seats: str | None = None, kind: int | None = None) -> int:
        """The number of events; None counts all phases, seats or kinds."""
        return sum(
            count
            for (found, found_phase, seat, found_kind), count in self.plies.items()
            if found == event
            and phase in (None, found_phase)
            and (seats is None or seat in seats)
            and kind in (None, found_kind)
        )

    def frequency(self, kind: int, place: int) -> float:
        """The share of line-ups that have a kind at a place."""
        return self.places[kind][place] / self.lineups if self.lineups else 0.0

    def in_row(self, kind: int, row: int) -> float:
        """The share of the pieces of a kind that start in a row."""
        places = [place for place, index in enumerate(LINEUP_INDICES) if index // 5 == row]
        return sum(self.frequency(kind, place) for place in places) / COUNTS[kind]

    def _add_lineup(self, letters: str) -> None:
        left, right = FLAG_PLACES
        if self.is_mirrored and letters[right] == LETTERS[FLAG]:
            letters = lineup.mirror(letters)
        self.lineups += 1
        for place, letter in enumerate(letters):
            self.places[LETTERS.index(letter)][place] += 1
        self.beside_flag[LETTERS.index(letters[left if letters[right] == LETTERS[FLAG] else right])] += 1

    def _add_moves(self, lineups: Mapping[str, str], moves: Sequence[SeenMove]) -> None:
        pieces = _Pieces(self.board, lineups)
        length = sum(seen.is_ply for seen in moves)
        ply = quiet = longest = 0
        for seen in moves:
            if seen.passed is not None:
                self.passes[self.board.seats[seen.passed]] += 1
            if seen.is_ply:
                seat, kind = pieces.at(seen.from_point)
                phase = Phase(len(Phase) * ply // length)
                is_attack = seen.outcome != Outcome.NO_BATTLE
                self.plies[Event.PLY, phase, seat, kind] += 1
                self.plies[Event.ATTACK, phase, seat, kind] += is_attack
                self.plies[Event.CAMPSITE, phase, seat, kind] += self.board.is_campsite(seen.to_point)
                if is_attack:
                    self.outcomes[seen.outcome] += 1
                quiet = 0 if is_attack else quiet + 1
                longest = max(longest, quiet)
                ply += 1
            for seat, cause in pieces.eliminations(seen):
                self.eliminations[seat, cause] += 1
            pieces.play(seen)
        self.lengths.append(length)
        self.longest_quiet.append(longest)


class _Pieces:
    """Where the pieces stand: seat letter and kind by point."""

    def __init__(self, board: Board, lineups: Mapping[str, str]) -> None:
        self._board = board
        self._pieces = {
            board.block(board.seats.index(seat))[index]: (seat, LETTERS.index(letter))
            for seat, letters in lineups.items()
            for index, letter in zip(LINEUP_INDICES, letters, strict=True)
        }

    def at(self, point: int) -> tuple[str, int]:
        return self._pieces[point]

    def eliminations(self, seen: SeenMove) -> list[tuple[str, str]]:
        """The seats that a move or an event eliminates, and why; to be called before `play`."""
        owner, kind = self._pieces.get(seen.to_point, ("", 0))
        flag_owner = owner if kind == FLAG and seen.outcome != Outcome.NO_BATTLE else ""
        resigned = "" if seen.resigned is None else self._board.seats[seen.resigned]
        gone = {resigned} - {""} | {self._board.seats[seat] for seat in seen.eliminated}
        causes = {flag_owner: "flag", resigned: "resigned"}
        return [(seat, causes.get(seat, "no-moves")) for seat in sorted(gone)]

    def play(self, seen: SeenMove) -> None:
        gone = {seat for seat, _ in self.eliminations(seen)}
        if seen.is_ply:
            piece = self._pieces.pop(seen.from_point)
            if seen.outcome == Outcome.BOTH_REMOVED:
                del self._pieces[seen.to_point]
            elif seen.outcome != Outcome.DEFENDER_WON:
                self._pieces[seen.to_point] = piece
        if gone:
            self._pieces = {point: piece for point, piece in self._pieces.items() if piece[0] not in gone}


def new_counts(variant: str, is_mirrored: bool) -> PlayCounts:
    return PlayCounts(BOARDS[variant], is_mirrored)
