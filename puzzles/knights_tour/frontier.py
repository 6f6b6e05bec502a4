"""The kernel of the frontier method: how the squares processed so far restrict the rest of the board.

Squares are processed in column order, number `column * rows + row`. The later squares depend only on the frontier, the
last 2 * rows + 1 squares: which of them are inside a path already, which have no link yet, and which are the two ends
of one path. An open tour is a closed one through one more point, the apex, which is joined to both ends of the tour.
(Method: D. E. Knuth, The Art of Computer Programming 4A, 7.1.4, "simpath".)

A state is a 64-bit word of 4-bit places, the oldest square at place 0, the apex last. A place has `DONE`, or the place
of the other end of its path, its own place if it has no link yet. That is enough for boards of up to 6 rows.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import kernel

MOST_ROWS = 6
DONE = 15
NO_APEX, MUST_JOIN, MAY_JOIN = range(3)
"""How a square relates to the apex: it is not an end of the tour; it is an end; it may be one."""

U = numba.uint64
STATES = types.Array(types.uint64, 1, "C")
NUMBERS = types.Array(types.int64, 1, "C")


def first_state(rows: int, closed: bool) -> int:
    """The state before the first square."""
    size = 2 * rows + 1
    state = (1 << 4 * size) - 1
    return state | (DONE if closed else size) << 4 * size


@kernel(types.int64(types.int64, types.int64))
def step_back(rows, choice):
    """How many squares before a square its neighbour number `choice` is, one of the four that come before it."""
    if choice == 0:
        return rows + 2
    if choice == 1:
        return rows - 2
    if choice == 2:
        return 2 * rows + 1
    return 2 * rows - 1


@kernel(types.uint64(types.uint64, types.int64, types.int64, types.boolean))
def join(state, rows, choices, is_last):
    """The state after one more square, joined to the neighbours whose bits are set in `choices` (bit 4: the apex).

    0 if no tour has such a part. `choices` has at most two bits.
    """
    size = 2 * rows + 1
    new = size + 1
    # The new square is put behind the apex at first.
    mates = state | U(new) << U(4 * new)
    joined = 0
    for choice in range(5):
        if not choices >> choice & 1:
            continue
        partner = size if choice == 4 else size - step_back(rows, choice)
        joined += 1
        far = np.int64(mates >> U(4 * partner) & U(15))
        other_far = np.int64(mates >> U(4 * new) & U(15))
        if far == DONE:
            return U(0)
        if far == new:
            # The path becomes closed: only the last square may do that.
            if not (is_last and joined == 2):
                return U(0)
            mates |= U(DONE) << U(4 * partner) | U(DONE) << U(4 * new)
            continue
        if partner != far:
            mates |= U(DONE) << U(4 * partner)
        if new != other_far:
            mates |= U(DONE) << U(4 * new)
        mates = mates & ~(U(15) << U(4 * far)) | U(other_far) << U(4 * far)
        mates = mates & ~(U(15) << U(4 * other_far)) | U(far) << U(4 * other_far)
    if mates & U(15) != U(DONE):
        return U(0)
    after = U(0)
    for place in range(1, new + 1):
        mate = np.int64(mates >> U(4 * place) & U(15))
        if is_last and mate != DONE:
            return U(0)
        # Every square moves down by one place; the new one gets the last place before the apex, which remains.
        to = size - 1 if place == new else size if place == size else place - 1
        if mate == new:
            mate = size - 1
        elif mate < size:
            mate -= 1
        after |= U(mate) << U(4 * to)
    return after


@kernel(
    types.int64(
        types.int64, types.int64, types.int64, types.int64, types.boolean, STATES, NUMBERS, STATES, NUMBERS, NUMBERS,
        NUMBERS, NUMBERS,
    )
)  # fmt: skip
def add_square(
    rows, row, columns_before, apex, is_last, states, counts, after, after_counts, parents, choices, table
):  # fmt: skip
    """Write the states after one more square to `after`, in no special order; returns their number, -1 without room.

    `counts` and `after_counts` are the numbers of paths to each state; `parents` and `choices` describe the first of
    them. `table` is all -1, its size a power of two.
    """
    count = 0
    mask = U(table.size - 1)
    available = 0
    for choice in range(4):
        columns_back = 1 + (choice >> 1)
        rows_back = (2, -2, 1, -1)[choice]
        if columns_back <= columns_before and 0 <= row - rows_back < rows:
            available |= 1 << choice
    if apex != NO_APEX:
        available |= 16
    for parent in range(states.size):
        for chosen in range(32):
            if chosen & ~available or (apex == MUST_JOIN and not chosen & 16):
                continue
            rest = chosen & (chosen - 1)
            if rest & (rest - 1):
                continue
            state = join(states[parent], rows, chosen, is_last)
            if state == 0:
                continue
            place = (state * U(0x9E3779B97F4A7C15)) >> U(32) & mask
            while table[place] >= 0 and after[table[place]] != state:
                place = (place + U(1)) & mask
            found = table[place]
            if found < 0:
                if 2 * count >= table.size or count >= after.size:
                    return -1
                table[place] = count
                after[count] = state
                after_counts[count] = counts[parent]
                parents[count] = parent
                choices[count] = chosen
                count += 1
            else:
                after_counts[found] += counts[parent]
    return count
