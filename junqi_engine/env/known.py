"""What the seats of a viewer have proven about each hidden piece, as a record for kernels: `Knowledge` in bulk.

`VIEW` is the knowledge of one viewer in one game:

| field | shape | meaning |
|---|---|---|
| masks | (128,) | by piece, on the board or removed: the kinds that it may have |
| relations, relation_count | (80, 3) | the battles in which neither piece is certain |
| witnesses, witness_count | (128, 128) | worlds that prove the masks |
| groups | (4,) | by seat: slots of which at least one can move, 0 if none is known |
| viewer, hidden_seats | scalars | sets of seats |
| is_exact, is_stale | scalars | as in `Knowledge` |

`WORK` is scratch memory of one ply: `budget` and `stop` of `deduction`; `listed`, the seats that the ply eliminated, in
order; `choices`, by choice up to four pieces, and `sizes`, `picked`; `before` and `possible`, masks.
"""

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import WITNESSES, deduce, deduce_exactly, is_open
from junqi_engine.information.evidence import PARTNERS
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type
from junqi_engine.rules.layout import PIECES, SEATS, contains, piece_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import (
    COUNTS,
    FLAG,
    IMMOBILE_MASK,
    MINE,
    MOVABLE_MASK,
    PIECES_PER_SEAT,
)
from junqi_engine.rules.position import ONE, POSITION_TYPE

MOST_RELATIONS = 80
"""Each battle between hidden pieces removes one of at most 75."""
MOST_CHOICES, MOST_PICKS = SEATS + 1, COUNTS[MINE] + COUNTS[FLAG]

VIEW = np.dtype(
    [
        ("masks", np.uint16, PIECES),
        ("groups", np.uint32, SEATS),
        ("relation_count", np.int64),
        ("witness_count", np.int64),
        ("viewer", np.uint8),
        ("hidden_seats", np.uint8),
        ("is_exact", np.uint8),
        ("is_stale", np.uint8),
        ("relations", np.uint8, (MOST_RELATIONS, 3)),
        ("witnesses", np.uint16, (WITNESSES, PIECES)),
    ],
    align=True,
)
WORK = np.dtype(
    [
        ("budget", np.int64, (1,)),
        ("stop", np.uint8, (1,)),
        ("listed", np.int64, SEATS),
        ("listed_count", np.int64),
        ("choices", np.uint8, (MOST_CHOICES, MOST_PICKS)),
        ("sizes", np.int64, MOST_CHOICES),
        ("picked", np.int64, MOST_CHOICES),
        ("before", np.uint16, PIECES),
        ("possible", np.uint16, PIECES),
    ],
    align=True,
)
VIEW_TYPE, WORK_TYPE = record_type(VIEW), record_type(WORK)
VIEWS_TYPE = types.Array(VIEW_TYPE, 1, "C")
_START_MASKS = np.array(MASK_AT, np.uint16)
_MINES, _FLAGS = COUNTS[MINE], COUNTS[FLAG]


@kernel(types.void(POSITION_TYPE, VIEW_TYPE))
def begin_view(position, view):
    """The knowledge at the start of a game, of the seats in `view.viewer`. It needs the kinds of their pieces only."""
    view.relation_count = view.witness_count = view.is_stale = 0
    view.is_exact = view.viewer != 0
    for seat in range(SEATS):
        view.groups[seat] = 0
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if contains(view.viewer, seat):
                view.masks[piece] = np.uint16(1) << np.uint16(position.kind[piece])
            elif contains(view.hidden_seats, seat):
                view.masks[piece] = _START_MASKS[slot]


@kernel(types.void(VIEW_TYPE, VIEW_TYPE))
def copy_view(source, target):
    """Copy a view; only the rows of `relations` and `witnesses` that are in use."""
    target.viewer, target.hidden_seats = source.viewer, source.hidden_seats
    target.is_exact, target.is_stale = source.is_exact, source.is_stale
    target.relation_count, target.witness_count = source.relation_count, source.witness_count
    for piece in range(PIECES):
        target.masks[piece] = source.masks[piece]
    for seat in range(SEATS):
        target.groups[seat] = source.groups[seat]
    for i in range(source.relation_count):
        for column in range(3):
            target.relations[i, column] = source.relations[i, column]
    for number in range(source.witness_count):
        for piece in range(PIECES):
            target.witnesses[number, piece] = source.witnesses[number, piece]


