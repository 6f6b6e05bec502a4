"""Match-3: the most points within so many swaps.

>>> board = parse_board("3343/3233/2434/1343/3311/3433/1443/1232", Rules())
>>> points, board = board.start()
>>> solution = solve(board, 2)
>>> solution.score, [board.format_swap(swap) for swap in solution.line], solution.is_optimal
"""

from puzzles.match3.backtracking import backtrack, count_sequences
from puzzles.match3.board import START_BOARD, Board, Rules, Swap, Wave, parse_board
from puzzles.match3.render import draw_wave
from puzzles.match3.search import Limits, Solution, best_first_swaps, solve

__all__ = [
    "START_BOARD",
    "Board",
    "Limits",
    "Rules",
    "Solution",
    "Swap",
    "Wave",
    "backtrack",
    "best_first_swaps",
    "count_sequences",
    "draw_wave",
    "parse_board",
    "solve",
]
