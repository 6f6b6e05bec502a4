"""The kernels of the search and their slow twin, side by side on one position."""

from collections.abc import Mapping, Sequence

import numpy as np

from junqi_engine.evaluation.hand import HAND_WRITTEN
from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.search.compiled import search_kernels
from junqi_engine.search.keys import position_key, world_key
from junqi_engine.search.memory import MAX_PLY, MOVE_ROOM, SEARCH, SearchParameters
from junqi_engine.search.root import UNLIMITED_NODES
from junqi_engine.search.transposition import (
    EMPTY,
    ENTRY,
    bound_of,
    depth_of,
    generation_of,
    move_in,
    score_of,
    spread,
)
from tests.helpers.search_positions import Case
from tests.references.slow_selective_search import SlowSearch
from tests.references.slow_table import Entry, SlowTable
from tests.references.slow_world import SlowWorld

FEW_SLOTS = 1 << 10
"""So few that results are replaced."""
MORE_SLOTS = 1 << 13
"""To this number a table can grow."""
RUNNING = np.zeros(1, np.uint8)


class FastSearch:
    """The kernels with the methods of `SlowSearch`. `settings` replaces fields of the `SEARCH` record."""

    def __init__(
        self, case: Case, is_plain: bool = False, settings: Mapping[str, int] | None = None,
        evaluator: Evaluator = HAND_WRITTEN,
    ) -> None:  # fmt: skip
        self._kernels = search_kernels(evaluator)
        self.record = np.zeros(1, SEARCH)[0]
        SearchParameters().apply(self.record, is_plain)
        for name, number in (settings or {}).items():
            self.record[name] = number
        self.position, self.table = case.position.copy(), np.zeros(MORE_SLOTS, ENTRY)
        evaluation = evaluator.new(1)[0]
        evaluator.refresh(case.board, self.position, case.public, evaluation)
        self.record["world_key"] = world_key(self.position)
        self.record["slots"] = FEW_SLOTS
        self.record["node_limit"] = UNLIMITED_NODES
        self.record["generation"] = self.record["oldest_generation"] = 1
        moves, undos = np.empty(MOVE_ROOM, np.uint16), np.zeros(MAX_PLY, UNDO)
        self._node = (
            case.board.tables, self.position, evaluation, self.record, self.table, moves, undos, RUNNING
        )  # fmt: skip
        self._evaluator, self._played = evaluator, np.zeros(MAX_PLY, UNDO)

    @property
    def nodes(self) -> int:
        return int(self.record["nodes"])

    @property
    def deepest(self) -> int:
        return int(self.record["deepest"])

    def make(self, moves: Sequence[int]) -> None:
        """Play moves in the position that is searched."""
        for undo, move in zip(self._played, moves, strict=False):
            make(self._node[0], self.position, np.uint16(move), undo)
            self._evaluator.kernels.after_make(self.position, undo, self._node[2])

    def unmake(self, count: int) -> None:
        """Take the last call of `make` back."""
        for undo in self._played[:count][::-1]:
            unmake(self.position, undo)
            self._evaluator.kernels.after_unmake(self._node[2])

    def search(self, depth: int, alpha: int, beta: int, ply: int = 0) -> int:
        key = position_key(self.position, self.record["world_key"])
        return int(self._kernels.alpha_beta(*self._node, depth, alpha, beta, ply, 0, np.uint64(key)))

    def quiesce(self, alpha: int, beta: int, ply: int, plies_left: int) -> int:
        return int(self._kernels.quiesce(*self._node, alpha, beta, ply, 0, plies_left))

    def search_moves(self, moves: list[int], values: list[int], depth: int, leaders: int, width: int) -> None:
        found = np.array(values, np.int64)
        count = self._kernels.search_moves(*self._node, np.array(moves, np.uint16), found, depth, leaders, width)
        assert count == len(moves)
        values[:] = found.tolist()

    def grow(self, slots: int) -> None:
        """Use more slots of the table."""
        spread(self.table, self.record["slots"], np.uint64(slots))
        self.record["slots"] = slots

    def entries(self) -> dict[int, Entry]:
        """The table as its twin has it."""
        found = {}
        for slot, entry in enumerate(self.table):
            data = entry["data"]
            if data != EMPTY:
                parts = (score_of(data, 0), move_in(data), depth_of(data), bound_of(data), generation_of(data))
                found[slot] = Entry(int(entry["check"] ^ data), *map(int, parts))
        return found


class Pair:
    """Both searches; every method asserts that they agree and returns what they found."""

    def __init__(
        self, case: Case, is_plain: bool = False, settings: Mapping[str, int] | None = None,
        evaluator: Evaluator = HAND_WRITTEN,
    ) -> None:  # fmt: skip
        self.fast = FastSearch(case, is_plain, settings, evaluator)
        world = SlowWorld(case.board, case.position, case.public, evaluator)
        self.slow = SlowSearch(world, SlowTable(FEW_SLOTS), self.fast.record)

    def search(self, depth: int, alpha: int, beta: int) -> int:
        found = self.fast.search(depth, alpha, beta)
        assert self.slow.search(depth, alpha, beta, ply=0) == found
        self.agree()
        return found

    def quiesce(self, alpha: int, beta: int, plies_left: int) -> int:
        found = self.fast.quiesce(alpha, beta, 0, plies_left)
        assert self.slow.quiesce(alpha, beta, 0, plies_left) == found
        self.agree()
        return found

    def search_moves(self, moves: list[int], values: list[int], depth: int, leaders: int, width: int) -> None:
        """`values` has the expected values first and the found ones at the end."""
        others = values.copy()
        self.fast.search_moves(moves, values, depth, leaders, width)
        self.slow.search_moves(moves, others, depth, leaders, width)
        assert others == values
        self.agree()

    def grow(self, slots: int) -> None:
        """Use more slots of both tables."""
        self.fast.grow(slots)
        self.slow.table.grow(slots)
        self.agree()

    def agree(self) -> None:
        """Nodes, and what both remember."""
        assert (self.slow.nodes, self.slow.deepest) == (self.fast.nodes, self.fast.deepest)
        assert self.slow.table.entries == self.fast.entries()
        history = self.fast.record["history"]
        where = zip(*np.nonzero(history), strict=True)
        assert {place: value for place, value in self.slow.memory.history.items() if value} == {
            (int(piece), int(point)): int(history[piece, point]) for piece, point in where
        }
        killers = self.fast.record["killers"]
        assert all(killers[ply].tolist() == pair for ply, pair in self.slow.memory.killers.items())
