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
| BATCH | states to expand before their successors are looked up |
"""

from types import ModuleType
from typing import Any

import numpy as np
from numba.core import types

from junqi_engine.kernels import inlined, specialise
from junqi_puzzles.klotski import many_words, one_word, steps
from junqi_puzzles.klotski import one_word as width
from junqi_puzzles.klotski.memo import LAST_MOVES, MEMO_TYPE, REFUSED, recall
from junqi_puzzles.klotski.one_word import ONE, ZERO
from junqi_puzzles.klotski.steps import INDICES, SCRATCH, WORDS
from junqi_puzzles.klotski.steps import ONE_WORD as kernels
from junqi_puzzles.klotski.tables import TABLES_TYPE

HEAD, COUNT, LAYER, GOAL, WANT, BUDGET, DEEPEST, CAPACITY, BATCH = range(9)
CONTROL_SIZE = 9
FIRST_GOAL, GOAL_LAYER, EVERYTHING = range(3)
DONE, FULL, PAUSED = range(3)
TAIL, DEPTH, END, LINKS = range(1, 5)
MOST_LAYERS = 1 << 16
BATCHES_BETWEEN_LOOKS = 64
"""How many batches are expanded between two looks at the stop flag."""

SLOTS = types.Array(types.uint32, 1, "C")
FLAG = types.Array(types.uint8, 1, "C")
PAIRS = types.Array(types.int64, 2, "C")


@inlined
def recall_nothing(keys, begin, end, most_cells, tables, memo, last_moves, ring_bits, is_recent, out, moved):
    """In place of `recall` for keys of many words, which have no memo."""
    return REFUSED


def find(wanted, number, keys, slots):
    """The slot that has the key `wanted[number]`, or the free one where it belongs."""
    size = np.uint64(slots.shape[0])
    slot = (width.hash_of(wanted, number) * size) >> np.uint64(32)
    while True:
        index = np.uint64(slots[slot])
        if index == ZERO or width.is_same(keys, index - ONE, wanted, number):
            return slot
        slot += ONE
        if slot == size:
            slot = ZERO


def search(
    most_cells, tables, memo, scratch, cells, out, missed, moved, keys, slots, last_moves, layers, control, stop
):
    """Continue a breadth-first search until it is done or needs its caller: `DONE`, `FULL` or `PAUSED`.

    `layers[d]` is the index of the first state of depth d; `layers[control[LAYER] + 1]` and all before it are known.
    `out`, `missed` and `moved` have room for the successors of one batch of states, `keys` for as many beyond the
    capacity. `last_moves` is a ring, a power of two long: for each of the newest states the move of the memo that led
    to it, or 0. `stop` is a byte that another thread may set to 1.
    """
    goal_mask, goal_value = width.key_of(tables[9]), width.key_of(tables[10])
    size = np.uint64(slots.shape[0])
    head, count, layer, goal = control[HEAD], control[COUNT], control[LAYER], control[GOAL]
    deepest, capacity, want, batch = control[DEEPEST], control[CAPACITY], control[WANT], control[BATCH]
    end = layers[layer + 1]
    last = head + control[BUDGET]
    ring_bits = last_moves.shape[0] - 1
    has_memo = memo[1].shape[0] > 0
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
        after = min(head + batch, end)
        if has_memo:
            is_recent = count - head <= last_moves.shape[0]
            found = recall(keys, head, after, most_cells, tables, memo, last_moves, ring_bits, is_recent, out, moved)
            has_memo = found != REFUSED
        if not has_memo:
            found = kernels.expand(keys, head, after, most_cells, tables, scratch, cells, out, missed)
        head = after
        for i in range(found):
            missed[i] = slots[(width.hash_of(out, i) * size) >> np.uint64(32)]
        misses = ZERO  # indices without a sign need no test for negative ones
        for i in range(found):
            # An empty slot is compared with the root, which has a slot and cannot be what is looked for here.
            index = np.uint64(missed[i])
            known = width.is_same(keys, index - np.uint64(index != ZERO), out, i)
            missed[misses] = i
            misses += np.uint64(not known)
        for number in range(misses):
            new = np.uint64(missed[number])
            slot = find(out, new, keys, slots)
            if slots[slot] == 0:
                width.copy(out, new, keys, np.uint64(count))
                if goal < 0 and width.matches(out, new, goal_mask, goal_value):
                    goal = count
                last_moves[np.uint64(count & ring_bits)] = moved[new] if has_memo else np.uint32(0)
                count += 1
                slots[slot] = count
        if goal >= 0 and want == FIRST_GOAL:
            status = DONE
            break
    control[HEAD], control[COUNT], control[LAYER], control[GOAL] = head, count, layer, goal
    return status


def fill(keys, begin, end, slots):
    """Enter `keys[begin:end]`, which differ from each other and from those that are there, into the table `slots`."""
    size = np.uint64(slots.shape[0])
    for index in range(begin, end):
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


def link(most_cells, tables, scratch, cells, out, origin, keys, slots, layers, nearest_only, seen, queue, links, at):
    """Write the links of shortest paths to some states of one depth, backwards; `tables` are the reversed ones.

    A link is a state and one a step after it; those to deeper states come first. At the beginning the states are
    `queue[:at[TAIL]]`, `at[END]` is `at[TAIL]`, `at[DEPTH]` their depth, the rest of `at` is 0; at the end there are
    `at[LINKS]` links. With `nearest_only` each state gets one link, from the first of those before it; otherwise all,
    and `seen` has a 0 for each state. False when `links` is full and the caller is to make room and call again.
    """
    head, tail, depth, end, count = at[HEAD], at[TAIL], at[DEPTH], at[END], at[LINKS]
    is_full = False
    while depth > 0 and head < tail:
        is_full = count + out.shape[0] > links.shape[0]
        if is_full:
            break
        here = queue[head]
        head += 1
        found = kernels.expand(keys, here, here + 1, most_cells, tables, scratch, cells, out, origin)
        nearest = layers[depth]
        for i in range(found):
            index = np.int64(slots[find(out, i, keys, slots)]) - 1
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
    at[HEAD], at[TAIL], at[DEPTH], at[END], at[LINKS] = head, tail, depth, end, count
    return not is_full


def _instance(width_module: ModuleType, expansion: ModuleType, memory: Any, tag: str) -> ModuleType:
    keys, number = width_module.KEYS, types.int64
    step = (number, TABLES_TYPE)
    room = (SCRATCH, WORDS, keys, INDICES)
    return specialise(
        [
            (find, None),
            (search, number(*step[:2], MEMO_TYPE, *room, LAST_MOVES, keys, SLOTS, LAST_MOVES, INDICES, INDICES, FLAG)),
            (fill, types.void(keys, number, number, SLOTS)),
            (look_up, types.void(keys, keys, SLOTS, INDICES)),
            (link, types.boolean(*step, *room, keys, SLOTS, INDICES, types.boolean, FLAG, INDICES, PAIRS, INDICES)),
        ],
        {"width": width_module, "kernels": expansion, "recall": memory},
        tag,
    )


ONE_WORD = _instance(one_word, steps.ONE_WORD, recall, "one_word")
MANY_WORDS = _instance(many_words, steps.MANY_WORDS, recall_nothing, "many_words")
