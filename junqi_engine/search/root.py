"""The root search: perfect-information Monte Carlo over the same worlds for all moves, by iterative deepening.

The score of a move is its mean over the worlds that were sampled; equal worlds are searched once. After each
iteration, moves that are too far behind are pruned (progressive pruning: `ROOT_STAGES`). If a world is not completed in
an iteration, the scores of its last iteration count for all moves, and before the first one the static evaluations; so
moves are always compared over the same worlds at the same depths. If nothing is hidden there is one world.

Each thread has a fixed share of the worlds and a part of the transposition table of its own, so nothing depends on
when a thread runs.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from junqi_engine.evaluation.evaluator import INFINITE, WON, Evaluator, eval_key, push_ply
from junqi_engine.information.deduction import KNOWN
from junqi_engine.information.view import SeatView, public_info
from junqi_engine.information.world import distinct_worlds, positions_of_world
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import NO_MOVE, from_point_of, to_point_of
from junqi_engine.rules.pieces import KINDS, UNKNOWN
from junqi_engine.rules.position import POSITION, Result
from junqi_engine.search.alpha_beta import evaluate_root_moves, search_world
from junqi_engine.search.clock import Clock
from junqi_engine.search.parameters import (
    ASPIRATION_WINDOW,
    FUTILITY_MARGINS,
    MIN_ROOT_MOVES,
    NULL_MOVE_DEPTH,
    NULL_MOVE_DIVISOR,
    NULL_MOVE_REDUCTION,
    QUIESCENCE_PLIES,
    REDUCTION_DEPTHS,
    REDUCTION_DIVISOR,
    REDUCTION_MOVES,
    REDUCTION_OFFSET,
    ROOT_STAGES,
    SEARCH,
    WORLD,
    begin_search,
    rank_moves,
)
from junqi_engine.search.transposition import (
    ENTRY,
    hashfull,
    limits_key,
    move_in,
    position_key,
    probe,
    rehash,
    world_key,
)

MAX_DEPTH = 60
MAX_GENERATION = (1 << 16) - 1
UNLIMITED_NODES = 1 << 62
SLOTS_PER_NODE = 8
MIN_SLOTS = 1 << 16
PV_PLIES = 12


@dataclass(frozen=True)
class RootMove:
    move: int
    score: int


@dataclass(frozen=True)
class SearchLimits:
    """The limits of a search: plies (at most `MAX_DEPTH`), nodes, a clock; 0 and None for no limit.

    `lines` is the number of moves to report.
    """

    depth: int = 0
    nodes: int = 0
    lines: int = 1
    clock: Clock | None = None


@dataclass(frozen=True)
class Report:
    """The result of an iteration, or of the part of it before the search was stopped.

    `best` are the best moves, best first: at least one, at most `SearchLimits.lines`. `lead` is the lead of the first
    over the second, in hundredths of a Lieutenant. `depth` is the depth of the last iteration that was completed, 0
    before the first one; `seldepth` the length of the longest line; `nodes` the moves made so far. `hashfull` is the
    permille of the transposition table, or of the first thread's part, that this search has filled.
    """

    best: list[RootMove]
    lead: int
    depth: int
    seldepth: int
    nodes: int
    hashfull: int


class SearchThread:
    """The memory of one thread. `table` is its part of the transposition table."""

    def __init__(self, table: np.ndarray) -> None:
        self.table = table
        self.search = search = np.zeros(1, SEARCH)[0]
        search["quiescence_plies"], search["is_selective"] = QUIESCENCE_PLIES, True
        search["aspiration_window"] = ASPIRATION_WINDOW
        search["null_move_depth"] = NULL_MOVE_DEPTH
        search["null_move_reduction"], search["null_move_divisor"] = NULL_MOVE_REDUCTION, NULL_MOVE_DIVISOR
        search["futility_margins"] = -1
        search["futility_margins"][: len(FUTILITY_MARGINS)] = FUTILITY_MARGINS
        logarithms = np.log(np.arange(1, REDUCTION_DEPTHS))[:, None] * np.log(np.arange(1, REDUCTION_MOVES))
        search["reductions"][1:, 1:] = np.maximum(0, REDUCTION_OFFSET + logarithms / REDUCTION_DIVISOR)


class WorldsSearch:
    """A search and its memory, which is kept from move to move.

    With a limit of depth or positions, a result never depends on earlier searches. With a clock alone, a search begins
    with half of the history and with the table's moves of the searches since `new_game`.
    """

    def __init__(self, evaluator: Evaluator, hash_mb: int, threads: int = 1) -> None:
        self.evaluator = evaluator
        slots = max(1, hash_mb) * 2**20 // ENTRY.itemsize
        self.table = np.zeros(1 << slots.bit_length() - 1, ENTRY)
        self.threads = [SearchThread(self.table) for _ in range(threads)]
        self._generation = 0
        self.new_game()
        self.nodes = 0
        """Positions made by the last search."""

    def new_game(self) -> None:
        self._oldest_generation = self._generation + 1
        for thread in self.threads:
            thread.search["history"] = 0
            thread.search["tt"]["slots"] = MIN_SLOTS

    def iterate(
        self, view: SeatView, worlds: np.ndarray, moves: Sequence[int], limits: SearchLimits, stop: np.ndarray
    ) -> Iterator[Report]:
        """Compare moves, at least one, one ply deeper with each report. The caller may end the search after any report.

        `worlds` is (n, 128), the kinds of all pieces. `stop[0]` ends the search at once, with one more report.
        """
        self._view, self._limits, self._stop = view, limits, stop
        self._moves = np.array(moves, np.uint16)
        worlds, self._weights = distinct_worlds(view, worlds)
        self._begin(min(len(worlds), len(self.threads)))
        self._prepare_worlds(worlds)
        self._depth = 0
        with ThreadPoolExecutor(len(self._active)) as pool:
            for depth in range(1, (limits.depth or MAX_DEPTH) + 1):
                for thread in self._active:
                    _grow_table(thread, stop)
                before = self._values.copy()
                is_complete = self._deepen(depth, pool)
                self.nodes = sum(int(thread.search["nodes"]) for thread in self._active)
                yield self._report()
                if not is_complete or self._is_decided(before):
                    return

    def _begin(self, count: int) -> None:
        """Prepare the first `count` threads. Each gets an equal part of the table, as large a power of two as there is
        room for.
        """
        if self._generation == MAX_GENERATION:
            self.table[:] = 0
            self._generation = 0
            self.new_game()
        self._generation += 1
        if self._limits.nodes or self._limits.depth:  # the result must not depend on earlier searches
            self.new_game()
            self._oldest_generation = self._generation
        self._active = self.threads[:count]
        length = 1 << (len(self.table) // count).bit_length() - 1
        nodes = self._limits.nodes and max(1, self._limits.nodes // count)
        for number, thread in enumerate(self._active):
            thread.table = self.table[number * length : (number + 1) * length]
            search = thread.search
            search["tt"]["slots"] = min(int(search["tt"]["slots"]), length)
            search["tt"]["generation"] = self._generation
            search["tt"]["oldest_generation"] = self._oldest_generation
            search["history"] >>= 1
            begin_search(search, np.uint64(nodes or UNLIMITED_NODES))

    def _prepare_worlds(self, worlds: np.ndarray) -> None:
        """Set up the worlds. Before a world is searched, the static evaluations after its moves count."""
        view, public = self._view, public_info(self._view)
        self._worlds = np.zeros(len(worlds), WORLD)
        self._values = np.zeros((len(worlds), len(self._moves)), np.int64)
        for world, kinds, values in zip(self._worlds, worlds, self._values, strict=True):
            world["position"] = positions_of_world(view, kinds)[0]
            world["key"] = world_key(world["position"])
            self.evaluator.refresh(view.board, world["position"], public, world["evaluation"])
            evaluate_root_moves(view.board.tables, world, self.threads[0].search, self._moves, values)
        self._kept, self._sums = np.arange(len(self._moves)), np.zeros(len(self._moves), np.int64)

    def _deepen(self, depth: int, pool: ThreadPoolExecutor) -> bool:
        """Search every world to `depth`, and prune moves that are too far behind; False if the search was stopped."""
        count = len(self._active)
        # A single thread is the caller's: to start one for each search would cost small searches dearly.
        run = map if count == 1 else pool.map
        is_complete = all(list(run(self._search_worlds, self._active, range(count), [depth] * count)))
        if not is_complete:
            return False
        self._depth = depth
        if len(self._worlds) > 1:
            lines, (max_moves, margin) = self._limits.lines, ROOT_STAGES[min(depth, len(ROOT_STAGES) - 1)]
            self._kept = self._ranked(max(max_moves, lines), margin, max(MIN_ROOT_MOVES, lines))
        return True

    def _is_decided(self, before: np.ndarray) -> bool:
        """Whether a deeper search cannot change the choice: one move remains, a forced win or loss was found, or every
        line reaches the limit of plies and one ply more changed no value from those `before`.
        """
        is_won = len(self._worlds) == 1 and abs(self._values[0, self._kept].max()) > WON
        is_at_end = 0 < self._view.rules.max_plies < self._view.ply + self._depth
        return len(self._kept) == 1 or is_won or (is_at_end and np.array_equal(self._values, before))

    def _search_worlds(self, thread: SearchThread, first: int, depth: int) -> bool:
        """Search the share of the worlds that begins with `first`; False if it was stopped."""
        is_alone = len(self._worlds) == 1
        thread.search["multi_pv"] = self._limits.lines if is_alone else 0
        for number in range(first, len(self._worlds), len(self._active)):
            values, order = self._values[number], self._kept.copy()
            count = search_world(
                self._view.board.tables, self._worlds[number], thread.search, thread.table, self._stop, self._moves,
                order, values, depth,
            )  # fmt: skip
            if count < len(order):
                if is_alone and count:
                    # The best move of the last iteration came first: one that beats it at this depth is better.
                    others = values[order[count:]]
                    values[order[count:]] = others - max(0, others.max() - values[order[:count]].max() + 1)
                return False
        return True

    def _ranked(self, max_moves: int, margin: int, min_moves: int) -> np.ndarray:
        kept = self._kept.copy()
        return kept[: rank_moves(self._values, self._weights, kept, self._sums, max_moves, margin, min_moves)]

    def _report(self) -> Report:
        total, lead, first = self._weights.sum(), 2 * INFINITE, self._active[0]
        if len(self._kept) > 1:
            one, other = self._sums[self._ranked(2, 0, 2)]
            lead = round((one - other) / total)
        best = self._ranked(self._limits.lines, 0, self._limits.lines)
        return Report(
            best=[RootMove(int(self._moves[index]), round(self._sums[index] / total)) for index in best],
            lead=lead,
            depth=self._depth,
            seldepth=max(int(thread.search["seldepth"]) for thread in self._active),
            nodes=self.nodes,
            hashfull=hashfull(first.table, first.search["tt"]),
        )

    # Of the last search

    def world_scores(self, move: int) -> np.ndarray:
        """The scores of a root move in each world that was sampled, (n,) int64."""
        return np.repeat(self._values[:, np.flatnonzero(self._moves == move)[0]], self._weights)

    def pv_after(self, move: int) -> list[SeenMove]:
        """The principal variation after a root move in the first world, from the transposition table."""
        world = self._worlds[0].copy()
        position, evaluation = world["position"], world["evaluation"]
        view, undo = _open_view(self._view, position), np.zeros(1, UNDO)[0]
        line: list[SeenMove] = []
        while len(line) <= PV_PLIES:
            line.append(view.observe(SeenMove(from_point_of(move), to_point_of(move))))
            make(view.board.tables, position, np.uint16(move), undo)
            push_ply(position, undo, evaluation)
            move = self._pv_move(world, self._depth - len(line))
            if view.result != Result.ONGOING or move not in view.legal_moves():
                break
        return line[1:]

    def _pv_move(self, world: np.void, depth: int) -> int:
        """The move of the transposition table for a position of the first world, or `NO_MOVE`."""
        search, table = self._active[0].search, self._active[0].table
        key = np.uint64(position_key(world["position"], world["key"])) ^ np.uint64(eval_key(world["evaluation"]))
        of_limits = np.uint64(limits_key(world["position"], depth, int(search["quiescence_plies"])))
        # As in the search: without a result near a limit of the rules, that of a search which did not reach the limit.
        for each in (key ^ of_limits, key):
            move = int(move_in(probe(table, search["tt"], each)))
            if move != NO_MOVE:
                return move
        return NO_MOVE


def _open_view(view: SeatView, position: np.void) -> SeatView:
    kinds = position["kind"]
    masks = np.where(kinds == UNKNOWN, 0, 1 << np.minimum(kinds, KINDS).astype(np.uint16)).astype(np.uint16)
    positions, knowns = np.array([position], POSITION), np.zeros(1, KNOWN)
    knowns["masks"] = masks
    return SeatView(view.board, view.rules, view.board.all_alive, positions, knowns, list(view.revealed_flags))


def _grow_table(thread: SearchThread, stop: np.ndarray) -> None:
    """Grow the thread's share of the table to what the next iteration can fill: pages never written cost no memory."""
    tt = thread.search["tt"]
    slots = int(tt["slots"])
    wanted = min(1 << (SLOTS_PER_NODE * int(thread.search["nodes"])).bit_length(), len(thread.table))
    if wanted > slots and rehash(thread.table, slots, wanted, stop):
        tt["slots"] = wanted
