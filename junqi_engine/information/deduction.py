"""What each hidden piece may be: masks driven to a fixed point.

Three kinds of knowledge narrow a mask. *Counts*: the 25 pieces of a seat use every kind exactly as often as there are
pieces of it. *Battles*: the kinds of two pieces that met must give the outcome, the shown flags and the eliminations
that everyone saw; a battle between two hidden pieces stays a relation between their masks for the rest of the game.
*Moves* and line-up rules narrow single masks, before they come here.

Counts are propagated as Regin (AAAI 1996) does for the global cardinality constraint: find one assignment of kinds to
pieces, then keep the kind k of a piece with kind j only if pieces can change places along a cycle of kinds through j
and k. With twelve kinds the cycles are found in a closure of twelve-bit rows.
"""

import numpy as np
from numba.core import types

from junqi_engine.information.counting import _SLOTS, MASKS_TYPE, narrow_by_counts
from junqi_engine.information.evidence import PARTNERS_TYPE, RELATIONS_TYPE
from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel
from junqi_engine.rules.pieces import KINDS

TRIES = 200
"""Dead ends after which a kind is kept undecided."""
WITNESSES = 128
"""How many are kept from one battle to the next; 81 were the most in a game."""
WITNESSES_TYPE = types.Array(types.uint16, 2, "C")


@kernel(types.boolean(MASKS_TYPE, types.uint8, types.uint8, RELATIONS_TYPE, PARTNERS_TYPE))
def propagate(masks, hidden_seats, changed_seats, relations, partners):
    """As `deduce`, when only masks of `changed_seats` have changed since the last fixed point."""
    while True:
        for seat in range(4):
            if changed_seats >> seat & 1 and not narrow_by_counts(masks, 32 * seat):
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
                        if mask & bit and partners[relations[i, 2], side, kind] & masks[other]:
                            kept |= bit
                    if kept == 0:
                        return False
                    if kept != mask:
                        masks[piece] = kept
                        changed_seats |= np.uint8(1) << np.uint8(piece >> 5)
                        is_stable = False
        changed_seats &= hidden_seats
        if changed_seats == 0:
            return True


@kernel(types.boolean(MASKS_TYPE, types.uint8, RELATIONS_TYPE, PARTNERS_TYPE))
def deduce(masks, hidden_seats, relations, partners):
    """Drive the masks of 128 pieces to their fixed point: no kind is left that the counts of its seat alone, or one
    battle alone, rule out. False when nothing is possible, and then they mean nothing.

    `relations` is (n, 3): attacking piece, defending piece, relation code. `hidden_seats` has a bit for each seat
    whose counts are to be obeyed: all but the viewer's.
    """
    return propagate(masks, hidden_seats, hidden_seats, relations, partners)


@kernel(types.intp(MASKS_TYPE, types.uint8, RELATIONS_TYPE, PARTNERS_TYPE, MASKS_TYPE, types.intp))
def settle_battles(masks, hidden_seats, relations, partners, witnessed, tries):
    """Narrow the masks until every piece of `relations` is certain: one way in which all battles may have gone. Each
    kind that is left to any other piece then fits it. Gives 1; 0 when there is none, -1 when not so much is known
    after `tries` dead ends.

    Branches on the piece of a battle that has the fewest kinds left, first on one that is not `witnessed`.
    """
    count = relations.shape[0]
    others = np.empty((2 * count + 1, masks.shape[0]), np.uint16)
    depth = 0
    changed_seats = hidden_seats
    while True:
        while not propagate(masks, hidden_seats, changed_seats, relations, partners):
            if depth == 0:
                return 0
            if tries == 0:
                return -1
            tries -= 1
            depth -= 1
            masks[:] = others[depth]
            changed_seats = hidden_seats
        chosen, fewest = -1, KINDS + 1
        for i in range(count):
            for side in range(2):
                kinds = np.int64(count_ones(masks[relations[i, side]]))
                if 1 < kinds < fewest:
                    chosen, fewest = np.int64(relations[i, side]), kinds
        if chosen < 0:
            return 1
        mask = masks[chosen]
        wanted = mask & ~witnessed[chosen]
        bit = np.uint16(1) << count_trailing_zeros(wanted if wanted else mask)
        others[depth] = masks
        others[depth, chosen] = mask & ~bit
        depth += 1
        masks[chosen] = bit
        changed_seats = np.uint8(1) << np.uint8(chosen >> 5) & hidden_seats


@kernel(RELATIONS_TYPE(MASKS_TYPE, RELATIONS_TYPE))
def open_battles(masks, relations):
    """The battles of which neither piece is certain."""
    kept = np.empty_like(relations)
    count = 0
    for i in range(relations.shape[0]):
        if count_ones(masks[relations[i, 0]]) > 1 and count_ones(masks[relations[i, 1]]) > 1:
            kept[count] = relations[i]
            count += 1
    return kept[:count]


@kernel(types.intp(MASKS_TYPE, types.uint8, RELATIONS_TYPE, PARTNERS_TYPE, WITNESSES_TYPE, types.intp))
def deduce_exactly(masks, hidden_seats, relations, partners, witnesses, known):
    """Narrow the masks to the kinds that pieces have in at least one world; how many witnesses there are, -1 when
    nothing is possible.

    Arc consistency leaves kinds that no world has when battles join several pieces. So each kind is to be witnessed: a
    *witness* is an outcome of `settle_battles`, and vouches for all that is left in it. `witnesses` is (w, 128), and
    its first `known` rows are those of the same game before; they are brought up to date, those that no longer fit
    dropped, and new ones found for what is left. A kind that can't be decided within `TRIES` dead ends is kept.
    """
    if not deduce(masks, hidden_seats, relations, partners):
        return -1
    # A battle with a piece that is certain has said all it can.
    relations = open_battles(masks, relations)
    if relations.shape[0] == 0:
        return 0
    witnessed = np.zeros(masks.shape[0], np.uint16)
    trial = np.empty_like(masks)
    count = 0
    for number in range(known):
        for piece in range(masks.shape[0]):
            trial[piece] = masks[piece] & witnesses[number, piece]
        if settle_battles(trial, hidden_seats, relations, partners, witnessed, TRIES) == 1:
            witnesses[count] = trial
            count += 1
            for piece in range(masks.shape[0]):
                witnessed[piece] |= trial[piece]
    for seat in range(4):
        if not hidden_seats >> np.uint8(seat) & np.uint8(1):
            continue
        for piece in range(32 * seat, 32 * seat + _SLOTS):
            while masks[piece] & ~witnessed[piece]:
                bit = np.uint16(1) << count_trailing_zeros(masks[piece] & ~witnessed[piece])
                trial[:] = masks
                trial[piece] = bit
                # Without any witness yet it has to be known whether there is one.
                tries = TRIES if count else np.intp(1) << np.intp(40)
                found = settle_battles(trial, hidden_seats, relations, partners, witnessed, tries)
                if found == 0:
                    masks[piece] &= ~bit
                    if not deduce(masks, hidden_seats, relations, partners):
                        return -1
                elif found < 0:
                    witnessed[piece] |= bit
                else:
                    if count < witnesses.shape[0]:
                        witnesses[count] = trial
                        count += 1
                    for other in range(masks.shape[0]):
                        witnessed[other] |= trial[other]
    return count


def is_certain(mask: int) -> bool:
    """Whether a mask leaves one kind only."""
    return mask != 0 and mask & (mask - 1) == 0


def kind_of(mask: int) -> int:
    """The kind of a certain mask."""
    return mask.bit_length() - 1
