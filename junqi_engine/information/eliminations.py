"""Which seats a ply eliminates, and what a viewer learns from it, and from those that it does not eliminate."""

import numpy as np
from numba.core import types

from junqi_engine.information.knowledge import (
    KNOWN,
    KNOWN_TYPE,
    NOTHING,
    can_all_be_immobile,
    copy_known,
    deduce_one_of,
    drop_decided,
    narrow,
)
from junqi_engine.information.ply import (
    HAS_MOVE,
    HAS_NO_MOVE,
    IMMOBILE,
    MOBILE,
    NO_LINEUP,
    NOT_ELIMINATED,
    NOT_HERE,
    PLY_TYPE,
    note_gone,
    refuse,
)
from junqi_engine.kernels import copy_record, count_ones, count_trailing_zeros, inlined, kernel, scratch_record
from junqi_engine.rules.board import HEADQUARTERS_INDICES, TABLES_TYPE
from junqi_engine.rules.effects import eliminate, eliminate_immobile, pass_turn
from junqi_engine.rules.layout import PIECES, SEATS, contains, enemy_field, piece_of
from junqi_engine.rules.movegen import can_step, has_move
from junqi_engine.rules.pieces import COUNTS, FLAG, IMMOBILE_MASK, MINE, MOVABLE_MASK
from junqi_engine.rules.position import ONE, POSITION, POSITION_TYPE, Result

_ONGOING, _DRAW = int(Result.ONGOING), int(Result.DRAW)
_MOST_IMMOBILE = COUNTS[MINE] + COUNTS[FLAG] + SEATS * len(HEADQUARTERS_INDICES)
_position_scratch = scratch_record(POSITION)
_known_scratch = scratch_record(KNOWN)
_masks_scratch = scratch_record(np.dtype([("masks", np.uint16, PIECES)], align=True))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def refresh_movable(tables, position, known):
    """Compute the movable pieces of a position as far as they are known."""
    for seat in range(SEATS):
        members = position.present[seat]
        movable = np.uint32(0)
        while members:
            slot = count_trailing_zeros(members)
            members &= members - ONE
            piece = piece_of(np.uint32(seat), slot)
            if known.masks[piece] & MOVABLE_MASK and not tables.headquarters[position.where[piece]]:
                movable |= ONE << slot
        position.movable[seat] = movable


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def outside_headquarters(tables, position, seat):
    """The slots of a seat's pieces that are on the board, but not in a headquarters."""
    members, found = position.present[seat], np.uint32(0)
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if not tables.headquarters[position.where[piece_of(np.uint32(seat), slot)]]:
            found |= ONE << slot
    return found


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def with_free_step(tables, position, seat):
    """The slots of a seat's pieces that can move unless they are landmines or flags."""
    members, found = outside_headquarters(tables, position, seat), np.uint32(0)
    enemy = enemy_field(np.uint8(seat))
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if can_step(tables, position, np.uint8(piece_of(np.uint32(seat), slot)), enemy):
            found |= ONE << slot
    return found


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, types.intp))
def can_be_immobile(tables, position, known, seat):
    """Whether a hidden seat may have only landmines, flags and pieces in headquarters."""
    # Counting first: a seat with more pieces has a mobile one outside the headquarters.
    if not contains(known.hidden_seats, seat) or count_ones(position.present[seat]) > _MOST_IMMOBILE:
        return False
    return can_all_be_immobile(known, seat, outside_headquarters(tables, position, seat))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, types.intp))
def expect_mobile(tables, position, known, seat):
    """A seat is not immobile: if it is hidden, one of its pieces can move."""
    if can_be_immobile(tables, position, known, seat):
        known.groups[seat] = outside_headquarters(tables, position, seat)
        known.is_stale = 1


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def narrow_all(known, seat, slots):
    """Add that all pieces of a set of slots are landmines or flags; False if that is impossible."""
    while slots:
        if not narrow(known, np.intp(piece_of(seat, count_trailing_zeros(slots))), IMMOBILE_MASK):
            return False
        slots &= slots - ONE
    return True


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def only_mobile(tables, position, known):
    """The seat to move has a move: the slots of which one must be neither landmine nor flag. -1 if that is known."""
    seat = np.intp(position.turn)
    if position.result != _ONGOING or not contains(known.hidden_seats, seat):
        return -1
    members = outside_headquarters(tables, position, seat)
    free, enemy = np.uint32(0), enemy_field(np.uint8(seat))
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        piece = piece_of(np.uint32(seat), slot)
        is_certain = known.masks[piece] & IMMOBILE_MASK == 0
        if can_step(tables, position, np.uint8(piece), enemy):
            if is_certain:
                return -1
            free |= ONE << slot
    return np.int64(free) if can_all_be_immobile(known, seat, free) else -1


