"""Sliding-block puzzles behind the protocol."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from protocol.game import Control, GoRequest, Rejection
from protocol.puzzle_game import PuzzleGame
from puzzles import klotski
from puzzles.base import Outcome, PuzzleError, Statistics
from puzzles.klotski import Board, Metric
from puzzles.klotski.tables import tables_of

RUSH_HOUR_CELLS = 36
BENCH = (
    klotski.START,
    "abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA.",
    "##AA##/#.AAt#/z...tt/zz..../.zv.rr/.vv.r./##v.## goal ##rr##/#.rv.#/..vv../..zv../..zz../..tz../##tt##",
)


class KlotskiGame(PuzzleGame):
    """The position is a `Board`; the tables of its puzzle are made with it."""

    solvers: ClassVar[Mapping[str, Any]] = {"best": klotski.solve}
    start = klotski.START
    rare = ("puzzles.klotski.breadth_first.many_words.",)
    board: Board

    def option_changed(self, name: str) -> None:
        if name == "Axis Locked":
            self.board = replace(self.board, axis_locked=bool(self.options[name]))
            self._tables = tables_of(self.board)

    def parse(self, words: list[str]) -> Board:
        locked = bool(self.options["Axis Locked"])
        if len(words) == 1 and "/" not in words[0]:
            if len(words[0]) == RUSH_HOUR_CELLS:
                return klotski.from_rush_hour(words[0])
            return replace(klotski.from_code(words[0]), axis_locked=locked)
        return klotski.parse(" ".join(words), locked)

    def play(self, board: Board, move: str) -> Board:
        return board.play(move, self._metric)

    def set_board(self, words: list[str], moves: list[str]) -> None:
        super().set_board(words, moves)
        self._tables = tables_of(self.board)

    def go(self, request: GoRequest, control: Control) -> str:
        try:
            return super().go(request, control)
        except MemoryError:
            raise Rejection("too-large", "the machine has not enough memory for the search") from None

    def solver_options(self, request: GoRequest) -> dict[str, Any]:
        return {"metric": self._metric, "disk": str(self.options["Disk"]) or None, "tables": self._tables}

    def write_memory(self, statistics: Statistics, control: Control) -> None:
        used = statistics.memory_bytes
        control.say(f"memory {used} bytes, {used / statistics.nodes:.1f} a state")

    def legal(self) -> list[str]:
        return klotski.legal_moves(self.board, self._metric)

    def describe(self) -> list[str]:
        board = self.board
        lines = [*board.rows(), f"fen {board}", f"metric {self._metric.value}"]
        if board.axis_locked:
            lines.append("axis locked")
        with suppress(PuzzleError):  # not every position has a code
            lines.append(f"code {klotski.to_code(board)}")
        return [*lines, "solved"] if board.is_solved else lines

    def evaluate(self, control: Control) -> list[str]:
        found = klotski.survey(
            self.board, self._metric, limits=self.limits(GoRequest()), stop=control.stop_flag,
            progress=self.listener(control), tables=self._tables,
        )  # fmt: skip
        if not found.is_complete:
            return [f"incomplete: {found.states} states within {found.farthest_steps} steps, then stopped or full"]
        shortest = "unsolvable" if found.steps is None else f"{found.steps} steps, {found.solutions} shortest solutions"
        return [
            f"reachable {found.states} states",
            f"goals {found.goals} states",
            f"solution {shortest}",
            f"farthest {found.farthest_steps} steps {found.farthest}",
            f"dead-ends {'unknown' if found.dead_ends is None else found.dead_ends} states",
            f"memory {found.memory_bytes / found.states:.1f} bytes a state",
        ]

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        limits = replace(self.limits(GoRequest()), solutions=1)
        for text in BENCH:
            board = klotski.parse(text) if " " in text else klotski.from_code(text)
            for metric in Metric:
                outcome: Outcome = klotski.solve(board, metric, limits=limits, stop=control.stop_flag)
                moves = " ".join(outcome.solutions[0].moves) if outcome.solutions else ""
                yield outcome.statistics.nodes, f"{outcome.statistics.nodes} {moves}".encode()

    def export_lines(self) -> Iterable[str]:
        boards, moves = self.solution.boards, self.solution.moves
        yield f"# {len(moves)} steps, metric {self.solution.metric.value}"
        yield from boards[0].rows()
        for move, board in zip(moves, boards[1:], strict=True):
            yield from ("", move, *board.rows())

    @property
    def _metric(self) -> Metric:
        return Metric(str(self.options["Metric"]))


GAME = KlotskiGame
