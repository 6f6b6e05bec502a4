"""Perft: the number of leaves of the game tree, for tests and for speed."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import STOP_TYPE, kernel
from junqi_engine.rules.board import TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO, UNDOS_TYPE, make, unmake
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.position import POSITION_TYPE, copied


@kernel(types.uint64(TABLES_TYPE, POSITION_TYPE, types.intp, MOVES_TYPE, types.intp, UNDOS_TYPE, STOP_TYPE))
def perft(tables, position, depth, moves, start, undos, stop):
    """The number of leaves of the game tree, `depth` plies deep. Every leaf is made and unmade.

    `moves` needs room for `MAX_MOVES` per ply from `start` on, `undos` an entry per ply. If `stop[0]` is set, it
    returns early with an undefined number.
    """
    if depth == 0:
        return np.uint64(1)
    end = generate(tables, position, moves, start)
    undo = undos[np.uint64(depth)]
    leaves = np.uint64(0)
    if depth == 1:
        for i in range(start, end):
            make(tables, position, moves[np.uint64(i)], undo)
            leaves += np.uint64(1)
            unmake(position, undo)
        return leaves
    for i in range(start, end):
        if stop[0]:
            break
        make(tables, position, moves[np.uint64(i)], undo)
        leaves += perft(tables, position, depth - 1, moves, end, undos, stop)
        unmake(position, undo)
    return leaves


def count_leaves(board: Board, positions: np.ndarray, depth: int, stop: np.ndarray, move: int | None = None) -> int:
    """The number of leaves of the game tree of a position, `depth` plies deep; with `move`, after this move.

    All pieces must be known. The position does not change. If `stop[0]` is set, the number is undefined.
    """
    position = copied(positions)[0]
    moves, undos = np.empty(MAX_MOVES * (depth + 1), np.uint16), np.zeros(depth + 1, UNDO)
    if move is not None:
        make(board.tables, position, np.uint16(move), undos[0])
        depth -= 1
    return int(perft(board.tables, position, depth, moves, 0, undos, stop))
