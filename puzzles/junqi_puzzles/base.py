"""What the four puzzles share: one contract for their solvers, one error, and the names of squares.

Every solver is a function

    solve(board, *, limits=None, stop=None, progress=None) -> Outcome

and may take options of its own, by keyword. The outcome has `.solutions`, the best one first, `.is_optimal` and
`.statistics`. Every solution has `.moves`, as text.

- `limits` (`Limits`): how far the search goes.
- `stop`: one byte of memory, such as `bytearray(1)`. Another thread sets it to 1 to end the search; kernels read the
  same byte. A search that is stopped returns what it has.
- `progress`: a function that is called with a `Progress` from time to time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from junqi_engine.errors import Refused


@dataclass(frozen=True)
class Limits:
    """How far a search goes. None: no limit, for memory the solver's own default.

    `depth`: steps of a sliding puzzle, swaps of match-3, moves of a tour. `nodes`: see `Statistics`.
    `solutions`: how many to give at most. A `Refused` bad-number if one is negative.
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
    """Why a search ended. The values are words for messages."""

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
    """What a search did.

    `nodes`: positions seen (sliding puzzles), swaps played (match-3), squares visited (knight's tours). `depth`: the
    number of steps within which every position was seen. `memory_bytes`: what the positions take. `solution_count`: how
    many best solutions there are, None if they were not counted.
    """

    nodes: int = 0
    depth: int = 0
    memory_bytes: int = 0
    solution_count: int | None = None


class Solution(Protocol):
    """What every puzzle's solution has."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves, as the protocol writes them."""


S_co = TypeVar("S_co", bound=Solution, covariant=True)


@dataclass(frozen=True)
class Outcome(Generic[S_co]):
    """What a search found.

    `solutions`: the best one first, none if the puzzle has none or the search ended too early. `reason`: why there is
    no solution, or why the search found none.
    """

    solutions: tuple[S_co, ...]
    ending: Ending
    statistics: Statistics
    reason: str = ""

    @property
    def is_optimal(self) -> bool:
        """Whether no solution is better than the first one, proven."""
        return self.ending is Ending.OPTIMAL

    @property
    def is_unsolvable(self) -> bool:
        """Whether there is no solution, proven."""
        return self.ending is Ending.UNSOLVABLE

    @property
    def steps(self) -> int | None:
        """The number of moves of the first solution; None without one."""
        return len(self.solutions[0].moves) if self.solutions else None


@dataclass(frozen=True)
class Progress:
    """How far a search is.

    `solution`: the best one so far, where the search found it just now.
    """

    statistics: Statistics
    solution: Any = None


ProgressListener = Callable[[Progress], None]


class Search:
    """The terms of one search: its limits, the stop flag as kernels read it, and where progress is reported."""

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
        """The memory that the search may use; `default` where the caller did not say."""
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
        raise Refused("bad-move", f"{text[:40]!r} is not a square, such as a1")
    file = 0
    for letter in match[1]:
        file = 26 * file + ord(letter) - ord("a") + 1
    return file - 1, int(match[2]) - 1


def split_move(text: str, example: str) -> tuple[str, str]:
    """The two squares of a move such as b4b3, as text; a `Refused` bad-move if there are not two."""
    match = re.fullmatch(r"([a-z]+[0-9]+)([a-z]+[0-9]+)", text)
    if match is None:
        raise Refused("bad-move", f"{text[:40]!r} is not two squares, such as {example}")
    return match[1], match[2]
