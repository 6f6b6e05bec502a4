"""Sliding-block puzzles behind the protocol."""

from junqi_protocol.puzzle_game import PuzzleGame
from junqi_protocol.variant_game import Control
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

    def export_title(self) -> str:
        return f"{super().export_title()}, metric {self.solution.metric.value}"

    @property
    def _metric(self) -> Metric:
        return Metric(str(self.options["Metric"]))


GAME = KlotskiGame
