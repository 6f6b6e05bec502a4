"""The memory of a search in one thread, and the parameters that a recipe sets.

`SEARCH`:

| field | shape | meaning |
|---|---|---|
| history | (128, 129) | by piece and to-point: how often the move caused a cutoff, weighted by depth |
| killers | (96, 2) | by ply: the last quiet moves that caused a cutoff |
| order | (98304,) | the priority of each move in the list of moves |
| nodes, node_limit | scalars | positions made; where to stop |
| slots, generation | scalars | of the transposition table: slots in use; the number of this search |
| world_key | scalar | tells the entries of this world from those of other worlds |
| deepest | scalar | the length of the longest line in plies |
| quiescence_plies | scalar | how deep the quiescence search goes; 0 switches it off |
| is_selective | scalar | 1 to use null moves, reductions and pruning; 0 for plain alpha-beta |
| null_move_reduction | scalar | how many plies less a null move is searched |
| pruning_margin | scalar | how much a quiet move is expected to gain at most, for each ply of depth |
| has_passed | scalar | 1 while the previous move was a null move |
| aborted | scalar | 1 once a limit or the stop flag ended the search; scores are then undefined |
"""

from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.kernels import record_type
from junqi_engine.rules.board import MAX_POINTS
from junqi_engine.rules.layout import PIECES

MAX_PLY = 96
MOVE_ROOM = 98_304
"""Room for the moves of all plies of a line. A line ends where it is used up."""

SEARCH = np.dtype(
    [
        ("history", np.int32, (PIECES, MAX_POINTS)),
        ("killers", np.uint16, (MAX_PLY, 2)),
        ("order", np.int32, MOVE_ROOM),
        ("nodes", np.uint64),
        ("node_limit", np.uint64),
        ("slots", np.uint64),
        ("world_key", np.uint64),
        ("generation", np.uint16),
        ("deepest", np.uint16),
        ("pruning_margin", np.int16),
        ("quiescence_plies", np.uint8),
        ("null_move_reduction", np.uint8),
        ("is_selective", np.uint8),
        ("aborted", np.uint8),
        ("has_passed", np.uint8),
    ],
    align=True,
)
SEARCH_TYPE = record_type(SEARCH)
VALUES_TYPE = types.Array(types.int64, 1, "C")


@dataclass(frozen=True)
class SearchParameters:
    """What a recipe can set. Scores are in hundredths of a Lieutenant.

    `nodes_per_world` is the node budget of a world; it determines the number of worlds, from `fewest_worlds` to
    `most_worlds`. By iteration, at most `kept_moves` root moves continue, and only those at most `kept_margin` behind
    the best. `aspiration` is the half-width of the first window around a root move's score in the last iteration.
    """

    nodes_per_world: int = 30_000
    fewest_worlds: int = 4
    most_worlds: int = 16
    kept_moves: tuple[int, ...] = (1000, 24, 16, 12, 8, 6)
    kept_margin: tuple[int, ...] = (1000, 600, 400, 300, 250, 200)
    aspiration: int = 60
    quiescence_plies: int = 3
    null_move_reduction: int = 2
    pruning_margin: int = 300

    def world_count(self, nodes: int) -> int:
        """The number of worlds for a search of so many nodes; 0 nodes means no limit is known."""
        worlds = nodes // self.nodes_per_world if nodes else self.most_worlds
        return max(self.fewest_worlds, min(self.most_worlds, worlds))

    def apply(self, search: np.void, is_plain: bool) -> None:
        """Set the parameters in a `SEARCH` record; `is_plain` switches quiescence and selectivity off."""
        search["quiescence_plies"] = 0 if is_plain else self.quiescence_plies
        search["is_selective"] = not is_plain
        search["null_move_reduction"] = self.null_move_reduction
        search["pruning_margin"] = self.pruning_margin
