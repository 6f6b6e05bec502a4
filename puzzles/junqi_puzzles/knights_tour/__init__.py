"""Knight's tours of any board, open and closed, between any squares, or the reason why there is none.

`solve` follows the contract of `junqi_puzzles.base`. `tour` returns a tour as an array. `BlockTour` has the step of a
square (`step_at`) of a large closed tour in constant time, without an array.

Squares are (row, column) from 0, rows from the top; steps count from 0.

>>> steps = tour(8, 8, start=(7, 0))
>>> verify(steps)
True
"""

from junqi_puzzles.base import Ending, Limits, Progress, Statistics
from junqi_puzzles.knights_tour.blocks import BlockTour, can_be_ring
from junqi_puzzles.knights_tour.board import Board, check_path, check_request, parse
from junqi_puzzles.knights_tour.completion import complete
from junqi_puzzles.knights_tour.solver import KnightsTour, Outcome, Solution, solve
from junqi_puzzles.knights_tour.tour import NoTour, tour, why_impossible
from junqi_puzzles.knights_tour.verify import verify

__all__ = [
    "BlockTour", "Board", "Ending", "KnightsTour", "Limits", "NoTour", "Outcome", "Progress", "Solution", "Statistics",
    "can_be_ring", "check_path", "check_request", "complete", "parse", "solve", "tour", "verify",
    "why_impossible",
]  # fmt: skip
