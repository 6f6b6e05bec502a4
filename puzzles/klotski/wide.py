"""The kernels of narrow.py for boards of any size: cells and keys of any number of words.

Keys are rows of `words` words. Everything else, `control` above all, is as it is there.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, kernel
from puzzles.klotski.memo import MOVE, ONE, UNIT, ZERO, mix
from puzzles.klotski.narrow import (
    BUDGET,
    CAPACITY,
    COUNT,
    DEEPEST,
    DONE,
    FIELD,
    FIRST_GOAL,
    FULL,
    GOAL,
    GOAL_LAYER,
    HEAD,
    LAYER,
    PAUSED,
    PLACE,
    SEEN,
    STACK,
    WANT,
)  # fmt: skip
from puzzles.klotski.tables import TABLES_TYPE

_ROWS = types.Array(types.uint64, 2, "C")
_WORDS = types.Array(types.uint64, 1, "C")
_SLOTS = types.Array(types.uint32, 1, "C")
_SCRATCH = types.Array(types.int32, 2, "C")
_I64 = types.Array(types.int64, 1, "C")
_FLAG = types.Array(types.uint8, 1, "C")


@kernel(types.int64(_ROWS, types.int64, types.int64, types.int64, TABLES_TYPE, _SCRATCH, _WORDS, _ROWS, _I64))
def expand(keys, begin, end, metric, tables, scratch, free, out, origin):
    """Write the keys one step of the metric away from each of `keys[begin:end]` to `out`, each once for each.

    Their number; `origin` gets the index of the key that each comes from. `free` is scratch of one word for each word
    of cells; `scratch` has 4 rows of two more than there are placements, its row SEEN zeroed, and is left so.
    """
    mask, _, step, class_of, code_word, code, class_first, class_is_list, fields, _, _ = tables
    place, field_of, stack, seen = scratch[PLACE], scratch[FIELD], scratch[STACK], scratch[SEEN]
    cell_words, words = free.shape[0], out.shape[1]
    found = 0
    for number in range(begin, end):
        pieces = 0
        free[:] = ~ZERO
        for field in range(fields.shape[0]):
            bits = np.uint64(fields[field, 2])
            value = keys[number, fields[field, 0]] >> np.uint64(fields[field, 1])
            if bits < np.uint64(64):
                value &= (ONE << bits) - ONE
            base = fields[field, 4]
            if fields[field, 3]:
                while value != ZERO:
                    place[pieces] = base + np.int64(count_trailing_zeros(value))
                    value &= value - ONE
                    pieces += 1
            else:
                place[pieces] = base + np.int64(value)
                field_of[pieces] = field
                pieces += 1
        for piece in range(pieces):
            for word in range(cell_words):
                free[word] ^= mask[place[piece], word]
        for piece in range(pieces):
            start = np.int64(place[piece])
            for word in range(cell_words):
                free[word] |= mask[start, word]
            reached = 0
            seen[start] = 1
            stack[0] = start
            todo = 0
            while todo <= reached:
                at = np.int64(stack[todo])
                todo += 1
                for direction in range(4):
                    to = np.int64(step[at, direction])
                    while to >= 0 and seen[to] == 0:
                        fits = True
                        for word in range(cell_words):
                            fits = fits and mask[to, word] & ~free[word] == ZERO
                        if not fits:
                            break
                        seen[to] = 1
                        reached += 1
                        stack[reached] = to
                        if metric == UNIT:
                            break
                        to = np.int64(step[to, direction])
                if metric != MOVE:
                    break
            for i in range(reached + 1):
                seen[stack[i]] = 0
            for word in range(cell_words):
                free[word] &= ~mask[start, word]
            kind = np.int64(class_of[start])
            first, last = np.int64(class_first[kind]), np.int64(class_first[kind + 1])
            for i in range(1, reached + 1):
                to = np.int64(stack[i])
                for word in range(words):
                    out[found, word] = keys[number, word]
                if class_is_list[kind] == 0:
                    out[found, code_word[start]] -= code[start]
                    out[found, code_word[to]] += code[to]
                    origin[found] = number
                    found += 1
                    continue
                # The new number goes to its place in the sorted list; what it passes moves over by one.
                j = piece
                while j + 1 < last and place[j + 1] < to:
                    field = field_of[j]
                    passed = np.uint64(place[j + 1] - place[j])
                    out[found, fields[field, 0]] += passed << np.uint64(fields[field, 1])
                    j += 1
                while j > first and place[j - 1] > to:
                    field = field_of[j]
                    passed = np.uint64(place[j] - place[j - 1])
                    out[found, fields[field, 0]] -= passed << np.uint64(fields[field, 1])
                    j -= 1
                field = field_of[j]
                if to >= place[j]:
                    out[found, fields[field, 0]] += np.uint64(to - place[j]) << np.uint64(fields[field, 1])
                else:
                    out[found, fields[field, 0]] -= np.uint64(place[j] - to) << np.uint64(fields[field, 1])
                origin[found] = number
                found += 1
    return found


@kernel(types.int64(_ROWS, types.int64, _ROWS, _SLOTS))
def find(wanted, number, keys, slots):
    """The slot that the key `wanted[number]` is in; or, negative and one less, the free one where it would be."""
    hashed = ZERO
    for word in range(wanted.shape[1]):
        hashed = mix(hashed, wanted[number, word])
    size = np.uint64(slots.shape[0])
    slot = (hashed * size) >> np.uint64(32)
    while True:
        index = np.int64(slots[slot]) - 1
        if index < 0:
            return -1 - np.int64(slot)
        same = True
        for word in range(wanted.shape[1]):
            same = same and keys[index, word] == wanted[number, word]
        if same:
            return np.int64(slot)
        slot += ONE
        if slot == size:
            slot = ZERO


@kernel(types.int64(types.int64, TABLES_TYPE, _SCRATCH, _WORDS, _ROWS, _I64, _ROWS, _SLOTS, _I64, _I64, _FLAG))
def search(metric, tables, scratch, free, out, origin, keys, slots, layers, control, stop_flag):
    """Go on with a breadth-first search until it is done or its caller is wanted; as `search` of narrow.py."""
    goal_mask, goal_value = tables[9], tables[10]
    head, count, layer, goal = control[HEAD], control[COUNT], control[LAYER], control[GOAL]
    deepest, capacity, want = control[DEEPEST], control[CAPACITY], control[WANT]
    end = layers[layer + 1]
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
        found = expand(keys, head, head + 1, metric, tables, scratch, free, out, origin)
        head += 1
        for i in range(found):
            slot = find(out, i, keys, slots)
            if slot >= 0:
                continue
            is_goal = True
            for word in range(keys.shape[1]):
                keys[count, word] = out[i, word]
                is_goal = is_goal and out[i, word] & goal_mask[word] == goal_value[word]
            count += 1
            slots[-1 - slot] = count
            if is_goal and goal < 0:
                goal = count - 1
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control[HEAD], control[COUNT], control[LAYER], control[GOAL] = head, count, layer, goal
    return status


@kernel(types.void(_ROWS, types.int64, _SLOTS))
def fill(keys, count, slots):
    """Enter the first `count` of `keys`, all different, into a table of empty `slots`."""
    size = np.uint64(slots.shape[0])
    for index in range(count):
        hashed = ZERO
        for word in range(keys.shape[1]):
            hashed = mix(hashed, keys[index, word])
        slot = (hashed * size) >> np.uint64(32)
        while slots[slot] != 0:  # different keys need not be compared
            slot += ONE
            if slot == size:
                slot = ZERO
        slots[slot] = index + 1


@kernel(types.void(_ROWS, _ROWS, _SLOTS, _I64))
def look_up(wanted, keys, slots, indices):
    """Write the index in `keys` of each of the keys `wanted` to `indices`, -1 for one that is not there."""
    for number in range(wanted.shape[0]):
        slot = find(wanted, number, keys, slots)
        indices[number] = np.int64(slots[slot]) - 1 if slot >= 0 else -1


@kernel(types.void(types.int64, TABLES_TYPE, _SCRATCH, _WORDS, _ROWS, _I64, _ROWS, _SLOTS, _I64, _I64))
def trace(metric, tables, scratch, free, out, origin, keys, slots, layers, way):
    """Fill `way` with the indices on one way from a root to the state `way[-1]`; `tables` are the reversed ones."""
    for depth in range(way.shape[0] - 2, -1, -1):
        here = way[depth + 1]
        found = expand(keys, here, here + 1, metric, tables, scratch, free, out, origin)
        nearest = layers[depth + 1]
        for i in range(found):
            slot = find(out, i, keys, slots)
            if slot >= 0:
                index = np.int64(slots[slot]) - 1
                if layers[depth] <= index < nearest:
                    nearest = index
        way[depth] = nearest
