"""How hard a puzzle is for a person: one number, what it is made of, and a scale from easy to expert.

The number is `choice_bits`: on the way to the goal a person chooses one of b legal moves at each step, of which g begin
a shortest solution. So each step takes log2(b / g) bits of insight, and the solution their sum. It grows with the
length of the solution and with the number of moves to choose from, and falls with the number of shortest solutions.
P. Jarušek and R. Pelánek ("Difficulty rating of Sokoban puzzle", STAIRS 2010) found that length and number of positions
do not explain how long people take, and rate a puzzle by a person's walk through its positions. This is such a rate, of
a person who never goes astray. Bits, unlike steps, can be compared between kinds of puzzles.

The bounds of the scale are those with which the forty cards of Rush Hour fall best into their published four
classes of ten (docs/puzzles.md).
"""

from dataclasses import dataclass
from enum import Enum
from math import log2
from typing import Any, TypeVar

from puzzles.base import Limits, PuzzleError, Search
from puzzles.playing import Puzzle

B = TypeVar("B")


class Level(Enum):
    """The scale. The values are words for messages."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


BOUNDS = ((40.0, Level.EASY), (69.0, Level.MEDIUM), (83.0, Level.HARD))
"""The least `choice_bits` that are too many for a level."""


@dataclass(frozen=True)
class Difficulty:
    """What makes a position hard.

    `steps`: of a shortest solution, of match-3 swaps of the best line. `choice_bits`: see above; `traps`: the share of
    the legal moves on the way that lead no nearer. With a table of the component, else None: its `states`, how many of
    them are `farther` from the goal than this position, and how many are `dead_ends`. `shortest`: how many shortest
    solutions there are, where they are counted.
    """

    steps: int
    choice_bits: float
    traps: float
    shortest: int | None = None
    states: int | None = None
    farther: int | None = None
    dead_ends: int | None = None

    @property
    def level(self) -> Level:
        return next((level for bound, level in BOUNDS if self.choice_bits < bound), Level.EXPERT)

    def __str__(self) -> str:
        known = {name: value for name, value in vars(self).items() if value is not None}
        return " ".join(
            [self.level.value]
            + [
                f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
                for name, value in known.items()
            ]
        )


def difficulty(puzzle: Puzzle[B], board: B, *, limits: Limits | None = None, stop: Any = None) -> Difficulty:
    """The difficulty of a position.

    A `PuzzleError` not-supported if there is no solution within the limits, or if the best moves are not all known: the
    table of a sliding puzzle exceeds the limits, or more than 20 squares of a knight's tour are left.
    """
    search = Search(puzzle.with_defaults(limits), stop)
    table = puzzle.table(board, search)
    bits, choices, good, steps = 0.0, 0, 0, 0
    at, depth = board, search.limits.depth
    while not puzzle.is_solved(at) and (depth is None or steps < depth):
        hint = puzzle.hint(at, search if depth is None else search.with_limits(depth=depth - steps))
        if not hint.moves or not hint.knows_all:
            raise PuzzleError("not-supported", f"difficulty in {puzzle.variant}: the best moves are not known")
        legal = len(puzzle.legal_moves(at))
        bits += log2(legal / len(hint.moves))
        choices, good, steps = choices + legal, good + len(hint.moves), steps + 1
        at = puzzle.play(at, hint.moves[0])
    found = Difficulty(steps, bits, 1 - good / choices if choices else 0.0)
    if table is None:
        return found
    shortest = puzzle.solve(board, limits=Limits(memory_bytes=search.limits.memory_bytes, solutions=2), stop=stop)
    return Difficulty(
        steps,
        found.choice_bits,
        found.traps,
        shortest.statistics.solution_count,
        table.states,
        sum(table.per_step[steps + 1 :]),
        table.states - sum(table.per_step),
    )
