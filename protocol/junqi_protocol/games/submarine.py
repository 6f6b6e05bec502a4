"""Submarine Adventure behind the protocol."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from junqi_protocol.puzzle_game import PuzzleGame
from junqi_protocol.variant_game import Control, GoRequest
from junqi_puzzles import submarine
from junqi_puzzles.base import Limits
from junqi_puzzles.submarine import Submarine


class SubmarineGame(PuzzleGame):
    solvers: ClassVar[Mapping[str, Any]] = {"dfs": submarine.solve_depth_first}
    solved_text = "the submarine has left"

    def make_puzzle(self) -> Submarine:
        return Submarine()

    def warning(self) -> str:
        difference = submarine.inventory_warning(self.board)
        return f"warning: {difference}" if difference else ""

    def limits(self, request: GoRequest) -> Limits:
        limits = super().limits(request)
        if self.options["Method"] == "dfs":
            most_steps = request.depth if request.depth is not None else int(self.options["MaxSteps"])
            return replace(limits, depth=most_steps or None)
        return limits

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        for level in submarine.levels().values():
            outcome = submarine.solve(level.board)
            nodes = outcome.statistics.nodes
            yield nodes, f"{nodes} {' '.join(outcome.solutions[0].moves)}".encode()


GAME = SubmarineGame
