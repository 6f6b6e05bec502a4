"""The parameters of the search, and the record of a search in one thread.

`SEARCH`:

| field | shape | meaning |
|---|---|---|
| history | (128, 129) | by piece and to-point: how often a quiet move caused a cutoff or failed to; `ordering` |
| killers | (96, 2) | by ply: the last quiet moves that caused a cutoff |
| move_scores | (98304,) | the priority of each move in the list of moves |
| stage, tt_move, next, end, bad_next, bad_end | (96,) | by ply: the state of the choice of moves; `ordering` |
| futility_bound | (96,) | by ply: moves that promise at most this value are not searched |
| pruned_value | (96,) | by ply: the largest value that such a move promised |
| refutation | (96,) | by ply: the best battle of the last quiescence search there, or `NO_MOVE` |
| reductions | (64, 64) | by depth and number of the move: how many plies less a late quiet move is searched |
| futility_margins | (8,) | by depth: what a move may gain beyond the value after it; -1 where none is dropped |
| nodes, node_limit | scalars | positions made, and battles whose value was known without making them; where to stop |
| slots | scalar | how many slots of the transposition table are in use |
| generation, oldest_generation | scalars | the numbers of this search and of the oldest one whose entries are used |
| world_key | scalar | tells the entries of this world from those of other worlds |
| seldepth | scalar | the length of the longest line in plies |
| quiescence_plies | scalar | how deep the quiescence search goes; 0 switches it off |
| is_selective | scalar | 1 to use null moves, reductions and pruning; 0 for plain alpha-beta |
| null_move_depth | scalar | the least depth of a null move |
| null_move_reduction, null_move_divisor | scalars | it is searched `reduction + depth // divisor` plies less |
| has_passed | scalar | 1 while the previous move was a null move |
| aborted | scalar | 1 once a limit or the stop flag ended the search; scores are then undefined |
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.terms import EVALUATION_TYPE
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.perft import FLAG_TYPE, UNDOS_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.search.transposition import TABLE_TYPE

MAX_PLY = 96
MOVE_ROOM = 98_304
"""Room for the moves of all plies of a line. A line ends where it is used up."""

REDUCTION_DEPTHS, REDUCTION_MOVES = 64, 64
"""The size of `reductions`; larger depths and numbers count as the largest."""
FUTILITY_DEPTHS = 8
"""The size of the tables of shallow depths."""

SEARCH = np.dtype(
    [
        ("history", np.int32, (PIECES, MAX_POINTS)),
        ("killers", np.uint16, (MAX_PLY, 2)),
        ("move_scores", np.int32, MOVE_ROOM),
        ("stage", np.uint8, MAX_PLY),
        ("tt_move", np.uint16, MAX_PLY),
        ("next", np.int32, MAX_PLY),
        ("end", np.int32, MAX_PLY),
        ("bad_next", np.int32, MAX_PLY),
        ("bad_end", np.int32, MAX_PLY),
        ("refutation", np.uint16, MAX_PLY),
        ("futility_bound", np.int32, MAX_PLY),
        ("pruned_value", np.int32, MAX_PLY),
        ("reductions", np.int8, (REDUCTION_DEPTHS, REDUCTION_MOVES)),
        ("futility_margins", np.int32, FUTILITY_DEPTHS),
        ("nodes", np.uint64),
        ("node_limit", np.uint64),
        ("slots", np.uint64),
        ("world_key", np.uint64),
        ("generation", np.uint16),
        ("oldest_generation", np.uint16),
        ("seldepth", np.uint16),
        ("quiescence_plies", np.uint8),
        ("null_move_depth", np.uint8),
        ("null_move_reduction", np.uint8),
        ("null_move_divisor", np.uint8),
        ("is_selective", np.uint8),
        ("aborted", np.uint8),
        ("has_passed", np.uint8),
    ],
    align=True,
)
SEARCH_TYPE = record_type(SEARCH)
VALUES_TYPE = types.Array(types.int64, 1, "C")
WORLD = (TABLES_TYPE, POSITION_TYPE, EVALUATION_TYPE)
"""The types of a world that is searched: the board, the position, the evaluation."""
LISTS = (*WORLD, SEARCH_TYPE, MOVES_TYPE)
NODE = (*WORLD, SEARCH_TYPE, TABLE_TYPE, MOVES_TYPE, UNDOS_TYPE, FLAG_TYPE)
INTEGERS = (types.int64,) * 5


NODES_PER_WORLD = 15_000
"""The node budget of a world; it determines how many worlds are drawn."""
MIN_WORLDS, MAX_WORLDS = 4, 16
ROOT_MOVES = (1000, 24, 16, 12, 8, 6)
"""By iteration, the root moves that continue at most."""
ROOT_MARGINS = (1000, 600, 400, 300, 250, 200)
"""By iteration, how far behind the best they may be, in hundredths of a Lieutenant."""
MIN_ROOT_MOVES = 3
"""So many root moves always continue: a choice that seems clear early is tested as deep as any."""
ASPIRATION_WINDOW = 60
"""The half-width of the first window around a root move's expected score."""
QUIESCENCE_PLIES = 3
NULL_MOVE_DEPTH, NULL_MOVE_REDUCTION, NULL_MOVE_DIVISOR = 3, 2, 6
REDUCTION_OFFSET, REDUCTION_DIVISOR = 0.3, 2.5
"""A late quiet move, the n-th, is searched `offset + ln(depth) * ln(n) / divisor` plies less."""
FUTILITY_MARGINS = (-1, 0, 120)
"""`futility_margins` by depth, from 0."""


@kernel(types.void(SEARCH_TYPE, types.uint64))
def begin_search(search, node_limit):
    search.node_limit = node_limit
    search.nodes = search.aborted = search.has_passed = search.seldepth = 0
    for ply in range(MAX_PLY):
        search.killers[ply, 0] = search.killers[ply, 1] = 0


@kernel(types.int64(types.Array(types.int64, 2, "C"), *(VALUES_TYPE,) * 3, *(types.int64,) * 3))
def rank_moves(values, weights, kept, sums, most, margin, fewest):
    """Sort the root moves `kept`, indices of the columns of `values` (worlds, moves), by the sum of their values over
    all worlds, each times its weight, best first; returns how many of them remain.

    `sums` receives the sums by move. The `fewest` best remain, and others of the `most` best whose mean value is at
    most `margin` behind the best.
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
    remaining = min(count, fewest)
    while remaining < min(count, most) and sums[kept[remaining]] >= sums[kept[0]] - total * margin:
        remaining += 1
    return remaining
