"""Sliding-block puzzles behind the protocol."""

from junqi_protocol.puzzle_game import PuzzleGame
from junqi_protocol.variant_game import Control, GoRequest
from junqi_puzzles import klotski
from junqi_puzzles.base import Statistics
from junqi_puzzles.klotski import Klotski, Metric


class KlotskiGame(PuzzleGame):
    puzzle: Klotski

    def make_puzzle(self) -> Klotski:
        return Klotski(self._metric, bool(self.options["Axis Locked"]))

    def write_memory(self, statistics: Statistics, control: Control) -> None:
        used = statistics.memory_bytes
        control.say(f"memory {used} bytes, {used / statistics.nodes:.1f} a state")

    def notes(self) -> list[str]:
        return [f"metric {self._metric.value}", *(["axis locked"] if self.board.axis_locked else [])]

    def evaluate(self, control: Control) -> list[str]:
        found = klotski.survey(
            self.board, self._metric, limits=self.limits(GoRequest()), stop=control.stop_flag,
            progress=self.listener(control),
        )  # fmt: skip
        if not found.is_complete:
            return [f"incomplete: {found.states} states within {found.farthest_steps} steps, then stopped or full"]
        rated = [] if found.steps is None else super().evaluate(control)
        shortest = "unsolvable" if found.steps is None else f"{found.steps} steps, {found.solutions} shortest solutions"
        return [
            f"reachable {found.states} states",
            f"goals {found.goals} states",
            f"solution {shortest}",
            f"farthest {found.farthest_steps} steps {found.farthest}",
            f"dead-ends {'unknown' if found.dead_ends is None else found.dead_ends} states",
            f"memory {found.memory_bytes / found.states:.1f} bytes a state",
            *rated,
        ]

    def export_title(self) -> str:
        return f"{super().export_title()}, metric {self.solution.metric.value}"

    @property
    def _metric(self) -> Metric:
        return Metric(str(self.options["Metric"]))


GAME = KlotskiGame
