"""Match-3: the most points within a number of swaps.

board = parse("3343/3233/2434/1343/3311/3433/1443/1232", Rules())
points, board = board.start()
outcome = solve(board, limits=Limits(depth=2))
outcome.solutions[0].score, outcome.solutions[0].moves, outcome.is_optimal
"""

from junqi_puzzles.base import Ending, Limits, Progress, Statistics
from junqi_puzzles.match3.board import START_BOARD, Board, Rules, Swap, Wave, draw_wave, parse
from junqi_puzzles.match3.puzzle import DEFAULT_SWAPS, Match3, solve
from junqi_puzzles.match3.solution import Outcome, Solution

__all__ = [
    "DEFAULT_SWAPS", "START_BOARD", "Board", "Ending", "Limits", "Match3", "Outcome", "Progress", "Rules", "Solution",
    "Statistics", "Swap", "Wave", "draw_wave", "parse", "solve",
]  # fmt: skip
