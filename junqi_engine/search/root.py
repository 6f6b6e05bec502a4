"""The root search: it compares all moves over the same worlds.

Every world is searched by iterative deepening, one ply deeper in each iteration. The score of a move is its mean over
the worlds that were drawn; those that are equal on the board are searched once. After each iteration, moves that are
too far behind are dropped. If a world is not completed in an iteration, the scores of its last iteration count, for all
moves, and before the first one the static values; so moves are always compared over the same worlds at the same depths.
With nothing hidden there is one world.

Threads share the worlds. With a clock, each takes the next one that nobody has searched in this iteration, and all use
one transposition table; with one world, all threads search it, some a ply deeper, and help each other through the
table. With a limit of depth or positions, each thread has its own worlds and its own part of the table, and a single
world is searched by one thread, so that nothing depends on when a thread runs.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from junqi_engine.evaluation.interface import Evaluator, Kernels
from junqi_engine.information.belief.chances import Belief
from junqi_engine.information.belief.worlds import different_worlds, position_in_world
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.rules.effects import UNDO
from junqi_engine.search.compiled import search_kernels
from junqi_engine.search.keys import world_key
from junqi_engine.search.memory import MAX_PLY, MOVE_ROOM, SEARCH, SearchParameters, begin_search, rank_moves
from junqi_engine.search.scores import INFINITE, WON
from junqi_engine.search.transposition import count_used, new_table, spread

MAX_DEPTH = 60
MAX_GENERATION = (1 << 16) - 1
UNLIMITED_NODES = 1 << 62
SLOTS_PER_NODE = 8
FEWEST_SLOTS = 1 << 16
HELPER_POLL_S = 0.001
"""How often helping threads are told to end, until they have."""


@dataclass(frozen=True)
class RootMove:
    """A move and its score for the team to move."""

    move: int
    score: int


@dataclass(frozen=True)
class Limits:
    """When to stop, in plies (at most `MAX_DEPTH`) and in positions, 0 = no limit; and how many moves to report.

    `expected_nodes` is the number of positions that there is time for, as far as it is known; 0 = not known.
    """

    depth: int = 0
    nodes: int = 0
    lines: int = 1
    expected_nodes: int = 0

    @property
    def is_reproducible(self) -> bool:
        """Whether the result depends on the position, the seed and the limits alone."""
        return self.nodes != 0 or self.depth != 0


class _Thread:
    """The memory of one thread. `table` is the transposition table, or a part that no other thread uses."""

    def __init__(self, table: np.ndarray) -> None:
        self.table = table
        self.search = np.zeros(1, SEARCH)[0]
        self.moves = np.empty(MOVE_ROOM, np.uint16)
        self.undos = np.zeros(MAX_PLY, UNDO)

    def prepare(self, nodes: int) -> None:
        """Begin a search; `nodes` is the limit of positions, 0 = none."""
        begin_search(self.search, np.uint64(nodes or UNLIMITED_NODES))


class TeamSearch:
    """A search and its memory, which is kept from move to move.

    With a limit of depth or positions, a result never depends on earlier searches. With a clock alone, a search begins
    with half of the history and with the table's moves of the searches since `new_game`.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        parameters: SearchParameters,
        belief: Belief,
        hash_mb: int,
        threads: int = 1,
        is_plain: bool = False,
    ) -> None:
        """`belief` draws the worlds of the player that uses this search. `is_plain` switches quiescence and selectivity
        off; the values are then those of minimax.
        """
        self.evaluator, self.parameters, self.belief = evaluator, parameters, belief
        self.table = new_table(hash_mb)
        self._threads = [_Thread(self.table) for _ in range(threads)]
        for thread in self._threads:
            parameters.apply(thread.search, is_plain)
        self._generation = 0
        self.new_game()
        self.nodes = 0
        """Positions made by the last run."""

    @property
    def threads(self) -> int:
        """The number of threads."""
        return len(self._threads)

    def new_game(self) -> None:
        """Forget all searches."""
        self._oldest_generation = self._generation + 1
        for thread in self._threads:
            thread.search["history"] = 0
            thread.search["slots"] = FEWEST_SLOTS

    def run(
        self,
        view: SeatView,
        worlds: np.ndarray,
        moves: Sequence[int],
        limits: Limits,
        stop: np.ndarray,
        report: Callable[["Comparison"], None] = lambda comparison: None,
        may_deepen: Callable[["Comparison"], bool] = lambda comparison: True,
    ) -> list[RootMove]:
        """The best moves, best first: at least one, at most `limits.lines`.

        `worlds` is (n, 128), the kinds of all pieces. `moves` are the moves to compare, at least one. `stop[0]` ends
        the search at once. `report` is called after each iteration, `may_deepen` before each one but the first.
        """
        self._begin(limits.is_reproducible)
        weights = np.ones(len(worlds), np.int64)
        if self.parameters.merges_worlds:
            worlds, weights = different_worlds(view, worlds)
        # A single world is divided among threads only if the result may differ from run to run.
        count = min(len(worlds), self.threads) if limits.is_reproducible or len(worlds) > 1 else self.threads
        threads = self._threads[:count]
        groups = [[thread] for thread in threads] if limits.is_reproducible else [threads]
        self._divide_table(groups)
        for thread in threads:
            thread.prepare(limits.nodes and max(1, limits.nodes // count))
        comparison = Comparison(view, worlds, weights, moves, self, threads, limits, stop)
        with ThreadPoolExecutor(count) as pool:
            for depth in range(1, (limits.depth or MAX_DEPTH) + 1):
                if depth > 1 and not may_deepen(comparison):
                    break
                for group in groups:
                    _use_slots(group)
                is_complete = comparison.deepen(depth, pool)
                report(comparison)
                if not is_complete or comparison.is_decided:
                    break
        self.nodes = comparison.nodes
        return comparison.best_moves()

    def _begin(self, is_reproducible: bool) -> None:
        if self._generation == MAX_GENERATION:
            self.table[:] = 0
            self._generation = 0
            self.new_game()
        self._generation += 1
        if is_reproducible:
            self.new_game()
            self._oldest_generation = self._generation
        for thread in self._threads:
            thread.search["history"] >>= 1
            thread.search["generation"] = self._generation
            thread.search["oldest_generation"] = self._oldest_generation

    def _divide_table(self, groups: Sequence[Sequence[_Thread]]) -> None:
        """Give each group of threads an equal part of the table, as large a power of two as there is room for."""
        length = 1 << (len(self.table) // len(groups)).bit_length() - 1
        slots = min(int(self._threads[0].search["slots"]), length)
        for number, group in enumerate(groups):
            for thread in group:
                thread.table = self.table[number * length : (number + 1) * length]
                thread.search["slots"] = slots


def _use_slots(group: Sequence[_Thread]) -> None:
    """Use only as much of a group's part of the table as its next iteration can fill: memory that is never written
    costs nothing.
    """
    table, slots = group[0].table, int(group[0].search["slots"])
    nodes = sum(int(thread.search["nodes"]) for thread in group)
    wanted = min(1 << (SLOTS_PER_NODE * nodes).bit_length(), len(table))
    if wanted > slots:
        spread(table, slots, wanted)
        for thread in group:
            thread.search["slots"] = wanted


class World(NamedTuple):
    """A world of a search: copies of its position and its evaluation; its key; the table and the `SEARCH` record of the
    thread that searches it.
    """

    position: np.void
    evaluation: np.void
    kernels: Kernels
    key: int
    table: np.ndarray
    search: np.void


class Comparison:
    """The root moves of one search and their scores in each world. `weights` (n,) say how often a world was drawn."""

    def __init__(
        self, view: SeatView, worlds: np.ndarray, weights: np.ndarray, moves: Sequence[int],
        team_search: TeamSearch, threads: list[_Thread], limits: Limits, stop: np.ndarray,
    ) -> None:  # fmt: skip
        self.view, self._weights, self._threads, self._limits, self._stop = view, weights, threads, limits, stop
        self._parameters = team_search.parameters
        evaluator = self._evaluator = team_search.evaluator
        self._kernels = search_kernels(evaluator)
        self._positions = [position_in_world(view, kinds) for kinds in worlds]
        self._keys = [int(world_key(position)) for position in self._positions]
        self._evaluations = evaluator.new(len(worlds))
        public = public_of(view)
        for position, evaluation in zip(self._positions, self._evaluations, strict=True):
            evaluator.refresh(view.board, position, public, evaluation)
        self._moves = np.array(moves, np.uint16)
        # Before a world has been searched, the static values of its moves count.
        self._values = np.zeros((len(worlds), len(moves)), np.int64)
        for position, evaluation, values in zip(self._positions, self._evaluations, self._values, strict=True):
            self._kernels.rate_moves(view.board.tables, position, evaluation, threads[0].undos[0], self._moves, values)
        self._kept, self._sums = np.arange(len(moves)), np.zeros(len(moves), np.int64)
        self.depth = 0
        """The depth of the last iteration that was completed, in plies; 0 before the first one."""
        self._is_settled = False

    @property
    def is_decided(self) -> bool:
        """Whether a deeper search cannot change the choice: one move remains, the end of the game was found, or every
        line reaches the limit of plies and one ply more changed no value.
        """
        is_won = len(self._positions) == 1 and abs(self._values[0, self._kept].max()) > WON
        return len(self._kept) == 1 or is_won or self._is_settled

    def deepen(self, depth: int, pool: ThreadPoolExecutor) -> bool:
        """Search every world to `depth`; False if the search was stopped."""
        before = self._values.copy()
        if len(self._positions) == 1:
            is_complete = self._deepen_single(depth, pool)
        else:
            jobs = self._shares() if self._limits.is_reproducible else self._common_jobs()
            # A single thread is the caller's: to start one for each search would cost small searches dearly.
            run = map if self._count == 1 else pool.map
            is_complete = all(list(run(self._search_worlds, self._threads, jobs, [depth] * self._count)))
        if not is_complete:
            return False
        self.depth = depth
        most_plies = self.view.rules.max_plies
        self._is_settled = 0 < most_plies < self.view.ply + depth and np.array_equal(self._values, before)
        if len(self._positions) > 1:
            kept_moves, lines = self._parameters.kept_moves, self._limits.lines
            stage = min(depth, len(kept_moves) - 1)
            self._kept = self._ranked(
                max(kept_moves[stage], lines), self._parameters.kept_margin[stage],
                max(self._parameters.fewest_moves, lines),
            )  # fmt: skip
        return True

    @property
    def _count(self) -> int:
        return len(self._threads)

    def _shares(self) -> list[Iterator[int]]:
        """The worlds of each thread, fixed so that the result depends on nothing else."""
        return [iter(range(first, len(self._positions), self._count)) for first in range(self._count)]

    def _common_jobs(self) -> list[Iterator[int]]:
        """The worlds for whichever thread is free, by a queue: a plain iterator is not safe to share."""
        jobs: SimpleQueue[int | None] = SimpleQueue()
        for job in (*range(len(self._positions)), *(None,) * self._count):
            jobs.put(job)
        return [iter(jobs.get, None) for _ in range(self._count)]

    def _deepen_single(self, depth: int, pool: ThreadPoolExecutor) -> bool:
        """Search the only world. Other threads search it too, some a ply deeper: what they find is in the table."""
        helpers = self._threads[1:]
        for thread in helpers:
            thread.search["aborted"] = 0
        # Each helper gets copies, made before the search of this thread changes the originals.
        futures = [
            pool.submit(
                self._search_world, thread, 0, self._positions[0].copy(), self._evaluations[0].copy(),
                self._values[0].copy(), depth + number % 2,
            )
            for number, thread in enumerate(helpers, start=1)
        ]  # fmt: skip
        is_complete = self._search_worlds(self._threads[0], iter(range(1)), depth)
        while not all(future.done() for future in futures):
            for thread in helpers:
                thread.search["aborted"] = 1
            wait(futures, HELPER_POLL_S)
        for future in futures:
            future.result()
        return is_complete

    def _search_worlds(self, thread: _Thread, numbers: Iterator[int], depth: int) -> bool:
        for number in numbers:
            position, evaluation, values = self._positions[number], self._evaluations[number], self._values[number]
            order, count = self._search_world(thread, number, position, evaluation, values, depth)
            if count < len(order):
                if len(self._positions) == 1 and count:
                    # The best move of the last iteration came first: one that beats it at this depth is better.
                    others = values[order[count:]]
                    values[order[count:]] = others - max(0, others.max() - values[order[:count]].max() + 1)
                return False
        return True

    def _search_world(
        self, thread: _Thread, number: int, position: np.void, evaluation: np.void, values: np.ndarray, depth: int
    ) -> tuple[np.ndarray, int]:
        """Search the kept moves of a world: their order, and how many were completed."""
        order = self._kept.copy()
        thread.search["world_key"] = self._keys[number]
        count = self._kernels.search_world(
            self.view.board.tables, position, evaluation, thread.search, thread.table, thread.moves, thread.undos,
            self._stop, self._moves, order, values, depth, self._limits.lines if len(self._positions) == 1 else 0,
            self._parameters.aspiration,
        )  # fmt: skip
        return order, count

    def _ranked(self, most: int, margin: int, fewest: int) -> np.ndarray:
        """The best of the kept moves, best first, as in `rank_moves`."""
        kept = self._kept.copy()
        return kept[: rank_moves(self._values, self._weights, kept, self._sums, most, margin, fewest)]

    def best_moves(self) -> list[RootMove]:
        """The best moves, best first: `Limits.lines` of them."""
        chosen = self._ranked(self._limits.lines, 0, self._limits.lines)
        return [RootMove(int(self._moves[index]), round(self._sums[index] / self._weights.sum())) for index in chosen]

    def world_scores(self, move: int) -> np.ndarray:
        """The scores of a root move in each world that was drawn, (n,) int64."""
        return np.repeat(self._values[:, np.flatnonzero(self._moves == move)[0]], self._weights)

    @property
    def lead(self) -> int:
        """How far the best move is ahead of the second, in hundredths of a Lieutenant."""
        if len(self._kept) == 1:
            return 2 * INFINITE
        first, second = self._sums[self._ranked(2, 0, 2)]
        return round((first - second) / self._weights.sum())

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
        """How full the transposition table is, or the first thread's part of it."""
        first = self._threads[0]
        return count_used(first.table, first.search["slots"], first.search["generation"])

    def first_world(self) -> World:
        """The first world."""
        first = self._threads[0]
        return World(
            self._positions[0].copy(), self._evaluations[0].copy(), self._evaluator.kernels, self._keys[0],
            first.table, first.search,
        )  # fmt: skip
