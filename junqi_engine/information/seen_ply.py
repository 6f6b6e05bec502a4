"""A ply, or an event between plies, as everyone sees it, as a record for kernels.

`PLY` is the public record of a ply or event, and what becomes of it:

| field | shape | meaning |
|---|---|---|
| event, seat | scalars | `MOVED`, `RESIGNED` or `PASSED`, and the seat that resigns |
| move, outcome | scalars | as in `SeenMove` |
| shown, shown_count | (2,) | the points of revealed flags, the attacker's first |
| listed, listed_count | (4,) | the eliminated seats, in order |
| is_bare | scalar | 1 if outcome, flags and seats are left out; `follow` then fills in outcome and flags |
| takes_flag | scalar | 1 if the viewer takes the defender for the flag |
| doubtful | scalar | the set of seats that the ply may have made immobile |
| gone, gone_count | (4,) | the seats that `follow` has eliminated, in order |
| fault, culprit | scalars | why it was refused, and the seat, set of seats or point that it names |
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.layout import SEATS

MOVED, RESIGNED, PASSED = range(3)
"""Events: a ply, a resignation, a turn that passes because a clock ran out."""
(
    ILLEGAL, MISSING, WRONG_PIECE, NO_BATTLE, NO_FLAG, OTHER_FLAG, OTHER_OUTCOME, NO_LINEUP, IMMOBILE, HAS_MOVE,
    HAS_NO_MOVE, NOT_ELIMINATED, NOT_HERE, NO_TURN,
) = range(1, 15)  # fmt: skip
"""Why a ply or event is refused. `SeatView` has the words."""
MOST_FLAGS = 2
PLY = np.dtype(
    [
        ("culprit", np.int64),
        ("listed_count", np.int64),
        ("gone_count", np.int64),
        ("shown_count", np.int64),
        ("move", np.uint16),
        ("event", np.uint8),
        ("seat", np.uint8),
        ("outcome", np.uint8),
        ("is_bare", np.uint8),
        ("takes_flag", np.uint8),
        ("doubtful", np.uint8),
        ("fault", np.uint8),
        ("shown", np.uint8, MOST_FLAGS),
        ("listed", np.uint8, SEATS),
        ("gone", np.uint8, SEATS),
    ],
    align=True,
)
PLY_TYPE = record_type(PLY)


@kernel(types.boolean(PLY_TYPE, types.intp, types.intp))
def refuse(ply, fault, culprit):
    """Note why a ply is refused; False."""
    ply.fault, ply.culprit = fault, culprit
    return False


@kernel(types.void(PLY_TYPE, types.intp))
def note_gone(ply, seat):
    ply.gone[ply.gone_count] = seat
    ply.gone_count += 1
