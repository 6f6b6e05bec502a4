"""The kernels of match-3: which swaps are allowed, and what a swap brings down.

A board is a row of 64-bit words, `words` of them for each bit plane: bit `row * stride + column` of plane i, rows from
the top, is bit i of that cell's kind, 0 for an empty cell. `stride` is the least power of two that holds a row, so no row
lies across two words, and bit order is the order of squares in which equal lines are compared.

| field of RULES | meaning |
|---|---|
| words, planes, kinds, stride | the shape: words a plane, bit planes, kinds 1..kinds, bits a row |
| points | points of a run of 3, of 4, of 5 |
| ignore_long | 1: a run of 6 and more neither scores nor leaves, nor makes a swap allowed |
| empty_swap | 1: a piece may be moved into an empty neighbour |
| inner | bits of every column but the last, in one word |
| column | bits of the first column, in one word |
| area | the cells of the board, by word |

A swap is a number: 2 * cell + 0 for the cell and its right neighbour, + 1 for the cell and the one below.
"""

import numba
import numpy as np
from numba import types

from junqi_engine.kernels import count_ones, count_trailing_zeros, kernel, record_type

MOST_WORDS = 4

RULES = np.dtype(
    [
        ("words", np.int64),
        ("planes", np.int64),
        ("kinds", np.int64),
        ("stride", np.int64),
        ("points", np.int64, 3),
        ("ignore_long", np.int64),
        ("empty_swap", np.int64),
        ("inner", np.uint64),
        ("column", np.uint64),
        ("area", np.uint64, MOST_WORDS),
    ],
    align=True,
)

RULES_TYPE = record_type(RULES)
WORDS = types.Array(types.uint64, 1, "C")
COUNTS = types.Array(types.int64, 1, "C")
U = numba.uint64
ONE = np.uint64(1)

ONLY_SETTLE = -1
"""In place of a swap: play none, let all runs of the board leave."""
NOT_ALLOWED = -1


@kernel(types.void(WORDS, RULES_TYPE, types.int64, WORDS))
def kind_cells(board, rules, kind, cells):
    """Write the cells of one kind (0: the bits that are empty, on the board or not) to `cells`."""
    words = rules.words
    for w in range(words):
        mask = ~U(0)
        for i in range(rules.planes):
            plane = board[i * words + w]
            mask &= plane if (kind >> i) & 1 else ~plane
        cells[w] = mask


@kernel(types.int64(WORDS, RULES_TYPE, COUNTS, WORDS))
def ceiling(board, rules, most, cells):
    """No line from `board` scores more: the sum of `most[n]` over the kinds, n the pieces of the kind."""
    total = 0
    for kind in range(1, rules.kinds + 1):
        kind_cells(board, rules, kind, cells)
        pieces = 0
        for w in range(rules.words):
            pieces += np.int64(count_ones(cells[w]))
        total += most[pieces]
    return total


@kernel(types.int64(WORDS, RULES_TYPE, WORDS, WORDS))
def find_swaps(board, rules, swaps, scratch):
    """Write the swaps that may be allowed, by upper or left cell: to the right at `swaps[w]`, down at `swaps[words + w]`.

    They are all allowed, but for swaps into empty cells and, where long runs are ignored, those that only make a long
    one: `play` knows. Returns how many there are.
    """
    words = rules.words
    stride = U(rules.stride)
    back = U(64) - stride
    inner = rules.inner
    outer = inner << ONE
    for w in range(2 * words):
        swaps[w] = U(0)
    for kind in range(1, rules.kinds + 1):
        kind_cells(board, rules, kind, scratch)
        for w in range(words):
            here = scratch[w]
            above = scratch[w - 1] if w > 0 else U(0)
            above2 = scratch[w - 2] if w > 1 else U(0)
            below = scratch[w + 1] if w + 1 < words else U(0)
            below2 = scratch[w + 2] if w + 2 < words else U(0)
            # n1 has the cells whose upper neighbour is of the kind, n2 those whose second upper neighbour is, and so on.
            if words == 1:
                n1 = here << stride
                n2 = n1 << stride
                s1 = here >> stride
                s2 = s1 >> stride
            else:
                last = above >> back
                first = below << back
                n1 = here << stride | last
                s1 = here >> stride | first
                n2 = n1 << stride | ((above << stride | above2 >> back) >> back)
                s2 = s1 >> stride | ((below >> stride | below2 << back) << back)
            w1 = (here & inner) << ONE
            w2 = (w1 & inner) << ONE
            e1 = (here & outer) >> ONE
            e2 = (e1 & outer) >> ONE
            north, south, west, east = n1 & n2, s1 & s2, w1 & w2, e1 & e2
            upright = north | south | n1 & s1
            level = west | east | w1 & e1
            # A piece that comes to a cell from one side makes a run with the other three.
            swaps[w] |= e1 & (upright | west) & ~here
            from_west = w1 & (upright | east) & ~here
            swaps[w] |= from_west >> ONE
            swaps[words + w] |= s1 & (level | north) & ~here
            from_north = n1 & (level | south) & ~here
            swaps[words + w] |= from_north >> stride
            if w > 0:
                swaps[words + w - 1] |= from_north << back
    count = 0
    kind_cells(board, rules, 0, scratch)
    for w in range(words):
        empty = scratch[w] & rules.area[w]
        filled = ~scratch[w]
        filled_below = filled >> stride
        if w + 1 < words:
            filled_below |= ~scratch[w + 1] << back
        filled_east = (filled & outer) >> ONE
        swaps[w] &= filled & filled_east
        swaps[words + w] &= filled & filled_below
        if rules.empty_swap:
            swaps[w] |= empty & filled_east | filled & (empty & outer) >> ONE
            swaps[words + w] |= empty & filled_below
        count += np.int64(count_ones(swaps[w])) + np.int64(count_ones(swaps[words + w]))
    return count


