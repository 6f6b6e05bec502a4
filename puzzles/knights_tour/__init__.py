"""Knight's tours of any board, open and closed, between any squares, or the reason why there is none.

`tour` gives the array of a whole tour; `BlockTour` the step of a square (`step_at`) and the square of a step
(`square_at`) of a large closed one without any array, in constant time.

Squares are (row, column) from 0, rows from the top; steps count from 0.

>>> steps = tour(8, 8, start=(7, 0))
>>> verify(steps)
True
>>> count(5, 6, closed=True)
8
"""

from puzzles.knights_tour.blocks import BlockTour, can_be_ring
from puzzles.knights_tour.completion import Found, check_way, complete, search
from puzzles.knights_tour.narrow import count
from puzzles.knights_tour.output import svg, write
from puzzles.knights_tour.theorems import why_impossible
from puzzles.knights_tour.tour import NoTour, check_request, tour
from puzzles.knights_tour.verify import verify

__all__ = [
    "BlockTour",
    "Found",
    "NoTour",
    "can_be_ring",
    "check_request",
    "check_way",
    "complete",
    "count",
    "search",
    "svg",
    "tour",
    "verify",
    "why_impossible",
    "write",
]
