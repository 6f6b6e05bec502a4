"""Legal moves of the seat to move, perft, random play-outs.

A move needs no knowledge of the other seats' pieces, only of where they stand; so `generate` serves positions with
hidden pieces as well, as long as the pieces of the seat to move are known.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.pieces import ENGINEER
from junqi_engine.rules.position import ONE, POSITION_TYPE, TEAM_BITS, enemy_bits


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8))
def can_step(tables, position, piece, enemy):
    """Whether a movable piece has a move. Every run begins with a step, so steps are all that must be looked at."""
    point = position.where[piece]
    camps = tables.near_camps[point]
    for i in range(tables.near_count[point]):
        occupant = position.board[tables.near[point, i]]
        if occupant == 0 or (i >= camps and occupant & TEAM_BITS == enemy):
            return True
    return False


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, types.uint8))
def has_move(tables, position, seat):
    """Whether a seat has a legal move; looks first at the piece that had one the last time."""
    enemy = enemy_bits(seat)
    movable = position.movable[seat]
    base = np.uint8(seat << 5)
    witness = base | position.witness[seat] & np.uint8(31)
    if movable >> np.uint32(witness & 31) & ONE and can_step(tables, position, witness, enemy):
        return True
    while movable:
        piece = np.uint8(base | count_trailing_zeros(movable))
        movable &= movable - ONE
        if can_step(tables, position, piece, enemy):
            position.witness[seat] = piece
            return True
    return False


# 3 engineers that reach all 73 railway points and 22 pieces that reach 36 points each stay below it.
MAX_MOVES = 1280

MOVES_TYPE = types.Array(types.uint16, 1, "C")


# Inlined, `battles_only` is a constant: one loop to read is two to run.
@kernel(
    types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8, types.boolean, MOVES_TYPE, types.intp),
    forceinline=True,
)
def flood(tables, position, start, enemy, battles_only, moves, count):
    """An engineer's railway moves: every railway point that empty ones lead to, or only those where an enemy stands."""
    head = np.uint16(start) << np.uint16(8)
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
            if occupant == 0:
                if not battles_only:
                    moves[count] = head | target
                    count += 1
                position.stack[height] = target
                height += 1
            elif occupant & TEAM_BITS == enemy:
                moves[count] = head | target
                count += 1
    return count


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.boolean, types.uint8, MOVES_TYPE, types.intp))
def generate_from(tables, position, start, is_engineer, enemy, moves, count):
    """Append the moves of a piece that could stand on `start`, be it there or not; the new count."""
    head = np.uint16(start) << np.uint16(8)
    camps = tables.near_camps[start]
    for i in range(camps):
        target = tables.near[start, i]
        if position.board[target] == 0:
            moves[count] = head | target
            count += 1
    for i in range(camps, tables.near_roads[start]):
        target = tables.near[start, i]
        occupant = position.board[target]
        if occupant == 0 or occupant & TEAM_BITS == enemy:
            moves[count] = head | target
            count += 1
    if tables.rail[start] == 0:
        return count
    if is_engineer:
        return flood(tables, position, start, enemy, False, moves, count)
    entry = np.uint64(0)
    entries = tables.run_count[start]
    while entry < entries:
        run = tables.runs[start, entry]
        target = np.uint8(run & 255)
        occupant = position.board[target]
        if occupant == 0:
            moves[count] = head | target
            count += 1
            entry += np.uint64(1)
        else:
            if occupant & TEAM_BITS == enemy:
                moves[count] = head | target
                count += 1
            entry = np.uint64(run >> np.uint16(8))
    return count


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, MOVES_TYPE, types.intp))
def generate(tables, position, moves, count):
    """Append the legal moves of the seat to move to `moves` from index `count` on; the new count. No order is
    promised.
    """
    if position.result != 0:
        return count
    seat = position.turn
    enemy = enemy_bits(seat)
    movable = position.movable[seat]
    base = np.uint8(seat << 5)
    while movable:
        piece = np.uint8(base | count_trailing_zeros(movable))
        movable &= movable - ONE
        is_engineer = position.kind[piece] == ENGINEER
        count = generate_from(tables, position, position.where[piece], is_engineer, enemy, moves, count)
    return count


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, MOVES_TYPE, types.intp))
def generate_battles(tables, position, moves, count):
    """As `generate`, but only the moves onto an enemy's piece."""
    if position.result != 0:
        return count
    seat = position.turn
    enemy = enemy_bits(seat)
    movable = position.movable[seat]
    base = np.uint8(seat << 5)
    while movable:
        piece = np.uint8(base | count_trailing_zeros(movable))
        movable &= movable - ONE
        start = position.where[piece]
        head = np.uint16(start) << np.uint16(8)
        for i in range(tables.near_camps[start], tables.near_roads[start]):
            target = tables.near[start, i]
            if position.board[target] & TEAM_BITS == enemy:
                moves[count] = head | target
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
            occupant = position.board[run & np.uint16(255)]
            if occupant == 0:
                entry += np.uint64(1)
            else:
                if occupant & TEAM_BITS == enemy:
                    moves[count] = head | (run & np.uint16(255))
                    count += 1
                entry = np.uint64(run >> np.uint16(8))
    return count


@kernel(types.uint8(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8))
def reach(tables, position, start, target):
    """How a piece on `start`, whatever it is, may move to `target`: 0 not at all, 1 as any, 2 as an engineer only."""
    if tables.headquarters[start]:
        return np.uint8(0)
    enemy = enemy_bits(np.uint8((position.board[start] & np.uint8(127)) >> np.uint8(5)))
    moves = np.empty(tables.rail.shape[0], np.uint16)
    for way in range(1, 3):
        count = generate_from(tables, position, start, way == 2, enemy, moves, 0)
        for i in range(count):
            if moves[i] & 255 == target:
                return np.uint8(way)
    return np.uint8(0)
