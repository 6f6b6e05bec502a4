"""Submarine Adventure (潜艇大冒险): eight tiles and a hole on a 3 x 3 board.

A tile beside the hole slides into it unless an attachment of a tile is in the way of one of its own. The
submarine is to get to the middle of the bottom and leave downwards, which is a step like a slide.

    set_up = parse("m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne")
    solve(set_up).solutions[0].moves
"""

from puzzles.submarine.box import BoxSurvey, Level, enumerate_box, generate, levels, tile_sets
from puzzles.submarine.solver import LEAVE, Result, Solution, depth_first, legal_moves, play, solve
from puzzles.submarine.tiles import SetUp, inventory_warning, parse

__all__ = [
    "LEAVE", "BoxSurvey", "Level", "Result", "SetUp", "Solution", "depth_first", "enumerate_box", "generate",
    "inventory_warning", "legal_moves", "levels", "parse", "play", "solve", "tile_sets",
]  # fmt: skip
