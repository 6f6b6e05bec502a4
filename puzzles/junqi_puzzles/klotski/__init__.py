"""Sliding-block puzzles: the fewest steps, proven, in each `Metric`.

    board = parse("abbc/abbc/deef/dghf/i..j goal ..../..../..../.bb./.bb.")
    outcome = solve(board, Metric.MOVE)
    outcome.steps, outcome.solutions[0].moves

docs/sliding-puzzles.md says how the search works.
"""

from junqi_puzzles.base import Ending, Limits, Progress, Statistics
from junqi_puzzles.klotski.board import Board, parse
from junqi_puzzles.klotski.puzzle import START, Klotski, solve
from junqi_puzzles.klotski.rush_hour import Card, from_rush_hour, rush_hour_cards, to_rush_hour
from junqi_puzzles.klotski.solver import Outcome, Solution
from junqi_puzzles.metric import Metric

__all__ = [
    "START", "Board", "Card", "Ending", "Klotski", "Limits", "Metric", "Outcome", "Progress", "Solution", "Statistics",
    "from_rush_hour", "parse", "rush_hour_cards", "solve", "to_rush_hour",
]  # fmt: skip