# Deduction, as in `Knowledge`


@kernel(types.boolean(VIEW_TYPE, types.intp, types.intp))
def narrow(view, piece, mask):
    """Add that the kind of a piece is in `mask`; False, and nothing is added, if that is impossible."""
    narrowed = view.masks[piece] & np.uint16(mask)
    if narrowed != 0 and narrowed != view.masks[piece]:
        view.masks[piece] = narrowed
        view.is_stale = 1
    return narrowed != 0


@kernel(types.boolean(VIEW_TYPE, types.intp, types.uint32))
def can_all_be_immobile(view, seat, slots):
    """Whether the masks and the counts of a seat allow that all pieces of a set of slots are landmines and flags."""
    either = np.uint16(0)
    members = slots
    while members:
        mask = view.masks[piece_of(seat, count_trailing_zeros(members))]
        members &= members - ONE
        if mask & IMMOBILE_MASK == 0:
            return False
        either |= mask
    most = _MINES * contains(either, MINE) + _FLAGS * contains(either, FLAG)
    return count_ones(slots) <= most


@kernel(types.boolean(VIEW_TYPE, WORK_TYPE))
def drive(view, work):
    """Narrow the masks to their fixed point; False if nothing is possible."""
    relations = view.relations[: view.relation_count]
    if not view.is_exact:
        return deduce(view.masks, view.hidden_seats, relations, PARTNERS)
    count = deduce_exactly(
        view.masks, view.hidden_seats, relations, PARTNERS, view.witnesses, view.witness_count, work.budget, work.stop
    )
    view.is_exact = work.budget[0] > 0
    view.witness_count = max(count, 0) if view.is_exact else 0
    return count >= 0


@kernel(types.void(VIEW_TYPE))
def drop_decided(view):
    """Forget battles with a certain piece: they prove nothing more."""
    kept = 0
    for i in range(view.relation_count):
        if is_open(view.masks, view.relations, i):
            for column in range(3):
                view.relations[kept, column] = view.relations[i, column]
            kept += 1
    view.relation_count = kept


@kernel(types.void(WORK_TYPE, types.intp, types.intp, types.uint32))
def set_choice(work, number, seat, slots):
    """Make choice `number` one of the pieces of a set of slots; there are at most four."""
    size = 0
    while slots:
        work.choices[number, size] = piece_of(seat, count_trailing_zeros(slots))
        slots &= slots - ONE
        size += 1
    work.sizes[number] = size
    work.picked[number] = 0


@kernel(types.boolean(VIEW_TYPE, WORK_TYPE, types.intp))
def deduce_choices(view, work, count):
    """Derive what follows from all facts, if of each of the first `count` choices at least one piece is mobile.

    The groups of `view` are further choices. False if nothing is possible; the masks are then undefined.
    """
    view.is_stale = 0
    for seat in range(SEATS):
        if view.groups[seat] and can_all_be_immobile(view, seat, view.groups[seat]):
            set_choice(work, count, seat, view.groups[seat])
            count += 1
    if count == 0:
        if not drive(view, work):
            return False
        drop_decided(view)
        return True
    for piece in range(PIECES):
        work.before[piece], work.possible[piece] = view.masks[piece], 0
    is_possible = False
    while True:
        for piece in range(PIECES):
            view.masks[piece] = work.before[piece]
        is_open_choice = True
        for number in range(count):
            piece = work.choices[number, work.picked[number]]
            view.masks[piece] &= MOVABLE_MASK
        for number in range(count):
            is_open_choice &= view.masks[work.choices[number, work.picked[number]]] != 0
        if is_open_choice and drive(view, work):
            is_possible = True
            for piece in range(PIECES):
                work.possible[piece] |= view.masks[piece]
        number = 0
        while number < count:
            work.picked[number] += 1
            if work.picked[number] < work.sizes[number]:
                break
            work.picked[number] = 0
            number += 1
        if number == count:
            break
    for piece in range(PIECES):
        view.masks[piece] = work.possible[piece]
    drop_decided(view)
    return is_possible


@kernel(types.boolean(VIEW_TYPE, WORK_TYPE))
def deduce_new(view, work):
    """Derive what follows from new facts, if there are any."""
    return not view.is_stale or deduce_choices(view, work, 0)
