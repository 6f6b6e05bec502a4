"""The contract of the four puzzles: solving, playing, and the names of squares.

A `Puzzle` is a puzzle under its options, such as the metric of a sliding puzzle. A board is one position of it, which
never changes. A program that knows this file can solve and play every puzzle:

    board = puzzle.parse(text)
    outcome = puzzle.solve(board)
    while not puzzle.is_solved(board):
        board = puzzle.play(board, choose(puzzle.legal_moves(board)))

Each package also has a function `solve`, with the options of its puzzle. All take the same keywords:

- `limits` (`Limits`): the limits of the search.
- `stop`: one byte of memory, such as `bytearray(1)`. Another thread sets it to 1 to end the search; kernels read the
  same byte. A stopped search returns the solutions that it has found.
- `progress`: a function that the search calls with a `Progress` from time to time.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from junqi_engine.errors import Refused, quoted


@dataclass(frozen=True)
class Limits:
    """The limits of a search. None: no limit, for memory the solver's own default.

    `depth`: steps of a sliding puzzle, swaps of match-3, moves of a tour. `nodes`: see `Statistics`. `solutions`: the
    number of solutions to return at most. A `Refused` bad-number if one is negative.
    """

    depth: int | None = None
    nodes: int | None = None
    memory_bytes: int | None = None
    solutions: int = 1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value < 0:
                raise Refused("bad-number", f"limit {name}: {value} is negative")


class Ending(Enum):
    """The reason why a search ended. The values are words for messages."""

    OPTIMAL = "optimal"
    """The first solution is a best one, proven."""
    FOUND = "found"
    """There is a solution; a better one is possible."""
    UNSOLVABLE = "unsolvable"
    """There is no solution, proven."""
    DEPTH = "depth limit"
    NODES = "node limit"
    MEMORY = "memory limit"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Statistics:
    """The size of a search.

    `nodes`: positions seen (sliding puzzles), swaps played (match-3), squares visited (knight's tours). `depth`: the
    number of steps within which every position was seen. `memory_bytes`: the memory of the positions.
    `solution_count`: the number of best solutions, None if they were not counted.
    """

    nodes: int = 0
    depth: int = 0
    memory_bytes: int = 0
    solution_count: int | None = None


class Solution(Protocol):
    """A solution of any puzzle."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves, as the protocol writes them."""


S_co = TypeVar("S_co", bound=Solution, covariant=True)


@dataclass(frozen=True)
class Outcome(Generic[S_co]):
    """The result of a search.

    `solutions`: the best one first; empty if the puzzle has none or the search ended too early. `reason`: the proof
    that there is no solution, or why the search found none.
    """

    solutions: tuple[S_co, ...]
    ending: Ending
    statistics: Statistics
    reason: str = ""

    @property
    def is_optimal(self) -> bool:
        return self.ending is Ending.OPTIMAL

    @property
    def is_unsolvable(self) -> bool:
        return self.ending is Ending.UNSOLVABLE

    @property
    def steps(self) -> int | None:
        """The number of moves of the first solution; None without one."""
        return len(self.solutions[0].moves) if self.solutions else None


@dataclass(frozen=True)
class Progress:
    """A report of a running search. `solution`: the best one so far, if the search has just found it."""

    statistics: Statistics
    solution: Any = None


ProgressListener = Callable[[Progress], None]


class Search:
    """The limits of one search, its stop flag as kernels read it, and its progress listener."""

    def __init__(
        self, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> None:
        """`stop` is an object with a writable buffer of one byte, or None; TypeError for others."""
        self.limits = limits or Limits()
        try:
            self.stop_flag = np.zeros(1, np.uint8) if stop is None else np.frombuffer(stop, np.uint8)
        except (TypeError, ValueError):
            raise TypeError(f"stop: {stop!r:.60} is not a byte of memory, such as bytearray(1)") from None
        self._listener = progress

    def memory_bytes(self, default: int) -> int:
        """The memory limit; `default` if the limits have none."""
        return default if self.limits.memory_bytes is None else self.limits.memory_bytes

    @property
    def is_stopped(self) -> bool:
        return bool(self.stop_flag[0])

    def report(self, statistics: Statistics, solution: Any = None) -> None:
        if self._listener is not None:
            self._listener(Progress(statistics, solution))

    def with_limits(self, **changes: Any) -> "Search":
        """The same search under other limits."""
        return Search(replace(self.limits, **changes), self.stop_flag, self._listener)


class Position(Protocol):
    """A board of any puzzle."""

    @property
    def is_solved(self) -> bool: ...


B = TypeVar("B", bound=Position)
B_contra = TypeVar("B_contra", contravariant=True)


class Table(Protocol[B_contra]):
    """The fewest steps to a goal from all positions of a component.

    `states`: the number of positions; `per_step[n]` of them need n steps, the others are dead ends.
    """

    @property
    def states(self) -> int: ...

    @property
    def per_step(self) -> Sequence[int]: ...

    def distance(self, board: B_contra) -> int | None:
        """The fewest steps from a position; None if it has no solution or is not in the table."""


@dataclass(frozen=True)
class Hint:
    """A hint: `moves` are first moves of best solutions, `is_complete` says whether all of them.

    `left`: the steps to the goal, or in match-3 the points that can still be scored; None if there is no solution.
    `is_proven`: no line is better, and a `left` of None is final.
    """

    moves: tuple[str, ...]
    left: int | None
    is_proven: bool
    is_complete: bool


class Puzzle(ABC, Generic[B]):
    """A puzzle under its options. Text that is refused raises a `Refused`."""

    variant: ClassVar[str]
    """The name of the puzzle in the protocol."""
    start: ClassVar[str]
    """A well-known position as text."""

    @abstractmethod
    def parse(self, text: str) -> B:
        """The board that a text describes."""

    def format(self, board: B) -> str:
        """The text of a board; `parse` reads it back."""
        return str(board)

    @abstractmethod
    def rows(self, board: B) -> list[str]:
        """The board as lines of text."""

    @abstractmethod
    def legal_moves(self, board: B) -> list[str]:
        """The moves that `play` takes, one for each position after a move."""

    @abstractmethod
    def play(self, board: B, move: str) -> B:
        """The board after a move. `Refused`: bad-move for a text that does not read as a move, else illegal-move."""

    def play_all(self, board: B, moves: Iterable[str]) -> B:
        """The board after all of the moves."""
        for move in moves:
            board = self.play(board, move)
        return board

    def boards(self, board: B, moves: Iterable[str]) -> list[B]:
        """The boards before the first and after each of the moves."""
        return list(accumulate(moves, self.play, initial=board))

    def is_solved(self, board: B) -> bool:
        return board.is_solved

    def solve(
        self, board: B, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> Outcome[Any]:
        """Solve the board within the limits; the module explains the keywords."""
        return self.search(board, Search(self.with_defaults(limits), stop, progress))

    @abstractmethod
    def search(self, board: B, search: Search) -> Outcome[Any]:
        """Search for the best solutions. This is the solver: `solve` calls it."""

    def with_defaults(self, limits: Limits | None) -> Limits:
        """The limits with the defaults of the puzzle."""
        return limits or Limits()

    def table(self, board: B, search: Search) -> Table[B] | None:
        """The table of all positions that `board` leads to; None if it exceeds the limits, or the puzzle has none."""
        return None

    def hint(self, board: B, search: Search) -> Hint:
        """A hint for the board: from the table, or if there is none, from a search within the limits."""
        if self.is_solved(board):
            return Hint((), 0, True, True)
        table = self.table(board, search)
        if table is None:
            outcome = self.solve(board, limits=search.limits, stop=search.stop_flag)
            moves = self.first_move(outcome.solutions[0]) if outcome.solutions else ()
            return Hint(moves, outcome.steps, outcome.is_optimal or outcome.is_unsolvable, False)
        left = table.distance(board)
        if left is None:
            return Hint((), None, True, True)
        nearer = (move for move in self.legal_moves(board) if table.distance(self.play(board, move)) == left - 1)
        return Hint(tuple(nearer), left, True, True)

    def first_move(self, solution: Any) -> tuple[str, ...]:
        """The first move of a solution, as a tuple; empty if the solution has no moves."""
        return tuple(solution.moves[:1])

    def candidates(
        self, like: B, random: Random, min_steps: int, max_steps: int | None, search: Search
    ) -> Iterator[B | None]:
        """Yield boards of the kind of `like` for `generate` of difficulty.py, until the search is stopped.

        Their solutions have `min_steps` to `max_steps` steps; without `max_steps`, each is one of the longest that are
        found. None stands for an attempt that failed.
        """
        raise Refused("not-supported", f"{self.variant}: puzzles cannot be generated")

    def canonical(self, board: B) -> str:
        """A text that boards share if they differ only by symmetry and by the names of pieces."""
        return self.format(board)


def square_name(file: int, rank: int) -> str:
    """The name of a square, both counted from 0 at the lower left: (0, 0) is `a1`, (26, 0) is `aa1`."""
    letters = ""
    file += 1
    while file:
        file, letter = divmod(file - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rank + 1}"


def parse_square(text: str) -> tuple[int, int]:
    """File and rank, both from 0, of the square named `text`; a `Refused` bad-move if it is not a name."""
    match = re.fullmatch(r"([a-z]{1,7})([1-9][0-9]{0,9})", text)
    if match is None:
        raise Refused("bad-move", f"{quoted(text)} is not a square, such as a1")
    file = 0
    for letter in match[1]:
        file = 26 * file + ord(letter) - ord("a") + 1
    return file - 1, int(match[2]) - 1


def split_move(text: str, example: str) -> tuple[str, str]:
    """The two squares of a move such as b4b3, as text; a `Refused` bad-move if there are not two."""
    match = re.fullmatch(r"([a-z]+[0-9]+)([a-z]+[0-9]+)", text)
    if match is None:
        raise Refused("bad-move", f"{quoted(text)} is not two squares, such as {example}")
    return match[1], match[2]
