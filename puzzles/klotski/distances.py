"""The table of a whole component: how far every position is from the nearest goal.

A search forwards finds all positions that a board leads to, and so all goals among them. One breadth-first search
backwards from these goals then gives the distances. It keeps what every search keeps, so the table takes 14 to 20 bytes
for each position.
"""

import numpy as np

from puzzles.base import Ending, Search
from puzzles.klotski.board import Board
from puzzles.klotski.breadth_first import EVERYTHING
from puzzles.klotski.search import States, Stepper
from puzzles.klotski.tables import Tables
from puzzles.metric import Metric


class Distances:
    """The contract is `Table` of puzzles/playing.py. `states` counts the positions that the board leads to."""

    def __init__(self, tables: Tables, states: int, solvable: States | None, per_step: list[int]) -> None:
        """`solvable`: the positions from which there is a way, goals first; None if there is none."""
        self.tables = tables
        self.states = states
        self.per_step = per_step
        self._solvable = solvable

    def distance(self, board: Board) -> int | None:
        if self._solvable is None:
            return None
        index = int(self._solvable.find(self.tables.key(board)[None, :])[0])
        return None if index < 0 else self._solvable.depth_of(index)

    def board_at(self, steps: int, number: int) -> Board:
        """The position `number` of those that need so many steps."""
        if self._solvable is None:
            raise IndexError("no position is solvable")
        key = self._solvable.keys[int(self._solvable.layers[steps]) + number]
        return self.tables.board_of(key)


def distances(tables: Tables, board: Board, metric: Metric, search: Search) -> Distances | None:
    """The table of the component of `board`; None if it exceeds the limits of `search`, or if that is stopped.

    Both searches may use `limits.memory_bytes`, one after the other; of the other limits only `nodes` counts.
    """
    search = search.with_limits(depth=None)
    forwards = States(Stepper(tables, metric), tables.key(board)[None, :], search)
    if forwards.run(EVERYTHING) is not Ending.UNSOLVABLE:
        return None
    goals = forwards.keys[forwards.is_goal(forwards.keys)]
    states = len(forwards)
    if not len(goals):
        return Distances(tables, states, None, [])
    if tables.is_reversible:
        del forwards  # it has the positions of the table
    backwards = States(Stepper(tables, metric, back=True), goals, search)
    if backwards.run(EVERYTHING) is not Ending.UNSOLVABLE:
        return None
    ends = backwards.layers[: backwards.depth + 2]
    if tables.is_reversible:
        return Distances(tables, states, backwards, np.diff(ends).tolist())
    found = backwards.find(forwards.keys)
    depths = np.searchsorted(ends, found[found >= 0], side="right") - 1
    return Distances(tables, states, backwards, np.bincount(depths).tolist())
