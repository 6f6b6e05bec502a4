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
from puzzles.klotski.tables import TABLES_TYPE

HEAD, COUNT, LAYER, GOAL, WANT, BUDGET, DEEPEST, CAPACITY = range(8)
CONTROL_SIZE = 8
MOVE, LINE, UNIT = range(3)
FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
MOST_LAYERS = 1 << 16

_KEYS = types.Array(types.uint64, 1, "C")
_SLOTS = types.Array(types.uint32, 1, "C")
_SCRATCH = types.Array(types.int32, 2, "C")
_I64 = types.Array(types.int64, 1, "C")
_FLAG = types.Array(types.uint8, 1, "C")

MIX = np.uint64(0x9E3779B97F4A7C15)
ZERO = np.uint64(0)
ONE = np.uint64(1)
PLACE, FIELD, STACK, SEEN = range(4)


@kernel(types.uint64(types.uint64, types.uint64), forceinline=True)
def mix(hashed, word):
    """A hash of 32 bits of what was hashed before and one more word."""
    hashed = (hashed ^ word) * MIX
    hashed ^= hashed >> np.uint64(29)
    return (hashed * MIX) >> np.uint64(32)


@kernel(types.int64(types.uint64, types.int64, TABLES_TYPE, _SCRATCH, _KEYS), forceinline=True)
def successors(key, metric, tables, scratch, out):
    """Write the keys one step of the metric away from `key` to `out`, each once; their number.

    `scratch` has 4 rows of two more than there are placements; its row SEEN must come zeroed and is left so.
    """
    mask, ring, step, class_of, _, code, class_first, class_is_list, fields, _, _ = tables
    place, field_of, stack, seen = scratch[PLACE], scratch[FIELD], scratch[STACK], scratch[SEEN]
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
                free ^= mask[at, 0]
                pieces += 1
        else:
            at = base + np.int64(value)
            place[pieces] = at
            field_of[pieces] = field
            free ^= mask[at, 0]
            pieces += 1
    found = 0
    for piece in range(pieces):
        start = np.int64(place[piece])
        if ring[start, 0] & free == ZERO:
            continue
        taken = ~(free | mask[start, 0])
        reached = 0
        if metric == MOVE:
            seen[start] = 1
            stack[0] = start
            todo = 0
            while todo <= reached:
                at = np.int64(stack[todo])
                todo += 1
                for direction in range(4):
                    to = np.int64(step[at, direction])
                    if to >= 0 and mask[to, 0] & taken == ZERO and seen[to] == 0:
                        seen[to] = 1
                        reached += 1
                        stack[reached] = to
            for i in range(reached + 1):
                seen[stack[i]] = 0
        else:
            for direction in range(4):
                to = np.int64(step[start, direction])
                while to >= 0 and mask[to, 0] & taken == ZERO:
                    reached += 1
                    stack[reached] = to
                    if metric == UNIT:
                        break
                    to = np.int64(step[to, direction])
        kind = np.int64(class_of[start])
        if class_is_list[kind] == 0:
            for i in range(1, reached + 1):
                out[found] = key - code[start] + code[stack[i]]
                found += 1
            continue
        first, last = np.int64(class_first[kind]), np.int64(class_first[kind + 1])
        for i in range(1, reached + 1):
            to = np.int64(stack[i])
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
            found += 1
    return found


@kernel(types.int64(types.int64, TABLES_TYPE, _SCRATCH, _KEYS, _KEYS, _SLOTS, _I64, _I64, _FLAG))
def search(metric, tables, scratch, out, keys, slots, layers, control, stop_flag):
    """Go on with a breadth-first search until it is done or its caller is wanted: `DONE`, `FULL` or `PAUSED`.

    `layers[d]` is the index of the first state of depth d; `layers[control[LAYER] + 1]` and all before it are known.
    """
    goal_mask, goal_value = tables[9][0], tables[10][0]
    size = np.uint64(slots.shape[0])
    head, count, layer, goal = control[HEAD], control[COUNT], control[LAYER], control[GOAL]
    deepest, capacity = control[DEEPEST], control[CAPACITY]
    end = layers[layer + 1]
    want = control[WANT]
    last = head + control[BUDGET]
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
        if head >= last or (head & 255 == 0 and stop_flag[0]):
            status = PAUSED
            break
        found = successors(keys[head], metric, tables, scratch, out)
        head += 1
        for i in range(found):
            key = out[i]
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


@kernel(types.int64(_KEYS, types.int64, TABLES_TYPE, _SCRATCH, _KEYS, _KEYS, _I64))
def expand(keys, metric, tables, scratch, out, found, origin):
    """Write the successors of each of `keys` to `found`, and to `origin` whose they are, in order; their number."""
    count = 0
    for i in range(keys.shape[0]):
        here = successors(keys[i], metric, tables, scratch, out)
        for j in range(here):
            found[count] = out[j]
            origin[count] = i
            count += 1
    return count
