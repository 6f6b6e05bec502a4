"""The root of the search: all moves compared over the same worlds.

Every world is searched by iterative deepening, one ply deeper in each round. What a move is worth is the mean over the
worlds; after each round the moves that have fallen too far behind are dropped. A world that could not be finished in a
round counts with what the round before found, all its moves alike, so that the moves are always compared over the same
worlds at the same depths. With nothing hidden there is one world, and alpha-beta goes over the root moves as well.

Threads share out the worlds; each has its own part of the transposition table.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from junqi_engine.evaluation.hand import WORLD, become_world
from junqi_engine.information.knowledge import Knowledge
from junqi_engine.information.view import SeatView
from junqi_engine.rules.effects import UNDO
from junqi_engine.rules.pieces import UNKNOWN
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.search.alpha_beta import INFINITE, MAX_PLY, MOVE_ROOM, SEARCH, search_moves
from junqi_engine.search.keys import position_key
from junqi_engine.search.transposition import WON, count_used, new_table

MAX_DEPTH = 60
NODES_A_WORLD = 30_000
"""Positions that a world is worth, and so how many worlds there are."""
FEWEST_WORLDS, MOST_WORLDS = 4, 16
WIDTH = 60
"""How far from its value of the round before a move's is looked for first, in hundredths of a Lieutenant."""
LONGEST_LINE = 12
SLOTS_A_NODE = 8
FEWEST_SLOTS = 1 << 16
KEPT = (1000, 24, 16, 12, 8, 6)
"""By round: how many moves go on at most."""
BEHIND = (1000, 600, 400, 300, 250, 200)
"""By round: how far behind the best a move may be to go on."""


@dataclass(frozen=True)
class Line:
    """A root move and its score for the team to move."""

    move: int
    score: int


