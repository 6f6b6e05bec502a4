"""The most points within so many swaps, proven as far as memory goes.

Layer k holds the distinct boards that k swaps lead to, each with the most points that reach it (`layers.py`). Two
layers need not be held: the last one, since only the best of its points matter, and the one before, which is made and
used up in parts when it is too large. When an earlier layer outgrows the memory, the better half of it is kept again
and again, by points and by how many swaps are open (a beam), and what was thrown away bounds what may have been
missed.

Lines of equal points: the fewest swaps, then the first in the order of `Swap`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from puzzles.base import PuzzleError
from puzzles.match3.board import Board, Swap
from puzzles.match3.layers import (
    BEST,
    BEST_PARENT,
    BEST_SWAP,
    COUNT_ONLY,
    DEAD,
    ENTRIES,
    FREE_SHARE,
    HIGHEST,
    IS_FULL,
    PARENT,
    PLAYS,
    PROGRESS_FIELDS,
    STORE,
    ceiling,
    expand,
    fill_table,
    rate,
)

PLAYS_A_SLICE = 20_000
"""Swaps played between two looks at the clock: a few milliseconds, on the largest boards some tens."""
EXPECTED_GROWTH = 8
"""A layer has about so many times the boards of the one before: its hash table begins with room for them."""
GLANCE_CAPACITY = 1024
"""Boards a layer in the quick beam that comes first, so that a search that is stopped has something to say."""
BYTES_BESIDE_BOARD = 20
"""Bytes of an entry beside its board: score, parent, swap, and its share of the hash table."""


@dataclass(frozen=True)
class Solution:
    """The best line found. `at_most`: no line scores more; equal to `score` when that is proven, which `is_optimal`
    says.
    """

    score: int
    line: tuple[Swap, ...]
    at_most: int
    plays: int
    boards: int

    @property
    def is_optimal(self) -> bool:
        return self.score >= self.at_most


@dataclass(frozen=True)
class Limits:
    """How far a search may go. `should_stop` is asked every few milliseconds, `on_progress` hears of better lines."""

    memory: int = 256 << 20
    most_plays: int | None = None
    should_stop: Callable[[], bool] = lambda: False
    on_progress: Callable[[Solution], None] = lambda solution: None


def solve(board: Board, most_swaps: int, limits: Limits | None = None) -> Solution:
    """The most points within `most_swaps` swaps, from `board` as it stands; its `rules.starts_with_runs` is not
    applied.

    Of equal points the fewest swaps, then the first line in the order of `Swap`. `PuzzleError` bad-number for less
    than 0 swaps.
    """
    if most_swaps < 0:
        raise PuzzleError("bad-number", f"{most_swaps} swaps: at least 0")
    limits = limits or Limits()
    most_swaps = min(most_swaps, board.cells.size // 3)
    search = _Search(board, most_swaps, limits, GLANCE_CAPACITY)
    glance = search.run()
    if glance.is_optimal and search.thrown_away < glance.score:
        return glance
    return _Search(board, most_swaps, limits, None, glance).run()


def best_first_swaps(
    board: Board,
    most_swaps: int,
    firsts: Sequence[Swap],
    limits: Limits | None = None,
    method: Callable[[Board, int, Limits | None], Solution] = solve,
) -> list[Solution]:
    """The best line that begins with each of `firsts`, the best first, by `method`; errors as for it and for
    `Board.play`.
    """
    solutions = []
    for first in firsts:
        points, after = board.play(first)
        rest = method(after, most_swaps - 1, limits)
        solutions.append(
            replace(
                rest,
                score=points + rest.score,
                line=(first, *rest.line),
                at_most=points + rest.at_most,
                plays=rest.plays + 1,
            )
        )
    return sorted(solutions, key=lambda solution: (-solution.score, len(solution.line), solution.line))


class _Layer:
    """Boards in the order of their lines, in arrays for `capacity`, which take memory as they fill; `table` finds a
    board.
    """

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
    def room(self) -> int:
        """How many entries the table is good for."""
        return self.table.size - self.table.size // FREE_SHARE

    def new_table(self, places: int) -> None:
        """Find the entries that there are by a table with so many places, a power of two."""
        self.table = np.zeros(places, np.int32)
        fill_table(self.boards, self.scores, self.entries, self.table)

    def keep(self, chosen: np.ndarray) -> None:
        """Forget all entries but the chosen ones, which are ascending."""
        self.entries = len(chosen)
        for column in (self.boards, self.scores, self.parents, self.swaps):
            column[: self.entries] = column[chosen]
        self.new_table(self.table.size)

    def finish(self) -> None:
        """No entry is added any more."""
        self.table = np.empty(0, np.int32)

    def keep_ways_back(self) -> None:
        """Forget the boards, but not the lines that lead to them."""
        self.boards = np.empty((0, self.width), np.uint64)
        self.scores = np.empty(0, np.int32)
        self.parents = self.parents[: self.entries].copy()
        self.swaps = self.swaps[: self.entries].copy()

    @property
    def bytes(self) -> int:
        """Memory in use: of the arrays only what is filled."""
        boards = min(self.entries, len(self.boards)) * (8 * self.width + self.scores.itemsize)
        return boards + self.entries * (self.parents.itemsize + self.swaps.itemsize) + self.table.nbytes


class _Search:
    """One search: the layers so far, the best line, and the bounds on what it has not seen."""

    def __init__(
        self, board: Board, most_swaps: int, limits: Limits, capacity: int | None, earlier: Solution | None = None
    ) -> None:
        """`capacity` of a layer, None for what the memory allows; `earlier`: a quicker search whose answer may be the
        better one.
        """
        self.board = board
        self.most_swaps = most_swaps
        self.limits = limits
        self.capacity = capacity
        self.game = board.game.copy()
        self.most = most_points_of_pieces(board)
        planes, words = int(self.game["planes"]), int(self.game["words"])
        self.width = planes * words
        root = _Layer(self.width, 1, 1)
        root.entries = 1
        root.boards[0] = self.game["board"][:planes, :words].ravel()
        root.scores[0] = 0
        self.layers = [root]
        self.at_most = int(ceiling(self.game[()], self.most))
        self.thrown_away = -1
        self.score = 0
        self.line: tuple[Swap, ...] = ()
        self.earlier = earlier
        self.plays = earlier.plays if earlier else 0
        self.boards = earlier.boards if earlier else 1

    def run(self) -> Solution:
        while len(self.layers) <= self.most_swaps:
            is_last = len(self.layers) == self.most_swaps
            went_on = self.use_up(self.layers[-1]) if is_last else self.make_layer()
            if not went_on:
                return self.solution(max(self.at_most, self.thrown_away))
            if is_last or not self.layers[-1].entries:
                break
        return self.solution(self.thrown_away)

    def make_layer(self) -> bool:
        """Make the layer after the last one, thinned out where memory ends; False if the search was stopped."""
        before = self.layers[-1]
        layer = _Layer(self.width, self.largest_capacity(), EXPECTED_GROWTH * before.entries)
        progress = self.new_progress()
        while self.step(before, layer, STORE, progress):
            if progress[PARENT] == before.entries:
                break
            if not progress[IS_FULL]:
                continue
            if layer.room < layer.capacity:
                layer.new_table(2 * layer.table.size)
            elif len(self.layers) == self.most_swaps - 1 and self.capacity is None:
                # The layer before the last is used up in parts: this one is forgotten, and the parents go on.
                if not self.use_up_part(layer):
                    return False
                layer.keep(np.empty(0, np.int64))
            else:
                self.thin_out(layer)
            progress[ENTRIES] = layer.entries
        else:
            return False
        before.keep_ways_back()
        layer.finish()
        self.layers.append(layer)
        self.at_most = int(progress[HIGHEST])
        self.boards += layer.entries
        self.limits.on_progress(self.solution(max(self.at_most, self.thrown_away)))
        return True

    def use_up_part(self, part: "_Layer") -> bool:
        self.layers.append(part)
        self.boards += part.entries
        went_on = self.use_up(part)
        self.layers.pop()
        return went_on

    def use_up(self, layer: "_Layer") -> bool:
        """Play the last swap of every line; False if the search was stopped."""
        progress = self.new_progress()
        nothing = _Layer(self.width, 1, 1)
        while self.step(layer, nothing, COUNT_ONLY, progress):
            if progress[PARENT] == layer.entries:
                return True
        return False

    def new_progress(self) -> np.ndarray:
        progress = np.zeros(PROGRESS_FIELDS, np.int64)
        progress[BEST] = self.score
        return progress

    def step(self, before: "_Layer", layer: "_Layer", mode: int, progress: np.ndarray) -> bool:
        """One slice of `expand`, and what it found; False if the search is to stop."""
        limits = self.limits
        room = PLAYS_A_SLICE if limits.most_plays is None else min(PLAYS_A_SLICE, limits.most_plays - self.plays)
        if room <= 0 or limits.should_stop():
            return False
        best, plays = int(progress[BEST]), int(progress[PLAYS])
        expand(
            self.game[()], before.boards, before.scores, before.entries, self.most, layer.boards, layer.scores,
            layer.parents, layer.swaps, layer.table, mode, room, progress,
        )  # fmt: skip
        layer.entries = int(progress[ENTRIES])
        self.plays += int(progress[PLAYS]) - plays
        found, swaps = int(progress[BEST]), len(self.layers)
        if found > best and (found, -swaps) > (self.score, -len(self.line)):
            self.score = found
            self.line = self.line_to(int(progress[BEST_PARENT]), int(progress[BEST_SWAP]))
        return True

    def line_to(self, entry: int, swap: int) -> tuple[Swap, ...]:
        """The line that reaches an entry of the last layer and goes on with `swap`."""
        numbers = [swap]
        for layer in self.layers[:0:-1]:
            numbers.append(int(layer.swaps[entry]))
            entry = int(layer.parents[entry])
        return tuple(self.board.swap_of(number) for number in reversed(numbers))

    def largest_capacity(self) -> int:
        """How many boards the next layer may hold."""
        least = 2 * self.board.cells.size
        if self.capacity is not None:
            return max(self.capacity, least)
        held = sum(layer.bytes for layer in self.layers)
        return max((self.limits.memory - held) // (8 * self.width + BYTES_BESIDE_BOARD), least)

    def thin_out(self, layer: "_Layer") -> None:
        """Keep the better half of a full layer."""
        ranks = np.empty(layer.entries, np.int32)
        bounds = np.empty(layer.entries, np.int32)
        rate(self.game[()], layer.boards, layer.scores, layer.entries, self.most, ranks, bounds)
        by_rank = np.argsort(-ranks, kind="stable")
        kept = np.sort(by_rank[: layer.entries // 2])
        kept = kept[layer.scores[kept] != DEAD]
        thrown = by_rank[layer.entries // 2 :]
        self.thrown_away = max(self.thrown_away, int(bounds[thrown].max()))
        layer.keep(kept)

    def solution(self, at_most: int) -> Solution:
        """The best line known. `at_most` is the bound on what this search has not seen."""
        score, line = self.score, self.line
        if self.earlier is not None:
            at_most = min(at_most, self.earlier.at_most)
            # A finished search has the right line of all equal ones; an unfinished one may not have come as far
            # as the other.
            if (self.earlier.score, -len(self.earlier.line)) > (score, -len(line)):
                score, line = self.earlier.score, self.earlier.line
        return Solution(score, line, max(score, at_most), self.plays, self.boards)


def most_points_of_pieces(board: Board) -> np.ndarray:
    """`most[n]`: no n pieces of one kind score more, whatever happens.

    A piece is in one row run and one column run at most, so twice the best division of n into runs bounds it; with
    less than 5 pieces no two runs cross.
    """
    pieces = board.cells.size
    most = np.zeros(pieces + 1, np.int64)
    for n in range(3, pieces + 1):
        most[n] = max(most[n - length] + board.rules.points[length - 3] for length in (3, 4, 5) if length <= n)
    most[5:] *= 2
    return most
