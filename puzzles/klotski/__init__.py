"""Sliding-block puzzles: the fewest steps, proven, in three metrics.

    board = parse("abbc/abbc/deef/dghf/i..j goal ..../..../..../.bb./.bb.")
    result = solve(board, "move")
    result.steps, result.solutions[0].moves

A step is, by the metric: `move`, one piece along any path; `line`, one piece straight; `unit`, one piece by one cell.
docs/sliding-puzzles.md says how the search works.
"""

from puzzles.klotski.board import METRICS, Board, parse
from puzzles.klotski.codes import from_code, from_rush_hour, to_code, to_rush_hour
from puzzles.klotski.search import Ending, Limits, Progress
from puzzles.klotski.solution import Solution
from puzzles.klotski.solver import Result, Survey, legal_moves, solve, survey

START = "1A9BF0C00"
"""横刀立马 as a 36-bit code."""

__all__ = [
    "METRICS", "START", "Board", "Ending", "Limits", "Progress", "Result", "Solution", "Survey", "from_code",
    "from_rush_hour", "legal_moves", "parse", "solve", "survey", "to_code", "to_rush_hour",
]  # fmt: skip
