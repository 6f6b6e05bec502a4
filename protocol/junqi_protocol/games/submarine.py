"""Submarine Adventure behind the protocol."""

from junqi_protocol.puzzle_game import PuzzleGame
from junqi_puzzles.submarine import Submarine


class SubmarineGame(PuzzleGame):
    solved_text = "the submarine has left"

    def make_puzzle(self) -> Submarine:
        return Submarine()


GAME = SubmarineGame
