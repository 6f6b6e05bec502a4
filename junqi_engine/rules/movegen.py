"""Move generation.

Moves depend on the points of other seats' pieces, not on their kinds. So `generate` also works for positions with
hidden pieces, as long as the pieces of the seat to move are known.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel, scratch_record
from junqi_engine.rules.board import MAX_POINTS, RUN_SKIP_SHIFT, RUN_TARGET, TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_PIECE,
    contains,
    enemy_field,
    is_enemy,
    move_of,
    piece_in,
    piece_of,
    seat_of,
    slot_of,
    to_point_of,
)
from junqi_engine.rules.pieces import ENGINEER
from junqi_engine.rules.position import ONE, POSITION_TYPE, Result


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8))
def can_step(tables, position, piece, enemy):
    """Whether a movable piece has a move. Every railway run begins with a step, so checking steps is enough."""
    point = position.where[piece]
    camps = tables.near_camps[point]
    for i in range(tables.near_count[point]):
        occupant = position.board[tables.near[point, i]]
        if occupant == NO_PIECE or (i >= camps and is_enemy(occupant, enemy)):
            return True
    return False


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8), forceinline=True)
def has_move(tables, position, seat):
    """Whether a seat has a legal move. The piece that could move last time is tried first."""
    enemy = enemy_field(seat)
    movable = position.movable[seat]
    witness = np.uint8(piece_of(seat, slot_of(position.witness[seat])))
    if contains(movable, np.uint32(slot_of(witness))) and can_step(tables, position, witness, enemy):
        return True
    while movable:
        piece = np.uint8(piece_of(seat, count_trailing_zeros(movable)))
        movable &= movable - ONE
        if can_step(tables, position, piece, enemy):
            position.witness[seat] = piece
            return True
    return False


# Three engineers that reach all 73 railway points and 22 pieces that reach 36 points each have fewer moves.
MAX_MOVES = 1280

MOVES_TYPE = types.Array(types.uint16, 1, "C")
"""Kernels index it with unsigned integers, because numba tests signed ones for negative values."""
_reach_scratch = scratch_record(np.dtype([("moves", np.uint16, MAX_POINTS)], align=True))


# Inlined, so that `battles_only` is a constant and the compiler makes two loops of this one.
@kernel(
    types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8, types.boolean, MOVES_TYPE, types.intp),
    forceinline=True,
)
def flood(tables, position, start, enemy, battles_only, moves, count):
    """Append an engineer's railway moves: to every railway point that it can reach, or only those onto an enemy."""
    position.mark_now += ONE
    now = position.mark_now
    position.mark[start] = now
    position.stack[0] = start
    height = 1
    while height:
        height -= 1
        point = position.stack[height]
        for i in range(tables.near_roads[point], tables.near_count[point]):
            target = tables.near[point, i]
            if position.mark[target] == now:
                continue
            position.mark[target] = now
            occupant = position.board[target]
            if occupant == NO_PIECE:
                if not battles_only:
                    moves[np.uint64(count)] = move_of(np.uint16(start), target)
                    count += 1
                position.stack[height] = target
                height += 1
            elif is_enemy(occupant, enemy):
                moves[np.uint64(count)] = move_of(np.uint16(start), target)
                count += 1
    return count


