"""Which seats a ply eliminates, and what a viewer learns from it, and from those that it does not eliminate."""

import numpy as np
from numba.core import types

from junqi_engine.information.knowledge import (
    KNOWN_TYPE,
    can_all_be_immobile,
    deduce_known,
    expect_mover,
    narrow,
)
from junqi_engine.information.seen_ply import (
    HAS_MOVE,
    HAS_NO_MOVE,
    IMMOBILE,
    NO_LINEUP,
    NOT_ELIMINATED,
    NOT_HERE,
    note_gone,
    refuse,
)
from junqi_engine.kernels import count_trailing_zeros, inlined, kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import eliminate, eliminate_immobile, pass_turn
from junqi_engine.rules.layout import SEATS, contains, enemy_field, piece_of
from junqi_engine.rules.movegen import can_step, has_move
from junqi_engine.rules.pieces import IMMOBILE_MASK, MOVABLE_MASK
from junqi_engine.rules.position import ONE, POSITION_TYPE, Result

_ONGOING, _DRAW = int(Result.ONGOING), int(Result.DRAW)


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


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def narrow_all(known, seat, slots):
    """Add that all pieces of a set of slots are landmines or flags; False if that is impossible."""
    while slots:
        if not narrow(known, np.intp(piece_of(seat, count_trailing_zeros(slots))), IMMOBILE_MASK):
            return False
        slots &= slots - ONE
    return True


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def expect_move(tables, position, known):
    """Add that the seat to move has a move, unless the game is over; False if that is impossible."""
    seat = np.intp(position.turn)
    if position.result != _ONGOING or not contains(known.hidden_seats, seat):
        return True
    return expect_mover(known, seat, with_free_step(tables, position, seat)) and deduce_known(known)


@inlined
def eliminate_listed_immobile(tables, position, known, ply, seats):
    """Eliminate those of `seats`, which a ply may have made immobile, that are certain to be, and those that may be and
    are listed next. Returns the first of `listed` that comes after them, -1 if a certain one is not listed.

    A hidden seat that is listed may have been immobile or idle on its turn: the position is the same. If a certain one
    is not listed, no seat can ever move again, which is a draw.
    """
    certain = possible = immobile = np.uint8(0)
    first = 0
    for seat in range(SEATS):
        if not contains(seats, seat):
            continue
        bit, is_listed = np.uint8(1) << np.uint8(seat), first < ply.listed_count and ply.listed[first] == seat
        if position.movable[seat] == 0:
            certain |= bit
        if position.movable[seat] == 0 or (
            contains(known.hidden_seats, seat)
            and can_all_be_immobile(known, seat, outside_headquarters(tables, position, seat))
        ):
            possible |= bit
            first += is_listed
            if is_listed or contains(certain, seat):
                immobile |= bit
    if certain and ply.listed_count == 0 and not ply.is_bare and possible == position.alive:
        position.result = _DRAW
        return 0
    for seat in range(SEATS):
        if contains(immobile, seat):
            position.movable[seat] = 0
    found = eliminate_immobile(position, immobile)
    listed = 0
    for seat in range(SEATS):
        if contains(found, seat):
            if not ply.is_bare and (listed >= ply.listed_count or ply.listed[listed] != seat):
                refuse(ply, IMMOBILE, found)
                return -1
            note_gone(ply, seat)
            listed += not ply.is_bare
    return listed


@inlined
def pass_and_eliminate(tables, position, known, ply, seats):
    """Eliminate those of `seats` that are immobile, pass the turn to a seat that has a move, and eliminate those that
    have none when it comes to them.

    If the record `is_bare`, it does not list the eliminated seats.
    """
    first = eliminate_listed_immobile(tables, position, known, ply, seats)
    if first < 0:
        return False
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
                if not deduce_known(known):
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
    if not expect_move(tables, position, known):
        return refuse(ply, NOT_ELIMINATED, position.turn)
    return True
