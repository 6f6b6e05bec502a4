"""Knowledge: what a viewer has proven about every piece.

Facts (a narrowed piece, a battle) are added one by one; a deduction then derives what follows from all of them. New
facts may contradict what is known, so whoever adds facts that may be false keeps a copy and returns to it.

`KNOWN` is the record for kernels:

| field | shape | meaning |
|---|---|---|
| masks | (128,) | by piece, on the board or removed: the kinds that it may have, 0 if the piece does not exist |
| hidden_seats | scalar | the set of seats to which the counts apply: all but the viewer's |
| relations, relation_count | (100, 3) | the battles in which neither piece is certain, as in `deduction` |
| witnesses, witness_count | (128, 128) | worlds that prove the masks, as in `deduction` |
| groups | (4,) | by seat: slots of which at least one can move, else the seat would be out; 0 if none is known |
| is_exact | scalar | 1: a kind remains only if some world has it; 0: if counts and single battles allow it |
| is_stale | scalar | 1: facts were added since the last deduction |
| budget | (1,) | the dead ends that the deductions of a ply may still meet, as in `deduction` |

When the budget is used up, the knowledge is no longer exact: a record that needs so much was not played, and each
further ply would need as much.
"""

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import MOST_TRIES, PARTNERS, WITNESSES, deduce, deduce_exactly, is_open
from junqi_engine.kernels import count_ones, count_trailing_zeros, inlined, kernel, record_type, scratch_record
from junqi_engine.rules.layout import PIECES, SEATS, SLOTS, contains, piece_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import COUNTS, FLAG, IMMOBILE_MASK, MINE, MOVABLE_MASK, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import ONE, POSITION_TYPE, Copyable

MOST_RELATIONS = SEATS * PIECES_PER_SEAT
"""Each battle removes a piece."""
MOST_CHOICES, MOST_PICKS = SEATS + 1, COUNTS[MINE] + COUNTS[FLAG]

KNOWN = np.dtype(
    [
        ("masks", np.uint16, PIECES),
        ("groups", np.uint32, SEATS),
        ("relation_count", np.int64),
        ("witness_count", np.int64),
        ("budget", np.int64, (1,)),
        ("hidden_seats", np.uint8),
        ("is_exact", np.uint8),
        ("is_stale", np.uint8),
        ("relations", np.uint8, (MOST_RELATIONS, 3)),
        ("witnesses", np.uint16, (WITNESSES, PIECES)),
    ],
    align=True,
)
KNOWN_TYPE = record_type(KNOWN)
KINDS_TYPE = types.Array(types.uint8, 1, "C")
NOTHING = 0, np.uint32(0), np.uint16(0)
"""For `deduce_one_of`: no slots."""
_START_MASKS = np.array(MASK_AT, np.uint16)
_MINES, _FLAGS = COUNTS[MINE], COUNTS[FLAG]
_stop_scratch = scratch_record(np.dtype([("stop", np.uint8, (1,))], align=True))
# By choice its pieces, the mask of which one of them has a kind, and the piece that is tried.
_choice_scratch = scratch_record(
    np.dtype(
        [
            ("pieces", np.uint8, (MOST_CHOICES, MOST_PICKS)),
            ("wanted", np.uint16, MOST_CHOICES),
            ("sizes", np.int64, MOST_CHOICES),
            ("picked", np.int64, MOST_CHOICES),
            ("before", np.uint16, PIECES),
            ("possible", np.uint16, PIECES),
        ],
        align=True,
    )
)


@kernel(types.void(POSITION_TYPE, KNOWN_TYPE))
def begin(position, known):
    """The knowledge at the start of a game, with `hidden_seats` as they are. The kinds of the others are read."""
    known.relation_count = known.witness_count = known.is_stale = 0
    # If the viewer sees no seat, every battle is between hidden pieces, and exact deduction would take too long.
    known.is_exact = known.hidden_seats != position.alive
    for seat in range(SEATS):
        known.groups[seat] = 0
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if contains(known.hidden_seats, seat):
                known.masks[piece] = _START_MASKS[slot]
            elif contains(position.alive, seat):
                known.masks[piece] = np.uint16(1) << np.uint16(position.kind[piece])


@kernel(types.void(KNOWN_TYPE, KNOWN_TYPE))
def copy_known(source, target):
    """Copy all but the budget; only the rows of `relations` and `witnesses` that are in use."""
    target.hidden_seats, target.is_exact, target.is_stale = source.hidden_seats, source.is_exact, source.is_stale
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


@inlined
def reach_fixed_point(known):
    """Narrow the masks by all facts but the groups; False if nothing is possible."""
    relations = known.relations[: known.relation_count]
    if not known.is_exact:
        return deduce(known.masks, known.hidden_seats, relations, PARTNERS)
    stop = _stop_scratch().stop
    stop[0] = 0
    count = deduce_exactly(
        known.masks, known.hidden_seats, relations, PARTNERS, known.witnesses, known.witness_count, known.budget, stop
    )
    known.is_exact = known.budget[0] > 0
    known.witness_count = max(count, 0) if known.is_exact else 0
    return count >= 0


