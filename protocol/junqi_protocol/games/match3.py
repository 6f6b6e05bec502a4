"""Match-3 behind the protocol."""

from collections.abc import Callable, Sequence

from junqi_engine.errors import Refused
from junqi_protocol.puzzle_game import PuzzleGame, figures, info
from junqi_protocol.variant_game import Control, GoRequest
from junqi_puzzles.base import Limits, Progress, Search
from junqi_puzzles.match3 import Match3, Outcome, Rules, Solution, Swap, draw_wave


class Match3Game(PuzzleGame):
    has_searchmoves = True
    solved_text = "no swap is legal"
    puzzle: Match3

    def make_puzzle(self) -> Match3:
        three, four, five = map(int, str(self.options["Scoring"]).split("/"))
        return Match3(
            Rules(
                (three, four, five),
                self.options["LongRun"] == "ignore",
                bool(self.options["EmptySwap"]),
                str(self.options["StartWithRuns"]),
            )
        )

    def is_done(self) -> bool:
        return False

    def limits(self, request: GoRequest) -> Limits:
        return self.puzzle.with_defaults(super().limits(request))

    def solve(self, request: GoRequest, control: Control) -> Outcome:
        first_swaps = self._first_swaps(request.searchmoves) if request.searchmoves else None
        search = Search(self.limits(request), control.stop_flag, self.listener(control))
        return self.puzzle.search(self.board, search, first_swaps)

    def _first_swaps(self, moves: Sequence[str]) -> list[Swap]:
        board = self.board
        legal = board.swaps()
        wanted = [board.parse_swap(move) for move in moves]
        for move, swap in zip(moves, wanted, strict=True):
            if swap not in legal:
                raise Refused("illegal-move", f"go searchmoves {move}: the swap is not legal")
        return [swap for swap in legal if swap in wanted]

    def listener(self, control: Control) -> Callable[[Progress], None]:
        def listen(progress: Progress) -> None:
            if progress.solution.line:
                self._write(progress.solution, progress.solution.nodes, control, None)

        return listen

    def report(self, outcome: Outcome, control: Control) -> None:
        solutions = outcome.solutions
        for number, solution in enumerate(solutions, 1):
            self._write(solution, outcome.statistics.nodes, control, number if len(solutions) > 1 else None)
        if outcome.is_optimal:
            control.say("optimal")
        else:
            control.say(f"best so far, at most {self._start_points() + outcome.upper_bound}")

    def describe(self) -> list[str]:
        lines = []
        if self.moves:
            before = self.puzzle.play_all(self.start_board, self.moves[:-1])
            for number, (board, wave) in enumerate(before.waves(before.parse_swap(self.moves[-1])), 1):
                lines += [f"wave {number} of {self.moves[-1]}: {wave.points} points", *draw_wave(board, wave)]
            lines.append(f"after {self.moves[-1]}")
        return lines + super().describe()

    def notes(self) -> list[str]:
        warning = self._start_warning()
        return [f"points {self.board.points} in {len(self.moves)} swaps", *([warning] if warning else [])]

    def warning(self) -> str:
        return "" if self.moves else self._start_warning()

    def export_title(self) -> str:
        return f"{self.solution.score} points in {len(self.solution.line)} swaps"

    def _write(self, solution: Solution, nodes: int, control: Control, number: int | None) -> None:
        score = f"cp {self._start_points() + solution.score}"
        line = figures(nodes, control.elapsed_ms())
        control.info(info(len(solution.line), number, score, line, solution.moves))

    def _start_points(self) -> int:
        """The points of runs at the start, which count until a swap is played."""
        return 0 if self.moves else self.board.points

    def _start_warning(self) -> str:
        """A warning if the board had runs at the start, which were removed; otherwise an empty text."""
        if str(self.start_board) == self.start_text:
            return ""
        how = "scored" if self.options["StartWithRuns"] == "score" else "unscored"
        return f"warning: the board had runs at the start; they were removed, {how}"


GAME = Match3Game
