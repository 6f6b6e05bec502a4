"""The record of a position.

`layout` says how pieces, moves and sets are packed into integers. `POSITION`:

| field | shape | meaning |
|---|---|---|
| board | (129,) | by point: 0 if it is empty, else its occupant |
| kind | (128,) | kind by piece; `UNKNOWN` if the viewer does not know it |
| where | (128,) | point by piece; the last one for a removed piece |
| present | (4,) | by seat: the set of its slots that are on the board |
| movable | (4,) | by seat: those of `present` that may move: no landmine, no flag, not in a headquarters |
| turn, alive | scalars | the seat to move; the set of seats that are not eliminated |
| result | scalar | `Result` |
| quiet, ply | scalars | plies since the last battle; plies played |
| no_contact, max_plies | scalars | the limits in plies, 0 = none |
| no_contact_loses | scalar | 1: the side to move loses at the no-contact limit; 0: a draw |
| eliminates_immobile | scalar | 1: a seat whose pieces can never move again is eliminated at once |
| witness | (4,) | by seat: a piece that could move when last checked; a hint, not part of the position |
| mark, mark_now, stack | (129,), scalar, (80,) | scratch memory for the engineer's moves |
"""

from enum import IntEnum

import numpy as np

from junqi_engine.kernels import record_type
from junqi_engine.rules.board import MAX_POINTS
from junqi_engine.rules.layout import PIECES, SEATS, team_of

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


class Result(IntEnum):
    """How a game stands; team 0 is South's."""

    ONGOING = 0
    TEAM_0 = 1
    TEAM_1 = 2
    DRAW = 3


WIN_OF_TEAM = (Result.TEAM_0, Result.TEAM_1)


def winner_of(result: Result) -> int | None:
    """The team that won; None for a draw or an unfinished game."""
    return WIN_OF_TEAM.index(result) if result in WIN_OF_TEAM else None


def points_of(result: Result, team: int) -> float:
    """What a team scores in a finished game: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return 0.5 if result == Result.DRAW else float(result == WIN_OF_TEAM[team])


def win_against(seat: int) -> Result:
    """The win of the team that does not have `seat`."""
    return WIN_OF_TEAM[1 - team_of(seat)]
