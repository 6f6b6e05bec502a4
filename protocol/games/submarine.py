"""Submarine Adventure behind the protocol."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from protocol.game import Control, GoRequest, Rejection
from protocol.puzzle_game import PuzzleGame
from puzzles import submarine
from puzzles.base import Limits
from puzzles.submarine import Board


class SubmarineGame(PuzzleGame):
    """The position is a `Board`."""

    solvers: ClassVar[Mapping[str, Any]] = {"best": submarine.solve, "dfs": submarine.solve_depth_first}
    start = str(submarine.levels()[1].board)
    board: Board

    def parse(self, words: list[str]) -> Board:
        if len(words) != 1:
            raise Rejection("bad-argument", f"position fen: expected one word, the set-up, not {len(words)} words")
        return submarine.parse(words[0])

    def play(self, board: Board, move: str) -> Board:
        return submarine.play(board, move)

    def is_done(self) -> bool:
        return self.board.is_solved

    def warning(self) -> str:
        difference = submarine.inventory_warning(self.board)
        return f"warning: {difference}" if difference else ""

    def limits(self, request: GoRequest) -> Limits:
        limits = super().limits(request)
        if self.options["Method"] == "dfs":
            most_steps = request.depth if request.depth is not None else int(self.options["MaxSteps"])
            return replace(limits, depth=most_steps or None)
        return limits

    def legal(self) -> list[str]:
        return submarine.legal_moves(self.board)

    def describe(self) -> list[str]:
        drawing = [" ".join(f"{tile:<6}" for tile in self.board.tiles[row : row + 3]).rstrip() for row in (0, 3, 6)]
        return [*drawing, f"fen {self.board}", *(["the submarine has left"] if self.board.is_solved else [])]

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        for level in submarine.levels().values():
            outcome = submarine.solve(level.board)
            nodes = outcome.statistics.nodes
            yield nodes, f"{nodes} {' '.join(outcome.solutions[0].moves)}".encode()

    def export_lines(self) -> Iterable[str]:
        boards, moves = self.solution.boards, self.solution.moves
        yield f"# {len(moves)} steps"
        yield str(boards[0])
        yield from (f"{move} {after}" for move, after in zip(moves, boards[1:], strict=False))
        yield moves[-1]


GAME = SubmarineGame
