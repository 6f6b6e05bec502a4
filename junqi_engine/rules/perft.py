"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO, UNDO_TYPE, make, unmake
from junqi_engine.rules.movegen import MOVES_TYPE, generate
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.splitmix import mix

UNDOS_TYPE = types.Array(record_type(UNDO), 1, "C")
FLAG_TYPE = types.Array(types.uint8, 1, "C")


@kernel(types.uint64(TABLES_TYPE, POSITION_TYPE, types.intp, MOVES_TYPE, types.intp, UNDOS_TYPE, FLAG_TYPE))
def perft(tables, position, depth, moves, start, undos, stop):
    """Leaves of the game tree `depth` plies below, every one of them made and unmade.

    `moves` needs room for `MAX_MOVES` a ply from `start` on, `undos` an entry a ply. Once `stop[0]` is set it
    returns early, with a number that means nothing.
    """
    if depth == 0:
        return np.uint64(1)
    end = generate(tables, position, moves, start)
    undo = undos[depth]
    leaves = np.uint64(0)
    if depth == 1:
        for i in range(start, end):
            make(tables, position, moves[i], undo)
            leaves += np.uint64(1)
            unmake(position, undo)
        return leaves
    for i in range(start, end):
        if stop[0]:
            break
        make(tables, position, moves[i], undo)
        leaves += perft(tables, position, depth - 1, moves, end, undos, stop)
        unmake(position, undo)
    return leaves


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, types.uint64, MOVES_TYPE, UNDO_TYPE))
def play_out(tables, position, seed, moves, undo):
    """Play random moves, every legal one equally likely, to the end of the game; the number of plies."""
    state = seed
    plies = 0
    while True:
        count = generate(tables, position, moves, 0)
        if count == 0:
            return plies
        state += np.uint64(0x9E3779B97F4A7C15)
        draw = (mix(state) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)
        make(tables, position, moves[draw], undo)
        plies += 1
