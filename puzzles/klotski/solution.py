"""Shortest solutions: which there are, and each as moves that a person can play."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from puzzles.klotski.board import DIRECTIONS, Board, Cells
from puzzles.klotski.search import States, Stepper
from puzzles.klotski.tables import Tables


@dataclass(frozen=True)
class Solution:
    """A way to the goal: its moves, and the boards before the first and after each of them."""

    moves: tuple[str, ...]
    boards: tuple[Board, ...]

    def __len__(self) -> int:
        return len(self.moves)


class ShortestPaths:
    """All shortest ways from the one root of `states` to its nearest goals, which lie in the layer `depth`.

    Two ways are different when they pass through different positions. `states` must hold all layers before `depth`
    whole, and that of `depth` as well if `total` is to count every way.
    """

    def __init__(self, states: States, metric: str, depth: int) -> None:
        self.states = states
        self.depth = depth
        back = Stepper(states.stepper.tables, metric, back=True)
        ways: dict[int, int] = dict.fromkeys(states.goals(depth).tolist(), 1)
        self._next: dict[int, list[int]] = {}
        for layer in range(depth, 0, -1):
            children = np.array(sorted(ways), np.int64)
            keys, origin = back.expand(states.keys[children])
            parents = states.find(keys)
            before = states.layer(layer - 1)
            links = (parents >= before.start) & (parents < before.stop)
            ways_before: dict[int, int] = {}
            for parent, child in sorted(zip(parents[links].tolist(), children[origin[links]].tolist(), strict=True)):
                ways_before[parent] = ways_before.get(parent, 0) + ways[child]
                self._next.setdefault(parent, []).append(child)
            ways = ways_before
        self.total = sum(ways.values()) if depth else 1
        """How many different shortest ways there are."""

    def __iter__(self) -> Iterator[list[int]]:
        """The ways, each as the indices of its positions, in the order of the indices."""
        way = [0]
        choices = [iter(self._next.get(0, []))]
        if self.depth == 0:
            yield way
            return
        while choices:
            child = next(choices[-1], None)
            if child is None:
                choices.pop()
                way.pop()
            elif len(way) == self.depth:
                yield [*way, child]
            else:
                way.append(child)
                choices.append(iter(self._next[child]))


def one_way(states: States, metric: str, goal: int) -> list[int]:
    """One shortest way to the position of index `goal`: the indices of its positions, a root first."""
    back = Stepper(states.stepper.tables, metric, back=True)
    way = [goal]
    for layer in range(states.depth_of(goal), 0, -1):
        keys, _ = back.expand(states.keys[way[-1] : way[-1] + 1])
        parents = states.find(keys)
        before = states.layer(layer - 1)
        way.append(int(parents[(parents >= before.start) & (parents < before.stop)].min()))
    return way[::-1]


def played(tables: Tables, board: Board, keys: np.ndarray, metric: str) -> Solution:
    """The moves that lead through the positions of `keys`, (n, words), the first of which is that of `board`."""
    boards = [board]
    moves = []
    for before, after in zip(keys[:-1], keys[1:], strict=True):
        board = boards[-1]
        start, end = step_between(tables, before, after)
        name = next(name for name, cells in board.pieces.items() if cells == start)
        moves.append(name + path_of(board, name, end, metric))
        boards.append(replace(board, pieces={**board.pieces, name: end}))
    return Solution(tuple(moves), tuple(boards))


def step_between(tables: Tables, before: np.ndarray, after: np.ndarray) -> tuple[Cells, Cells]:
    """Where the piece that moved between two keys stood, and where it stands."""
    for old, new in zip(tables.decode(before), tables.decode(after), strict=True):
        if old != new:
            (start,), (end,) = set(old) - set(new), set(new) - set(old)
            return tables.placements[start], tables.placements[end]
    raise ValueError("the two positions are the same")


def path_of(board: Board, name: str, end: Cells, metric: str) -> str:
    """The shortest path of a piece to the cells `end`, as u, d, l and r, in one step of the metric."""
    others = frozenset().union(*(cells for other, cells in board.pieces.items() if other != name))
    paths = {board.pieces[name]: ""}
    waiting = [board.pieces[name]]
    for start in waiting:
        for direction in DIRECTIONS:
            if paths[start] and metric != "move" and paths[start][-1] != direction:
                continue
            moved = board.slide(name, start, direction)
            if moved is not None and not moved & others and moved not in paths:
                paths[moved] = paths[start] + direction
                if moved == end:
                    return paths[moved]
                waiting.append(moved)
    raise ValueError(f"{name} can't get there in one step")
