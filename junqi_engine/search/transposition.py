"""The transposition table: results of the search, for positions that it reaches again.

The table is a one-dimensional array of `ENTRY` records of 16 bytes; its length is a power of two. Threads that share
it use no locks: an entry that two threads wrote at the same time does not match its key (Hyatt and Mann 2002).

| field | meaning |
|---|---|
| check | the key of the position (`keys`), xor `data` |
| data | from the lowest bit: 16 bits score, 16 bits move, 8 bits depth, 8 bits bound, 16 bits generation; 0 = empty |

The score is for the team to move; a win or loss counts the plies from this position. The move is the best one, or
`NO_MOVE`. The bound is `EXACT`, `AT_LEAST` or `AT_MOST`. The generation is the number of the search that wrote the
entry. Scores of an earlier search do not count, since its evaluator had other values; its moves do.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.evaluator import WON
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.layout import NO_MOVE

ENTRY = np.dtype([("check", np.uint64), ("data", np.uint64)], align=True)
ENTRY_TYPE = record_type(ENTRY)
TABLE_TYPE = types.Array(ENTRY_TYPE, 1, "C", aligned=True)

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
EMPTY = np.uint64(0)
_MOVE_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT, _GENERATION_SHIFT = map(np.uint64, (16, 32, 40, 48))
_BYTE, _WORD = np.uint64(0xFF), np.uint64(0xFFFF)
_SCORE_OFFSET = 1 << 15


def new_table(megabytes: int) -> np.ndarray:
    """An empty table of at most this size, at least 1 MiB."""
    slots = max(1, megabytes) * 2**20 // ENTRY.itemsize
    return np.zeros(1 << slots.bit_length() - 1, ENTRY)


@kernel(types.int64(types.uint64, types.int64), forceinline=True)
def score_of(data, ply):
    """The score of an entry, with a win or loss counted from the root again."""
    score = np.int64(data & _WORD) - _SCORE_OFFSET
    if score > WON:
        return score - ply
    if score < -WON:
        return score + ply
    return score


@kernel(types.uint16(types.uint64), forceinline=True)
def move_in(data):
    """The best move of an entry, or `NO_MOVE`."""
    return np.uint16(data >> _MOVE_SHIFT & _WORD)


@kernel(types.int64(types.uint64), forceinline=True)
def depth_of(data):
    """The depth of the search below, in plies."""
    return np.int64(data >> _DEPTH_SHIFT & _BYTE)


@kernel(types.int64(types.uint64), forceinline=True)
def bound_of(data):
    return np.int64(data >> _BOUND_SHIFT & _BYTE)


@kernel(types.uint16(types.uint64), forceinline=True)
def generation_of(data):
    """The number of the search that wrote the entry."""
    return np.uint16(data >> _GENERATION_SHIFT)


@kernel(types.uint64(TABLE_TYPE, types.uint64, types.uint64, types.uint16), forceinline=True)
def probe(table, slots, key, oldest_generation):
    """The data of a position, `EMPTY` if the first `slots` slots do not have it. Older entries count as empty."""
    entry = table[key & (slots - np.uint64(1))]
    data = entry.data
    return data if entry.check ^ data == key and generation_of(data) >= oldest_generation else EMPTY


@kernel(types.void(TABLE_TYPE, types.uint64, types.uint64, *(types.uint16,) * 2, *(types.int64,) * 4, types.uint16))
def store(table, slots, key, oldest_generation, generation, depth, score, bound, ply, move):
    """Store a result in the first `slots` slots, unless a deeper one of the same search has the slot.

    Entries older than `oldest_generation` count as empty.
    """
    entry = table[key & (slots - np.uint64(1))]
    old = entry.data
    is_same = entry.check ^ old == key
    if not is_same and old != EMPTY and generation_of(old) == generation and depth_of(old) > depth:
        return
    if is_same and move == NO_MOVE and generation_of(old) >= oldest_generation:
        move = move_in(old)
    if score > WON:
        score += ply
    elif score < -WON:
        score -= ply
    data = (
        np.uint64(score + _SCORE_OFFSET)
        | np.uint64(move) << _MOVE_SHIFT
        | np.uint64(depth) << _DEPTH_SHIFT
        | np.uint64(bound) << _BOUND_SHIFT
        | np.uint64(generation) << _GENERATION_SHIFT
    )
    entry.check = key ^ data
    entry.data = data


@kernel(types.void(TABLE_TYPE, types.uint64, types.uint64))
def spread(table, slots, more_slots):
    """Move the entries of the first `slots` slots to where they are looked for among `more_slots`, a larger power of
    two. What is there is replaced.
    """
    for slot in range(slots):
        entry = table[slot]
        check, data = entry.check, entry.data
        target = (check ^ data) & (more_slots - np.uint64(1))
        if data != EMPTY and target != slot:
            table[target].check = check
            table[target].data = data
            entry.data = EMPTY


@kernel(types.int64(TABLE_TYPE, types.uint64, types.uint16))
def count_used(table, slots, generation):
    """The share of slots that this search has written, in permille, from a sample."""
    sample = min(np.int64(slots), np.int64(1000))
    used = 0
    for i in range(sample):
        used += table[i].data != EMPTY and generation_of(table[i].data) == generation
    return 1000 * used // sample
