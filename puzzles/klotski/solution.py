"""Shortest solutions: which there are, and each as moves that a person can play."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from puzzles.klotski.board import DIRECTIONS, Board
from puzzles.klotski.search import States
from puzzles.klotski.tables import Tables
from puzzles.metric import Metric


@dataclass(frozen=True)
class Solution:
    """A path to the goal in steps of a metric: the board it begins on, and its moves."""

    start: Board
    moves: tuple[str, ...]
    metric: Metric

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The boards before the first and after each move."""
        return tuple(accumulate(self.moves, lambda board, move: board.play(move, self.metric), initial=self.start))


class ShortestPaths:
    """All shortest paths from the one root of `states` to its nearest goals, which lie in the layer `depth`.

    Two paths are different when they pass through different positions. `states` must hold all layers before `depth`
    whole, and the layer `depth`, too, if `total` is to count every path.
    """

    def __init__(self, states: States, depth: int) -> None:
        self.depth = depth
        goals = states.goals(depth)
        self._links = states.links_to(goals, depth).tolist()
        paths = dict.fromkeys(goals.tolist(), 1)
        for parent, child in self._links:
            paths[parent] = paths.get(parent, 0) + paths[child]
        self.total = paths[0] if depth else 1
        """How many different shortest paths there are."""

    @cached_property
    def _next(self) -> dict[int, list[int]]:
        """The positions one step after each that lie on shortest paths, in the order of their indices."""
        following: dict[int, list[int]] = {}
        for parent, child in sorted(self._links):
            following.setdefault(parent, []).append(child)
        return following

    def __iter__(self) -> Iterator[list[int]]:
        """The paths, each as the indices of its positions, in the order of the indices."""
        path = [0]
        choices = [iter(self._next.get(0, []))]
        if self.depth == 0:
            yield path
            return
        while choices:
            child = next(choices[-1], None)
            if child is None:
                choices.pop()
                path.pop()
            elif len(path) == self.depth:
                yield [*path, child]
            else:
                path.append(child)
                choices.append(iter(self._next[child]))


def solution_through(tables: Tables, board: Board, keys: np.ndarray, metric: Metric) -> Solution:
    """The moves from `board` through the positions of `keys`, (n, words), the first of which is its own."""
    there = tables.presence(keys)
    starts = (there[:-1] & ~there[1:]).argmax(axis=1).tolist()
    ends = (there[1:] & ~there[:-1]).argmax(axis=1).tolist()
    place_of = tables.places(board)
    name_at = {place: name for name, place in place_of.items()}
    masks = tables.masks
    occupied = sum(masks[place] for place in name_at)
    moves = []
    for start, end in zip(starts, ends, strict=True):
        name = name_at.pop(start)
        occupied -= masks[start]
        moves.append(name + _path(tables, occupied, start, end, metric))
        name_at[end] = name
        occupied += masks[end]
    return Solution(board, tuple(moves), metric)


def _path(tables: Tables, occupied: int, start: int, end: int, metric: Metric) -> str:
    """The shortest path between two placements in one step of the metric, past the cells `occupied` by others."""
    masks = tables.masks
    paths = {start: ""}
    waiting = [start]
    for at in waiting:
        path = paths[at]
        for direction, to in zip(DIRECTIONS, tables.links[at], strict=True):
            # One cell is a step in every metric.
            if to < 0 or to in paths or masks[to] & occupied or (path and not metric.allows(path + direction)):
                continue
            if to == end:
                return path + direction
            paths[to] = path + direction
            waiting.append(to)
    raise ValueError(f"no step of metric {metric.value} leads from placement {start} to {end}")
