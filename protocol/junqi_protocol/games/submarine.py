"""Submarine Adventure behind the protocol."""

from collections.abc import Mapping
from typing import Any, ClassVar

from junqi_protocol.puzzle_game import PuzzleGame
from junqi_puzzles import submarine
from junqi_puzzles.submarine import Submarine


class SubmarineGame(PuzzleGame):
    solvers: ClassVar[Mapping[str, Any]] = {"dfs": submarine.solve_depth_first}
    solved_text = "the submarine has left"

    def make_puzzle(self) -> Submarine:
        return Submarine()

    def warning(self) -> str:
        difference = submarine.inventory_warning(self.board)
        return f"warning: {difference}" if difference else ""


GAME = SubmarineGame