@dataclass(frozen=True)
class Limits:
    """Where to stop: plies, and positions made (0 = none); how many lines to find. `expected_nodes` are the positions
    that there will be time for, as far as that is known; 0 = many.
    """

    depth: int = MAX_DEPTH
    nodes: int = 0
    lines: int = 1
    expected_nodes: int = 0

    @property
    def world_count(self) -> int:
        """How many worlds are worth looking at: the more there are, the less far into each."""
        expected = self.nodes or self.expected_nodes or NODES_A_WORLD * MOST_WORLDS
        return max(FEWEST_WORLDS, min(MOST_WORLDS, expected // NODES_A_WORLD))


class _Thread:
    """One thread's memory."""

    def __init__(self, table: np.ndarray) -> None:
        self.table = table
        self.search = np.zeros(1, SEARCH)[0]
        self.moves = np.empty(MOVE_ROOM, np.uint16)
        self.undos = np.zeros(MAX_PLY, UNDO)

    def use_slots(self) -> None:
        """Use as much of the table as the next round can fill: what is never written costs no page of memory."""
        search = self.search
        wanted = 1 << (SLOTS_A_NODE * int(search["nodes"])).bit_length()
        search["slots"] = min(max(int(search["slots"]), FEWEST_SLOTS, wanted), len(self.table))

    def prepare(self, generation: int, nodes: int, is_plain: bool) -> None:
        """Forget the last search; `nodes` are the positions that may be made, 0 = any number."""
        search = self.search
        search["history"] = 0
        search["killers"] = 0
        search["nodes"] = search["deepest"] = search["aborted"] = search["has_passed"] = 0
        search["node_limit"] = nodes or 2**62
        search["slots"] = 0
        search["generation"] = generation
        search["quiescence"] = search["selective"] = not is_plain


class TeamSearch:
    """The search and its memory, kept from move to move. What it finds depends on what it is asked alone."""

    def __init__(self, hash_mb: int, threads: int = 1) -> None:
        self._threads = [_Thread(new_table(max(1, hash_mb // threads))) for _ in range(threads)]
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
        is_plain: bool = False,
    ) -> list[Line]:
        """The lines found, best first, `limits.lines` of them at most; there is always one.

        `worlds` is (n, 128), the kinds of all pieces; `moves` are the moves to choose from, at least one. `stop[0]`
        ends it at once. `may_deepen` is asked before each round but the first.
        """
        self._generation += 1
        if self._generation == 1 << 16:
            self._generation = 1
            for thread in self._threads:
                thread.table[:] = 0
        threads = self._threads[: len(worlds)]
        for thread in threads:
            thread.prepare(self._generation, limits.nodes and max(1, limits.nodes // len(threads)), is_plain)
        comparison = Comparison(view, worlds, moves, threads, limits, stop)
        with ThreadPoolExecutor(len(threads)) as pool:
            for depth in range(1, limits.depth + 1):
                if depth > 1 and not may_deepen():
                    break
                is_whole = comparison.deepen(depth, pool)
                report(comparison)
                if not is_whole or comparison.is_decided:
                    break
        self.nodes = comparison.nodes
        return comparison.lines()


class Comparison:
    """The root moves of one search, and what they are worth in each world."""

    def __init__(
        self, view: SeatView, worlds: np.ndarray, moves: Sequence[int], threads: list[_Thread],
        limits: Limits, stop: np.ndarray,
    ) -> None:  # fmt: skip
        self.view, self._threads, self._limits, self._stop = view, threads, limits, stop
        self._tables = view.board.tables
        self._positions = np.repeat(np.asarray(view.position).reshape(1), len(worlds))
        self._worlds = np.zeros(len(worlds), WORLD)
        for kinds, position, world in zip(worlds, self._positions, self._worlds, strict=True):
            become_world(view, position, kinds, world)
        self._moves = np.array(moves, np.uint16)
        self._values = np.zeros((len(worlds), len(moves)), np.int64)
        self._alive = np.arange(len(moves))
        self.depth = 0

    @property
    def is_decided(self) -> bool:
        """Whether looking deeper can't change anything: one move, or the end of the game in sight."""
        scores = self._scores()[self._alive]
        return len(self._moves) == 1 or (len(self._worlds) == 1 and abs(scores.max()) > WON)

    def deepen(self, depth: int, pool: ThreadPoolExecutor) -> bool:
        """Search every world to `depth`; False once it was broken off."""
        step = len(self._threads)
        parts = [range(first, len(self._worlds), step) for first in range(step)]
        done = list(pool.map(self._search_worlds, self._threads, parts, [depth] * step))
        self.depth = depth
        if not all(done):
            return False
        scores = self._scores()
        if len(self._worlds) > 1:
            order = self._alive[np.argsort(-scores[self._alive], kind="stable")]
            stage = min(depth, len(KEPT) - 1)
            keep = max(KEPT[stage], self._limits.lines)
            near = scores[order] >= scores[order[0]] - BEHIND[stage]
            near[: self._limits.lines] = True
            self._alive = order[near][:keep]
        return True

    def _search_worlds(self, thread: _Thread, numbers: range, depth: int) -> bool:
        thread.use_slots()
        single = len(self._worlds) == 1
        leaders = self._limits.lines if single else 0
        for number in numbers:
            values = self._values[number]
            order = self._alive[np.argsort(-values[self._alive], kind="stable")]
            moves, found = self._moves[order], values[order]
            if depth == 1:
                found[:] = INFINITE
            count = search_moves(
                self._tables, self._positions[number], self._worlds[number], thread.search, thread.table,
                thread.moves, thread.undos, self._stop, moves, found, depth, leaders, WIDTH,
            )  # fmt: skip
            if count == len(moves):
                values[order] = found
            elif single and count:
                # The best of the round before came first: what beats it at this depth is better.
                values[order[:count]] = found[:count]
                values[order[count:]] = np.minimum(found[count:], found[:count].max() - 1)
            if count < len(moves):
                return False
        return True

    def _scores(self) -> np.ndarray:
        return self._values.mean(axis=0)

    def _ranked(self) -> list[int]:
        scores = self._scores()
        return [int(index) for index in self._alive[np.argsort(-scores[self._alive], kind="stable")]]

    def lines(self) -> list[Line]:
        scores = self._scores()
        return [
            Line(int(self._moves[index]), round(float(scores[index]))) for index in self._ranked()[: self._limits.lines]
        ]

    @property
    def deepest(self) -> int:
        """The most plies that any line had."""
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

    def replies(self, line: Line) -> list[SeenMove]:
        """The moves that may follow the line's in the first of the worlds, as the transposition table has them."""
        view, table, slots = self._world_view(), self._threads[0].table, int(self._threads[0].search["slots"])
        of_world, moves = np.uint64(self._worlds[0]["key"]), []
        move = line.move
        while True:
            seen = view.observe(SeenMove(move >> 8, move & 255))
            moves.append(seen)
            key = int(position_key(view.position, of_world))
            entry = table[key & slots - 1]
            move = int(entry["move"])
            if (
                entry["key"] != key
                or len(moves) > LONGEST_LINE
                or view.result != Result.ONGOING
                or move not in view.legal_moves()
            ):
                return moves[1:]

    def _world_view(self) -> SeatView:
        """The first world as a view that sees everything."""
        kinds = self._positions[0]["kind"]
        masks = np.where(kinds == UNKNOWN, 0, 1 << np.minimum(kinds, 15).astype(np.uint16)).astype(np.uint16)
        board = self.view.board
        position, known = self._positions[0].copy(), Knowledge(masks, hidden_seats=0)
        return SeatView(board, self.view.rules, board.all_alive, position, known, list(self.view.shown_flags))
