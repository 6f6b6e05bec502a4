"""New puzzles: random ones of a kind, each proven to be solvable, no two alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from puzzles.base import Limits, PuzzleError, Search
from puzzles.difficulty import BOUNDS, Difficulty, Level, difficulty
from puzzles.playing import Puzzle

B = TypeVar("B")


BITS_A_STEP = (1.4, 3.2)
"""About the least and the most `choice_bits` of a step in sliding puzzles."""


@dataclass(frozen=True)
class Generated(Generic[B]):
    """A new puzzle: its board, its best solution, which is proven, and its difficulty."""

    board: B
    moves: tuple[str, ...]
    difficulty: Difficulty


def generate(
    puzzle: Puzzle[B],
    like: B,
    seed: int,
    *,
    level: Level | None = None,
    steps: int | None = None,
    limits: Limits | None = None,
    stop: Any = None,
) -> Iterator[Generated[B]]:
    """New boards of the kind of `like`, the same ones for the same arguments, without end until `stop` is set.

    - a sliding puzzle: the pieces of `like` laid anew. With locked axes, as in Rush Hour: the pieces of the goal among
      other cars. Without `level` and `steps`, a hardest position of what can be reached from there;
    - Submarine Adventure: the tiles of the box, of any length;
    - match-3: boards of the size and kinds of `like` with only one best line, of `steps` swaps, by default 3;
    - knight's tours: begun tours of the size and ends of `like` with only one completion, of 8 to 20 moves.

    `steps`: of the shortest solution. Only boards of the `level` are given, if one is named. No two are the same by
    symmetry, names of pieces or kinds. `limits.memory_bytes` is the memory for a table. A `PuzzleError` not-supported
    if the puzzle cannot be generated, bad-argument if nothing has so many steps.
    """
    if steps is not None and steps < 1:
        raise PuzzleError("bad-argument", f"steps: {steps} is less than 1")
    search = Search(limits, stop)
    terms = puzzle.with_defaults(Limits(depth=steps, memory_bytes=search.limits.memory_bytes))
    seen: set[str] = set()
    least, most = (steps or 1, steps) if level is None or steps else steps_of(level)
    for board in puzzle.candidates(like, Random(seed), least, most, search.with_limits(depth=None)):
        name = puzzle.canonical(board)
        if name in seen:
            continue
        seen.add(name)
        outcome = puzzle.solve(board, limits=terms, stop=stop)
        if search.is_stopped:
            return
        if not outcome.is_optimal:
            continue
        rated = difficulty(puzzle, board, limits=terms, stop=stop)
        if level is None or rated.level is level:
            yield Generated(board, outcome.solutions[0].moves, rated)


def steps_of(level: Level) -> tuple[int, int]:
    """The least and most steps that puzzles of a level may have, about."""
    bounds = [0.0, *(bound for bound, _ in BOUNDS), 2 * BOUNDS[-1][0]]
    number = list(Level).index(level)
    return max(1, int(bounds[number] / BITS_A_STEP[1])), int(bounds[number + 1] / BITS_A_STEP[0])
