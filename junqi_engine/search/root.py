"""The root search: it compares all moves over the same worlds.

Every world is searched by iterative deepening, one ply deeper in each iteration. The score of a move is its mean over
the worlds. After each iteration, moves that are too far behind are dropped. If a world is not completed in an
iteration, the scores of its last iteration count, for all moves; so moves are always compared over the same worlds at
the same depths. With nothing hidden there is one world.

Threads share the worlds; each has its own part of the transposition table.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.information.view import SeatView
from junqi_engine.information.worlds import position_in_world
from junqi_engine.rules.effects import UNDO
from junqi_engine.search.compiled import search_kernels
from junqi_engine.search.keys import world_key
from junqi_engine.search.record import MAX_PLY, MOVE_ROOM, SEARCH, SearchParameters
from junqi_engine.search.scores import INFINITE, WON
from junqi_engine.search.transposition import count_used, new_table

MAX_DEPTH = 60
MAX_GENERATION = (1 << 16) - 1
UNLIMITED_NODES = 1 << 62
SLOTS_PER_NODE = 8
FEWEST_SLOTS = 1 << 16


@dataclass(frozen=True)
class RootMove:
    """A move and its score for the team to move."""

    move: int
    score: int


@dataclass(frozen=True)
class Limits:
    """When to stop, in plies and in positions (0 = no limit), and how many moves to report.

    `expected_nodes` is the number of positions that there is time for, as far as it is known; 0 = not known.
    """

    depth: int = MAX_DEPTH
    nodes: int = 0
    lines: int = 1
    expected_nodes: int = 0


class _Thread:
    """The memory of one thread."""

    def __init__(self, table: np.ndarray) -> None:
        self.table = table
        self.search = np.zeros(1, SEARCH)[0]
        self.moves = np.empty(MOVE_ROOM, np.uint16)
        self.undos = np.zeros(MAX_PLY, UNDO)

    def use_slots(self) -> None:
        """Use only as much of the table as the next iteration can fill: memory that is never written costs nothing."""
        search = self.search
        wanted = 1 << (SLOTS_PER_NODE * int(search["nodes"])).bit_length()
        search["slots"] = min(max(int(search["slots"]), FEWEST_SLOTS, wanted), len(self.table))

    def prepare(self, generation: int, nodes: int) -> None:
        """Forget the last search; `nodes` is the limit of positions, 0 = none."""
        search = self.search
        search["history"] = 0
        search["killers"] = 0
        search["nodes"] = search["deepest"] = search["aborted"] = search["has_passed"] = 0
        search["node_limit"] = nodes or UNLIMITED_NODES
        search["slots"] = 0
        search["generation"] = generation


class TeamSearch:
    """A search and its memory, which is kept from move to move. A result never depends on earlier searches."""

    def __init__(
        self, evaluator: Evaluator, parameters: SearchParameters, hash_mb: int, threads: int = 1, is_plain: bool = False
    ) -> None:
        """`is_plain` switches quiescence and selectivity off; the values are then those of minimax."""
        self.evaluator, self.parameters = evaluator, parameters
        self._threads = [_Thread(new_table(max(1, hash_mb // threads))) for _ in range(threads)]
        for thread in self._threads:
            parameters.apply(thread.search, is_plain)
        self._generation = 0
        self.nodes = 0
        """Positions made by the last run."""

    def run(
        self,
        view: SeatView,
        worlds: np.ndarray,
        moves: Sequence[int],
        limits: Limits,
        stop: np.ndarray,
        report: Callable[["Comparison"], None] = lambda comparison: None,
        may_deepen: Callable[[], bool] = lambda: True,
    ) -> list[RootMove]:
        """The best moves, best first: at least one, at most `limits.lines`.

        `worlds` is (n, 128), the kinds of all pieces. `moves` are the moves to compare, at least one. `stop[0]` ends
        the search at once. `report` is called after each iteration, `may_deepen` before each one but the first.
        """
        self._generation += 1
        if self._generation > MAX_GENERATION:
            self._generation = 1
            for thread in self._threads:
                thread.table[:] = 0
        threads = self._threads[: len(worlds)]
        for thread in threads:
            thread.prepare(self._generation, limits.nodes and max(1, limits.nodes // len(threads)))
        comparison = Comparison(view, worlds, moves, self, threads, limits, stop)
        with ThreadPoolExecutor(len(threads)) as pool:
            for depth in range(1, limits.depth + 1):
                if depth > 1 and not may_deepen():
                    break
                is_complete = comparison.deepen(depth, pool)
                report(comparison)
                if not is_complete or comparison.is_decided:
                    break
        self.nodes = comparison.nodes
        return comparison.best_moves()


class Comparison:
    """The root moves of one search and their scores in each world."""

    def __init__(
        self, view: SeatView, worlds: np.ndarray, moves: Sequence[int], team_search: TeamSearch,
        threads: list[_Thread], limits: Limits, stop: np.ndarray,
    ) -> None:  # fmt: skip
        self.view, self._threads, self._limits, self._stop = view, threads, limits, stop
        self._parameters = team_search.parameters
        evaluator = team_search.evaluator
        self._kernels = search_kernels(evaluator)
        self._positions = [position_in_world(view, kinds) for kinds in worlds]
        self._keys = [int(world_key(position)) for position in self._positions]
        self._evaluations = evaluator.new(len(worlds))
        for position, evaluation in zip(self._positions, self._evaluations, strict=True):
            evaluator.refresh(view.board.tables, position, np.uint8(view.revealed_seats), evaluation)
        self._moves = np.array(moves, np.uint16)
        self._values = np.zeros((len(worlds), len(moves)), np.int64)
        self._kept = np.arange(len(moves))
        self.depth = 0

    @property
    def is_decided(self) -> bool:
        """Whether a deeper search cannot change the choice: one move remains, or the end of the game was found."""
        scores = self._scores()[self._kept]
        return len(self._kept) == 1 or (len(self._positions) == 1 and abs(scores.max()) > WON)

    def deepen(self, depth: int, pool: ThreadPoolExecutor) -> bool:
        """Search every world to `depth`; False if the search was stopped."""
        step = len(self._threads)
        parts = [range(first, len(self._positions), step) for first in range(step)]
        done = list(pool.map(self._search_worlds, self._threads, parts, [depth] * step))
        self.depth = depth
        if not all(done):
            return False
        if len(self._positions) > 1:
            self._drop_moves(depth)
        return True

    def _drop_moves(self, depth: int) -> None:
        kept_moves, kept_margin, lines = self._parameters.kept_moves, self._parameters.kept_margin, self._limits.lines
        scores = self._scores()
        order = self._kept[np.argsort(-scores[self._kept], kind="stable")]
        stage = min(depth, len(kept_moves) - 1)
        is_near = scores[order] >= scores[order[0]] - kept_margin[stage]
        is_near[:lines] = True
        self._kept = order[is_near][: max(kept_moves[stage], lines)]

    def _search_worlds(self, thread: _Thread, numbers: range, depth: int) -> bool:
        thread.use_slots()
        is_single = len(self._positions) == 1
        leaders = self._limits.lines if is_single else 0
        for number in numbers:
            values = self._values[number]
            order = self._kept[np.argsort(-values[self._kept], kind="stable")]
            moves, found = self._moves[order], values[order]
            if depth == 1:
                found[:] = INFINITE
            thread.search["world_key"] = self._keys[number]
            count = self._kernels.search_moves(
                self.view.board.tables, self._positions[number], self._evaluations[number], thread.search, thread.table,
                thread.moves, thread.undos, self._stop, moves, found, depth, leaders, self._parameters.aspiration,
            )  # fmt: skip
            if count == len(moves):
                values[order] = found
            elif is_single and count:
                # The best move of the last iteration came first, so a move that beats it at this depth is better.
                values[order[:count]] = found[:count]
                values[order[count:]] = np.minimum(found[count:], found[:count].max() - 1)
            if count < len(moves):
                return False
        return True

    def _scores(self) -> np.ndarray:
        return self._values.mean(axis=0)

    def best_moves(self) -> list[RootMove]:
        """The best moves, best first: `Limits.lines` of them."""
        scores = self._scores()
        ranked = self._kept[np.argsort(-scores[self._kept], kind="stable")]
        chosen = ranked[: self._limits.lines]
        return [RootMove(int(self._moves[index]), round(float(scores[index]))) for index in chosen]

    @property
    def deepest(self) -> int:
        """The length of the longest line in plies."""
        return max(int(thread.search["deepest"]) for thread in self._threads)

    @property
    def nodes(self) -> int:
        """Positions made."""
        return sum(int(thread.search["nodes"]) for thread in self._threads)

    @property
    def table_permille(self) -> int:
        """How full the transposition table is."""
        used = [
            count_used(thread.table, thread.search["slots"], thread.search["generation"]) for thread in self._threads
        ]
        return sum(used) // len(used)

    def first_world(self) -> tuple[np.void, int, np.ndarray]:
        """The first world: its position, its key, and the slots of the transposition table that its thread uses."""
        thread = self._threads[0]
        return self._positions[0], self._keys[0], thread.table[: int(thread.search["slots"])]
