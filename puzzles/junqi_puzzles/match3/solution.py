"""Solutions of match-3, and the limits of a search for them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from junqi_puzzles import base
from junqi_puzzles.base import Search
from junqi_puzzles.match3.board import Board, Swap

PLAYS_A_SLICE = 20_000
"""Swaps played between two checks of the stop flag: a few milliseconds, some tens on the largest boards."""


@dataclass(frozen=True)
class Solution:
    """The best line found from the board `start`.

    No line scores more than `upper_bound`, which equals `score` if the line is proven best. `nodes`: swaps played.
    """

    start: Board
    score: int
    line: tuple[Swap, ...]
    upper_bound: int
    nodes: int

    @property
    def is_optimal(self) -> bool:
        return self.score >= self.upper_bound

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.start.format_swap(swap) for swap in self.line)


@dataclass(frozen=True)
class Outcome(base.Outcome[Solution]):
    """The outcome of a search for points. No line scores more than `upper_bound`."""

    upper_bound: int = 0


def slice_budget(search: Search, plays: int) -> int:
    """The number of swaps that the next slice may play after `plays`; 0 or less if the search must end."""
    if search.is_stopped:
        return 0
    max_nodes = search.limits.nodes
    return PLAYS_A_SLICE if max_nodes is None else min(PLAYS_A_SLICE, max_nodes - plays)


@lru_cache
def max_points_of_pieces(pieces: int, points: tuple[int, int, int]) -> np.ndarray:
    """An upper bound on the points of n pieces of one kind, by n from 0 to `pieces`; `points` are those of the rules.

    A piece is in at most one row run and one column run, so twice the best division of n into runs is a bound. With
    fewer than 5 pieces no two runs cross.
    """
    bounds = np.zeros(pieces + 1, np.int64)
    for n in range(3, pieces + 1):
        bounds[n] = max(bounds[n - length] + points[length - 3] for length in (3, 4, 5) if length <= n)
    bounds[5:] *= 2
    return bounds
