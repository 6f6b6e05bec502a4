"""The kernels of breadth-first search, and the hash table of states.

States lie in the order in which they were found, so a layer is a range of `keys`. `slots` is an open hash table of
indices into it, plus one; 0 is an empty slot.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.kernels import STOP_TYPE, inlined, kernel, record_type
from junqi_puzzles.klotski.memo import MEMO_TYPE, REFUSED, expand_from_memo, mix
from junqi_puzzles.klotski.steps import BUFFERS_TYPE, INDICES, MOVE_NUMBERS, ONE, ZERO, expand
from junqi_puzzles.klotski.tables import TABLES_TYPE, WORDS
from junqi_puzzles.klotski.words import folded

FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
MAX_LAYERS = 1 << 16
BATCHES_BETWEEN_LOOKS = 64
"""Batches that are expanded between two looks at the stop flag."""

CONTROL = np.dtype(
    [
        ("head", np.int64),  # the next state to expand
        ("count", np.int64),  # states found
        ("layer", np.int64),  # the depth of the layer that is being expanded
        ("goal", np.int64),  # the first goal that was found, or -1
        ("want", np.int64),  # `FIRST_GOAL`, `GOAL_LAYER` (end with the layer before the first goals) or `EVERYTHING`
        ("budget", np.int64),  # states to expand before returning to the caller
        ("max_depth", np.int64),  # the last layer to expand
        ("capacity", np.int64),  # the number of states at which to return for more room
        ("batch", np.int64),  # states to expand before their successors are looked up
    ],
    align=True,
)
"""The state of a search, which the kernel shares with its caller."""
LINKING = np.dtype(
    [
        ("nearest_only", np.int64),  # 1: one link from each state, to the first state before it
        ("head", np.int64),  # the next state of the queue
        ("tail", np.int64),  # the end of the queue
        ("depth", np.int64),  # the depth of the states
        ("end", np.int64),  # the end of the states of this depth in the queue
        ("links", np.int64),  # links written
    ],
    align=True,
)
"""The state of `link`, which the kernel shares with its caller."""


class StateStore(NamedTuple):
    """The states found.

    `keys` has room for one batch of successors beyond the capacity. `layers[d]` is the index of the first state of
    depth d, up to the layer after the one that is being expanded. `last_moves` is a ring, a power of two long: for each
    of the newest states the move of the memo that led to it, or 0.
    """

    keys: np.ndarray
    slots: np.ndarray
    layers: np.ndarray
    last_moves: np.ndarray


class Paths(NamedTuple):
    """The arrays of `link`: the states to link, a 1 for each state that was in `queue`, and the links (n, 2).

    A link is a state and a state one step after it. With `nearest_only`, `seen` is empty.
    """

    queue: np.ndarray
    seen: np.ndarray
    links: np.ndarray


SLOTS = types.Array(types.uint32, 1, "C")
STORE_TYPE = types.NamedTuple((WORDS, SLOTS, INDICES, MOVE_NUMBERS), StateStore)
PATHS_TYPE = types.NamedTuple((INDICES, STOP_TYPE, types.Array(types.int64, 2, "C")), Paths)


@inlined
def slot_of(key, size):
    """The first slot to try for a key."""
    return (mix(ZERO, folded(key)) * size) >> np.uint64(32)


@inlined
def find(key, keys, slots):
    """The slot of a key, or the empty slot where it belongs."""
    size = np.uint64(slots.shape[0])
    slot = slot_of(key, size)
    while True:
        index = np.uint64(slots[slot])
        if index == ZERO or keys[index - ONE] == key:
            return slot
        slot += ONE
        if slot == size:
            slot = ZERO


@inlined
def find_unknown(found, keys, slots, buffers):
    """Write the indices of the keys `out[:found]` that are not in the table to `origin`; returns their number.

    A key whose slot is taken by another may be among them. The look-ups do not depend on each other, so the
    reads of memory run at the same time.
    """
    out, missed = buffers.out, buffers.origin
    size = np.uint64(slots.shape[0])
    for i in range(found):
        missed[i] = slots[slot_of(out[i], size)]
    misses = ZERO  # indices without a sign need no test for negative ones
    for i in range(found):
        # An empty slot (0) is compared with the root, `keys[0]`; a successor equal to the root finds the root's slot.
        index = np.uint64(missed[i])
        known = keys[index - np.uint64(index != ZERO)] == out[i]
        missed[misses] = i
        misses += np.uint64(not known)
    return misses


@kernel(types.int64(TABLES_TYPE, MEMO_TYPE, BUFFERS_TYPE, STORE_TYPE, record_type(CONTROL), STOP_TYPE))
def search(tables, memo, buffers, states, control, stop):
    """Continue a breadth-first search until it is done or needs its caller: `DONE`, `FULL` or `PAUSED`.

    `memo` is None for wide words. `stop` is a byte that another thread may set to 1.
    """
    keys, slots, layers, last_moves = states.keys, states.slots, states.layers, states.last_moves
    out, missed, moved = buffers.out, buffers.origin, buffers.moved
    goal_mask, goal_value = tables.goal[0], tables.goal[1]
    head, count, layer, goal = control.head, control.count, control.layer, control.goal
    max_depth, capacity, want, batch = control.max_depth, control.capacity, control.want, control.batch
    end = layers[layer + 1]
    last = head + control.budget
    ring_size = last_moves.shape[0]  # a power of two
    has_memo = memo is not None
    batches = 0
    while True:
        if head == end:
            if count == end or layer == max_depth or (goal >= 0 and want == GOAL_LAYER):
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
        after = min(head + batch, end)
        if memo is not None and has_memo:
            is_recent = count - head <= ring_size
            for i in range(after - head):
                buffers.last_moves[i] = last_moves[np.uint64(head + i & ring_size - 1)] if is_recent else np.uint32(0)
            found = expand_from_memo(keys, head, after, tables, memo, buffers)
            has_memo = found != REFUSED
        if not has_memo:
            found = expand(keys, head, after, tables, buffers)
        head = after
        for i in range(find_unknown(found, keys, slots, buffers)):
            new = np.uint64(missed[i])
            key = out[new]
            slot = find(key, keys, slots)
            if slots[slot] == 0:
                keys[np.uint64(count)] = key
                if goal < 0 and key & goal_mask == goal_value:
                    goal = count
                last_moves[np.uint64(count & ring_size - 1)] = moved[new] if has_memo else np.uint32(0)
                count += 1
                slots[slot] = count
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control.head, control.count, control.layer, control.goal = head, count, layer, goal
    return status


@kernel(types.void(WORDS, types.int64, types.int64, SLOTS))
def fill(keys, begin, end, slots):
    """Enter `keys[begin:end]`, all different and new, into the table `slots`."""
    size = np.uint64(slots.shape[0])
    for index in range(begin, end):
        slot = slot_of(keys[index], size)
        while slots[slot] != 0:  # different keys need not be compared
            slot += ONE
            if slot == size:
                slot = ZERO
        slots[slot] = index + 1


@kernel(types.void(WORDS, WORDS, SLOTS, INDICES))
def look_up(wanted, keys, slots, indices):
    """Write the index in `keys` of each of the keys `wanted` to `indices`, -1 for a key that is missing."""
    for i in range(wanted.shape[0]):
        indices[i] = np.int64(slots[find(wanted[i], keys, slots)]) - 1


@kernel(types.boolean(TABLES_TYPE, BUFFERS_TYPE, STORE_TYPE, PATHS_TYPE, record_type(LINKING)))
def link(tables, buffers, states, paths, linking):
    """Write the links of shortest paths to states of one depth, backwards; `tables` are the reversed ones.

    Links to deeper states come first. At the beginning the states are `queue[: linking.tail]`, `linking.end` is
    `linking.tail`, `linking.depth` their depth, `linking.head` and `linking.links` are 0. False if `links` is full: the
    caller makes room and calls again.
    """
    queue, seen, links, nearest_only = paths.queue, paths.seen, paths.links, linking.nearest_only
    keys, slots, layers, out = states.keys, states.slots, states.layers, buffers.out
    head, tail, depth, end, count = linking.head, linking.tail, linking.depth, linking.end, linking.links
    is_full = False
    while depth > 0 and head < tail:
        is_full = count + out.shape[0] > links.shape[0]
        if is_full:
            break
        here = queue[head]
        head += 1
        found = expand(keys, here, here + 1, tables, buffers)
        nearest = layers[depth]
        for i in range(found):
            index = np.int64(slots[find(out[i], keys, slots)]) - 1
            if layers[depth - 1] <= index < layers[depth]:
                nearest = min(nearest, index)
                if not nearest_only:
                    links[count, 0] = index
                    links[count, 1] = here
                    count += 1
                    queue[tail] = index
                    tail += seen[index] == 0
                    seen[index] = 1
        if nearest_only:
            links[count, 0] = nearest
            links[count, 1] = here
            count += 1
            queue[tail] = nearest
            tail += 1
        if head == end:
            depth -= 1
            end = tail
    linking.head, linking.tail, linking.depth, linking.end, linking.links = head, tail, depth, end, count
    return not is_full
