"""The kernels of the search on one position."""

from collections.abc import Mapping

import numpy as np

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.linear import zero_linear
from junqi_engine.rules.board import BOARDS
from junqi_engine.search import alpha_beta
from junqi_engine.search.root import UNLIMITED_NODES, SearchThread
from junqi_engine.search.transposition import ENTRY, position_key, world_key
from tests.helpers.search_positions import Case

FEW_SLOTS = 1 << 10
"""So few that results are replaced."""
MORE_SLOTS = 1 << 13
"""To this number a table can grow."""
RUNNING = np.zeros(1, np.uint8)
HAND_WRITTEN = Evaluator(lambda variant: zero_linear(BOARDS[variant]), lambda variant: None)
"""Without tuned linear and network."""


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
        self.position = case.position.copy()
        evaluation = evaluator.new(1)[0]
        evaluator.refresh(case.board, self.position, case.public, evaluation)
        self.record["world_key"] = world_key(self.position)
        self.record["slots"] = FEW_SLOTS
        self.record["node_limit"] = UNLIMITED_NODES
        self.record["generation"] = self.record["oldest_generation"] = 1
        self._node = (
            case.board.tables, self.position, evaluation, self.record, self.table, thread.moves, thread.undos, RUNNING
        )  # fmt: skip

    @property
    def nodes(self) -> int:
        return int(self.record["nodes"])

    def search(self, depth: int, alpha: int, beta: int, ply: int = 0) -> int:
        key = position_key(self.position, self.record["world_key"])
        return int(alpha_beta.alpha_beta(*self._node, depth, alpha, beta, ply, 0, np.uint64(key)))

    def quiesce(self, alpha: int, beta: int, ply: int, plies_left: int) -> int:
        return int(alpha_beta.quiesce(*self._node, alpha, beta, ply, 0, plies_left))
