"""The kernels of breadth-first search, and the hash table of states.

States lie in the order in which they were found, so a layer is a range of `keys`; `slots` is an open hash table of
indices into it, each one more than the index, 0 where it is free.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from junqi_engine.kernels import STOP_TYPE, inlined, kernel, record_type
from junqi_puzzles.klotski.memo import LAST_MOVES, MEMO_TYPE, REFUSED, expand_from_memo, mix
from junqi_puzzles.klotski.steps import INDICES, ONE, SCRATCH, ZERO, expand
from junqi_puzzles.klotski.tables import TABLES_TYPE, WORDS
from junqi_puzzles.klotski.words import folded

FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
MAX_LAYERS = 1 << 16
BATCHES_BETWEEN_LOOKS = 64
"""How many batches are expanded between two looks at the stop flag."""

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
"""What a search and its caller share."""
LINKING = np.dtype([(name, np.int64) for name in ("head", "tail", "depth", "end", "links")], align=True)
"""How far `link` is: the next state of its queue, the queue's end, the depth of the states, their end, the links."""


class Buffers(NamedTuple):
    """Scratch memory for the successors of one batch of states: see `expand`, and `expand_from_memo` for `moved`."""

    scratch: np.ndarray
    out: np.ndarray
    origin: np.ndarray
    moved: np.ndarray


class StateStore(NamedTuple):
    """The states found.

    `keys` has room for one batch of successors beyond the capacity. `layers[d]` is the index of the first state of
    depth d; that of the layer after the one that is being expanded and all before it are known. `last_moves` is a ring,
    a power of two long: for each of the newest states the move of the memo that led to it, or 0.
    """

    keys: np.ndarray
    slots: np.ndarray
    layers: np.ndarray
    last_moves: np.ndarray


SLOTS = types.Array(types.uint32, 1, "C")
BUFFERS_TYPE = types.NamedTuple((SCRATCH, WORDS, INDICES, LAST_MOVES), Buffers)
STORE_TYPE = types.NamedTuple((WORDS, SLOTS, INDICES, LAST_MOVES), StateStore)


@inlined
def slot_of(key, size):
    """The slot at which to look first for a key."""
    return (mix(ZERO, folded(key)) * size) >> np.uint64(32)


@inlined
def find(key, keys, slots):
    """The slot that has a key, or the free one where it belongs."""
    size = np.uint64(slots.shape[0])
    slot = slot_of(key, size)
    while True:
        index = np.uint64(slots[slot])
        if index == ZERO or keys[index - ONE] == key:
            return slot
        slot += ONE
        if slot == size:
            slot = ZERO


@kernel(
    types.int64(types.int64, TABLES_TYPE, WORDS, MEMO_TYPE, BUFFERS_TYPE, STORE_TYPE, record_type(CONTROL), STOP_TYPE)
)
def search(max_cells, tables, goals, memo, buffers, states, control, stop):
    """Continue a breadth-first search until it is done or needs its caller: `DONE`, `FULL` or `PAUSED`.

    `goals` has the mask and the value of goals. `memo` is None for wide words. `stop` is a byte that another thread may
    set to 1.
    """
    keys, slots, layers, last_moves = states.keys, states.slots, states.layers, states.last_moves
    out, missed, moved = buffers.out, buffers.origin, buffers.moved
    goal_mask, goal_value = goals[0], goals[1]
    size = np.uint64(slots.shape[0])
    head, count, layer, goal = control.head, control.count, control.layer, control.goal
    max_depth, capacity, want, batch = control.max_depth, control.capacity, control.want, control.batch
    end = layers[layer + 1]
    last = head + control.budget
    ring_bits = last_moves.shape[0] - 1
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
            is_recent = count - head <= last_moves.shape[0]
            found = expand_from_memo(
                keys, head, after, max_cells, tables, memo, last_moves, ring_bits, is_recent, out, moved
            )
            has_memo = found != REFUSED
        if not has_memo:
            found = expand(keys, head, after, max_cells, tables, buffers.scratch, out, missed)
        head = after
        for i in range(found):
            missed[i] = slots[slot_of(out[i], size)]
        misses = ZERO  # indices without a sign need no test for negative ones
        for i in range(found):
            # An empty slot is compared with the root, which has a slot and cannot be what is looked for here.
            index = np.uint64(missed[i])
            known = keys[index - np.uint64(index != ZERO)] == out[i]
            missed[misses] = i
            misses += np.uint64(not known)
        for number in range(misses):
            new = np.uint64(missed[number])
            key = out[new]
            slot = find(key, keys, slots)
            if slots[slot] == 0:
                keys[np.uint64(count)] = key
                if goal < 0 and key & goal_mask == goal_value:
                    goal = count
                last_moves[np.uint64(count & ring_bits)] = moved[new] if has_memo else np.uint32(0)
                count += 1
                slots[slot] = count
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control.head, control.count, control.layer, control.goal = head, count, layer, goal
    return status


@kernel(types.void(WORDS, types.int64, types.int64, SLOTS))
def fill(keys, begin, end, slots):
    """Enter `keys[begin:end]`, which differ from each other and from those that are there, into the table `slots`."""
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
    """Write the index in `keys` of each of the keys `wanted` to `indices`, -1 for one that is not there."""
    for number in range(wanted.shape[0]):
        indices[number] = np.int64(slots[find(wanted[number], keys, slots)]) - 1


@kernel(
    types.boolean(
        types.int64, TABLES_TYPE, BUFFERS_TYPE, STORE_TYPE, types.boolean, STOP_TYPE, INDICES,
        types.Array(types.int64, 2, "C"), record_type(LINKING),
    )
)  # fmt: skip
def link(max_cells, tables, buffers, states, nearest_only, seen, queue, links, linking):
    """Write the links of shortest paths to some states of one depth, backwards; `tables` are the reversed ones.

    A link is a state and one a step after it; those to deeper states come first. At the beginning the states are
    `queue[: linking.tail]`, `linking.end` is `linking.tail`, `linking.depth` their depth, the rest of `linking` is 0;
    at the end there are `linking.links` links. With `nearest_only` each state gets one link, from the first of those
    before it; otherwise all, and `seen` has a 0 for each state. False when `links` is full and the caller is to make
    room and call again.
    """
    keys, slots, layers, out = states.keys, states.slots, states.layers, buffers.out
    head, tail, depth, end, count = linking.head, linking.tail, linking.depth, linking.end, linking.links
    is_full = False
    while depth > 0 and head < tail:
        is_full = count + out.shape[0] > links.shape[0]
        if is_full:
            break
        here = queue[head]
        head += 1
        found = expand(keys, here, here + 1, max_cells, tables, buffers.scratch, out, buffers.origin)
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
