"""The kernels of breadth-first search, for both widths of keys, and the hash table of states.

Like those of steps.py they are written once, in terms of the operations of `width`. States lie in the order in which
they were found, so a layer is a range of `keys`; `slots` is an open hash table of indices into it, each one more than
the index, 0 where it is free.

`control`, what a search and its caller share, an int64 array:

| index | meaning |
|---|---|
| HEAD | the next state to expand |
| COUNT | states found |
| LAYER | the depth of the layer that is being expanded |
| GOAL | the first goal that was found, or -1 |
| WANT | `FIRST_GOAL`, `GOAL_LAYER` (end with the layer before the first goals) or `EVERYTHING` |
| BUDGET | states to expand before returning to the caller |
| DEEPEST | the last layer to expand |
| CAPACITY | the number of states at which to return for more room |
"""

from types import ModuleType
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.kernels import inlined, specialise
from puzzles.klotski import many_words, one_word, steps
from puzzles.klotski import one_word as width
from puzzles.klotski.memo import MEMO_TYPE, recall
from puzzles.klotski.steps import INDICES, SCRATCH, WORDS
from puzzles.klotski.steps import ONE_WORD as kernels
from puzzles.klotski.tables import TABLES_TYPE
from puzzles.klotski.words import ONE, ZERO

HEAD, COUNT, LAYER, GOAL, WANT, BUDGET, DEEPEST, CAPACITY = range(8)
CONTROL_SIZE = 8
FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
MOST_LAYERS = 1 << 16
BATCHES_BETWEEN_LOOKS = 64
"""How many batches are expanded between two looks at the stop flag."""

SLOTS = types.Array(types.uint32, 1, "C")
FLAG = types.Array(types.uint8, 1, "C")


@inlined
def recall_nothing(keys, begin, end, most_cells, tables, memo, out):
    """In place of `recall` for keys of many words, which have no memo."""
    return 0


def find(wanted, number, keys, slots):
    """The slot that has the key `wanted[number]`, or the free one where it belongs."""
    size = np.uint64(slots.shape[0])
    slot = (width.hash_of(wanted, number) * size) >> np.uint64(32)
    while True:
        index = np.int64(slots[slot])
        if index == 0 or width.is_same(keys, index - 1, wanted, number):
            return slot
        slot += ONE
        if slot == size:
            slot = ZERO


def search(most_cells, tables, memo, scratch, cells, out, missed, keys, slots, layers, control, stop):
    """Continue a breadth-first search until it is done or needs its caller: `DONE`, `FULL` or `PAUSED`.

    `layers[d]` is the index of the first state of depth d; `layers[control[LAYER] + 1]` and all before it are known.
    `out` and `missed` have room for the successors of `width.BATCH` states, `keys` for as many beyond the capacity.
    `stop` is a byte that another thread may set to 1.
    """
    goal_mask, goal_value = width.key_of(tables[9]), width.key_of(tables[10])
    size = np.uint64(slots.shape[0])
    head, count, layer, goal = control[HEAD], control[COUNT], control[LAYER], control[GOAL]
    deepest, capacity, want = control[DEEPEST], control[CAPACITY], control[WANT]
    end = layers[layer + 1]
    last = head + control[BUDGET]
    has_memo = memo[0].shape[0] > 0
    batches = 0
    while True:
        if head == end:
            if count == end or layer == deepest or (goal >= 0 and want == GOAL_LAYER):
                status = DONE
                break
            layer += 1
            layers[layer + 1] = count
            end = count
        if count >= capacity:
            status = FULL
            break
        batches += 1
        if head >= last or (batches % BATCHES_BETWEEN_LOOKS == 0 and stop[0]):
            status = PAUSED
            break
        after = min(head + width.BATCH, end)
        if has_memo:
            found = recall(keys, head, after, most_cells, tables, memo, out)
        else:
            found = kernels.expand(keys, head, after, most_cells, tables, scratch, cells, out, missed)
        head = after
        for i in range(found):
            missed[i] = slots[(width.hash_of(out, i) * size) >> np.uint64(32)]
        misses = 0
        for i in range(found):
            # An empty slot is compared with the root, which has a slot and cannot be what is looked for here.
            known = width.is_same(keys, max(missed[i] - 1, 0), out, i)
            missed[misses] = i
            misses += not known
        for number in range(misses):
            new = missed[number]
            slot = find(out, new, keys, slots)
            if slots[slot] == 0:
                width.copy(out, new, keys, count)
                if goal < 0 and width.matches(out, new, goal_mask, goal_value):
                    goal = count
                count += 1
                slots[slot] = count
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control[HEAD], control[COUNT], control[LAYER], control[GOAL] = head, count, layer, goal
    return status


def fill(keys, count, slots):
    """Enter the first `count` of `keys`, all different, into a table of empty `slots`."""
    size = np.uint64(slots.shape[0])
    for index in range(count):
        slot = (width.hash_of(keys, index) * size) >> np.uint64(32)
        while slots[slot] != 0:  # different keys need not be compared
            slot += ONE
            if slot == size:
                slot = ZERO
        slots[slot] = index + 1


def look_up(wanted, keys, slots, indices):
    """Write the index in `keys` of each of the keys `wanted` to `indices`, -1 for one that is not there."""
    for number in range(wanted.shape[0]):
        indices[number] = np.int64(slots[find(wanted, number, keys, slots)]) - 1


def trace(most_cells, tables, scratch, cells, out, origin, keys, slots, layers, path):
    """Fill `path` with the indices on one path from a root to the state `path[-1]`; `tables` are the reversed ones."""
    for depth in range(path.shape[0] - 2, -1, -1):
        here = path[depth + 1]
        found = kernels.expand(keys, here, here + 1, most_cells, tables, scratch, cells, out, origin)
        nearest = layers[depth + 1]
        for i in range(found):
            index = np.int64(slots[find(out, i, keys, slots)]) - 1
            if layers[depth] <= index < nearest:
                nearest = index
        path[depth] = nearest


def _instance(width_module: ModuleType, expansion: ModuleType, memory: Any, tag: str) -> ModuleType:
    keys, number = width_module.KEYS, types.int64
    step = (number, TABLES_TYPE)
    room = (SCRATCH, WORDS, keys, INDICES)
    return specialise(
        [
            (find, None),
            (search, number(*step[:2], MEMO_TYPE, *room, keys, SLOTS, INDICES, INDICES, FLAG)),
            (fill, types.void(keys, number, SLOTS)),
            (look_up, types.void(keys, keys, SLOTS, INDICES)),
            (trace, types.void(*step, *room, keys, SLOTS, INDICES, INDICES)),
        ],
        {"width": width_module, "kernels": expansion, "recall": memory},
        tag,
    )


ONE_WORD = _instance(one_word, steps.ONE_WORD, recall, "one_word")
MANY_WORDS = _instance(many_words, steps.MANY_WORDS, recall_nothing, "many_words")
