"""The transposition table: results of the search, for positions that it reaches again.

The table is a one-dimensional array of `ENTRY` records of 16 bytes; its length is a power of two.

| field | meaning |
|---|---|
| key | the position's key in its world |
| score | for the team to move; a win or loss counts the plies from this position |
| move | the best move, or `NO_MOVE` |
| depth | the depth of the search below, in plies |
| bound | `EXACT`, `AT_LEAST` or `AT_MOST` |
| generation | the number of the search that wrote it; entries of other searches count as empty |
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.layout import NO_MOVE
from junqi_engine.search.scores import WON

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


def new_table(megabytes: int) -> np.ndarray:
    """An empty table of at most this size, at least 1 MiB."""
    slots = max(1, megabytes) * 2**20 // ENTRY.itemsize
    return np.zeros(1 << slots.bit_length() - 1, ENTRY)


@kernel(types.void(TABLE_TYPE, types.uint64, types.uint64, types.uint16, *(types.int64,) * 4, types.uint16))
def store(table, slots, key, generation, depth, score, bound, ply, move):
    """Store a result in the first `slots` slots, unless a deeper one of the same search has the slot."""
    entry = table[key & (slots - np.uint64(1))]
    if entry.generation == generation and entry.key != key and entry.depth > depth:
        return
    if entry.generation == generation and entry.key == key and move == NO_MOVE:
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
    """A stored score, with a win or loss counted from the root again."""
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


@kernel(types.int64(TABLE_TYPE, types.uint64, types.uint16))
def count_used(table, slots, generation):
    """The share of slots that this search has written, in permille, from a sample."""
    sample = min(np.int64(slots), np.int64(1000))
    used = 0
    for i in range(sample):
        used += table[i].generation == generation
    return 1000 * used // sample
