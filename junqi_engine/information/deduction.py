"""What each hidden piece may be: masks narrowed to a fixed point.

Three kinds of facts narrow a mask. *Counts*: the 25 pieces of a seat have every kind exactly as often as the rules
say. *Battles*: the kinds of two pieces that fought must give what everyone saw; a battle between two hidden
pieces remains a relation between their masks for the rest of the game. *Moves* and line-up rules narrow single masks
before they come here.

What the counts of one seat rule out, or one battle, is removed until nothing changes (arc consistency; Mackworth 1977).
No possible kind is ever removed. Where several battles between hidden pieces connect seats, a kind may remain that no
line-ups have.

What the counts prove is found by Regin's method for the global cardinality constraint (AAAI 1996): find one assignment
of kinds to pieces; then a piece of kind j can also be of kind k only if pieces can change places along a cycle of kinds
through j and k. With twelve kinds the cycles follow from the transitive closure of a 12 x 12 bit matrix.

What everyone sees of a battle is its outcome, the revealed flags and the eliminated seats. The *relation code* packs
this into an integer; `PARTNERS` says which pairs of kinds are consistent with it.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.layout import SEATS, contains, piece_of, seat_of
from junqi_engine.rules.pieces import BATTLES, COUNTS, KINDS, PIECES_PER_SEAT, Battle, Outcome

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
