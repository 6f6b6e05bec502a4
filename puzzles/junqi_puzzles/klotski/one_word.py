"""Operations on boards of at most 64 open cells whose keys fit into one word: nearly all boards.

A key is a number, `keys[i]` of an array. A set of cells is a word. A set of placements of one class is a word, too:
bit b is placement `base + b` of the class that begins at `base`; such a class has at most 64 placements. The sets are
values: an operation returns the changed set.

many_words.py has the same operations, by the same names, for any board. `BATCH`: how many states are expanded at most
before their successors are looked up, all together, so that many reads of memory run at once.

`ZERO`, `ONE` and `mix` are for both.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, inlined, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel(types.uint64(types.uint64, types.uint64), forceinline=True)
def mix(hashed, word):
    """A hash of 32 bits of what was hashed before and one more word."""
    hashed = (hashed ^ word) * MIX
    hashed ^= hashed >> np.uint64(29)
    return (hashed * MIX) >> np.uint64(32)


KEYS = types.Array(types.uint64, 1, "C")
BATCH = 64


@inlined
def word_of(keys, index, word):
    """A word of a key."""
    return keys[index]


@inlined
def copy(keys, index, out, to):
    """Write the key `keys[index]` to `out[to]`."""
    out[to] = keys[index]


@inlined
def copy_moved(keys, index, out, to, start, end, code_word, code):
    """Write the key `keys[index]` to `out[to]`, with a piece moved from placement `start` to `end`."""
    out[to] = keys[index] - code[start] + code[end]


@inlined
def add(keys, index, word, amount):
    """Add to a word of a key."""
    keys[index] += amount


@inlined
def subtract(keys, index, word, amount):
    """Subtract from a word of a key."""
    keys[index] -= amount


@inlined
def is_same(keys, index, others, other):
    """Whether two keys are equal."""
    return keys[index] == others[other]


@inlined
def key_of(words):
    """A key of its words, as `matches` takes it."""
    return words[0]


@inlined
def matches(keys, index, mask, value):
    """Whether `key & mask == value` in all words; `mask` and `value` are made by `key_of`."""
    return keys[index] & mask == value


@inlined
def hash_of(keys, index):
    """A hash of a key, of 32 bits."""
    return mix(ZERO, keys[index])


@inlined
def all_cells(scratch):
    """The set of all cells."""
    return ~ZERO


@inlined
def flip(cells, masks, placement):
    """The set with the cells of a placement added if they were not in it, removed if they were."""
    return cells ^ masks[placement, 0]


@inlined
def holds(cells, masks, placement):
    """Whether all cells of a placement are in the set."""
    return masks[placement, 0] & ~cells == ZERO


@inlined
def meets(cells, masks, placement):
    """Whether any cell of a placement is in the set."""
    return masks[placement, 0] & cells != ZERO


@inlined
def only(placement, base, queue, seen):
    """The set of one placement."""
    return ONE << np.uint64(placement - base)


@inlined
def has(placements, placement, base, seen):
    """Whether a placement is in the set."""
    return placements >> np.uint64(placement - base) & ONE != ZERO


@inlined
def put(placements, placement, base, queue, seen):
    """The set with one placement more."""
    return placements | ONE << np.uint64(placement - base)


@inlined
def next_after(done, placements, base, queue):
    """The first placement that is in the set and not in `done`, a part of it."""
    return base + np.int64(count_trailing_zeros(placements & ~done))


@inlined
def with_next(done, placements):
    """`done` with that placement."""
    rest = placements & ~done
    return placements & ~(rest & (rest - ONE))


@inlined
def clear(placements, queue, seen):
    """Empty the scratch memory of a set that is not needed any more."""
