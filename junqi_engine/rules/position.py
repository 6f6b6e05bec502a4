"""The position's record; making and unmaking a move when every piece is known.

A *piece* is an integer below 128: `32 * seat + slot`, its slot below 25. On the board it carries bit 7, so that 0 is an
empty point. A *move* is an integer: `256 * from + to`.

`POSITION`:

| field | shape | meaning |
|---|---|---|
| board | (129,) | 0, or 128 + piece |
| kind | (128,) | kind by piece; `UNKNOWN` where the viewer does not know |
| where | (128,) | point by piece; its last one for a piece that has left |
| present | (4,) | slots of a seat's pieces that are on the board, a bit each |
| movable | (4,) | those of `present` that may move: no landmine, no flag, not in a headquarters |
| turn, alive | scalars | the seat to move; the seats still in, a bit each |
| result | scalar | `Result` |
| quiet, ply | scalars | plies since the last battle; plies played |
| no_contact, max_plies | scalars | the limits, 0 = none |
| no_contact_loses | scalar | 1: the side to move loses at the no-contact limit; 0: a draw |
| witness | (4,) | a piece of the seat that could move when last looked at: a hint, no part of the position |
| mark, mark_now, stack | (129,), scalar, (80,) | scratch of the engineer's flood |

`UNDO` holds what `make` destroys and `unmake` can't compute; `present` and `movable` only where `has_sets` says so.
"""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS

POSITION = np.dtype(
    [
        ("board", np.uint8, MAX_POINTS),
        ("kind", np.uint8, 128),
        ("where", np.uint8, 128),
        ("present", np.uint32, 4),
        ("movable", np.uint32, 4),
        ("turn", np.uint8),
        ("alive", np.uint8),
        ("result", np.uint8),
        ("no_contact_loses", np.uint8),
        ("quiet", np.uint32),
        ("ply", np.uint32),
        ("no_contact", np.uint32),
        ("max_plies", np.uint32),
        ("witness", np.uint8, 4),
        ("mark", np.uint32, MAX_POINTS),
        ("mark_now", np.uint32),
        ("stack", np.uint8, 80),
    ],
    align=True,
)
POSITION_TYPE = record_type(POSITION)

OCCUPIED = np.uint8(0x80)
TEAM_BITS = np.uint8(0xA0)
ONE = np.uint32(1)


class Result(IntEnum):
    """How a game stands; team 0 is South's."""

    ONGOING = 0
    TEAM_0 = 1
    TEAM_1 = 2
    DRAW = 3


@kernel(types.uint8(types.uint8))
def enemy_bits(seat):
    """What `board[point] & TEAM_BITS` is where an enemy of `seat` stands."""
    return np.uint8(0x80 | ((seat & 1) ^ 1) << 5)
