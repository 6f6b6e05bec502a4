"""Solutions of sliding-block puzzles: shortest paths as moves, and the parity argument.

**Parity** proves that some puzzles with one hole, such as a 15-puzzle with two tiles exchanged, have no solution. A
step exchanges a piece of one cell and the hole. It changes the parity of the permutation, and the colour of the hole's
cell as on a chessboard: the sum of both never changes (Johnson and Story, "Notes on the 15 puzzle", 1879).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from junqi_puzzles import base
from junqi_puzzles.klotski.board import DIRECTIONS, Board
from junqi_puzzles.klotski.search import States
from junqi_puzzles.klotski.tables import Tables
from junqi_puzzles.metric import Metric


def is_excluded(board: Board) -> bool:
    """Whether parity proves that there is no solution.

    This requires that all pieces have one cell, one cell is empty, and the goal names all pieces, or all but one.
    """
    places = {name: min(cells) for name, cells in board.pieces.items()}
    cells = set(range(board.width * board.height)) - board.walls
    holes, others = cells - set(places.values()), places.keys() - board.goal.keys()
    if len(holes) != 1 or len(others) > 1 or any(len(piece) > 1 for piece in board.pieces.values()):
        return False
    named = {places[name]: min(piece) for name, piece in board.goal.items()}
    free = cells - set(named.values())
    ends = ([end, *(free - {end})] for end in free)
    from_cells = [*holes, *(places[name] for name in others)]
    return all(_is_odd(board.width, from_cells[0], named | dict(zip(from_cells, end, strict=True))) for end in ends)


def _is_odd(width: int, hole: int, moved: Mapping[int, int]) -> bool:
    """Whether the parity of a permutation of cells differs from that of the hole's way."""
    cycles, seen = 0, set[int]()
    for cell in moved:
        cycles += cell not in seen
        while cell not in seen:
            seen.add(cell)
            cell = moved[cell]
    return (len(moved) - cycles + sum(divmod(hole, width)) + sum(divmod(moved[hole], width))) % 2 == 1


@dataclass(frozen=True)
class Solution:
    """A path to the goal in steps of a metric."""

    start: Board
    moves: tuple[str, ...]
    metric: Metric

    def __len__(self) -> int:
        return len(self.moves)

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The boards before the first and after each move."""
        return tuple(accumulate(self.moves, lambda board, move: board.play(move, self.metric), initial=self.start))


Outcome = base.Outcome[Solution]


class ShortestPaths:
    """All shortest paths from the only root of `states` to its nearest goals, in the layer `depth`.

    Two paths are different if they pass through different positions. `states` must have all layers before `depth`
    complete, and for an exact `total` the layer `depth`, too.
    """

    def __init__(self, states: States, depth: int) -> None:
        self.depth = depth
        goals = states.goals(depth)
        self._links = states.links_to(goals, depth).tolist()
        paths = dict.fromkeys(goals.tolist(), 1)
        for parent, child in self._links:
            paths[parent] = paths.get(parent, 0) + paths[child]
        self.total = paths[0] if depth else 1
        """The number of different shortest paths."""

    @cached_property
    def _next(self) -> dict[int, list[int]]:
        """The positions after each position on shortest paths, in the order of their indices."""
        following: dict[int, list[int]] = {}
        for parent, child in sorted(self._links):
            following.setdefault(parent, []).append(child)
        return following

    def __iter__(self) -> Iterator[list[int]]:
        """Yield each path as the indices of its positions, in their order."""
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
    """The moves from `board` through the positions of `keys`, (n,); the first key is that of the board."""
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
