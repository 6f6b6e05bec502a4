"""What a viewer has proven about every piece.

Facts (a narrowed piece, a battle) are added one by one; a deduction then derives what follows from all of them. New
facts may contradict what is known, so whoever adds facts that may be false keeps a copy and returns to it.

`KNOWN` is the record for kernels:

| field | shape | meaning |
|---|---|---|
| masks | (128,) | by piece, on the board or removed: the kinds that it may have, 0 if the piece does not exist |
| hidden_seats | scalar | the set of seats to which the counts apply: all but the viewer's |
| relations, relation_count | (100, 3) | the battles in which neither piece is certain, as in `deduction` |
| is_stale | scalar | 1: facts were added since the last deduction |
"""

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import deduce
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type
from junqi_engine.rules.layout import PIECES, SEATS, contains, piece_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import COUNTS, FLAG, IMMOBILE_MASK, MINE, MOVABLE_MASK, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import ONE, POSITION_TYPE

MOST_RELATIONS = SEATS * PIECES_PER_SEAT
"""Each battle removes a piece."""

KNOWN = np.dtype(
    [
        ("masks", np.uint16, PIECES),
        ("relation_count", np.int64),
        ("hidden_seats", np.uint8),
        ("is_stale", np.uint8),
        ("relations", np.uint8, (MOST_RELATIONS, 3)),
    ],
    align=True,
)
KNOWN_TYPE = record_type(KNOWN)
KINDS_TYPE = types.Array(types.uint8, 1, "C")
_START_MASKS = np.array(MASK_AT, np.uint16)
_MINES, _FLAGS = COUNTS[MINE], COUNTS[FLAG]


@kernel(types.void(POSITION_TYPE, KNOWN_TYPE))
def begin(position, known):
    """The knowledge at the start of a game, with `hidden_seats` as they are. The kinds of the others are read."""
    known.relation_count = known.is_stale = 0
    for seat in range(SEATS):
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if contains(known.hidden_seats, seat):
                known.masks[piece] = _START_MASKS[slot]
            elif contains(position.alive, seat):
                known.masks[piece] = np.uint16(1) << np.uint16(position.kind[piece])


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.intp))
def narrow(known, piece, mask):
    """Add that the kind of a piece is in `mask`; False, and nothing is added, if that is impossible."""
    narrowed = known.masks[piece] & np.uint16(mask)
    if narrowed != 0 and narrowed != known.masks[piece]:
        known.masks[piece] = narrowed
        known.is_stale = 1
    return narrowed != 0


@kernel(types.void(KNOWN_TYPE, types.intp, types.intp, types.intp))
def add_battle(known, attacker, defender, code):
    """Add a battle in which at least one piece is not certain; `code` is its `deduction.relation_code`."""
    row = known.relation_count
    known.relations[row, 0], known.relations[row, 1], known.relations[row, 2] = attacker, defender, code
    known.relation_count += 1
    known.is_stale = 1


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def can_all_be_immobile(known, seat, slots):
    """Whether the masks and the counts of a seat allow that all pieces of a set of slots are landmines and flags."""
    either = np.uint16(0)
    members = slots
    while members:
        mask = known.masks[piece_of(seat, count_trailing_zeros(members))]
        members &= members - ONE
        if mask & IMMOBILE_MASK == 0:
            return False
        either |= mask
    most = _MINES * contains(either, MINE) + _FLAGS * contains(either, FLAG)
    return count_ones(slots) <= most


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def expect_mover(known, seat, slots):
    """Add that one of a set of slots is neither a landmine nor a flag; False if that is impossible. Nothing follows
    from it while two of them may be the one.
    """
    found, count = np.intp(0), 0
    while slots:
        piece = np.intp(piece_of(seat, count_trailing_zeros(slots)))
        slots &= slots - ONE
        if known.masks[piece] & IMMOBILE_MASK == 0:
            return True
        if known.masks[piece] & MOVABLE_MASK:
            found = piece
            count += 1
    return count > 1 or (count == 1 and narrow(known, found, MOVABLE_MASK))


@kernel(types.boolean(KNOWN_TYPE))
def deduce_known(known):
    """Derive what follows from new facts; False if nothing is possible, and the masks are then undefined. Battles with
    a certain piece are forgotten: they prove nothing more.
    """
    if not known.is_stale:
        return True
    known.is_stale = 0
    if not deduce(known.masks, known.hidden_seats, known.relations[: known.relation_count]):
        return False
    kept = 0
    for i in range(known.relation_count):
        one, other = known.masks[known.relations[i, 0]], known.masks[known.relations[i, 1]]
        if count_ones(one) > 1 and count_ones(other) > 1:
            for column in range(3):
                known.relations[kept, column] = known.relations[i, column]
            kept += 1
    known.relation_count = kept
    return True


@kernel(types.void(KNOWN_TYPE, KINDS_TYPE))
def write_kinds(known, kinds):
    """The kind of each piece, (128,); `pieces.UNKNOWN` if it is not certain or there is no such piece."""
    for piece in range(PIECES):
        mask = known.masks[piece]
        kinds[piece] = count_trailing_zeros(mask) if count_ones(mask) == 1 else UNKNOWN


def new_known(masks: np.ndarray, hidden_seats: int) -> np.void:
    """A record `KNOWN` with these masks, (128,) of uint16."""
    known = np.zeros(1, KNOWN)[0]
    known["masks"], known["hidden_seats"] = masks, hidden_seats
    return known
