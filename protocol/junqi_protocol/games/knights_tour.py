"""Knight's tours behind the protocol."""

from collections.abc import Mapping
from typing import Any, ClassVar

from junqi_engine.client.engine_lines import NO_MOVE
from junqi_protocol.puzzle_game import PuzzleGame, figures, info
from junqi_protocol.variant_game import Control
from junqi_puzzles import knights_tour
from junqi_puzzles.knights_tour import KnightsTour, Outcome, Solution

LONGEST_PV = 1000


class KnightsTourGame(PuzzleGame):
    solvers: ClassVar[Mapping[str, Any]] = {
        "warnsdorff": knights_tour.solve_by_warnsdorff,
        "dfs": knights_tour.solve_depth_first,
    }

    def make_puzzle(self) -> KnightsTour:
        return KnightsTour()

    def first_move(self, solution: Solution) -> str:
        moves = solution.first_moves(1)
        return moves[0] if moves else NO_MOVE

    def report(self, outcome: Outcome, control: Control) -> None:
        (solution,) = outcome.solutions
        count, squares = len(solution), self.board.squares
        # The moves of a large tour would take long to make; they are not shown.
        shown = solution.moves if squares <= LONGEST_PV else ()
        line = figures(outcome.statistics.nodes, control.elapsed_ms())
        control.info(info(count, None, f"mate {count}", line, shown))
        if squares > LONGEST_PV:
            control.say(f"a tour of {squares} squares: export FILE writes it")

    def contents(self, name: str) -> bytes:
        return knights_tour.contents(self.solution.steps, "tour.npy" if name.endswith(".npy") else "tour.txt")


GAME = KnightsTourGame
