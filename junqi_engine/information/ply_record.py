"""The public record of a ply, or of an event between plies, and what becomes of it.

`PLY`:

| field | shape | meaning |
|---|---|---|
| event, seat | scalars | `MOVED`, `RESIGNED` or `PASSED`, and the seat that resigns |
| move, outcome | scalars | as in `SeenMove` |
| revealed, revealed_count | (2,) | the points of revealed flags, the attacker's first |
| listed, listed_count | (4,) | the eliminated seats that the record lists, in order |
| omits_suffix | scalar | 1 if outcome, flags and seats are left out; `follow` then fills in outcome and flags |
| attacker, defender, attacker_mask | scalars | the pieces of a battle, and the kinds of the attacker before its move |
| takes_flag | scalar | 1 if the viewer takes the defender for the flag |
| maybe_immobile | scalar | the set of seats that the ply may have made immobile |
| eliminated, eliminated_count | (4,) | the seats that `follow` has eliminated, in order |
| next_listed | scalar | the first listed seat that is not yet eliminated; advanced by `note_eliminated` alone |
| refusal | scalar | the reason of the refusal, a `Refusal` |
"""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.layout import SEATS

MOVED, RESIGNED, PASSED = range(3)
"""Events: a ply, a resignation, a turn that passes because a clock ran out."""


class Refusal(IntEnum):
    """Reasons why a ply is refused."""

    ILLEGAL = 1
    MISSING = 2
    NO_BATTLE = 3
    OTHER_FLAGS = 4
    OTHER_SEATS = 5
    NO_LINEUP = 6
    OTHER_OUTCOME = 7


REASONS = {
    Refusal.MISSING: "an enemy stood on {target}; add x, o or =",
    Refusal.NO_BATTLE: "{target} is empty, so there is no battle",
    Refusal.OTHER_OUTCOME: "the battle has another outcome",
    Refusal.OTHER_FLAGS: "it does not reveal these flags",
    Refusal.OTHER_SEATS: "it does not eliminate these seats, or not these alone",
    Refusal.NO_LINEUP: "no line-up is consistent with it and with the moves before",
}
"""The reasons in words; that of an illegal move comes from `why_illegal`."""
MAX_FLAGS = 2
PLY = np.dtype(
    [
        ("listed_count", np.int64),
        ("eliminated_count", np.int64),
        ("next_listed", np.int64),
        ("revealed_count", np.int64),
        ("attacker", np.int64),
        ("defender", np.int64),
        ("move", np.uint16),
        ("attacker_mask", np.uint16),
        ("event", np.uint8),
        ("seat", np.uint8),
        ("outcome", np.uint8),
        ("omits_suffix", np.uint8),
        ("takes_flag", np.uint8),
        ("maybe_immobile", np.uint8),
        ("refusal", np.uint8),
        ("revealed", np.uint8, MAX_FLAGS),
        ("listed", np.uint8, SEATS),
        ("eliminated", np.uint8, SEATS),
    ],
    align=True,
)
PLY_TYPE = record_type(PLY)


@kernel(types.boolean(PLY_TYPE, types.intp))
def refuse(ply, reason):
    """Record why the ply is refused, and return False."""
    ply.refusal = reason
    return False


@kernel(types.boolean(PLY_TYPE, types.intp))
def is_listed_next(ply, seat):
    """Whether the record lists a seat as the next one that is eliminated."""
    return ply.next_listed < ply.listed_count and ply.listed[ply.next_listed] == seat


@kernel(types.void(PLY_TYPE, types.intp))
def note_eliminated(ply, seat):
    """Record that a seat is eliminated, and pass over it in the list."""
    ply.next_listed += is_listed_next(ply, seat)
    ply.eliminated[ply.eliminated_count] = seat
    ply.eliminated_count += 1
