"""The kernels that make the successors of a position, for both widths of keys.

`expand` is written once, in terms of the operations of `width`, which is the module one_word.py, or many_words.py in
its other instance. The operations are copied into it, so sets of one word stay in registers and loops over one word
vanish.
"""

import numpy as np
from numba.core import types

from junqi_engine.kernels import count_trailing_zeros, specialise
from junqi_puzzles.klotski import many_words, one_word
from junqi_puzzles.klotski import one_word as width
from junqi_puzzles.klotski.one_word import ONE, ZERO
from junqi_puzzles.klotski.tables import TABLES_TYPE
from junqi_puzzles.metric import ANY_PATH

PLACE, FIELD, MOVABLE, QUEUE, SEEN = range(5)
SCRATCH_ROWS = 5
SCRATCH = types.Array(types.int32, 2, "C")
WORDS = types.Array(types.uint64, 1, "C")
INDICES = types.Array(types.int64, 1, "C")


def reach(start, base, free, most_cells, mask, step, queue, seen):
    """The placements to which the piece at `start` can go in one step, and `start` itself, as a set of `width`.

    `free` are the empty cells and those of the piece; `base` is the first placement of its class. The order of the set
    is the order in which successors are made.
    """
    found = width.only(start, base, queue, seen)
    done = found
    at = start
    while True:
        for direction in range(4):
            cells = 0
            to = np.int64(step[at, direction])
            while to >= 0 and not width.has(found, to, base, seen) and width.holds(free, mask, to):
                found = width.put(found, to, base, queue, seen)
                cells += 1
                if cells == most_cells:
                    break
                to = np.int64(step[to, direction])
        if most_cells != ANY_PATH or done == found:
            return found
        at = width.next_after(done, found, base, queue)
        done = width.with_next(done, found)


def move_in_list(keys, index, piece, to, begin, end, place, field_of, fields):
    """Change the key `keys[index]` so that a piece of a sorted list goes to the placement `to`.

    The list is `place[begin:end]`. The new number goes to its place in it; those it passes move by one.
    """
    j = piece
    while j + 1 < end and place[j + 1] < to:
        field = field_of[j]
        width.add(keys, index, fields[field, 0], np.uint64(place[j + 1] - place[j]) << np.uint64(fields[field, 1]))
        j += 1
    while j > begin and place[j - 1] > to:
        field = field_of[j]
        width.subtract(keys, index, fields[field, 0], np.uint64(place[j] - place[j - 1]) << np.uint64(fields[field, 1]))
        j -= 1
    field = field_of[j]
    if to >= place[j]:
        width.add(keys, index, fields[field, 0], np.uint64(to - place[j]) << np.uint64(fields[field, 1]))
    else:
        width.subtract(keys, index, fields[field, 0], np.uint64(place[j] - to) << np.uint64(fields[field, 1]))


def expand(keys, begin, end, most_cells, tables, scratch, cells, out, origin):
    """Write the keys one step away from each of `keys[begin:end]` to `out`, each once for each of them.

    Returns their number. `origin` gets the index of the key that each comes from. `scratch` has `SCRATCH_ROWS` rows of
    two entries more than there are placements; its row SEEN is all 0 and remains so. `cells` is scratch memory of one
    word for each word of cells.
    """
    mask, ring, step, class_of, code_word, code, class_first, class_is_list, fields, _, _ = tables
    place, field_of, movable = scratch[PLACE], scratch[FIELD], scratch[MOVABLE]
    queue, seen = scratch[QUEUE], scratch[SEEN]
    found = 0
    for state in range(begin, end):
        pieces = 0
        free = width.all_cells(cells)
        for field in range(fields.shape[0]):
            bits = np.uint64(fields[field, 2])
            value = width.word_of(keys, state, fields[field, 0]) >> np.uint64(fields[field, 1])
            if bits < np.uint64(64):
                value &= (ONE << bits) - ONE
            base = fields[field, 4]
            if fields[field, 3]:
                while value != ZERO:
                    at = base + np.int64(count_trailing_zeros(value))
                    value &= value - ONE
                    place[pieces] = at
                    field_of[pieces] = field
                    free = width.flip(free, mask, at)
                    pieces += 1
            else:
                at = base + np.int64(value)
                place[pieces] = at
                field_of[pieces] = field
                free = width.flip(free, mask, at)
                pieces += 1
        some = 0
        for piece in range(pieces):
            movable[some] = piece
            some += width.meets(free, ring, np.int64(place[piece]))
        for number in range(some):
            piece = np.int64(movable[number])
            start = np.int64(place[piece])
            kind = np.int64(class_of[start])
            base = fields[field_of[piece], 4]
            free = width.flip(free, mask, start)
            ends = reach(start, base, free, most_cells, mask, step, queue, seen)
            free = width.flip(free, mask, start)
            is_list = class_is_list[kind] != 0
            done = width.only(start, base, queue, seen)
            while done != ends:
                to = width.next_after(done, ends, base, queue)
                done = width.with_next(done, ends)
                if is_list:
                    width.copy(keys, state, out, found)
                    move_in_list(
                        out, found, piece, to, np.int64(class_first[kind]), np.int64(class_first[kind + 1]), place,
                        field_of, fields,
                    )  # fmt: skip
                else:
                    width.copy_moved(keys, state, out, found, start, to, code_word, code)
                origin[found] = state
                found += 1
            width.clear(ends, queue, seen)
    return found


def _instance(width_module, tag):
    keys = width_module.KEYS
    signature = types.int64(keys, types.int64, types.int64, types.int64, TABLES_TYPE, SCRATCH, WORDS, keys, INDICES)
    return specialise([(reach, None), (move_in_list, None), (expand, signature)], {"width": width_module}, tag)


ONE_WORD = _instance(one_word, "one_word")
MANY_WORDS = _instance(many_words, "many_words")
