"""Eliminations: seats that a ply makes immobile, and seats without a move when the turn comes to them."""

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import KNOWN_TYPE, can_all_be_immobile, deduce_known, expect_mover, narrow
from junqi_engine.information.ply_record import Refusal, is_listed_next, note_eliminated, refuse
from junqi_engine.kernels import count_trailing_zeros, inlined, kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import eliminate, eliminate_immobile, pass_turn
from junqi_engine.rules.layout import SEATS, contains, enemy_field, piece_of
from junqi_engine.rules.movegen import can_step, has_move
from junqi_engine.rules.pieces import IMMOBILE_MASK, MOVABLE_MASK
from junqi_engine.rules.position import ONE, POSITION_TYPE, Result, next_piece


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def refresh_movable(tables, position, known):
    """Derive from the masks which pieces may move."""
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
    """The slots of a seat's pieces that do not stand in a headquarters."""
    members, slots = position.present[seat], np.uint32(0)
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if not tables.headquarters[position.where[piece_of(np.uint32(seat), slot)]]:
            slots |= ONE << slot
    return slots


@kernel(types.uint32(TABLES_TYPE, POSITION_TYPE, types.intp))
def with_free_step(tables, position, seat):
    """The slots of a seat's pieces that can move unless they are landmines or flags."""
    members, slots = outside_headquarters(tables, position, seat), np.uint32(0)
    enemy = enemy_field(np.uint8(seat))
    while members:
        slot = count_trailing_zeros(members)
        members &= members - ONE
        if can_step(tables, position, np.uint8(piece_of(np.uint32(seat), slot)), enemy):
            slots |= ONE << slot
    return slots


@kernel(types.boolean(KNOWN_TYPE, types.intp, types.uint32))
def restrict_to_immobile(known, seat, slots):
    """Use the fact that all pieces of a set of slots are landmines or flags. False if that is a contradiction."""
    while slots:
        piece, slots = next_piece(seat, slots)
        if not narrow(known, piece, IMMOBILE_MASK):
            return False
    return True


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, KNOWN_TYPE))
def expect_move(tables, position, known):
    """Use the fact that the seat to move has a move, unless the game is over. False if that is a contradiction."""
    seat = np.intp(position.turn)
    if position.result != Result.ONGOING or not contains(known.hidden_seats, seat):
        return True
    return expect_mover(known, seat, with_free_step(tables, position, seat)) and deduce_known(known)


@inlined
def eliminate_listed_immobile(tables, position, known, ply):
    """Eliminate the seats of `maybe_immobile` that are immobile for certain, and those that may be and are listed next.

    A hidden seat that is listed may have been immobile or idle on its turn: the position is the same, and those of its
    pieces that have a free step are landmines or flags. If a certain one is not listed, no seat can ever move again,
    which is a draw. False if the list is a contradiction.
    """
    certain = possible = immobile = np.uint8(0)
    listed = ply.next_listed
    for seat in range(SEATS):
        if not contains(ply.maybe_immobile, seat):
            continue
        bit, is_listed = np.uint8(1) << np.uint8(seat), listed < ply.listed_count and ply.listed[listed] == seat
        if position.movable[seat] == 0:
            certain |= bit
        if position.movable[seat] == 0 or (
            contains(known.hidden_seats, seat)
            and can_all_be_immobile(known, seat, outside_headquarters(tables, position, seat))
        ):
            possible |= bit
            listed += is_listed
            if is_listed or contains(certain, seat):
                immobile |= bit
    if certain and ply.listed_count == 0 and not ply.omits_suffix and possible == position.alive:
        position.result = Result.DRAW
        return True
    for seat in range(SEATS):
        if contains(immobile & ~certain, seat) and not (
            restrict_to_immobile(known, seat, with_free_step(tables, position, seat)) and deduce_known(known)
        ):
            return refuse(ply, Refusal.OTHER_SEATS)
    refresh_movable(tables, position, known)
    for seat in range(SEATS):
        if contains(immobile, seat):
            position.movable[seat] = 0
    eliminated = eliminate_immobile(position, immobile)
    for seat in range(SEATS):
        if contains(eliminated, seat):
            if not ply.omits_suffix and not is_listed_next(ply, seat):
                return refuse(ply, Refusal.OTHER_SEATS)
            note_eliminated(ply, seat)
    return True


@inlined
def pass_and_eliminate(tables, position, known, ply):
    """Eliminate the immobile seats, and pass the turn to a seat that has a move; seats without one are eliminated.

    A record that `omits_suffix` does not list the eliminated seats. False if the list is a contradiction.
    """
    if not eliminate_listed_immobile(tables, position, known, ply):
        return False
    pass_turn(tables, position)
    while position.result == Result.ONGOING:
        seat = np.intp(position.turn)
        is_idle = not has_move(tables, position, position.turn)
        if is_listed_next(ply, seat):
            if not is_idle:
                # A hidden seat may have no move: then all its pieces with a free step are landmines or flags.
                if not contains(known.hidden_seats, seat) or not restrict_to_immobile(
                    known, seat, with_free_step(tables, position, seat)
                ):
                    return refuse(ply, Refusal.OTHER_SEATS)
                if not deduce_known(known):
                    return refuse(ply, Refusal.NO_LINEUP)
                refresh_movable(tables, position, known)
        elif not is_idle:
            break
        elif not ply.omits_suffix:
            return refuse(ply, Refusal.OTHER_SEATS)
        eliminate(position, np.uint8(seat))
        pass_turn(tables, position)
        note_eliminated(ply, seat)
    if ply.next_listed < ply.listed_count or not expect_move(tables, position, known):
        return refuse(ply, Refusal.OTHER_SEATS)
    return True
