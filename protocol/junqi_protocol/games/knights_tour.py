"""Knight's tours behind the protocol."""

import io

import numpy as np

from junqi_protocol.puzzle_game import PuzzleGame, figures, info
from junqi_protocol.variant_game import Control
from junqi_puzzles.knights_tour import KnightsTour, Outcome

MAX_PV = 1000
"""Longer tours are not printed, because making the text of their moves takes long."""


class KnightsTourGame(PuzzleGame):
    def make_puzzle(self) -> KnightsTour:
        return KnightsTour()

    def report(self, outcome: Outcome, control: Control) -> None:
        (solution,) = outcome.solutions
        count, squares = len(solution), self.board.squares
        shown = solution.moves if squares <= MAX_PV else ()
        line = figures(outcome.statistics.nodes, control.elapsed_ms())
        control.info(info(count, None, f"mate {count}", line, shown))
        if squares > MAX_PV:
            control.say(f"a tour of {squares} squares: export FILE writes it")

    def contents(self, name: str) -> bytes:
        """The step of each square, from 0: an array if the name ends in `.npy`, else text, a line for each row."""
        steps, file = self.solution.steps, io.BytesIO()
        if name.endswith(".npy"):
            np.save(file, steps)
        else:
            np.savetxt(file, steps, f"%{len(str(steps.size - 1))}d")
        return file.getvalue()


GAME = KnightsTourGame
