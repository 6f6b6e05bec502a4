"""Sliding-block puzzles behind the protocol."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from junqi_engine.errors import Refused
from junqi_protocol.puzzle_game import PuzzleGame
from junqi_protocol.variant_game import Control, GoRequest
from junqi_puzzles import klotski
from junqi_puzzles.base import Outcome, Statistics
from junqi_puzzles.klotski import Klotski, Metric

BENCH = (
    klotski.START,
    "abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA.",
    "##AA##/#.AAt#/z...tt/zz..../.zv.rr/.vv.r./##v.## goal ##rr##/#.rv.#/..vv../..zv../..zz../..tz../##tt##",
)


class KlotskiGame(PuzzleGame):
    rare = ("junqi_puzzles.klotski.breadth_first.many_words.",)
    puzzle: Klotski

    def make_puzzle(self) -> Klotski:
        options = self.options
        return Klotski(self._metric, bool(options["Axis Locked"]), str(options["Disk"]) or None)

    def write_memory(self, statistics: Statistics, control: Control) -> None:
        used = statistics.memory_bytes
        control.say(f"memory {used} bytes, {used / statistics.nodes:.1f} a state")

    def notes(self) -> list[str]:
        board = self.board
        lines = [f"metric {self._metric.value}", *(["axis locked"] if board.axis_locked else [])]
        with suppress(Refused):  # not every position has a code
            lines.append(f"code {klotski.to_code(board)}")
        return lines

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

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        limits = replace(self.limits(GoRequest()), solutions=1)
        for text in BENCH:
            board = klotski.parse(text) if " " in text else klotski.from_code(text)
            for metric in Metric:
                outcome: Outcome = klotski.solve(board, metric, limits=limits, stop=control.stop_flag)
                moves = " ".join(outcome.solutions[0].moves) if outcome.solutions else ""
                yield outcome.statistics.nodes, f"{outcome.statistics.nodes} {moves}".encode()

    def export_title(self) -> str:
        return f"{super().export_title()}, metric {self.solution.metric.value}"

    @property
    def _metric(self) -> Metric:
        return Metric(str(self.options["Metric"]))


GAME = KlotskiGame