@kernel(types.void(WORDS, RULES_TYPE, WORDS))
def find_pairs(board, rules, pairs):
    """Cells that are filled and equal to the right neighbour at `pairs[w]`, to the lower one at `pairs[words + w]`."""
    words = rules.words
    stride = U(rules.stride)
    back = U(64) - stride
    for w in range(words):
        filled = U(0)
        right = U(0)
        down = U(0)
        for i in range(rules.planes):
            plane = board[i * words + w]
            filled |= plane
            right |= plane ^ plane >> ONE
            below = plane >> stride
            if w + 1 < words:
                below |= board[i * words + w + 1] << back
            down |= plane ^ below
        pairs[w] = filled & ~right & rules.inner
        pairs[words + w] = filled & ~down


@kernel(types.void(WORDS, RULES_TYPE, WORDS))
def collapse(board, rules, gone):
    """Take the cells of `gone` away; what is above them falls. Row by row from the top, all columns of a row at once."""
    words = rules.words
    stride = U(rules.stride)
    back = U(64) - stride
    row_cells = (ONE << stride) - ONE
    for w in range(words):
        left = gone[w]
        while left:
            shift = count_trailing_zeros(left) & ~(stride - ONE)
            columns = left >> shift & row_cells
            left &= ~(columns << shift)
            whole = columns * rules.column
            above = whole & ((ONE << shift) - ONE)
            kept = ~(above | columns << shift)
            for i in range(rules.planes):
                at = i * words + w
                plane = board[at]
                board[at] = plane & kept | (plane & above) << stride
                if w > 0:
                    board[at] |= board[at - 1] >> back & columns
                    for higher in range(at - 1, i * words - 1, -1):
                        plane = board[higher]
                        moved = (plane & whole) << stride
                        if higher > i * words:
                            moved |= board[higher - 1] >> back & columns
                        board[higher] = plane & ~whole | moved


@kernel(types.int64(RULES_TYPE, types.int64))
def run_points(rules, length):
    """Points of a run of `length` >= 3, or `NOT_ALLOWED` if it is ignored."""
    if length > 5 and rules.ignore_long:
        return NOT_ALLOWED
    return rules.points[min(length, 5) - 3]


@kernel(types.int64(RULES_TYPE, WORDS, types.int64, WORDS))
def take_runs_through(rules, pairs, cell, gone):
    """Add the runs through one cell to `gone`; their points."""
    total = 0
    offset = 0
    step = 1
    for _ in range(2):
        first = cell
        while first >= step and pairs[offset + ((first - step) >> 6)] >> U((first - step) & 63) & ONE:
            first -= step
        last = cell
        while pairs[offset + (last >> 6)] >> U(last & 63) & ONE:
            last += step
        length = (last - first) // step + 1
        if length >= 3:
            points = run_points(rules, length)
            if points != NOT_ALLOWED:
                total += points
                for at in range(first, last + 1, step):
                    gone[at >> 6] |= ONE << U(at & 63)
        offset = rules.words
        step = rules.stride
    return total


