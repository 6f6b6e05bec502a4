"""The order in which moves are searched: the table's move, good battles, killers, history, bad battles.

Killer moves and the history heuristic are Schaeffer's (1989).
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.interface import battle_gain
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import MAX_POINTS
from junqi_engine.rules.layout import NO_PIECE, PIECES, from_point_of, piece_in, seat_of, to_point_of
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.search.record import SEARCH_TYPE

TABLE_MOVE = 1 << 30
GOOD_BATTLE = 1 << 28
KILLER = 1 << 27
HISTORY_LIMIT = 1 << 26
"""Above all entries of the history; below `-HISTORY_LIMIT` plus the largest loss are the bad battles."""
GAIN_STEP = 64
"""Larger than any kind: of equal gains, the battle of the lower piece comes first."""


def prioritise(position, evaluation, search, moves, start, end, ply, table_move):
    """Write the priority of every move from `start` to `end` into `search.order`."""
    for i in range(start, end):
        move = moves[i]
        attacker = piece_in(position.board[from_point_of(move)])
        target = to_point_of(move)
        occupant = position.board[target]
        if move == table_move:
            priority = np.int64(TABLE_MOVE)
        elif occupant != NO_PIECE:
            defender = piece_in(occupant)
            kind = position.kind[attacker]
            gain = battle_gain(evaluation, kind, np.uint8(seat_of(defender)), position.kind[defender])
            priority = GOOD_BATTLE + GAIN_STEP * gain + kind if gain >= 0 else gain - HISTORY_LIMIT
        elif move == search.killers[ply, 0]:
            priority = np.int64(KILLER + 1)
        elif move == search.killers[ply, 1]:
            priority = np.int64(KILLER)
        else:
            priority = np.int64(search.history[attacker, target])
        search.order[i] = priority


@kernel(types.uint16(SEARCH_TYPE, MOVES_TYPE, types.int64, types.int64))
def take_best(search, moves, i, end):
    """Swap the move with the highest priority among those from `i` on to index `i`, and return it."""
    best = i
    for j in range(i + 1, end):
        if search.order[j] > search.order[best]:
            best = j
    if best != i:
        moves[i], moves[best] = moves[best], moves[i]
        search.order[i], search.order[best] = search.order[best], search.order[i]
    return moves[i]


@kernel(types.void(POSITION_TYPE, SEARCH_TYPE, types.uint16, types.int64, types.int64))
def reward(position, search, move, depth, ply):
    """Remember a quiet move that caused a cutoff."""
    if search.killers[ply, 0] != move:
        search.killers[ply, 1] = search.killers[ply, 0]
        search.killers[ply, 0] = move
    attacker = piece_in(position.board[from_point_of(move)])
    target = to_point_of(move)
    search.history[attacker, target] += depth * depth
    if search.history[attacker, target] >= HISTORY_LIMIT:
        for piece in range(PIECES):
            for point in range(MAX_POINTS):
                search.history[piece, point] >>= 1