@inlined
def pass_on(tables, position, known, ply, first):
    """Pass the turn to a seat that has a move, and eliminate those that have none when it comes to them.

    `listed` from `first` on are those of the record; if it `is_bare`, it leaves them out.
    """
    pass_turn(tables, position)
    while position.result == _ONGOING:
        seat = np.intp(position.turn)
        is_idle = not has_move(tables, position, position.turn)
        if first < ply.listed_count and ply.listed[first] == seat:
            if not is_idle:
                # A hidden seat may have no move: then all its pieces with a free step are landmines or flags.
                if not contains(known.hidden_seats, seat) or not narrow_all(
                    known, seat, with_free_step(tables, position, seat)
                ):
                    return refuse(ply, HAS_MOVE, seat)
                if not deduce_one_of(known, *NOTHING):
                    return refuse(ply, NO_LINEUP, 0)
                refresh_movable(tables, position, known)
            first += 1
        elif not is_idle:
            break
        elif not ply.is_bare:
            return refuse(ply, HAS_NO_MOVE, seat)
        eliminate(position, np.uint8(seat))
        pass_turn(tables, position)
        note_gone(ply, seat)
    if first < ply.listed_count:
        return refuse(ply, NOT_HERE, ply.listed[first])
    slots = only_mobile(tables, position, known)
    if slots == 0 or (slots > 0 and not deduce_one_of(known, position.turn, slots, MOVABLE_MASK)):
        return refuse(ply, NOT_ELIMINATED, position.turn)
    return True


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE, PLY_TYPE, types.uint8, types.uint8))
def suppose(tables, position, known, ply, seats, immobile):
    """Add that of the set `seats` exactly those in `immobile` can never move again."""
    for seat in range(SEATS):
        if contains(immobile, seat):
            if not narrow_all(known, seat, outside_headquarters(tables, position, seat)):
                return refuse(ply, MOBILE, seat)
        elif contains(seats, seat):
            expect_mobile(tables, position, known, seat)
    return True


@kernel(types.intp(POSITION_TYPE, PLY_TYPE, types.uint8))
def eliminate_supposed(position, ply, immobile):
    """Eliminate the immobile seats. Returns the first of `listed` that comes after them, -1 if they are not listed."""
    first = 0
    if eliminate_immobile(position, immobile) != 0:
        for seat in range(SEATS):
            if contains(immobile, seat):
                if not ply.is_bare and (first >= ply.listed_count or ply.listed[first] != seat):
                    refuse(ply, IMMOBILE, immobile)
                    return -1
                note_gone(ply, seat)
                first += not ply.is_bare
    return first


@inlined
def pass_and_eliminate(tables, position, known, ply, seats):
    """Eliminate immobile seats, pass the turn, eliminate idle seats.

    `seats` are those that a ply may have made immobile. A hidden seat that is eliminated may have been immobile, or
    idle on its turn; one that is not has a mobile piece, unless the game is a draw. If several explanations are
    consistent, only what they have in common is known. A move without a suffix eliminates only seats that are certain
    to be immobile.
    """
    immobile = unsure = np.uint8(0)
    for seat in range(SEATS):
        if contains(seats, seat):
            if position.movable[seat] == 0:
                immobile |= np.uint8(1) << np.uint8(seat)
            elif not ply.is_bare and can_be_immobile(tables, position, known, seat):
                unsure |= np.uint8(1) << np.uint8(seat)
    start, before = _position_scratch(), _known_scratch()
    scene, chosen = _position_scratch(), _known_scratch()
    possible = _masks_scratch().masks
    if unsure:
        copy_record(position, start)
        copy_known(known, before)
        for piece in range(PIECES):
            possible[piece] = 0
    found, gone_count, fault, culprit = 0, ply.gone_count, np.uint8(0), 0
    # Try the subsets of `unsure` in ascending order. The first possible one that is not a draw decides; if every
    # possible one is a draw, the first of these.
    hypothesis = np.uint8(0)
    while True:
        is_consistent = suppose(tables, position, known, ply, seats, np.uint8(immobile | hypothesis))
        if is_consistent and not deduce_one_of(known, *NOTHING):
            is_consistent = refuse(ply, NO_LINEUP, 0)
        if is_consistent:
            refresh_movable(tables, position, known)
            first = eliminate_supposed(position, ply, np.uint8(immobile | hypothesis))
            is_consistent = first >= 0 and pass_on(tables, position, known, ply, first)
        if unsure == 0:
            return is_consistent
        if is_consistent:
            for piece in range(PIECES):
                possible[piece] |= known.masks[piece]
            if found == 0 or (scene.result == _DRAW and position.result != _DRAW):
                copy_record(position, scene)
                copy_known(known, chosen)
            found += 1
        elif fault == 0:
            fault, culprit = ply.fault, ply.culprit
        hypothesis = np.uint8(hypothesis - unsure) & unsure
        if hypothesis == 0:
            break
        copy_record(start, position)
        copy_known(before, known)
        ply.gone_count = gone_count
    if found == 0:
        return refuse(ply, fault, culprit)
    copy_record(scene, position)
    if found == 1:
        copy_known(chosen, known)
        return True
    copy_known(before, known)
    known.is_exact = chosen.is_exact
    for piece in range(PIECES):
        known.masks[piece] = possible[piece]
    drop_decided(known)
    return True
