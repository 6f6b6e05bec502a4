"""The contract for playing: what every puzzle is to a program that shows, plays, explains or makes positions of it.

A `Puzzle` is a puzzle under its options, such as the metric of a sliding puzzle. A board is one position of it, which
never changes. So a program that knows this file can play every puzzle:

    board = puzzle.parse(text)
    while not puzzle.is_solved(board):
        board = puzzle.play(board, choose(puzzle.legal_moves(board)))

base.py is the contract for solving; difficulty.py needs nothing but both.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from junqi_engine.errors import Refused
from junqi_puzzles.base import Limits, Outcome, ProgressListener, Search, Solution

B = TypeVar("B")
B_contra = TypeVar("B_contra", contravariant=True)


class Table(Protocol[B_contra]):
    """The fewest steps to a goal from all positions of a component.

    `states`: how many positions there are; `per_step[n]` of them need n steps, the others are dead ends.
    """

    @property
    def states(self) -> int: ...

    @property
    def per_step(self) -> Sequence[int]: ...

    def distance(self, board: B_contra) -> int | None:
        """The fewest steps from a position of the same puzzle; None if there is no way, or it is not in the table."""


@dataclass(frozen=True)
class Hint:
    """What to do in a position: `moves` begin a best solution; `is_complete` if no other move does.

    `left` is how far it is from here: steps to the goal, or in match-3 the points still to be had; None if there is
    no solution. `is_proven`: nothing is better, and a `left` of None is final.
    """

    moves: tuple[str, ...]
    left: int | None
    is_proven: bool
    is_complete: bool


class Puzzle(ABC, Generic[B]):
    """A puzzle under its options. Text that is refused raises a `Refused`."""

    variant: ClassVar[str]
    """Its name in the protocol."""
    start: ClassVar[str]
    """A well-known position as text."""

    @abstractmethod
    def parse(self, text: str) -> B:
        """The board that a text describes."""

    def format(self, board: B) -> str:
        """The text of a board; `parse` gives the same board again."""
        return str(board)

    @abstractmethod
    def legal_moves(self, board: B) -> list[str]:
        """The moves that `play` takes, each position after a move once."""

    @abstractmethod
    def play(self, board: B, move: str) -> B:
        """The board after a move; a `Refused` bad-move or illegal-move if there is none."""

    def play_all(self, board: B, moves: Iterable[str]) -> B:
        """The board after some moves."""
        for move in moves:
            board = self.play(board, move)
        return board

    def boards(self, board: B, moves: Iterable[str]) -> list[B]:
        """The boards before and after each of some moves."""
        return list(accumulate(moves, self.play, initial=board))

    @abstractmethod
    def is_solved(self, board: B) -> bool:
        """Whether nothing remains to be done."""

    @abstractmethod
    def rows(self, board: B) -> list[str]:
        """The board as lines of text."""

    @abstractmethod
    def solve(
        self, board: B, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
    ) -> Outcome:
        """The best solution; see base.py."""

    def with_defaults(self, limits: Limits | None) -> Limits:
        """The limits of a search that is given these."""
        return limits or Limits()

    def table(self, board: B, search: Search) -> Table[B] | None:
        """The table of all positions that `board` leads to; None if it exceeds the limits, or the puzzle has none."""
        return None

    def hint(self, board: B, search: Search) -> Hint:
        """What to do on `board`: from the table where there is one, else by a search within the limits."""
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

    def first_move(self, solution: Solution) -> tuple[str, ...]:
        """The first move of a solution; none if it has no moves."""
        return solution.moves[:1]

    def candidates(self, like: B, random: Random, least: int, most: int | None, search: Search) -> Iterator[B | None]:
        """Boards of the kind of `like` for `generate` of difficulty.py, without end until the search is stopped.

        The solution has `least` to `most` steps; without `most` it is one of the longest that are found. None stands
        for a try that came to nothing.
        """
        raise Refused("not-supported", f"generate in {self.variant}")

    def canonical(self, board: B) -> str:
        """A text that is the same for boards that are alike but for symmetry and for names of pieces."""
        return self.format(board)
