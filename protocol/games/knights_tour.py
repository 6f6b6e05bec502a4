"""Knight's tours behind the protocol."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from junqi_engine.engines.engine_lines import NO_MOVE
from protocol.game import Control, Rejection
from protocol.puzzle_game import PuzzleGame, figures, info, rejections, write_new
from puzzles import knights_tour
from puzzles.knights_tour import Board, Outcome, Solution

LONGEST_PV = 1000
MOST_DRAWN = 40
BENCH = (
    (8, 8, None, None, True),
    (8, 8, (7, 0), (0, 0), False),
    (3, 10, None, None, True),
    (5, 8, None, None, False),
    (37, 41, (0, 0), (36, 40), False),
    (1000, 1000, None, None, True),
)


class KnightsTourGame(PuzzleGame):
    """The position is a `Board`."""

    solvers: ClassVar[Mapping[str, Any]] = {
        "best": knights_tour.solve,
        "warnsdorff": knights_tour.solve_by_warnsdorff,
        "dfs": knights_tour.solve_depth_first,
    }
    start = "8x8 start a1"
    board: Board

    def set_board(self, words: list[str], moves: list[str]) -> None:
        self.board = knights_tour.parse(words, moves)
        self.solution = None

    def is_done(self) -> bool:
        return self.board.is_solved

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

    def legal(self) -> list[str]:
        return self.board.legal_moves()

    def describe(self) -> list[str]:
        board = self.board
        lines = []
        if max(board.rows, board.columns) <= MOST_DRAWN:
            step_of = {square: str(step) for step, square in reversed(list(enumerate(board.path, 1)))}
            width = max(len(str(len(board.path))), 1)
            marks = {board.end: "E"} | step_of
            lines = [
                " ".join(f"{marks.get((row, column), '.'):>{width}}" for column in range(board.columns))
                for row in range(board.rows)
            ]
        moves = " ".join(board.moves)
        lines.append(f"fen {board}" + (f" moves {moves}" if moves else ""))
        return [*lines, "solved"] if board.is_solved else lines

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        for rows, columns, start, end, closed in BENCH:
            steps = knights_tour.tour(rows, columns, start, end, closed)
            yield steps.size, steps.tobytes()

    def export(self, path: str) -> None:
        if self.solution is None:
            raise Rejection("bad-argument", "export: no tour has been found yet")
        with rejections("export"):
            contents = knights_tour.contents(self.solution.steps, path, self.solution.board.closed)
        write_new(path, contents)


GAME = KnightsTourGame
