"""Submarine Adventure (潜艇大冒险): eight tiles and a hole on a 3 x 3 board.

A tile beside the hole slides into it unless an attachment of another tile is in the way of one of its own. The
submarine must get to the middle of the bottom and leave downwards, which is a step like a slide.

    board = parse("m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne")
    solve(board).solutions[0].moves

The solver's kernels are loaded on first use, so that programs that only draw boards do not wait.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from junqi_puzzles.base import Ending, Limits, Progress, Statistics
from junqi_puzzles.submarine.tiles import LEAVE, Board, attachments, parse

if TYPE_CHECKING:
    from junqi_puzzles.submarine.box import Level, generate, levels, tile_sets
    from junqi_puzzles.submarine.solver import Outcome, Solution, Submarine, solve

__all__ = [
    "LEAVE", "Board", "Ending", "Level", "Limits", "Outcome", "Progress", "Solution", "Statistics",
    "Submarine", "attachments", "generate", "levels", "parse", "solve", "tile_sets",
]  # fmt: skip


if not TYPE_CHECKING:  # otherwise every misspelt name would be of type Any

    def __getattr__(name: str) -> Any:
        if name in __all__:
            for module in ("solver", "box"):
                found = getattr(import_module(f"{__name__}.{module}"), name, None)
                if found is not None:
                    return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
