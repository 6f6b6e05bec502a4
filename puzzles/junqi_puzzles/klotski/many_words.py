"""The operations of one_word.py for any board: keys and sets of cells of any number of words.

A key is a row of a two-dimensional array. A set of cells is an array of words, which the operations change. A set of
placements is a list of them, in the order in which they were added, in the scratch array `queue`; `seen` marks those in
it. It is passed as its length, and a part of it as the length of that part.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import inlined
from junqi_puzzles.klotski.one_word import ZERO, mix

KEYS = types.Array(types.uint64, 2, "C")
BATCH = 1


@inlined
def word_of(keys, index, word):
    return keys[index, word]


@inlined
def copy(keys, index, out, to):
    for word in range(keys.shape[1]):
        out[to, word] = keys[index, word]


@inlined
def copy_moved(keys, index, out, to, start, end, code_word, code):
    for word in range(keys.shape[1]):
        out[to, word] = keys[index, word]
    out[to, code_word[start]] -= code[start]
    out[to, code_word[end]] += code[end]


@inlined
def add(keys, index, word, amount):
    keys[index, word] += amount


@inlined
def subtract(keys, index, word, amount):
    keys[index, word] -= amount


@inlined
def is_same(keys, index, others, other):
    same = True
    for word in range(keys.shape[1]):
        same = same and keys[index, word] == others[other, word]
    return same


@inlined
def key_of(words):
    return words


@inlined
def matches(keys, index, mask, value):
    same = True
    for word in range(keys.shape[1]):
        same = same and keys[index, word] & mask[word] == value[word]
    return same


@inlined
def hash_of(keys, index):
    hashed = ZERO
    for word in range(keys.shape[1]):
        hashed = mix(hashed, keys[index, word])
    return hashed


@inlined
def all_cells(scratch):
    for word in range(scratch.shape[0]):
        scratch[word] = ~ZERO
    return scratch


@inlined
def flip(cells, masks, placement):
    for word in range(cells.shape[0]):
        cells[word] ^= masks[placement, word]
    return cells


@inlined
def holds(cells, masks, placement):
    held = True
    for word in range(cells.shape[0]):
        held = held and masks[placement, word] & ~cells[word] == ZERO
    return held


@inlined
def meets(cells, masks, placement):
    met = False
    for word in range(cells.shape[0]):
        met = met or masks[placement, word] & cells[word] != ZERO
    return met


@inlined
def only(placement, base, queue, seen):
    queue[0] = placement
    seen[placement] = 1
    return 1


@inlined
def has(placements, placement, base, seen):
    return seen[placement] != 0


@inlined
def put(placements, placement, base, queue, seen):
    queue[placements] = placement
    seen[placement] = 1
    return placements + 1


@inlined
def next_after(done, placements, base, queue):
    return np.int64(queue[done])


@inlined
def with_next(done, placements):
    return done + 1


@inlined
def clear(placements, queue, seen):
    for index in range(placements):
        seen[queue[index]] = 0
