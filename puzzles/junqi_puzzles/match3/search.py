"""The search of match-3: the most points within a number of swaps, proven as far as memory allows.

Layer k has the distinct boards after k swaps, each with the most points of a line to it (`layers.py`). Two layers need
not be kept: the last one, since only the best of its points matter, and the one before it, which is made and expanded
in parts if it is too large. If an earlier layer does not fit into memory, its better half is kept, by points and number
of legal swaps (a beam search); the discarded boards bound the points that may be missed.

Of lines with equal points the one with the fewest swaps is best, then the first one in the order of `Swap`.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from junqi_puzzles.base import Search, Statistics
from junqi_puzzles.match3.board import Board, Swap
from junqi_puzzles.match3.layers import (
    DEAD,
    EXPANSION,
    FREE_SHARE,
    Entries,
    ceiling,
    expand,
    fill_table,
    rate,
)
from junqi_puzzles.match3.solution import Solution, max_points_of_pieces, slice_budget

EXPECTED_GROWTH = 8
"""Expected ratio of the boards of a layer to those of the layer before, for the first size of the hash table."""
GLANCE_CAPACITY = 1024
"""Boards in a layer of the first, quick beam search, which has a line ready in case the search is stopped."""
BYTES_BESIDE_BOARD = 20
"""Bytes of an entry without its board: score, parent, swap, and its share of the hash table."""
DEFAULT_MEMORY_BYTES = 256 << 20


def best_lines(board: Board, firsts: Sequence[Swap], max_swaps: int, search: Search) -> tuple[list[Solution], bool]:
    """The best line after each first swap, best first, and whether the node limit cut one off."""
    limits, quiet, is_cut = search.limits, Search(search.limits, search.stop_flag), False
    solutions: list[Solution] = []
    for left in range(len(firsts), 0, -1):
        if limits.nodes is not None:  # an equal share of the rest for each; a first swap is a node itself
            spent = sum(solution.nodes for solution in solutions) + left
            quiet = quiet.with_limits(nodes=max(0, limits.nodes - spent) // left)
        solutions.append(_line_after(board, firsts[-left], max_swaps, quiet))
        is_cut |= quiet.limits.nodes is not None and solutions[-1].nodes > quiet.limits.nodes
    solutions.sort(key=lambda solution: (-solution.score, len(solution.line), solution.line))
    return solutions, is_cut


def _line_after(board: Board, first: Swap, max_swaps: int, search: Search) -> Solution:
    points, after = board.play(first)
    rest = best_line(after, max_swaps - 1, search)
    return replace(
        rest,
        start=board,
        score=points + rest.score,
        line=(first, *rest.line),
        upper_bound=points + rest.upper_bound,
        nodes=rest.nodes + 1,
    )


def best_line(board: Board, max_swaps: int, search: Search) -> Solution:
    """The best line: by a quick beam search, and unless that proves it, by a search with all the memory."""
    glance = LayeredSearch(board, max_swaps, search, GLANCE_CAPACITY)
    solution = glance.run()
    if solution.is_optimal and glance.best_discarded < solution.score:
        return solution
    return LayeredSearch(board, max_swaps, search, None, solution).run()


class _Layer:
    """Boards in the order of their lines, in arrays of length `capacity`, which take memory as they fill."""

    def __init__(self, width: int, capacity: int, expected: int) -> None:
        self.width = width
        self.capacity = capacity
        self.entries = 0
        self.boards = np.empty((capacity, width), np.uint64)
        self.scores = np.empty(capacity, np.int32)
        self.parents = np.empty(capacity, np.int32)
        self.swaps = np.empty(capacity, np.int16)
        self.table = np.empty(0, np.int32)
        self.new_table(1 << (2 * min(expected, capacity)).bit_length())

    @property
    def arrays(self) -> Entries:
        return Entries(self.boards, self.scores, self.parents, self.swaps, self.table)

    @property
    def room(self) -> int:
        """The number of entries that the table has room for."""
        return self.table.size - self.table.size // FREE_SHARE

    def new_table(self, places: int) -> None:
        """Enter the boards in a new table of this size, a power of two."""
        self.table = np.zeros(places, np.int32)
        fill_table(self.boards, self.scores, self.entries, self.table)

    def keep(self, chosen: np.ndarray) -> None:
        """Remove all entries except the chosen ones, in ascending order."""
        self.entries = len(chosen)
        for column in (self.boards, self.scores, self.parents, self.swaps):
            column[: self.entries] = column[chosen]
        self.new_table(self.table.size)

    def finish(self) -> None:
        """Free the table: no more entries are added."""
        self.table = np.empty(0, np.int32)

    def keep_lines(self) -> None:
        """Free the boards, but keep the lines to them."""
        self.boards = np.empty((0, self.width), np.uint64)
        self.scores = np.empty(0, np.int32)
        self.parents = self.parents[: self.entries].copy()
        self.swaps = self.swaps[: self.entries].copy()

    @property
    def bytes(self) -> int:
        """Memory in use: the filled parts of the arrays."""
        boards = min(self.entries, len(self.boards)) * (8 * self.width + self.scores.itemsize)
        return boards + self.entries * (self.parents.itemsize + self.swaps.itemsize) + self.table.nbytes


class LayeredSearch:
    """One search: the layers so far, the best line, and upper bounds on the lines not searched."""

    def __init__(
        self, board: Board, max_swaps: int, search: Search, capacity: int | None, earlier: Solution | None = None
    ) -> None:
        """`capacity`: boards in a layer, None for all that fit; `earlier`: the result of a quicker search."""
        self.board = board
        self.max_swaps = max_swaps
        self.search = search
        self.capacity = capacity
        self.game = board.game.copy()
        self.max_points = max_points_of_pieces(board.cells.size, tuple(board.rules.points))
        self.places = np.empty(2 * 64 * len(self.game["area"]), np.uint64)
        planes, words = int(self.game["planes"]), int(self.game["words"])
        self.width = planes * words
        root = _Layer(self.width, 1, 1)
        root.entries = 1
        root.boards[0] = self.game["board"][:planes, :words].ravel()
        root.scores[0] = 0
        self.layers = [root]
        self.upper_bound = int(ceiling(self.game[()], self.max_points))
        self.best_discarded = -1
        self.score = 0
        self.line: tuple[Swap, ...] = ()
        self.earlier = earlier
        self.plays = earlier.nodes if earlier else 0

    def run(self) -> Solution:
        while len(self.layers) <= self.max_swaps:
            is_last = len(self.layers) == self.max_swaps
            is_complete = self.expand_last(self.layers[-1]) if is_last else self.make_layer()
            if not is_complete:
                return self.solution(max(self.upper_bound, self.best_discarded))
            if is_last or not self.layers[-1].entries:
                break
        return self.solution(self.best_discarded)

    def make_layer(self) -> bool:
        """Make the layer after the last one, thinned out if memory is short; False if the search must end."""
        before = self.layers[-1]
        layer = _Layer(self.width, self.largest_capacity(), EXPECTED_GROWTH * before.entries)
        state = self.new_expansion(before)
        while self.step(before, layer, state):
            if state["parent"] == before.entries:
                break
            if not state["is_full"]:
                continue
            if layer.room < layer.capacity:
                layer.new_table(2 * layer.table.size)
            elif len(self.layers) == self.max_swaps - 1 and self.capacity is None:
                # The layer before the last is expanded in parts: this part is freed, then the next one is made.
                self.layers.append(layer)
                is_complete = self.expand_last(layer)
                self.layers.pop()
                if not is_complete:
                    return False
                layer.keep(np.empty(0, np.int64))
            else:
                self.thin_out(layer)
            state["entries"] = layer.entries
        else:
            return False
        before.keep_lines()
        layer.finish()
        self.layers.append(layer)
        self.upper_bound = int(state["upper_bound"])
        statistics = Statistics(self.plays, len(self.layers) - 1, sum(layer.bytes for layer in self.layers))
        self.search.report(statistics, self.solution(max(self.upper_bound, self.best_discarded)))
        return True

    def expand_last(self, layer: "_Layer") -> bool:
        """Play the last swap of every line; False if the search must end."""
        state = self.new_expansion(layer, is_last=True)
        nothing = _Layer(self.width, 1, 1)
        while self.step(layer, nothing, state):
            if state["parent"] == layer.entries:
                return True
        return False

    def new_expansion(self, before: "_Layer", is_last: bool = False) -> np.void:
        state: np.void = np.zeros(1, EXPANSION)[0]
        state["parents"], state["best"], state["is_last"] = before.entries, self.score, is_last
        return state

    def step(self, before: "_Layer", layer: "_Layer", state: np.void) -> bool:
        """Run one slice of `expand` and update the best line; False if the search must end."""
        room = slice_budget(self.search, self.plays)
        if room <= 0:
            return False
        best, plays = int(state["best"]), int(state["plays"])
        state["max_plays"] = plays + room
        expand(self.game[()], before.arrays, layer.arrays, self.max_points, self.places, state)
        layer.entries = int(state["entries"])
        self.plays += int(state["plays"]) - plays
        found, swaps = int(state["best"]), len(self.layers)
        if found > best and (found, -swaps) > (self.score, -len(self.line)):
            self.score = found
            self.line = self.line_to(int(state["best_parent"]), int(state["best_swap"]))
        return True

    def line_to(self, entry: int, swap: int) -> tuple[Swap, ...]:
        """The line to an entry of the last layer, followed by `swap`."""
        numbers = [swap]
        for layer in self.layers[:0:-1]:
            numbers.append(int(layer.swaps[entry]))
            entry = int(layer.parents[entry])
        return tuple(self.board.swap_of(number) for number in reversed(numbers))

    def largest_capacity(self) -> int:
        """The number of boards that the next layer may have."""
        minimum = 2 * self.board.cells.size
        if self.capacity is not None:
            return max(self.capacity, minimum)
        free = self.search.memory_bytes(DEFAULT_MEMORY_BYTES) - sum(layer.bytes for layer in self.layers)
        return max(free // (8 * self.width + BYTES_BESIDE_BOARD), minimum)

    def thin_out(self, layer: "_Layer") -> None:
        """Keep the better half of a full layer."""
        ranks = np.empty(layer.entries, np.int32)
        bounds = np.empty(layer.entries, np.int32)
        rate(self.game[()], layer.arrays, layer.entries, self.max_points, ranks, bounds)
        by_rank = np.argsort(-ranks, kind="stable")
        kept = np.sort(by_rank[: layer.entries // 2])
        kept = kept[layer.scores[kept] != DEAD]
        discarded = by_rank[layer.entries // 2 :]
        self.best_discarded = max(self.best_discarded, int(bounds[discarded].max()))
        layer.keep(kept)

    def solution(self, upper_bound: int) -> Solution:
        """The best line so far. `upper_bound` bounds the points of the lines not searched."""
        score, line = self.score, self.line
        if self.earlier is not None:
            upper_bound = min(upper_bound, self.earlier.upper_bound)
            # A complete search has the first of all equal lines; an incomplete one can have less than the earlier one.
            if (self.earlier.score, -len(self.earlier.line)) > (score, -len(line)):
                score, line = self.earlier.score, self.earlier.line
        return Solution(self.board, score, line, max(score, upper_bound), self.plays)