@kernel(types.int64(RULES_TYPE, WORDS, WORDS))
def take_all_runs(rules, pairs, gone):
    """Add every run of the board to `gone`; their points."""
    words = rules.words
    stride = U(rules.stride)
    back = U(64) - stride
    total = 0
    for w in range(words):
        right = pairs[w]
        threes = right & right >> ONE
        starts = threes & ~(right << ONE)
        while starts:
            bit = starts & (~starts + ONE)
            starts ^= bit
            cells = bit
            end = bit
            length = 1
            while right & end:
                end <<= ONE
                cells |= end
                length += 1
            points = run_points(rules, length)
            if points != NOT_ALLOWED:
                total += points
                gone[w] |= cells
        down = pairs[words + w]
        next_down = down >> stride
        last_down = down << stride
        if w + 1 < words:
            next_down |= pairs[words + w + 1] << back
        if w > 0:
            last_down |= pairs[words + w - 1] >> back
        starts = down & next_down & ~last_down
        while starts:
            first = 64 * w + np.int64(count_trailing_zeros(starts))
            starts &= starts - ONE
            last = first
            while pairs[words + (last >> 6)] >> U(last & 63) & ONE:
                last += rules.stride
            points = run_points(rules, (last - first) // rules.stride + 1)
            if points != NOT_ALLOWED:
                total += points
                for at in range(first, last + 1, rules.stride):
                    gone[at >> 6] |= ONE << U(at & 63)
    return total


@kernel(types.int64(WORDS, RULES_TYPE, types.int64))
def sink(board, rules, cell):
    """Let the single piece at `cell` fall to the pile below it; where it comes to rest."""
    words = rules.words
    while True:
        below = cell + rules.stride
        word, bit = below >> 6, U(below & 63)
        if word >= words or not rules.area[word] >> bit & ONE:
            return cell
        for at in range(word, rules.planes * words, words):
            if board[at] >> bit & ONE:
                return cell
        for at in range(0, rules.planes * words, words):
            piece = board[at + (cell >> 6)] >> U(cell & 63) & ONE
            board[at + (cell >> 6)] ^= piece << U(cell & 63)
            board[at + word] |= piece << bit
        cell = below


@kernel(types.int64(WORDS, RULES_TYPE, types.int64, types.int64, WORDS))
def play(board, rules, swap, most_waves, scratch):
    """Play `swap` and at most `most_waves` waves of what follows on `board`; the points, or `NOT_ALLOWED`.

    A board after a swap that is not allowed is of no use. `scratch` holds 3 * words words; the cells that left in the last
    wave played stay in its last `words`. With `ONLY_SETTLE` nothing is swapped and the first wave takes all runs.
    """
    words = rules.words
    gone = scratch[2 * words : 3 * words]
    total = 0
    waves = 0
    if swap != ONLY_SETTLE:
        cell = swap >> 1
        other = cell + (rules.stride if swap & 1 else 1)
        word, bit = cell >> 6, U(cell & 63)
        other_word, other_bit = other >> 6, U(other & 63)
        is_cell_filled = U(0)
        is_other_filled = U(0)
        for at in range(0, rules.planes * words, words):
            this = board[at + word] >> bit & ONE
            that = board[at + other_word] >> other_bit & ONE
            is_cell_filled |= this
            is_other_filled |= that
            board[at + word] ^= (this ^ that) << bit
            board[at + other_word] ^= (this ^ that) << other_bit
        for w in range(words):
            gone[w] = U(0)
        if not (is_cell_filled and is_other_filled):
            hole = cell if is_cell_filled else other
            landing = other if is_cell_filled else cell
            gone[hole >> 6] = ONE << U(hole & 63)
            collapse(board, rules, gone)
            gone[hole >> 6] = U(0)
            # A piece lifted within its column is back where it was once the column has collapsed.
            cell = hole if swap & 1 else sink(board, rules, landing)
            other = cell
        find_pairs(board, rules, scratch)
        total = take_runs_through(rules, scratch, cell, gone)
        if other != cell:
            total += take_runs_through(rules, scratch, other, gone)
        taken = U(0)
        for w in range(words):
            taken |= gone[w]
        if not taken:
            return NOT_ALLOWED
        collapse(board, rules, gone)
        waves = 1
    while waves < most_waves:
        find_pairs(board, rules, scratch)
        for w in range(words):
            gone[w] = U(0)
        total += take_all_runs(rules, scratch, gone)
        taken = U(0)
        for w in range(words):
            taken |= gone[w]
        if not taken:
            break
        collapse(board, rules, gone)
        waves += 1
    return total
