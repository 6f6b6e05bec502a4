"""The records of a search, and its parameters.

`SEARCH`, one for each thread:

| field | shape | meaning |
|---|---|---|
| stack | (96,) of `STACK` | the nodes of the line that is searched, by ply |
| moves, move_scores | (98304,) | the move lists of the line, one behind the other, and the score of each move |
| history | (128, 129) | by piece and to-point: how often a quiet move caused a cutoff or failed to; `ordering` |
| reductions | (64, 64) | by depth and move count: the plies by which a late quiet move is searched less deep |
| futility_margins | (8,) | by depth: the margin of futility pruning; -1 where nothing is pruned |
| tt | `TT_STATE` | the state of the transposition table |
| nodes, node_limit | scalars | moves made, and battles evaluated without making them; the limit |
| seldepth | scalar | the length of the longest line in plies |
| multi_pv | scalar | the root moves with exact scores; 0: all of them |
| aspiration_window | scalar | half the width of the first window around a root move's expected score |
| quiescence_plies | scalar | the depth of the quiescence search; 0 switches it off |
| is_selective | scalar | 1 to use null moves, reductions and pruning; 0 for plain alpha-beta |
| null_move_depth | scalar | the least depth of a null move |
| null_move_reduction, null_move_divisor | scalars | it is searched `reduction + depth // divisor` plies less deep |
| aborted | scalar | 1 once a limit or the stop flag ended the search; scores are then undefined |

`STACK`, one for each ply. The parent writes the first three fields before it searches a child:

| field | shape | meaning |
|---|---|---|
| key | scalar | the `position_key` |
| move_start | scalar | where the move list of this node begins in `moves` |
| after_null | scalar | 1 if a null move led here |
| undo | `UNDO` | takes back the move that is being searched |
| stage, tt_move, next, end, bad_next, bad_end | scalars | the state of the move picker; `ordering` |
| futility_bound | scalar | moves with at most this evaluation after them are pruned |
| pruned_value | scalar | the largest evaluation after a pruned move; `-INFINITE` for none |
| refutation | scalar | the best battle of the last quiescence search here, or `NO_MOVE` |
| killers | (2,) | the last quiet moves that caused a cutoff at this ply |

`WORLD`, one for each world: `position`, its `evaluation`, and `key`, which tells the entries of this world in the
transposition table from those of other worlds.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.record import EVALUATION
from junqi_engine.kernels import STOP_TYPE, kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.effects import UNDO
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.position import POSITION
from junqi_engine.search.transposition import TABLE_TYPE, TT_STATE

MAX_PLY = 96
MOVE_ROOM = 98_304
"""Room for the move lists of a line. A line ends where it is used up."""
REDUCTION_DEPTHS, REDUCTION_MOVES = 64, 64
"""The shape of `reductions`; larger depths and move counts take the last row and column."""
FUTILITY_DEPTHS = 8
"""The length of `futility_margins`."""

STACK = np.dtype(
    [
        ("key", np.uint64),
        ("move_start", np.int32),
        ("after_null", np.uint8),
        ("undo", UNDO),
        ("stage", np.uint8),
        ("tt_move", np.uint16),
        ("next", np.int32),
        ("end", np.int32),
        ("bad_next", np.int32),
        ("bad_end", np.int32),
        ("futility_bound", np.int32),
        ("pruned_value", np.int32),
        ("refutation", np.uint16),
        ("killers", np.uint16, 2),
    ],
    align=True,
)
SEARCH = np.dtype(
    [
        ("stack", STACK, MAX_PLY),
        ("moves", np.uint16, MOVE_ROOM),
        ("move_scores", np.int32, MOVE_ROOM),
        ("history", np.int32, (PIECES, MAX_POINTS)),
        ("reductions", np.int8, (REDUCTION_DEPTHS, REDUCTION_MOVES)),
        ("futility_margins", np.int32, FUTILITY_DEPTHS),
        ("tt", TT_STATE),
        ("nodes", np.uint64),
        ("node_limit", np.uint64),
        ("aspiration_window", np.int32),
        ("multi_pv", np.uint16),
        ("seldepth", np.uint16),
        ("quiescence_plies", np.uint8),
        ("null_move_depth", np.uint8),
        ("null_move_reduction", np.uint8),
        ("null_move_divisor", np.uint8),
        ("is_selective", np.uint8),
        ("aborted", np.uint8),
    ],
    align=True,
)
SEARCH_TYPE = record_type(SEARCH)
WORLD = np.dtype([("position", POSITION), ("evaluation", EVALUATION), ("key", np.uint64)], align=True)
WORLD_TYPE = record_type(WORLD)
VALUES_TYPE = types.Array(types.int64, 1, "C")
NODE = (TABLES_TYPE, WORLD_TYPE, SEARCH_TYPE, TABLE_TYPE, STOP_TYPE)
"""The types of the board, the world, the search, the transposition table, and the stop flag."""


NODES_PER_WORLD = 15_000
"""Node budget of a world. It determines the number of worlds."""
MIN_WORLDS, MAX_WORLDS = 4, 16
ROOT_STAGES = ((1000, 1000), (24, 600), (16, 400), (12, 300), (8, 250), (6, 200))
"""Progressive pruning of root moves (Bouzy 2005): by iteration, the maximum number of moves that continue, and their
maximum distance from the best, in hundredths of a Lieutenant.
"""
MIN_ROOT_MOVES = 3
"""Root moves that always continue: a choice that seems clear early is tested as deeply as any."""
ASPIRATION_WINDOW = 60
"""Half the width of the first window around a root move's expected score."""
QUIESCENCE_PLIES = 3
NULL_MOVE_DEPTH, NULL_MOVE_REDUCTION, NULL_MOVE_DIVISOR = 3, 2, 6
REDUCTION_OFFSET, REDUCTION_DIVISOR = 0.3, 2.5
"""The n-th move, if quiet, is searched `offset + ln(depth) * ln(n) / divisor` plies less deep."""
FUTILITY_MARGINS = (-1, 0, 120)
"""The first entries of `futility_margins`, by depth from 0."""


@kernel(types.void(SEARCH_TYPE, types.uint64))
def begin_search(search, node_limit):
    """Reset what belongs to one search: counters, stop state and killers."""
    search.node_limit = node_limit
    search.nodes = search.aborted = search.seldepth = 0
    for ply in range(MAX_PLY):
        search.stack[ply].killers[0] = search.stack[ply].killers[1] = 0


@kernel(types.int64(types.Array(types.int64, 2, "C"), *(VALUES_TYPE,) * 3, *(types.int64,) * 3))
def rank_moves(values, weights, kept, sums, max_moves, margin, min_moves):
    """Sort the root moves `kept`, indices of the columns of `values` (worlds, moves), by the sum of their values over
    all worlds, each times its weight, best first; returns how many of them remain.

    `sums` receives the sums by move. The `min_moves` best remain, and others of the `max_moves` best whose mean value
    is at most `margin` behind the best.
    """
    worlds, count, total = values.shape[0], kept.shape[0], np.int64(0)
    for world in range(worlds):
        total += weights[world]
    for i in range(count):
        index = kept[i]
        sums[index] = 0
        for world in range(worlds):
            sums[index] += weights[world] * values[world, index]
        j = i
        while j > 0 and sums[kept[j - 1]] < sums[index]:
            kept[j] = kept[j - 1]
            j -= 1
        kept[j] = index
    remaining = min(count, min_moves)
    while remaining < min(count, max_moves) and sums[kept[remaining]] >= sums[kept[0]] - total * margin:
        remaining += 1
    return remaining
