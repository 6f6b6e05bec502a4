"""The record of a position, and functions that set one up: limits, pieces on points, line-ups.

Classes hold a position as an array of one record: it is copied and pickled as a whole, and kernels read it without
delay.

`layout` says how pieces, moves and sets are packed into integers. `POSITION`:

| field | shape | meaning |
|---|---|---|
| board | (129,) | by point: 0 if it is empty, else its occupant |
| kind | (128,) | kind by piece; `UNKNOWN` if the viewer does not know it |
| where | (128,) | point by piece; the last one for a removed piece |
| present | (4,) | by seat: the set of its slots that are on the board |
| movable | (4,) | by seat: the slots of `present` that may move: no landmine, no flag, not in a headquarters |
| turn, alive | scalars | the seat to move; the set of seats that are not eliminated |
| result | scalar | `Result` |
| quiet, ply | scalars | the no-contact counter: plies since the last battle; plies played |
| no_contact, max_plies | scalars | the limits in plies, 0 = none |
| no_contact_loses | scalar | 1: the side to move loses at the no-contact limit; 0: a draw |
| eliminates_immobile | scalar | 1: a seat whose pieces can never move again is eliminated at once |
| witness | (4,) | by seat: a piece that could move when last checked; a hint, not part of the position |
| mark, mark_now, stack | (129,), scalar, (80,) | scratch memory for the engineer's moves |
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

import numpy as np
from numba.extending import register_jitable

from junqi_engine.errors import naming
from junqi_engine.kernels import count_trailing_zeros, record_type
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import LINEUP_INDICES, MAX_POINTS, Board
from junqi_engine.rules.layout import (
    PIECES,
    SEATS,
    SLOTS,
    contains,
    occupant_of,
    piece_of,
    seat_of,
    seats_of_team,
    slot_of,
)
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import IMMOBILE_MASK, LETTERS, PIECES_PER_SEAT

POSITION = np.dtype(
    [
        ("board", np.uint8, MAX_POINTS),
        ("kind", np.uint8, PIECES),
        ("where", np.uint8, PIECES),
        ("present", np.uint32, SEATS),
        ("movable", np.uint32, SEATS),
        ("turn", np.uint8),
        ("alive", np.uint8),
        ("result", np.uint8),
        ("no_contact_loses", np.uint8),
        ("eliminates_immobile", np.uint8),
        ("quiet", np.uint32),
        ("ply", np.uint32),
        ("no_contact", np.uint32),
        ("max_plies", np.uint32),
        ("witness", np.uint8, SEATS),
        ("mark", np.uint32, MAX_POINTS),
        ("mark_now", np.uint32),
        ("stack", np.uint8, 80),
    ],
    align=True,
)
POSITION_TYPE = record_type(POSITION)

ONE = np.uint32(1)


@register_jitable
def next_piece(seat, slots):
    """The piece in the lowest of a set of slots of a seat, and the set without it."""
    return np.uint8(piece_of(seat, count_trailing_zeros(slots))), slots & slots - ONE


class Result(IntEnum):
    """The result of a game; team 0 is South's."""

    ONGOING = 0
    TEAM_0 = 1
    TEAM_1 = 2
    DRAW = 3


WIN_OF_TEAM = (Result.TEAM_0, Result.TEAM_1)


def winner_of(result: Result) -> int | None:
    """The team that won; None for a draw or an unfinished game."""
    return WIN_OF_TEAM.index(result) if result in WIN_OF_TEAM else None


def points_of(result: Result, team: int) -> float:
    """The points of a team in a finished game: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if result == Result.DRAW else float(result == WIN_OF_TEAM[team])


class Copyable:
    """A mixin that makes `copy.copy` and `copy.deepcopy` call `copy()`."""

    def copy(self) -> Self:
        raise NotImplementedError

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()


@dataclass(frozen=True)
class Placement:
    """A piece on the board: its seat, point and kind (`pieces.UNKNOWN` for a hidden one)."""

    seat: int
    point: int
    kind: int


@dataclass(frozen=True)
class Snapshot:
    """A position without the moves before it: `turn` is the seat to move, `alive` the set of the seats in the game,
    `quiet` the no-contact counter.
    """

    placements: Sequence[Placement]
    turn: int
    alive: int
    quiet: int = 0
    ply: int = 0


def copied(records: np.ndarray) -> np.ndarray:
    """A copy of an array of records; ten times as fast as `numpy.copy`, which copies field by field."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def new_positions(board: Board, rules: Rules, alive: int, turn: int, quiet: int = 0, ply: int = 0) -> np.ndarray:
    """A position without pieces, as an array of one record."""
    positions = np.zeros(1, POSITION)
    position = positions[0]
    position["alive"], position["turn"], position["quiet"], position["ply"] = alive, turn, quiet, ply
    position["result"] = result_by_team(alive)
    set_rules(board, position, rules)
    return positions


def set_rules(board: Board, position: np.void, rules: Rules) -> None:
    position["no_contact"] = rules.no_contact
    position["no_contact_loses"] = bool(rules.no_contact_loses)
    position["max_plies"] = rules.max_plies
    position["eliminates_immobile"] = rules.version >= 2 and board.variant == "siguo"


def place(board: Board, position: np.void, piece: int, point: int, kind: int) -> None:
    position["board"][point] = occupant_of(piece)
    position["kind"][piece] = kind
    position["where"][piece] = point
    position["present"][seat_of(piece)] |= 1 << slot_of(piece)
    if not contains(IMMOBILE_MASK, kind) and not board.is_headquarters(point):
        position["movable"][seat_of(piece)] |= 1 << slot_of(piece)


def lineup_kinds(letter: str, lineup: str) -> list[int]:
    """The kinds of the line-up of seat `letter`, in index order; `bad-lineup` if it is not legal."""
    with naming(f"{letter}'s line-up: "):
        lineups_module.check(lineup)
    return [LETTERS.index(piece) for piece in lineup]


def place_lineup(board: Board, position: np.void, seat: int, kinds: Iterable[int]) -> None:
    """Set up a seat's pieces from their `kinds` in index order; the k-th gets slot k."""
    slots = np.arange(PIECES_PER_SEAT)
    points, found = board.block(seat).start + np.array(LINEUP_INDICES), np.array([*kinds])
    pieces = piece_of(seat, slots)
    position["board"][points] = occupant_of(pieces)
    position["kind"][pieces] = found
    position["where"][pieces] = points
    may_move = (contains(IMMOBILE_MASK, found) == 0) & (board.tables["headquarters"][points] == 0)
    position["present"][seat] = (1 << slots).sum()
    position["movable"][seat] = (1 << slots[may_move]).sum()


def set_movable(board: Board, position: np.void, may_move: np.ndarray) -> None:
    """Fill `movable`: the pieces on the board, in no headquarters, whose kind may move by `may_move`, (128,) bool."""
    may_move = may_move & ~board.tables["headquarters"].astype(bool)[position["where"]]
    sets = np.packbits(may_move.reshape(SEATS, SLOTS), axis=1, bitorder="little").view(np.uint32).ravel()
    position["movable"] = sets & position["present"]


def result_by_team(alive: int) -> Result:
    if not alive & seats_of_team(0):
        return Result.TEAM_1
    return Result.ONGOING if alive & seats_of_team(1) else Result.TEAM_0
