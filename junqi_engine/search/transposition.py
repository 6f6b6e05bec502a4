"""The transposition table: what the search found of positions that it comes to again.

`ENTRY`, 16 bytes, one for each slot; the table is a one-dimensional array of a power of two of them:

| field | meaning |
|---|---|
| key | the position's key in its world |
| score | for the team to move; a win counts plies from the position itself |
| move | the best move, `256 * from + to`; 0 where there is none |
| depth | plies that were searched below |
| bound | `EXACT`, `AT_LEAST` or `AT_MOST` |
| generation | the search that wrote it; entries of other searches count as empty |
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("score", np.int16),
        ("move", np.uint16),
        ("depth", np.int8),
        ("bound", np.uint8),
        ("generation", np.uint16),
    ],
    align=True,
)
ENTRY_TYPE = record_type(ENTRY)
TABLE_TYPE = types.Array(ENTRY_TYPE, 1, "C", aligned=True)

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
MATE = 30_000
"""The score of a won game at the root; one of n plies is n less."""
WON = MATE - 1000
"""Scores beyond it are won or lost games."""


def new_table(megabytes: int) -> np.ndarray:
    """An empty table of at most so many MiB, at least 1."""
    slots = max(1, megabytes) * 2**20 // ENTRY.itemsize
    return np.zeros(1 << slots.bit_length() - 1, ENTRY)


@kernel(types.void(TABLE_TYPE, types.uint64, types.uint64, types.uint16, *(types.int64,) * 4, types.uint16))
def store(table, slots, key, generation, depth, score, bound, ply, move):
    """Keep a result in one of the first `slots` slots; a deeper one of the same search and another key stays."""
    entry = table[key & (slots - np.uint64(1))]
    if entry.generation == generation and entry.key != key and entry.depth > depth:
        return
    if entry.generation == generation and entry.key == key and move == 0:
        move = entry.move
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    entry.key = key
    entry.score = score
    entry.move = move
    entry.depth = depth
    entry.bound = bound
    entry.generation = generation


@kernel(types.int64(types.int64, types.int64))
def score_at(score, ply):
    """A stored score, a win counted from the root again."""
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


@kernel(types.int64(TABLE_TYPE, types.uint64, types.uint16))
def count_used(table, slots, generation):
    """How many of the first slots this search has written, in thousandths, from a sample."""
    sample = min(np.int64(slots), np.int64(1000))
    used = 0
    for i in range(sample):
        used += table[i].generation == generation
    return 1000 * used // sample
