"""Kernels for boards of at most 64 open cells whose keys fit into one word: nearly all there are.

The twins in wide.py do the same for any board. Breadth-first search keeps its states in the order in which it found
them, so that a layer is a range of `keys`; `slots` is an open hash table of indices into it.

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

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from puzzles.klotski.memo import MEMO_TYPE, ONE, ZERO, mix, reach, recall
from puzzles.klotski.tables import TABLES_TYPE

HEAD, COUNT, LAYER, GOAL, WANT, BUDGET, DEEPEST, CAPACITY = range(8)
CONTROL_SIZE = 8
FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
MOST_LAYERS = 1 << 16

_KEYS = types.Array(types.uint64, 1, "C")
_SLOTS = types.Array(types.uint32, 1, "C")
_SCRATCH = types.Array(types.int32, 2, "C")
_I64 = types.Array(types.int64, 1, "C")
_FLAG = types.Array(types.uint8, 1, "C")

PLACE, FIELD, STACK, SEEN = range(4)
BATCH = 16
"""States expanded before their successors are looked up, all together: so the memory is asked for many at once."""


@kernel(types.int64(_KEYS, types.int64, types.int64, types.int64, TABLES_TYPE, _SCRATCH, _KEYS, _I64))
def expand(keys, begin, end, metric, tables, scratch, out, origin):
    """Write the keys one step of the metric away from each of `keys[begin:end]` to `out`, each once for each.

    Their number; `origin` gets the index of the key that each comes from. `scratch` has 4 rows of at least one entry
    a piece.
    """
    mask, ring, step, class_of, _, code, class_first, class_is_list, fields, _, _ = tables
    place, field_of, movable = scratch[PLACE], scratch[FIELD], scratch[STACK]
    found = 0
    for state in range(begin, end):
        key = keys[state]
        pieces = 0
        free = ~ZERO
        for field in range(fields.shape[0]):
            bits = np.uint64(fields[field, 2])
            value = key >> np.uint64(fields[field, 1])
            if bits < np.uint64(64):
                value &= (ONE << bits) - ONE
            base = fields[field, 4]
            if fields[field, 3]:
                while value != ZERO:
                    at = base + np.int64(count_trailing_zeros(value))
                    value &= value - ONE
                    place[pieces] = at
                    field_of[pieces] = field
                    free ^= mask[at, 0]
                    pieces += 1
            else:
                at = base + np.int64(value)
                place[pieces] = at
                field_of[pieces] = field
                free ^= mask[at, 0]
                pieces += 1
        some = 0
        for piece in range(pieces):
            movable[some] = piece
            start = np.int64(place[piece])
            some += ring[start, 0] & free != ZERO
        for number in range(some):
            piece = np.int64(movable[number])
            start = np.int64(place[piece])
            base = fields[field_of[piece], 4]
            ends = reach(start, base, free, metric, mask, step)
            kind = np.int64(class_of[start])
            if class_is_list[kind] == 0:
                rest = key - code[start]
                while ends != ZERO:
                    out[found] = rest + code[base + np.int64(count_trailing_zeros(ends))]
                    origin[found] = state
                    ends &= ends - ONE
                    found += 1
                continue
            first, last = np.int64(class_first[kind]), np.int64(class_first[kind + 1])
            while ends != ZERO:
                to = base + np.int64(count_trailing_zeros(ends))
                ends &= ends - ONE
                # The new number goes to its place in the sorted list; what it passes moves over by one.
                changed = key
                j = piece
                while j + 1 < last and place[j + 1] < to:
                    changed += np.uint64(place[j + 1] - place[j]) << np.uint64(fields[field_of[j], 1])
                    j += 1
                while j > first and place[j - 1] > to:
                    changed -= np.uint64(place[j] - place[j - 1]) << np.uint64(fields[field_of[j], 1])
                    j -= 1
                shift = np.uint64(fields[field_of[j], 1])
                if to >= place[j]:
                    changed += np.uint64(to - place[j]) << shift
                else:
                    changed -= np.uint64(place[j] - to) << shift
                out[found] = changed
                origin[found] = state
                found += 1
    return found


@kernel(
    types.int64(
        types.int64, TABLES_TYPE, MEMO_TYPE, _SCRATCH, _KEYS, _I64, _KEYS, _SLOTS, _I64, _I64, _FLAG
    )
)  # fmt: skip
def search(metric, tables, memo, scratch, out, missed, keys, slots, layers, control, stop_flag):
    """Go on with a breadth-first search until it is done or its caller is wanted: `DONE`, `FULL` or `PAUSED`.

    `layers[d]` is the index of the first state of depth d; `layers[control[LAYER] + 1]` and all before it are known.
    `out` and `missed` have room for the successors of `BATCH` states, `keys` for as many beyond the capacity.
    """
    goal_mask, goal_value = tables[9][0], tables[10][0]
    size = np.uint64(slots.shape[0])
    head, count, layer, goal = control[HEAD], control[COUNT], control[LAYER], control[GOAL]
    deepest, capacity = control[DEEPEST], control[CAPACITY]
    end = layers[layer + 1]
    want = control[WANT]
    last = head + control[BUDGET]
    recalls = memo[0].shape[0] > 0
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
        if head >= last or (batches & 63 == 0 and stop_flag[0]):
            status = PAUSED
            break
        after = min(head + BATCH, end)
        if recalls:
            found = recall(keys, head, after, metric, tables, memo, out)
        else:
            found = expand(keys, head, after, metric, tables, scratch, out, missed)
        head = after
        for i in range(found):
            missed[i] = slots[(mix(ZERO, out[i]) * size) >> np.uint64(32)]
        misses = 0
        for i in range(found):
            # An empty slot is compared with the root, which has a slot and can't be what is looked for here.
            known = keys[max(missed[i] - 1, 0)] == out[i]
            missed[misses] = i
            misses += not known
        for number in range(misses):
            key = out[missed[number]]
            slot = (mix(ZERO, key) * size) >> np.uint64(32)
            while True:
                index = slots[slot]
                if index == 0:
                    keys[count] = key
                    count += 1
                    slots[slot] = count
                    if goal < 0 and key & goal_mask == goal_value:
                        goal = count - 1
                    break
                if keys[np.int64(index) - 1] == key:
                    break
                slot += ONE
                if slot == size:
                    slot = ZERO
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control[HEAD], control[COUNT], control[LAYER], control[GOAL] = head, count, layer, goal
    return status
