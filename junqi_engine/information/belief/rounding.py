"""Line-ups of a seat drawn from its marginals: each piece is of each kind exactly as often as they say.

The marginals of a seat are a table by piece and kind whose rows sum to 1 and whose columns sum to the counts.

**Dependent rounding** (Gandhi, Khuller, Parthasarathy and Srinivasan, JACM 2006). While a table has fractional entries,
follow them at random, from a piece to a kind, on to another piece, and so on, until the path meets itself. Along this
cycle, raise and lower the entries in turn until one of them is whole. The direction is drawn so that no expected value
changes. Sums do not change either, so in the end every entry is rounded up or down.

**Splitting.** For n line-ups, n times the marginals are rounded: the number of line-ups in which each piece is of each
kind. Half of this table, rounded, is the table of the first half of the line-ups; the rest is that of the others, and
so on down to single line-ups. Each line-up alone has the marginals, and all together agree with them as closely as
whole numbers can: a mean over few line-ups varies less than if they were independent.

A draw with probability proportional to the product of the marginals of all pieces would be sharper. Of two pieces, one
of them a Field Marshal, with the marginals 0.7 and 0.3, the first would be it with 0.49 / (0.49 + 0.09).
"""

import numpy as np
from numba.core import types

from junqi_engine.information.belief.marginals import WEIGHTS_TYPE
from junqi_engine.kernels import STOP_TYPE, kernel, record_type, scratch_record
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT
from junqi_engine.splitmix import GOLDEN, mix

MAX_MISS = 0.25
"""Largest total error of the column sums that is accepted. The line-ups drawn have the exact counts anyway."""

COUNTS_OF_KINDS = np.array(COUNTS, np.float64)
_NEGLIGIBLE = 1e-9
_NODES = PIECES_PER_SEAT + KINDS
_LEVELS = 64
_SHIFT_32 = np.uint64(32)
LINEUPS_TYPE = types.Array(types.uint8, 2, "A")
_GRAPH = np.dtype(
    [
        ("state", np.uint64),
        ("sums", np.float64, (_LEVELS, PIECES_PER_SEAT, KINDS)),
        ("first", np.int64, _LEVELS),
        ("size", np.int64, _LEVELS),
        ("edges", np.int64),
        ("length", np.int64),
        ("table", np.float64, (PIECES_PER_SEAT, KINDS)),
        ("degrees", np.int64, _NODES),
        ("neighbours", np.int64, (_NODES, PIECES_PER_SEAT)),
        ("path", np.int64, _NODES + 1),
        ("steps", np.int64, _NODES),
    ],
    align=True,
)
"""A graph of pieces and kinds, numbered in this order, in which the entries of `table` that are not whole are edges.

`state`: of the random numbers; `sums`, `first`, `size`: of the blocks of line-ups that are still to be split, how often
each piece is of each kind, the first line-up, and the number of line-ups; `neighbours` by node, of which the first
`degrees` count; `path`: the nodes on the path, of `length` edges; `steps`: by node, when the path came to it, or -1.
"""
_graph_scratch = scratch_record(_GRAPH)


@kernel(types.intp(WEIGHTS_TYPE, types.uint64, STOP_TYPE, LINEUPS_TYPE))
def draw_lineups(marginals, seed, stop, lineups):
    """Draw line-ups into the rows of `lineups`, (n, 25), the kind of every piece. Returns how many: all, or at least
    one if `stop[0]` ends the drawing.

    `marginals` (25, 12) have rows that sum to 1, and columns that miss the counts by no more than `MAX_MISS`.
    """
    graph = _graph_scratch()
    graph.state = mix(seed + GOLDEN)
    group = group_size(marginals, lineups.shape[0])
    for base in range(0, lineups.shape[0], group):
        level = 0
        graph.first[0], graph.size[0] = base, min(group, lineups.shape[0] - base)
        for slot in range(PIECES_PER_SEAT):
            for kind in range(KINDS):
                graph.sums[0, slot, kind] = marginals[slot, kind]
        round_part(graph, 0, np.float64(graph.size[0]))
        move_part(graph, 0, 0)
        while level >= 0:
            first, size = graph.first[level], graph.size[level]
            if first and stop[0]:
                return first
            if size == 1:
                for slot in range(PIECES_PER_SEAT):
                    for kind in range(KINDS):
                        if graph.sums[level, slot, kind] > 0.5:
                            lineups[first, slot] = kind
                level -= 1
                continue
            half = size // 2
            round_part(graph, level, half / size)
            move_part(graph, level, level + 1)
            graph.first[level], graph.size[level] = first + half, size - half
            graph.first[level + 1], graph.size[level + 1] = first, half
            level += 1
    return lineups.shape[0]


@kernel(types.intp(WEIGHTS_TYPE, types.intp))
def group_size(marginals, count):
    """The number of line-ups, at most `count`, that are drawn together without an error of a half in any column."""
    miss = 0.0
    for kind in range(KINDS):
        total = 0.0
        for slot in range(PIECES_PER_SEAT):
            total += marginals[slot, kind]
        miss += abs(total - COUNTS_OF_KINDS[kind])
    return np.int64(max(1.0, min(np.float64(count), MAX_MISS / max(miss, _NEGLIGIBLE))))


