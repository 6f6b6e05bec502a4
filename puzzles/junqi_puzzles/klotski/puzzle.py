"""Sliding-block puzzles by the contract of base.py, and the table of a whole component: the distance of every position
from the nearest goal.

A search forwards finds all positions that a board leads to, and the goals among them. One breadth-first search
backwards from these goals then gives the distances. The table takes 14 to 21 bytes for each position.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Ending, Hint, Limits, ProgressListener, Puzzle, Search, Statistics
from junqi_puzzles.klotski.board import DIRECTIONS, NAMES, Board, Cells, parse
from junqi_puzzles.klotski.breadth_first import EVERYTHING, FIRST_GOAL, GOAL_LAYER
from junqi_puzzles.klotski.rush_hour import from_rush_hour, to_rush_hour
from junqi_puzzles.klotski.search import Expander, States, kernels_for
from junqi_puzzles.klotski.solver import Outcome, ShortestPaths, is_excluded, solution_through
from junqi_puzzles.klotski.tables import Tables, tables_of
from junqi_puzzles.metric import Metric

RUSH_HOUR_NAMES = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz0123456789"
"""Without `O`, `o`, `X` and `x`, which stand for other things in some formats."""
MAX_FILL, MIN_FILL = 0.85, 0.55
"""The greatest and the smallest part of a new board that cars take."""
TRIES_A_BOARD = 200
TRIES_A_PIECE = 60
TRUCK_SHARE = 0.3
"""The share of cars of three cells, as in the boxed game: four of sixteen."""


def random_board(like: Board, random: Random) -> Board:
    """The pieces of `like` at random places. With locked axes, the pieces of the goal on their lines among new cars.

    A `Refused` not-supported if the pieces hardly fit on the board.
    """
    for _ in range(TRIES_A_BOARD):
        board = _with_cars(like, random) if like.axis_locked else _shuffled(like, random)
        if board is not None:
            return board
    raise Refused("not-supported", "generate: there is too little room to place the pieces at random")


def _shuffled(like: Board, random: Random) -> Board | None:
    taken: Cells = like.walls
    pieces: dict[str, Cells] = {}
    for name in sorted(like.pieces, key=lambda name: (-len(like.pieces[name]), random.random())):
        barred = taken if name in like.goal else taken | like.gates
        cells = _laid(like, like.pieces[name], barred, random)
        if cells is None:
            return None
        pieces[name] = cells
        taken |= cells
    return replace(like, pieces=pieces)


def _with_cars(like: Board, random: Random) -> Board | None:
    pieces: dict[str, Cells] = {}
    taken: Cells = like.walls
    for name, cells in like.goal.items():
        places = [place for place in _line(like, name, cells) if not place & taken]
        if not places:
            return None
        pieces[name] = random.choice(places)
        taken |= pieces[name]
    board = replace(like, pieces=pieces)
    room = like.width * like.height - len(like.walls)
    wanted = random.uniform(MIN_FILL, MAX_FILL) * room
    while sum(map(len, board.pieces.values())) < wanted:
        fuller = _with_a_car(board, random)
        if fuller is None:
            break
        board = fuller
    return board


def _with_a_car(board: Board, random: Random) -> Board | None:
    """The board with one more car; None if no room was found in a few attempts."""
    taken = board.walls.union(board.gates, *board.pieces.values())
    length = 3 if random.random() < TRUCK_SHARE else 2
    shape = range(length) if random.random() < 0.5 else range(0, length * board.width, board.width)
    car = _laid(board, frozenset(shape), taken, random)
    name = next((name for name in RUSH_HOUR_NAMES if name not in board.pieces), None)
    return None if car is None or name is None else replace(board, pieces={**board.pieces, name: car})


def exchange(board: Board, random: Random, count: int = 1) -> Board:
    """The board with `count` - 1 to `count` + 1 cars removed and as many new ones added, or one if none was removed."""
    others = [name for name in board.pieces if name not in board.goal]
    gone = set(random.sample(others, min(len(others), random.randint(count - 1, count + 1))))
    board = replace(board, pieces={name: cells for name, cells in board.pieces.items() if name not in gone})
    for _ in range(max(1, len(gone))):
        board = _with_a_car(board, random) or board
    return board


def _line(board: Board, name: str, cells: Cells) -> list[Cells]:
    """The placements that a piece of the goal can reach alone from its place in the goal."""
    found = [cells]
    for direction in board.axis(cells):
        here = board.slide(name, cells, direction)
        while here is not None:
            found.append(here)
            here = board.slide(name, here, direction)
    return found


def _laid(board: Board, shape: Cells, barred: Cells, random: Random) -> Cells | None:
    """A shape at a random place off the cells `barred`; None if none was found in a few attempts."""
    offsets = board.shape(shape)
    height, width = (1 + max(offset[axis] for offset in offsets) for axis in (0, 1))
    for _ in range(TRIES_A_PIECE if height <= board.height and width <= board.width else 0):
        row, column = random.randrange(board.height - height + 1), random.randrange(board.width - width + 1)
        cells = frozenset(board.width * (row + down) + column + right for down, right in offsets)
        if not cells & barred:
            return cells
    return None


def named_in_order(board: Board) -> Board:
    """The board with its pieces renamed in reading order, except those of the goal."""
    names = RUSH_HOUR_NAMES if board.axis_locked else NAMES
    free = iter(name for name in names if name not in board.goal)
    pieces = {
        name if name in board.goal else next(free): cells
        for name, cells in sorted(board.pieces.items(), key=lambda piece: min(piece[1]))
    }
    return replace(board, pieces=pieces)


def canonical(board: Board) -> str:
    """A text that boards share if they differ only by turns, mirror images and the names of pieces."""
    drawings = np.array([[list(row) for row in rows] for rows in (board.rows(), board.goal_rows())])
    found = []
    for grids in (drawings, drawings.swapaxes(1, 2)):
        for form in (grids, grids[:, ::-1], grids[:, :, ::-1], grids[:, ::-1, ::-1]):
            names = {mark: mark for mark in ".#="}
            marks = [names.setdefault(mark, chr(ord("A") + len(names))) for mark in form.ravel().tolist()]
            found.append(f"{form.shape[2]} {''.join(marks)}")
    return min(found)


class Distances:
    """The contract is `Table` of `junqi_puzzles.base`. `states` counts the positions that the board leads to."""

    def __init__(self, tables: Tables, states: int, solvable: States | None, per_step: list[int]) -> None:
        """`solvable`: the positions with a solution, goals first; None if there are none."""
        self.tables = tables
        self.states = states
        self.per_step = per_step
        self._solvable = solvable

    def distance(self, board: Board) -> int | None:
        if self._solvable is None:
            return None
        index = int(self._solvable.find(np.array([self.tables.key(board)]))[0])
        return None if index < 0 else self._solvable.depth_of(index)

    def board_at(self, steps: int, number: int) -> Board:
        """Position `number`, from 0, of the positions that need this many steps."""
        if self._solvable is None:
            raise IndexError("no position is solvable")
        key = self._solvable.keys[int(self._solvable.layers[steps]) + number]
        return self.tables.board_of(key)


def distances(tables: Tables, board: Board, metric: Metric, search: Search) -> Distances | None:
    """The table of the component of `board`; None if it exceeds the limits of `search`, or if the search is stopped.

    Each of the two searches may use `limits.memory_bytes`; `limits.depth` is ignored.
    """
    search = search.with_limits(depth=None)
    forwards = States(Expander(tables, metric), np.array([tables.key(board)]), search)
    if forwards.run(EVERYTHING) is not Ending.UNSOLVABLE:
        return None
    goals = forwards.keys[forwards.is_goal(forwards.keys)]
    states = len(forwards)
    if not len(goals):
        return Distances(tables, states, None, [])
    if tables.is_reversible:
        del forwards  # it has the positions of the table
    backwards = States(Expander(tables, metric, back=True), goals, search)
    if backwards.run(EVERYTHING) is not Ending.UNSOLVABLE:
        return None
    ends = backwards.layers[: backwards.depth + 2]
    if tables.is_reversible:
        return Distances(tables, states, backwards, np.diff(ends).tolist())
    found = backwards.find(forwards.keys)
    depths = np.searchsorted(ends, found[found >= 0], side="right") - 1
    return Distances(tables, states, backwards, np.bincount(depths).tolist())


START = "ABBC/ABBC/DEEF/DGHF/I..J goal ..../..../..../.BB./.BB."
"""横刀立马."""
MAX_STATES = 20_000
"""Positions of a new puzzle of cars: in larger components the hardest ones are rarely harder, and take long to find."""
MAX_FAILURES = 60
"""Exchanges of a car without a harder puzzle after which all cars are laid anew."""


class Klotski(Puzzle[Board]):
    """Positions as `parse` of board.py reads them, and Rush Hour strings, whose cars keep to their axis.

    The tables of the last board and of its component are kept.
    """

    variant = "klotski"
    start = START

    def __init__(self, metric: Metric = Metric.MOVE, axis_locked: bool = False) -> None:
        self.metric = metric
        self.axis_locked = axis_locked
        self._tables: Tables | None = None
        self._distances: Distances | None = None

    def parse(self, text: str) -> Board:
        is_drawing = len(text.split()) != 1 or "/" in text
        board = parse(text, self.axis_locked) if is_drawing else from_rush_hour(text)
        kernels_for(self.tables(board))  # refuses a board that is too large to be solved
        return board

    def format(self, board: Board) -> str:
        """A Rush Hour string if the axes are locked on the board, but not in the puzzle."""
        return to_rush_hour(board) if board.axis_locked and not self.axis_locked else str(board)

    def legal_moves(self, board: Board) -> list[str]:
        """Every move of one step, each by the shortest path to its end."""
        tables = self.tables(board)
        key = tables.key(board)
        after = Expander(tables, self.metric).successors(key)
        return [solution_through(tables, board, np.array([key, end]), self.metric).moves[0] for end in after]

    def play(self, board: Board, move: str) -> Board:
        return board.play(move, self.metric)

    def rows(self, board: Board) -> list[str]:
        return board.rows()

    def search(self, board: Board, search: Search) -> Outcome:
        """Breadth-first search. With `limits.solutions` above 1, all shortest solutions are counted."""
        if is_excluded(board):
            reason = "proven by parity: an odd number of pieces has been exchanged"
            return Outcome((), Ending.UNSOLVABLE, Statistics(), reason)
        tables, is_single = self.tables(board), search.limits.solutions <= 1
        states = States(Expander(tables, self.metric), np.array([tables.key(board)]), search)
        ending = states.run(FIRST_GOAL if is_single else GOAL_LAYER)
        if ending is not Ending.OPTIMAL:
            statistics = states.statistics()
            reason = f"no solution within {statistics.depth} steps: {ending.value}, {statistics.nodes} states seen"
            if ending is Ending.UNSOLVABLE:
                reason = f"proven by {statistics.nodes} states"
            return Outcome((), ending, statistics, reason)
        depth = states.depth_of(states.first_goal)
        if is_single:
            paths: list[np.ndarray] = [states.path_to(states.first_goal)]
            count: int | None = None
        else:
            shortest = ShortestPaths(states, depth)
            paths, count = [np.array(path) for path in islice(shortest, search.limits.solutions)], shortest.total
        solutions = tuple(solution_through(tables, board, states.keys[path], self.metric) for path in paths)
        return Outcome(solutions, ending, states.statistics(depth, count))

    def tables(self, board: Board) -> Tables:
        """The tables of a board: the last ones if they fit."""
        known = self._tables
        if known is None or not known.fits(board):
            known = self._tables = tables_of(board)
        return known

    def hint(self, board: Board, search: Search) -> Hint:
        return Hint((), None, True, True) if is_excluded(board) else super().hint(board, search)

    def table(self, board: Board, search: Search) -> Distances | None:
        """The table of the component: the last one if it has the board."""
        tables, known = self.tables(board), self._distances
        if known is None or known.tables is not tables or known.distance(board) is None:
            known = self._distances = None  # frees it before the new one is made
            known = self._distances = distances(tables, board, self.metric, search)
        return known

    def candidates(
        self, like: Board, random: Random, min_steps: int, max_steps: int | None, search: Search
    ) -> Iterator[Board | None]:
        """The pieces of `like` laid anew; with locked axes, other cars beside the pieces of the goal.

        Random cars are easy. So cars are exchanged one by one, as long as the hardest position gets no easier, until it
        is hard enough; then several are exchanged together. After too many failures all are laid anew.
        """
        taken = like.walls.union(*like.pieces.values())
        if not like.axis_locked and len(taken) == like.width * like.height:
            raise Refused("bad-position", "no cell is empty")
        if not any(like.slide(name, cells, way) for name, cells in like.goal.items() for way in DIRECTIONS):
            raise Refused("bad-position", "no piece of the goal can move to its place")
        if like.axis_locked:
            search = search.with_limits(nodes=MAX_STATES)
        board, deepest, failures = None, 0, 0
        while not search.is_stopped:
            is_climbing = board is not None and like.axis_locked and failures < MAX_FAILURES
            trial = exchange(board, random) if is_climbing and board else random_board(like, random)
            found = distances(tables_of(trial), trial, self.metric, search)
            if found is None and search.limits.nodes is None and not search.is_stopped:
                raise Refused("too-large", "the table of the board needs more memory; try a larger Hash")
            depth = len(found.per_step) - 1 if found else 0
            if found is None or depth < (deepest if is_climbing else 1):
                failures += 1
                yield None
                continue
            failures = failures + 1 if is_climbing and depth == deepest else 0
            board, deepest = trial, depth
            if depth >= min_steps and (max_steps is not None or not like.axis_locked or failures == MAX_FAILURES):
                wanted = depth if max_steps is None else random.randint(min_steps, min(max_steps, depth))
                yield named_in_order(found.board_at(wanted, random.randrange(found.per_step[wanted])))
                board = exchange(board, random, 3) if like.axis_locked else None
                deepest = failures = 0
            else:
                yield None

    def canonical(self, board: Board) -> str:
        return canonical(board)


def solve(
    board: Board,
    metric: Metric = Metric.MOVE,
    *,
    limits: Limits | None = None,
    stop: Any = None,
    progress: ProgressListener | None = None,
) -> Outcome:
    """The fewest steps from `board` to its goal; see `junqi_puzzles.base`."""
    return Klotski(metric).search(board, Search(limits, stop, progress))
