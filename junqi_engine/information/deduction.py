"""Exact deduction: the kinds that each piece may still have, narrowed to a fixed point.

`KNOWN` is the record for kernels. Facts (a narrowed piece, a battle) are added one by one; a deduction then derives
what follows from all of them. New facts may contradict what is known: a caller that adds facts which may be false keeps
a copy and returns to it.

| field | shape | meaning |
|---|---|---|
| masks | (128,) | by piece, on the board or removed: the kinds that it may have, 0 if the piece does not exist |
| hidden_seats | scalar | the set of seats to which the counts apply: all but the viewer's |
| relations, relation_count | (100, 3) | the battles in which neither piece is certain: two pieces, relation code |
| is_stale | scalar | 1: facts were added since the last deduction |

Three kinds of facts narrow a mask. *Counts*: the 25 pieces of a seat have every kind exactly as often as the rules
say. *Battles*: the kinds of two pieces that fought must give what everyone saw; a battle between two hidden
pieces remains a relation between their masks for the rest of the game. *Moves* and line-up rules narrow single masks.

Kinds that the counts of one seat or one battle rule out are removed until nothing changes (arc consistency; Mackworth
1977).
No possible kind is ever removed. Where several battles between hidden pieces connect seats, a kind may remain that no
line-ups have.

The counts are propagated by Regin's method for the global cardinality constraint (AAAI 1996): find one assignment
of kinds to pieces; then a piece of kind j can also be of kind k only if pieces can change places along a cycle of kinds
through j and k. With twelve kinds the cycles follow from the transitive closure of a 12 x 12 bit matrix.

Everyone sees of a battle its outcome, the revealed flags and the eliminated seats. The *relation code* packs
this into an integer; `PARTNERS` says which pairs of kinds are consistent with it.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type, scratch_record
from junqi_engine.rules.layout import PIECES, SEATS, contains, piece_of, seat_of
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import (
    BATTLES,
    COUNTS,
    FLAG,
    IMMOBILE_MASK,
    KINDS,
    MINE,
    MOVABLE_MASK,
    PIECES_PER_SEAT,
    UNKNOWN,
    Battle,
    Outcome,
)
from junqi_engine.rules.position import POSITION_TYPE, next_piece

_COUNTS = np.array(COUNTS, np.int64)

MASKS_TYPE = types.Array(types.uint16, 1, "C")
KINDS_TYPE = types.Array(types.int8, 1, "C")
_assign_scratch = scratch_record(
    np.dtype(
        [
            ("free", np.int64, KINDS),
            ("came_from", np.int8, KINDS),
            ("mover", np.int8, KINDS),
            ("queue", np.int8, KINDS),
        ],
        align=True,
    )
)
_narrow_scratch = scratch_record(
    np.dtype([("leads_to", np.uint16, KINDS), ("kinds", np.int8, PIECES_PER_SEAT)], align=True)
)


@kernel(types.boolean(MASKS_TYPE, types.intp, KINDS_TYPE))
def assign(masks, base, kinds):
    """Assign a kind to each of the 25 pieces from `base` on, as their masks and the counts allow.

    Writes them into `kinds`, (25,). False if there is no assignment.
    """
    scratch = _assign_scratch()
    free, came_from, mover, queue = scratch.free, scratch.came_from, scratch.mover, scratch.queue
    for slot in range(PIECES_PER_SEAT):
        kinds[slot] = -1
    for kind in range(KINDS):
        free[kind] = _COUNTS[kind]
    for slot in range(PIECES_PER_SEAT):
        # Breadth-first search over kinds: it ends at a kind with a free place; a full kind passes on one of its pieces.
        head, tail, found = 0, 0, -1
        for kind in range(KINDS):
            came_from[kind] = -2
            if contains(masks[base + slot], np.uint16(kind)):
                came_from[kind] = -1
                queue[tail] = kind
                tail += 1
        while head < tail and found < 0:
            kind = queue[head]
            head += 1
            if free[kind] > 0:
                found = kind
                break
            for other in range(slot):
                if kinds[other] != kind:
                    continue
                for step in range(KINDS):
                    if came_from[step] == -2 and contains(masks[base + other], np.uint16(step)):
                        came_from[step] = kind
                        mover[step] = other
                        queue[tail] = step
                        tail += 1
        if found < 0:
            return False
        free[found] -= 1
        while came_from[found] >= 0:
            kinds[mover[found]] = found
            found = came_from[found]
        kinds[slot] = found
    return True


@kernel(types.boolean(MASKS_TYPE, types.intp))
def narrow_by_counts(masks, base):
    """Narrow the masks of the 25 pieces from `base` on to what the counts allow; False if they allow nothing."""
    scratch = _narrow_scratch()
    kinds, leads_to = scratch.kinds, scratch.leads_to
    if not assign(masks, base, kinds):
        return False
    for kind in range(KINDS):
        leads_to[kind] = 0
    for slot in range(PIECES_PER_SEAT):
        leads_to[kinds[slot]] |= masks[base + slot]
    for middle in range(KINDS):
        for kind in range(KINDS):
            if contains(leads_to[kind], np.uint16(middle)):
                leads_to[kind] |= leads_to[middle]
    for slot in range(PIECES_PER_SEAT):
        own = kinds[slot]
        kept = np.uint16(1) << np.uint16(own)
        for kind in range(KINDS):
            if contains(leads_to[kind], np.uint16(own)):
                kept |= np.uint16(1) << np.uint16(kind)
        masks[base + slot] &= kept
    return True


RELATIONS_TYPE = types.Array(types.uint8, 2, "C")

ATTACKER_SHOWED, DEFENDER_SHOWED, DEFENDER_OUT = 4, 2, 1
"""Flags of a relation code."""
OUTCOME_SHIFT = 3
"""Above the flags is the outcome, less one."""

_CODES = 24


def relation_code(outcome: Outcome, attacker_showed: bool, defender_showed: bool, defender_out: bool) -> int:
    """The index into `PARTNERS` of a battle: who showed a flag, and whether the defender's seat was eliminated."""
    flags = ATTACKER_SHOWED * attacker_showed | DEFENDER_SHOWED * defender_showed | DEFENDER_OUT * defender_out
    return (outcome - 1) << OUTCOME_SHIFT | flags


