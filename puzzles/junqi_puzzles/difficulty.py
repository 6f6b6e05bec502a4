"""The difficulty of a puzzle for a person: a number, its parts, and a scale from easy to expert; and new puzzles of a
difficulty.

The number is `choice_bits`. At each step a person chooses one of b legal moves, and g of them begin a shortest
solution: the step takes log2(b / g) bits of insight, the solution takes the sum. P. Jarušek and R. Pelánek ("Difficulty
rating of Sokoban puzzle", STAIRS 2010) found that length and number of positions do not explain how long people take,
and rate a puzzle by a person's walk through its positions. This is a rating of that kind, for a person who never makes
a wrong move. Bits, unlike steps, can be compared between kinds of puzzles.

The bounds of the scale sort the forty cards of Rush Hour best into their four published classes (docs/puzzles.md).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from math import log2
from random import Random
from typing import Any, Generic

from junqi_engine.errors import Refused
from junqi_puzzles.base import B, Limits, ProgressListener, Puzzle, Search, Statistics


class Level(Enum):
    """The scale. The values are words for messages."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


BOUNDS = ((40.0, Level.EASY), (69.0, Level.MEDIUM), (83.0, Level.HARD))
"""The `choice_bits` at which each level ends."""


@dataclass(frozen=True)
class Difficulty:
    """The difficulty of a position.

    `steps`: the length of a shortest solution, in match-3 of the best line. `choice_bits`: see above. `traps`: the
    share of the legal moves on the way that lead no nearer. `shortest`: the number of shortest solutions, if they are
    counted. With a table of the component, else None: its `states`, the number of those `farther` from the goal than
    this position, and of `dead_ends`.
    """

    steps: int
    choice_bits: float
    traps: float | None = None
    shortest: int | None = None
    states: int | None = None
    farther: int | None = None
    dead_ends: int | None = None

    @property
    def level(self) -> Level:
        return next((level for bound, level in BOUNDS if self.choice_bits < bound), Level.EXPERT)

    def __str__(self) -> str:
        words = [self.level.value]
        for name, value in vars(self).items():
            if value is not None:
                words.append(f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}")
        return " ".join(words)


def difficulty(puzzle: Puzzle[B], board: B, *, limits: Limits | None = None, stop: Any = None) -> Difficulty:
    """Rate a position.

    A `Refused` not-supported if there is no solution within the limits, or if the best moves are not all known: the
    table of a sliding puzzle exceeds the limits, or more than 20 squares of a knight's tour are left.
    """
    search = Search(puzzle.with_defaults(limits), stop)
    table = puzzle.table(board, search)
    bits, choices, good, steps = 0.0, 0, 0, 0
    at, depth = board, search.limits.depth
    while not puzzle.is_solved(at) and (depth is None or steps < depth):
        hint = puzzle.hint(at, search if depth is None else search.with_limits(depth=depth - steps))
        if not hint.moves or not hint.is_complete:
            reason = "there is no solution" if hint.is_proven and not hint.moves else "the best moves are not known"
            raise Refused("not-supported", f"difficulty in {puzzle.variant}: {reason}")
        legal = len(puzzle.legal_moves(at))
        bits += log2(legal / len(hint.moves))
        choices, good, steps = choices + legal, good + len(hint.moves), steps + 1
        at = puzzle.play(at, hint.moves[0])
    found = Difficulty(steps, bits, 1 - good / choices if choices else 0.0)
    if table is None:
        return found
    shortest = puzzle.solve(board, limits=Limits(memory_bytes=search.limits.memory_bytes, solutions=2), stop=stop)
    return replace(
        found,
        shortest=shortest.statistics.solution_count,
        states=table.states,
        farther=sum(table.per_step[steps + 1 :]),
        dead_ends=table.states - sum(table.per_step),
    )


BITS_A_STEP = (1.4, 3.2)
"""The usual range of `choice_bits` of one step in sliding puzzles."""
MAX_SEARCH_S = 300.0
"""CPU time in seconds without a new puzzle after which `generate` gives up."""
MAX_REPEATS = 1000
"""Repeats in a row after which `generate` gives up: nearly every board of the kind has been tried."""


@dataclass(frozen=True)
class Generated(Generic[B]):
    """A new puzzle: its board, its best solution (proven) and its difficulty."""

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
    progress: ProgressListener | None = None,
) -> Iterator[Generated[B]]:
    """Yield new boards of the kind of `like` until `stop` is set, the same ones for the same arguments.

    `steps` is the length of the shortest solution, `level` the only level; without either, a board is a hardest one of
    its component. Two boards never differ only by symmetry, names of pieces or kinds. docs/puzzles.md describes the
    boards of each puzzle. `limits.memory_bytes` is the memory for a table. `progress` is called for each board that is
    tried, and during long searches.

    A `Refused` not-supported if the puzzle cannot be generated, if new ones are too rare (`MAX_SEARCH_S`), or if hardly
    any board is left that was not tried (`MAX_REPEATS`); bad-argument if nothing has this many steps; bad-position if
    `like` shows that there is none; too-large if a table takes more memory.
    """
    if steps is not None and steps < 1:
        raise Refused("bad-argument", f"a puzzle has at least 1 step, not {steps}")
    search = Search(limits, stop, progress)
    solver_limits = puzzle.with_defaults(Limits(depth=steps, memory_bytes=search.limits.memory_bytes))
    what = f"{level.value}: " if level else ""
    seen: set[str] = set()
    alike, began_s = 0, time.thread_time()
    min_steps, max_steps = (steps or 1, steps) if level is None or steps else steps_of(level)
    for board in puzzle.candidates(like, Random(int(seed)), min_steps, max_steps, search.with_limits(depth=None)):
        if time.thread_time() - began_s > MAX_SEARCH_S:
            raise Refused("not-supported", f"{what}no new puzzle in {MAX_SEARCH_S:.0f} s of processor time")
        search.report(Statistics())
        if board is None:
            continue
        name = puzzle.canonical(board)
        alike = alike + 1 if name in seen else 0
        if alike == MAX_REPEATS:
            raise Refused("not-supported", f"{what}no new puzzle: the last {MAX_REPEATS} boards were all repeats")
        if alike:
            continue
        seen.add(name)
        outcome = puzzle.solve(board, limits=solver_limits, stop=stop)
        if search.is_stopped:
            return
        if not outcome.is_optimal:
            continue
        try:
            rated = difficulty(puzzle, board, limits=solver_limits, stop=stop)
        except Refused:
            if search.is_stopped:
                return
            raise
        if level is None or rated.level is level:
            yield Generated(board, outcome.solutions[0].moves, rated)
            began_s = time.thread_time()


def steps_of(level: Level) -> tuple[int, int]:
    """The usual range of steps of puzzles of a level."""
    bounds = [0.0, *(bound for bound, _ in BOUNDS), 2 * BOUNDS[-1][0]]
    index = list(Level).index(level)
    return max(1, int(bounds[index] / BITS_A_STEP[1])), int(bounds[index + 1] / BITS_A_STEP[0])
