"""Match-3 behind the protocol."""

import time
import zlib
from collections.abc import Mapping

from protocol.game import NO_MOVE, BenchResult, Control, Game, GoRequest, Rejection
from protocol.options import quoted
from puzzles.base import PuzzleError
from puzzles.match3 import (
    START_BOARD,
    Board,
    Limits,
    Rules,
    Solution,
    Swap,
    Wave,
    backtrack,
    best_first_swaps,
    count_sequences,
    draw_wave,
    parse_board,
    solve,
)

DEFAULT_SWAPS = 3
METHODS = {"best": solve, "backtracking": backtrack}
BENCH = (
    (START_BOARD, 4),
    ("44252113/22355255/14141135/35414542/25245211/21124544/12115235/45253153", 6),
    ("236216223/162335263/665542126/624663235/341166154/331145346/545651556/116155344/214166422", 4),
)


class Match3Game(Game):
    """The position is the text that was given and the swaps played since; what it means depends on the options."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self._text = START_BOARD
        self._moves: tuple[str, ...] = ()
        self._solution: tuple[Board, Solution] | None = None

    def new_game(self) -> None:
        self._solution = None

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], tuple(words[end + 1 :])
        if start == ["startpos"]:
            text = START_BOARD
        elif len(start) == 2 and start[0] == "fen":
            text = start[1]
        elif start[:1] == ["fen"]:
            raise Rejection("bad-position", "position fen: one word must follow, the rows with / between")
        else:
            raise Rejection("bad-argument", "position: startpos or fen must follow")
        self._play(text, moves)
        self._text, self._moves, self._solution = text, moves, None

    def go(self, request: GoRequest, control: Control) -> str:
        method = str(self.options["Method"])
        if method not in METHODS:
            raise Rejection("not-supported", f"Method {method} in {self.variant}: there are {', '.join(METHODS)}")
        start_points, board, _ = self._play(self._text, self._moves)
        if not self._moves:
            if self._warning():
                control.say(self._warning())
        else:
            start_points = 0
        swaps = DEFAULT_SWAPS if request.depth is None else request.depth
        limits = self._limits(request, control, start_points, board)
        try:
            firsts = self._firsts(board, request)
            if swaps and (request.searchmoves or int(self.options["MultiPV"]) > 1):
                solutions = best_first_swaps(board, swaps, firsts, limits, METHODS[method])
            else:
                solutions = [METHODS[method](board, swaps, limits)]
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        shown = solutions[: int(self.options["MultiPV"])]
        for number, solution in enumerate(shown, 1):
            control.info(_info(board, solution, start_points, control, number if len(shown) > 1 else None))
        if not solutions:
            control.say("unsolvable no swap is allowed")
            return NO_MOVE
        best = solutions[0]
        at_most = start_points + max(solution.at_most for solution in solutions)
        if at_most <= best.score + start_points:
            control.say("optimal")
        else:
            control.say(f"best so far, at most {at_most}")
        self._solution = board, best
        return board.format_swap(best.line[0]) if best.line else NO_MOVE

    def perft(self, depth: int, control: Control) -> None:
        _, board, _ = self._play(self._text, self._moves)
        started = time.perf_counter()
        total = 1 if depth == 0 else 0
        if depth:
            counts = count_sequences(board, depth, Limits(should_stop=lambda: control.stopped))
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
        _, board, _ = self._play(self._text, self._moves)
        return [board.format_swap(swap) for swap in board.swaps()]

    def describe(self) -> list[str]:
        points, board, waves = self._play(self._text, self._moves)
        lines = []
        for number, (before, wave) in enumerate(waves, 1):
            lines += [f"wave {number} of {self._moves[-1]}: {wave.points} points", *draw_wave(before, wave), ""]
        lines += [*str(board).split("/"), f"fen {board}", f"points {points} in {len(self._moves)} swaps"]
        if self._warning():
            lines.append(self._warning())
        return lines if board.swaps() else [*lines, "no swap is allowed"]

    def bench(self, control: Control) -> BenchResult:
        nodes, signature = 0, 0
        started = time.perf_counter()
        for text, swaps in BENCH:
            _, board = parse_board(text, self._rules()).start()
            solution = solve(board, swaps, Limits(self._memory(), should_stop=lambda: control.stopped))
            nodes += solution.plays
            line = " ".join(board.format_swap(swap) for swap in solution.line)
            signature = zlib.crc32(f"{solution.plays} {solution.score} {line}".encode(), signature)
            if control.stopped:
                return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
        return BenchResult(nodes, time.perf_counter() - started, signature)

    def export(self, path: str) -> None:
        if self._solution is None:
            raise Rejection("bad-argument", "export: no solution has been found yet")
        board, solution = self._solution
        lines = [f"# {solution.score} points in {len(solution.line)} swaps", *str(board).split("/")]
        for swap in solution.line:
            name = board.format_swap(swap)
            points, board = board.play(swap)
            lines += ["", f"{name} {points}", *str(board).split("/")]
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        except (OSError, ValueError) as error:
            raise Rejection("bad-file", f"export: {quoted(path)}: {error}") from error

    def _rules(self) -> Rules:
        three, four, five = (int(points) for points in str(self.options["Scoring"]).split("/"))
        return Rules(
            (three, four, five),
            self.options["LongRun"] == "ignore",
            bool(self.options["EmptySwap"]),
            str(self.options["StartWithRuns"]),
        )

    def _warning(self) -> str:
        """What became of runs that stood at the start, if they were taken away."""
        board = parse_board(self._text, self._rules())
        _, settled = board.start()
        if str(settled) == str(board):
            return ""
        how = "scored" if self.options["StartWithRuns"] == "score" else "unscored"
        return f"warning: runs stood on the board at the start and left first, {how}"

    def _play(self, text: str, moves: tuple[str, ...]) -> tuple[int, Board, list[tuple[Board, Wave]]]:
        """Points so far, the board now, and the waves of the last swap, each with the board before it."""
        try:
            points, board = parse_board(text, self._rules()).start()
            waves: list[tuple[Board, Wave]] = []
            for number, move in enumerate(moves, 1):
                swap = board.parse_swap(move)
                if number == len(moves):
                    waves = board.waves(swap)
                gained, board = board.play(swap)
                points += gained
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        return points, board, waves

    def _firsts(self, board: Board, request: GoRequest) -> list[Swap]:
        allowed = board.swaps()
        wanted = [board.parse_swap(move) for move in request.searchmoves]
        for swap in wanted:
            if swap not in allowed:
                raise Rejection("illegal-move", f"go searchmoves {board.format_swap(swap)}: it is not allowed")
        return [swap for swap in allowed if swap in wanted] if wanted else allowed

    def _memory(self) -> int:
        return int(self.options["Hash"]) << 20

    def _limits(self, request: GoRequest, control: Control, start_points: int, board: Board) -> Limits:
        def should_stop() -> bool:
            return control.stopped or (request.movetime_ms is not None and control.elapsed_ms() >= request.movetime_ms)

        def report(solution: Solution) -> None:
            if solution.line and int(self.options["MultiPV"]) == 1 and not request.searchmoves:
                control.info(_info(board, solution, start_points, control, None))

        return Limits(self._memory(), request.nodes, should_stop, report)


def _info(board: Board, solution: Solution, start_points: int, control: Control, number: int | None) -> str:
    elapsed_ms = control.elapsed_ms()
    multipv = f" multipv {number}" if number is not None else ""
    figures = f"nodes {solution.plays} time {elapsed_ms} nps {1000 * solution.plays // max(elapsed_ms, 1)}"
    line = " ".join(board.format_swap(swap) for swap in solution.line)
    pv = f" pv {line}" if line else ""
    return f"depth {len(solution.line)}{multipv} score cp {start_points + solution.score} {figures}{pv}"


GAME = Match3Game