def _is_consistent(code: int, battle: Battle) -> bool:
    is_out = bool(code & DEFENDER_OUT)
    seen = relation_code(battle.outcome, battle.reveals_attackers_flag, battle.reveals_defenders_flag, is_out)
    # A seat may also be eliminated for lack of a move, but a seat whose flag was taken is always eliminated.
    return code == seen and (is_out or not battle.takes_flag)


def _partners() -> np.ndarray:
    table = np.zeros((_CODES, 2, KINDS), np.uint16)
    for code in range(_CODES):
        for attacker in range(KINDS):
            for defender in range(KINDS):
                if _is_consistent(code, BATTLES[attacker][defender]):
                    table[code, 0, attacker] |= 1 << defender
                    table[code, 1, defender] |= 1 << attacker
    table.flags.writeable = False
    return table


PARTNERS = _partners()
"""(24, 2, 12) masks by relation code, side (0 attacker, 1 defender) and kind: what the other piece may be."""


@kernel(types.boolean(MASKS_TYPE, types.uint8, RELATIONS_TYPE))
def deduce(masks, hidden_seats, relations):
    """Narrow the masks of 128 pieces to their fixed point. False if nothing is possible; the masks are then undefined.

    `relations` is (n, 3): attacking piece, defending piece, relation code. `hidden_seats` is the set of seats to which
    the counts apply: all but the viewer's.
    """
    changed_seats = hidden_seats
    while True:
        for seat in range(SEATS):
            if contains(changed_seats, seat) and not narrow_by_counts(masks, piece_of(seat, 0)):
                return False
        changed_seats = np.uint8(0)
        is_stable = False
        while not is_stable:
            is_stable = True
            for i in range(relations.shape[0]):
                for side in range(2):
                    piece = relations[i, side]
                    other = relations[i, 1 - side]
                    mask = masks[piece]
                    kept = np.uint16(0)
                    for kind in range(KINDS):
                        bit = np.uint16(1) << np.uint16(kind)
                        if mask & bit and PARTNERS[relations[i, 2], side, kind] & masks[other]:
                            kept |= bit
                    if kept == 0:
                        return False
                    if kept != mask:
                        masks[piece] = kept
                        changed_seats |= np.uint8(1) << np.uint8(seat_of(piece))
                        is_stable = False
        changed_seats &= hidden_seats
        if changed_seats == 0:
            return True


MAX_RELATIONS = SEATS * PIECES_PER_SEAT
"""Each battle removes a piece."""

KNOWN = np.dtype(
    [
        ("masks", np.uint16, PIECES),
        ("relation_count", np.int64),
        ("hidden_seats", np.uint8),
        ("is_stale", np.uint8),
        ("relations", np.uint8, (MAX_RELATIONS, 3)),
    ],
    align=True,
)
KNOWN_TYPE = record_type(KNOWN)
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
    """Use the fact that the kind of a piece is in `mask`. False, without a change, if that is a contradiction."""
    narrowed = known.masks[piece] & np.uint16(mask)
    if narrowed != 0 and narrowed != known.masks[piece]:
        known.masks[piece] = narrowed
        known.is_stale = 1
    return narrowed != 0


@kernel(types.void(KNOWN_TYPE, types.intp, types.intp, types.intp))
def add_battle(known, attacker, defender, code):
    """Add a battle in which at least one piece is not certain; `code` is its `relation_code`."""
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
        piece, members = next_piece(seat, members)
        mask = known.masks[piece]
        if mask & IMMOBILE_MASK == 0:
            return False
        either |= mask
    most = _MINES * contains(either, MINE) + _FLAGS * contains(either, FLAG)
    return count_ones(slots) <= most


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def expect_mover(known, seat, slots):
    """Use the fact that a piece in a set of slots is neither a landmine nor a flag. False if that is a contradiction.

    Nothing follows while two pieces may be that one.
    """
    found, count = np.intp(0), 0
    while slots:
        piece, slots = next_piece(seat, slots)
        if known.masks[piece] & IMMOBILE_MASK == 0:
            return True
        if known.masks[piece] & MOVABLE_MASK:
            found = piece
            count += 1
    return count > 1 or (count == 1 and narrow(known, found, MOVABLE_MASK))


@kernel(types.boolean(KNOWN_TYPE))
def deduce_known(known):
    """Derive all consequences of new facts. False if they are a contradiction; the masks are then undefined.

    Battles with a certain piece are forgotten: they prove nothing more.
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


@kernel(types.void(KNOWN_TYPE, types.Array(types.uint8, 1, "C")))
def write_kinds(known, kinds):
    """Write the kind of each piece, (128,); `pieces.UNKNOWN` if it is not certain or there is no piece."""
    for piece in range(PIECES):
        mask = known.masks[piece]
        kinds[piece] = count_trailing_zeros(mask) if count_ones(mask) == 1 else UNKNOWN