# Inlined: a call would pass ten words of arrays, and most pieces have one or two moves.
@kernel(
    types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.boolean, types.uint8, MOVES_TYPE, types.intp),
    forceinline=True,
)
def generate_from(tables, position, start, is_engineer, enemy, moves, count):
    """Append the moves of a piece from `start`, on which it need not stand; returns the new count."""
    camps = tables.near_camps[start]
    for i in range(camps):
        target = tables.near[start, i]
        if position.board[target] == NO_PIECE:
            moves[np.uint64(count)] = move_of(np.uint16(start), target)
            count += 1
    for i in range(camps, tables.near_roads[start]):
        target = tables.near[start, i]
        occupant = position.board[target]
        if occupant == NO_PIECE or is_enemy(occupant, enemy):
            moves[np.uint64(count)] = move_of(np.uint16(start), target)
            count += 1
    if tables.rail[start] == 0:
        return count
    if is_engineer:
        return flood(tables, position, start, enemy, False, moves, count)
    entry = np.uint64(0)
    entries = tables.run_count[start]
    while entry < entries:
        run = tables.runs[start, entry]
        target = np.uint8(run & np.uint16(RUN_TARGET))
        occupant = position.board[target]
        if occupant == NO_PIECE:
            moves[np.uint64(count)] = move_of(np.uint16(start), target)
            count += 1
            entry += np.uint64(1)
        else:
            if is_enemy(occupant, enemy):
                moves[np.uint64(count)] = move_of(np.uint16(start), target)
                count += 1
            entry = np.uint64(run >> np.uint16(RUN_SKIP_SHIFT))
    return count


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, MOVES_TYPE, types.intp))
def generate(tables, position, moves, count):
    """Append the legal moves of the seat to move to `moves`, from index `count` on; returns the new count.

    The order of the moves is not defined.
    """
    if position.result != Result.ONGOING:
        return count
    seat = position.turn
    enemy = enemy_field(seat)
    movable = position.movable[seat]
    while movable:
        piece = np.uint8(piece_of(seat, count_trailing_zeros(movable)))
        movable &= movable - ONE
        is_engineer = position.kind[piece] == ENGINEER
        count = generate_from(tables, position, position.where[piece], is_engineer, enemy, moves, count)
    return count


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, MOVES_TYPE, types.intp))
def generate_battles(tables, position, moves, count):
    """Append the legal moves onto an enemy piece; returns the new count."""
    if position.result != Result.ONGOING:
        return count
    seat = position.turn
    enemy = enemy_field(seat)
    movable = position.movable[seat]
    while movable:
        piece = np.uint8(piece_of(seat, count_trailing_zeros(movable)))
        movable &= movable - ONE
        start = position.where[piece]
        for i in range(tables.near_camps[start], tables.near_roads[start]):
            target = tables.near[start, i]
            if is_enemy(position.board[target], enemy):
                moves[np.uint64(count)] = move_of(np.uint16(start), target)
                count += 1
        if tables.rail[start] == 0:
            continue
        if position.kind[piece] == ENGINEER:
            count = flood(tables, position, start, enemy, True, moves, count)
            continue
        entry = np.uint64(0)
        entries = tables.run_count[start]
        while entry < entries:
            run = tables.runs[start, entry]
            target = np.uint8(run & np.uint16(RUN_TARGET))
            occupant = position.board[target]
            if occupant == NO_PIECE:
                entry += np.uint64(1)
            else:
                if is_enemy(occupant, enemy):
                    moves[np.uint64(count)] = move_of(np.uint16(start), target)
                    count += 1
                entry = np.uint64(run >> np.uint16(RUN_SKIP_SHIFT))
    return count


NO_PIECE_CAN, ANY_CAN, ENGINEER_CAN = 0, 1, 2
"""The values of `reach`: no piece could move there, every movable piece could, only an engineer could."""


@kernel(types.uint8(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8))
def reach(tables, position, start, target):
    """The pieces that could move from `start` to `target`: `NO_PIECE_CAN`, `ANY_CAN` or `ENGINEER_CAN`."""
    if tables.headquarters[start]:
        return np.uint8(NO_PIECE_CAN)
    enemy = enemy_field(seat_of(piece_in(position.board[start])))
    moves = _reach_scratch().moves
    for way in (ANY_CAN, ENGINEER_CAN):
        count = generate_from(tables, position, start, way == ENGINEER_CAN, enemy, moves, 0)
        for i in range(count):
            if to_point_of(moves[i]) == target:
                return np.uint8(way)
    return np.uint8(NO_PIECE_CAN)
