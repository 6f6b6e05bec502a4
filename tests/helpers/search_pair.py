"""The kernels of the search on one position."""

from collections.abc import Mapping

import numpy as np

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.linear import zero_linear
from junqi_engine.rules.board import BOARDS
from junqi_engine.search import alpha_beta
from junqi_engine.search.parameters import WORLD
from junqi_engine.search.root import UNLIMITED_NODES, SearchThread
from junqi_engine.search.transposition import ENTRY, position_key, world_key
from tests.helpers.search_positions import Case

FEW_SLOTS = 1 << 10
"""A number of entries so small that results are replaced."""
MORE_SLOTS = 1 << 13
"""The number of entries to which a table can grow."""
RUNNING = np.zeros(1, np.uint8)
HAND_WRITTEN = Evaluator(linear_of=lambda variant: zero_linear(BOARDS[variant]), network_of=lambda variant: None)
"""Parameters without linear evaluation and network."""


class FastSearch:
    """The kernels with a position, a table and all other memory. `settings` replaces fields of the `SEARCH` record."""

    def __init__(
        self, case: Case, is_plain: bool = False, settings: Mapping[str, int] | None = None,
        evaluator: Evaluator = HAND_WRITTEN,
    ) -> None:  # fmt: skip
        thread = SearchThread(np.zeros(MORE_SLOTS, ENTRY))
        self.record, self.table = thread.search, thread.table
        if is_plain:
            self.record["quiescence_plies"] = self.record["is_selective"] = 0
        for name, number in (settings or {}).items():
            self.record[name] = number
        self.world = np.zeros(1, WORLD)[0]
        self.world["position"] = case.position
        self.position = self.world["position"]
        evaluator.refresh(case.board, self.position, case.public, self.world["evaluation"])
        self.world["key"] = world_key(self.position)
        self.record["node_limit"] = UNLIMITED_NODES
        self.record["tt"]["slots"] = FEW_SLOTS
        self.record["tt"]["generation"] = self.record["tt"]["oldest_generation"] = 1
        self._node = case.board.tables, self.world, self.record

    @property
    def nodes(self) -> int:
        return int(self.record["nodes"])

    def search(self, depth: int, alpha: int, beta: int, ply: int = 0) -> int:
        node = self.record["stack"][ply]
        node["key"], node["move_start"] = position_key(self.position, self.world["key"]), 0
        return int(alpha_beta.alpha_beta(*self._node, self.table, RUNNING, depth, alpha, beta, ply))

    def quiesce(self, alpha: int, beta: int, ply: int, plies_left: int) -> int:
        self.record["stack"][ply]["move_start"] = 0
        return int(alpha_beta.quiesce(*self._node, alpha, beta, ply, plies_left))