@kernel(types.void(record_type(_GRAPH), types.intp, types.float64))
def round_part(graph, level, share):
    table = graph.table
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            table[slot, kind] = share * graph.sums[level, slot, kind]
    list_edges(graph)
    start = 0
    while graph.edges:
        if graph.length == 0:
            while graph.degrees[start] == 0:
                start += 1
            graph.path[0], graph.steps[start] = start, 0
        shift_entries(graph, extend_path(graph))
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            table[slot, kind] = np.rint(table[slot, kind])


@kernel(types.void(record_type(_GRAPH), types.intp, types.intp))
def move_part(graph, level, other):
    """Take `table` out of the sums of a block, and make it those of another. numba compiles loops ten times as fast as
    operations on whole tables.
    """
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            graph.sums[level, slot, kind] -= graph.table[slot, kind]
            graph.sums[other, slot, kind] = graph.table[slot, kind]


@kernel(types.void(record_type(_GRAPH)))
def list_edges(graph):
    graph.edges = graph.length = 0
    for node in range(_NODES):
        graph.degrees[node] = 0
        graph.steps[node] = -1
    for slot in range(PIECES_PER_SEAT):
        for kind in range(KINDS):
            if is_fractional(graph.table[slot, kind]):
                other = PIECES_PER_SEAT + kind
                graph.neighbours[slot, graph.degrees[slot]] = other
                graph.neighbours[other, graph.degrees[other]] = slot
                graph.degrees[slot] += 1
                graph.degrees[other] += 1
                graph.edges += 1


@kernel(types.boolean(types.float64))
def is_fractional(entry):
    """Whether an entry is fractional."""
    return abs(entry - np.rint(entry)) > _NEGLIGIBLE


@kernel(types.uint64(record_type(_GRAPH)))
def draw_bits(graph):
    graph.state += GOLDEN
    return mix(graph.state) >> _SHIFT_32


@kernel(types.intp(record_type(_GRAPH)))
def extend_path(graph):
    """Go on with the path until it meets itself, and return the step where the cycle begins; or until a node has no
    other edge, because the sums are not exact, and return -1.
    """
    path, steps, degrees, neighbours = graph.path, graph.steps, graph.degrees, graph.neighbours
    length = graph.length
    node = path[length]
    while True:
        # Any edge but the one that led here.
        choices = degrees[node] - (length > 0)
        if choices == 0:
            graph.length = length
            return -1
        choice = np.int64(draw_bits(graph) * np.uint64(choices) >> _SHIFT_32)
        if length and neighbours[node, choice] == path[length - 1]:
            choice = choices
        node = neighbours[node, choice]
        length += 1
        path[length] = node
        if steps[node] >= 0:
            graph.length = length
            return steps[node]
        steps[node] = length


@kernel(types.void(record_type(_GRAPH), types.intp))
def shift_entries(graph, first):
    """Change the entries of the cycle that begins at step `first`, and take it off the path. If `first` is -1, the last
    entry of the path is next to a whole number and becomes that.
    """
    table, path, steps = graph.table, graph.path, graph.steps
    last = graph.length
    if first < 0:
        first = last - 1
        steps[path[last]] = -1
        slot, kind = entry_at(path, first)
        shift = np.rint(table[slot, kind]) - table[slot, kind]
    else:
        up, down = 1.0, 1.0
        for step in range(first, last):
            slot, kind = entry_at(path, step)
            below = table[slot, kind] - np.floor(table[slot, kind])
            above = 1.0 - below
            if (step - first) & 1:
                above, below = below, above
            up, down = min(up, above), min(down, below)
        shift = up if draw_bits(graph) * (up + down) < down * 4294967296.0 else -down
    for step in range(first, last):
        if step > first:
            steps[path[step]] = -1
        slot, kind = entry_at(path, step)
        table[slot, kind] += -shift if (step - first) & 1 else shift
        if not is_fractional(table[slot, kind]):
            remove_edge(graph, slot, PIECES_PER_SEAT + kind)
            remove_edge(graph, PIECES_PER_SEAT + kind, slot)
            graph.edges -= 1
    graph.length = first
    if first == 0:
        steps[path[0]] = -1


@kernel(types.UniTuple(types.int64, 2)(types.Array(types.int64, 1, "C"), types.intp))
def entry_at(path, step):
    """Piece and kind of the entry that the path takes at a step."""
    return min(path[step], path[step + 1]), max(path[step], path[step + 1]) - PIECES_PER_SEAT


@kernel(types.void(record_type(_GRAPH), types.int64, types.int64))
def remove_edge(graph, node, other):
    graph.degrees[node] -= 1
    i = 0
    while graph.neighbours[node, i] != other:
        i += 1
    graph.neighbours[node, i] = graph.neighbours[node, graph.degrees[node]]
