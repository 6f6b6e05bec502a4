"""Match-3 behind the protocol."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from protocol.game import Control, GoRequest, Rejection
from protocol.puzzle_game import PuzzleGame, figures, info, rejections
from puzzles import match3
from puzzles.base import Limits, Progress
from puzzles.match3 import START_BOARD, Board, Outcome, Rules, Solution, Wave, draw_wave

DEFAULT_SWAPS = 3
BENCH = (
    (START_BOARD, 4),
    ("44252113/22355255/14141135/35414542/25245211/21124544/12115235/45253153", 6),
    ("236216223/162335263/665542126/624663235/341166154/331145346/545651556/116155344/214166422", 4),
)


class Match3Game(PuzzleGame):
    """The position is a text and the swaps played since; what they mean depends on the options."""

    solvers: ClassVar[Mapping[str, Any]] = {"best": match3.solve, "backtracking": match3.solve_by_backtracking}
    start = START_BOARD
    rare = ("puzzles.match3.backtracking.",)
    has_searchmoves = True

    def set_board(self, words: list[str], moves: list[str]) -> None:
        if len(words) != 1:
            raise Rejection(
                "bad-position", f"position fen: expected one word, rows with / between, not {len(words)} words"
            )
        self._play(words[0], moves)
        self._text, self._moves, self.solution = words[0], tuple(moves), None

    def board_to_solve(self) -> Board:
        _, board, _ = self._play(self._text, self._moves)
        return board

    def limits(self, request: GoRequest) -> Limits:
        limits = super().limits(request)
        return replace(limits, depth=DEFAULT_SWAPS) if limits.depth is None else limits

    def solver_options(self, request: GoRequest) -> dict[str, Any]:
        if not request.searchmoves:
            return {}
        board = self.board_to_solve()
        legal = board.swaps()
        wanted = [board.parse_swap(move) for move in request.searchmoves]
        for swap in wanted:
            if swap not in legal:
                raise Rejection("illegal-move", f"go searchmoves {board.format_swap(swap)}: the swap is not legal")
        return {"first_swaps": [swap for swap in legal if swap in wanted]}

    def listener(self, control: Control) -> Callable[[Progress], None]:
        """Writes every better line at once."""

        def listen(progress: Progress) -> None:
            if progress.solution.line:
                self._write(progress.solution, control, None)

        return listen

    def report(self, outcome: Outcome, control: Control) -> None:
        solutions = outcome.solutions
        for number, solution in enumerate(solutions, 1):
            self._write(solution, control, number if len(solutions) > 1 else None)
        if outcome.is_optimal:
            control.say("optimal")
        else:
            control.say(f"best so far, at most {self._start_points() + outcome.at_most}")

    def perft(self, depth: int, control: Control) -> None:
        board = self.board_to_solve()
        started = time.perf_counter()
        total = 1 if depth == 0 else 0
        if depth:
            counts = match3.count_sequences(board, depth, stop=control.stop_flag)
            if counts is None:
                control.say("perft stopped")
                return
            for swap, count in counts.items():
                control.say(f"perft {board.format_swap(swap)} {count}")
            total = sum(counts.values())
        seconds = time.perf_counter() - started
        nps = int(total / max(seconds, 1e-9))
        control.info(f"depth {depth} nodes {total} time {int(1000 * seconds)} nps {nps}")

    def legal(self) -> list[str]:
        board = self.board_to_solve()
        return [board.format_swap(swap) for swap in board.swaps()]

    def describe(self) -> list[str]:
        points, board, waves = self._play(self._text, self._moves)
        lines = []
        for number, (before, wave) in enumerate(waves, 1):
            lines += [f"wave {number} of {self._moves[-1]}: {wave.points} points", *draw_wave(before, wave), ""]
        lines += [*str(board).split("/"), f"fen {board}", f"points {points} in {len(self._moves)} swaps"]
        if self._start_warning():
            lines.append(self._start_warning())
        return lines if board.swaps() else [*lines, "no swap is legal"]

    def warning(self) -> str:
        return "" if self._moves else self._start_warning()

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        limits = Limits(memory_bytes=int(self.options["Hash"]) << 20)
        for text, swaps in BENCH:
            _, board = match3.parse(text, self._rules()).start()
            outcome = match3.solve(board, limits=replace(limits, depth=swaps), stop=control.stop_flag)
            best = outcome.solutions[0]
            yield best.nodes, f"{best.nodes} {best.score} {' '.join(best.moves)}".encode()

    def export_lines(self) -> Iterable[str]:
        board = self.solution.start
        yield f"# {self.solution.score} points in {len(self.solution.line)} swaps"
        yield from str(board).split("/")
        for swap in self.solution.line:
            name = board.format_swap(swap)
            points, board = board.play(swap)
            yield from ("", f"{name} {points}", *str(board).split("/"))

    def _write(self, solution: Solution, control: Control, number: int | None) -> None:
        score = f"cp {self._start_points() + solution.score}"
        line = figures(solution.nodes, control.elapsed_ms())
        control.info(info(len(solution.line), number, score, line, solution.moves))

    def _rules(self) -> Rules:
        three, four, five = (int(points) for points in str(self.options["Scoring"]).split("/"))
        return Rules(
            (three, four, five),
            self.options["LongRun"] == "ignore",
            bool(self.options["EmptySwap"]),
            str(self.options["StartWithRuns"]),
        )

    def _start_points(self) -> int:
        """Points of the runs at the start, which count while no swap was played."""
        return 0 if self._moves else self._play(self._text, ())[0]

    def _start_warning(self) -> str:
        """What happened to runs on the board at the start, if they were removed."""
        board = match3.parse(self._text, self._rules())
        _, settled = board.start()
        if str(settled) == str(board):
            return ""
        how = "scored" if self.options["StartWithRuns"] == "score" else "unscored"
        return f"warning: the board had runs at the start; they were removed, {how}"

    def _play(self, text: str, moves: Sequence[str]) -> tuple[int, Board, list[tuple[Board, Wave]]]:
        """Points so far, the board now, and the waves of the last swap, each with the board before it."""
        with rejections():
            points, board = match3.parse(text, self._rules()).start()
            waves: list[tuple[Board, Wave]] = []
            for number, move in enumerate(moves, 1):
                swap = board.parse_swap(move)
                if number == len(moves):
                    waves = board.waves(swap)
                gained, board = board.play(swap)
                points += gained
        return points, board, waves


GAME = Match3Game