@kernel(types.void(KNOWN_TYPE))
def drop_decided(known):
    """Forget battles with a certain piece: they prove nothing more."""
    kept = 0
    for i in range(known.relation_count):
        if is_open(known.masks, known.relations, i):
            for column in range(3):
                known.relations[kept, column] = known.relations[i, column]
            kept += 1
    known.relation_count = kept


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32, types.uint16))
def deduce_one_of(known, one_seat, one_of, wanted):
    """Derive what follows from the facts, and from at least one of the slots `one_of` of a seat, of which there are at
    most four, having a kind in `wanted`. Without slots, only if facts are new. False if nothing is possible; the masks
    are then undefined.

    The masks are narrowed once for each combination of a slot and of one of each group; what any of them allows is
    possible.
    """
    if not known.is_stale and one_of == 0:
        return True
    known.is_stale = 0
    scratch = _choice_scratch()
    pieces, sizes, picked, possible = scratch.pieces, scratch.sizes, scratch.picked, scratch.possible
    count = 0
    for seat in range(-1, SEATS):
        owner = one_seat if seat < 0 else seat
        slots = one_of if seat < 0 else known.groups[seat]
        if slots == 0 or (seat >= 0 and not can_all_be_immobile(known, seat, slots)):
            continue
        scratch.wanted[count] = wanted if seat < 0 else np.uint16(MOVABLE_MASK)
        sizes[count] = picked[count] = 0
        while slots:
            pieces[count, sizes[count]] = piece_of(owner, count_trailing_zeros(slots))
            sizes[count] += 1
            slots &= slots - ONE
        count += 1
    for piece in range(PIECES):
        scratch.before[piece], possible[piece] = known.masks[piece], 0
    is_possible = False
    while True:
        for piece in range(PIECES):
            known.masks[piece] = scratch.before[piece]
        for number in range(count):
            known.masks[pieces[number, picked[number]]] &= scratch.wanted[number]
        is_open_choice = True
        for number in range(count):
            is_open_choice &= known.masks[pieces[number, picked[number]]] != 0
        if is_open_choice and reach_fixed_point(known):
            is_possible = True
            for piece in range(PIECES):
                possible[piece] |= known.masks[piece]
        number = 0
        while number < count:
            picked[number] += 1
            if picked[number] < sizes[number]:
                break
            picked[number] = 0
            number += 1
        if number == count:
            break
    for piece in range(PIECES):
        known.masks[piece] = possible[piece]
    drop_decided(known)
    return is_possible


@kernel(types.void(KNOWN_TYPE, KINDS_TYPE))
def write_kinds(known, kinds):
    """The kind of each piece, (128,); `pieces.UNKNOWN` if it is not certain or there is no such piece."""
    for piece in range(PIECES):
        mask = known.masks[piece]
        kinds[piece] = count_trailing_zeros(mask) if count_ones(mask) == 1 else UNKNOWN


class Knowledge(Copyable):
    """A record `KNOWN` for Python. Arrays are those of the record."""

    def __init__(self, masks: np.ndarray, hidden_seats: int) -> None:
        """`masks` is (128,) of uint16."""
        self.record = np.zeros(1, KNOWN)[0]
        self.record["masks"], self.record["hidden_seats"], self.record["is_exact"] = masks, hidden_seats, True
        self.record["budget"] = MOST_TRIES

    def copy(self) -> "Knowledge":
        copied = Knowledge.__new__(Knowledge)
        copied.record = self.record.copy()
        return copied

    @property
    def masks(self) -> np.ndarray:
        masks: np.ndarray = self.record["masks"]
        return masks

    @property
    def hidden_seats(self) -> int:
        return int(self.record["hidden_seats"])

    @property
    def relations(self) -> np.ndarray:
        """(n, 3)."""
        relations: np.ndarray = self.record["relations"][: self.record["relation_count"]]
        return relations

    @property
    def is_stale(self) -> bool:
        return bool(self.record["is_stale"])

    def open_groups(self) -> list[tuple[int, ...]]:
        """The groups of pieces of which the masks and the counts alone do not say that one is mobile."""
        groups = enumerate(self.record["groups"].tolist())
        return [
            tuple(piece_of(seat, slot) for slot in range(SLOTS) if contains(slots, slot))
            for seat, slots in groups
            if slots and can_all_be_immobile(self.record, seat, slots)
        ]

    def deduce(self) -> bool:
        """Derive all that follows. False if no world is possible; the masks are then undefined."""
        self.record["is_stale"] = True
        return bool(deduce_one_of(self.record, *NOTHING))
