"""A ply of one game by one call of a kernel.

numba reads a record from Python by the buffer protocol, which takes several microseconds for each argument; an array
takes a tenth of that. So a game gives the arrays that its records are in, and a ply is checked and made at once.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import TABLES, Board
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.position import POSITION, copied


def _array_of(dtype: np.dtype) -> types.Array:
    return types.Array(record_type(dtype), 1, "C")


@kernel(types.boolean(_array_of(TABLES), _array_of(POSITION), types.uint16, MOVES_TYPE, _array_of(UNDO)))
def make_if_legal(tables, positions, move, moves, undos):
    """Make a move in `positions[0]` if it is legal; `moves` is scratch memory for `MAX_MOVES`."""
    position = positions[0]
    for i in range(generate(tables[0], position, moves, 0)):
        if moves[np.uint64(i)] == move:
            make(tables[0], position, move, undos[0])
            return True
    return False


def try_move(board: Board, position: np.void, move: int) -> np.void | None:
    """Make a legal move in a position that is `alone`; what it changed, None for a move that is not legal."""
    undos = np.zeros(1, UNDO)
    moves = np.empty(MAX_MOVES, np.uint16)
    is_legal = make_if_legal(board.tables.base, position.base, np.uint16(move), moves, undos)
    return undos[0] if is_legal else None


def alone(record: np.void) -> np.void:
    """The record if it is in an array of its own, else a copy that is."""
    array = record.base
    return record if isinstance(array, np.ndarray) and array.shape == (1,) else copied(record)
