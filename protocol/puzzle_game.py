"""What the puzzles' games share: one way from a `go` to a solver and back, for all that follow `puzzles.base`.

A puzzle is a subclass of `PuzzleGame` that reads and plays its positions and gives its solvers. This class checks the
request, sets the limits, ends the search in time, and writes the `info` lines.
"""

import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from junqi_engine.engines.engine_lines import NO_MOVE
from junqi_engine.files import write_whole
from protocol.game import BenchResult, Control, Game, GoRequest, Rejection
from protocol.options import quoted
from puzzles.base import Ending, Limits, Outcome, Progress, PuzzleError, Statistics

INFO_EVERY_MS = 1000
REHEARSED_NODES = 30_000
"""Enough to solve `startpos` in most puzzles, and few enough that a rehearsal does not delay `readyok`."""
Solver = Callable[..., Outcome]


@contextmanager
def rejections(command: str = "") -> Iterator[None]:
    """Turn a puzzle's errors into rejections, their text after `command` if one is given."""
    try:
        yield
    except PuzzleError as error:
        raise Rejection(error.code, f"{command}: {error}" if command else str(error)) from error


@contextmanager
def deadline(request: GoRequest, control: Control) -> Iterator[None]:
    """Set the stop flag when the time of `request` is up."""
    limit_ms = request.movetime_ms if request.movetime_ms is not None else request.time_ms
    if limit_ms is None:
        yield
        return
    timer = threading.Timer(max(0, limit_ms - control.elapsed_ms()) / 1000, control.stop_search)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def write_new(path: str, contents: bytes) -> None:
    """Write the whole file of an `export`, or nothing: `bad-file` if there is such a file, pipe, device or link."""
    try:
        write_whole(Path(path), contents, replaces=False)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Rejection("bad-file", f"export: {quoted(path)}: {reason}") from error


class PuzzleGame(Game):
    """A puzzle. `board` is the position; `solution` the last one found, if any."""

    solvers: ClassVar[Mapping[str, Solver]]
    """The solvers by the values of the option `Method`."""
    start: ClassVar[str]
    """The words for which `startpos` stands after `position fen`."""
    has_searchmoves: ClassVar[bool] = False
    rare: ClassVar[tuple[str, ...]] = ()
    """The `rare_kernels` of the method `best`."""
    board: Any

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self.solution: Any = None
        self.set_board(self.start.split(), [])

    # What a puzzle defines.

    def parse(self, words: list[str]) -> Any:
        """The board that the words after `fen` describe."""
        raise NotImplementedError

    def play(self, board: Any, move: str) -> Any:
        """The board after a move."""
        raise NotImplementedError

    def board_to_solve(self) -> Any:
        """The board as the solver takes it."""
        return self.board

    def is_done(self) -> bool:
        """Whether nothing remains to be solved."""
        return False

    def warning(self) -> str:
        """What is unusual about the position; empty if nothing is."""
        return ""

    def solver_options(self, request: GoRequest) -> dict[str, Any]:
        """The arguments of the solver beside those of the contract."""
        return {}

    def report(self, outcome: Any, control: Control) -> None:
        """Write the lines about an outcome that has solutions."""
        steps = outcome.steps or 0
        self.write_solutions(outcome, control, steps, f"mate {steps}")

    def bench_runs(self, control: Control) -> Iterator[tuple[int, bytes]]:
        """Solve the puzzles of the bench, one after the other: the nodes of each, and what it found."""
        raise NotImplementedError

    def export_lines(self) -> Iterable[str]:
        """The solution as the lines of a file."""
        raise NotImplementedError

    # What all puzzles do.

    @classmethod
    def rare_kernels(cls, options: Mapping[str, int | bool | str]) -> tuple[str, ...]:
        return cls.rare if options["Method"] == "best" else ()

    def rehearse(self) -> None:
        rehearsal = type(self)(self.variant, self.options)
        rehearsal.go(GoRequest(nodes=REHEARSED_NODES), Control(lambda line: None))

    def new_game(self) -> None:
        self.solution = None

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], words[end + 1 :]
        if start == ["startpos"]:
            start = ["fen", *self.start.split()]
        if start[:1] != ["fen"]:
            raise Rejection("bad-argument", f"position: expected startpos or fen, not {quoted(' '.join(start))}")
        with rejections():
            self.set_board(start[1:], moves)

    def set_board(self, words: list[str], moves: list[str]) -> None:
        """Take the position of the words after `fen` and the moves."""
        board = self.parse(words)
        for move in moves:
            board = self.play(board, move)
        self.board = board

    def go(self, request: GoRequest, control: Control) -> str:
        if request.searchmoves and not self.has_searchmoves:
            raise Rejection("not-supported", f"go searchmoves in {self.variant}")
        solver = self.solver()
        if self.is_done():
            control.info(f"depth 0 score mate 0 nodes 0 time {control.elapsed_ms()}")
            return NO_MOVE
        with rejections():
            warning = self.warning()
        if warning:
            control.say(warning)
        with rejections(), deadline(request, control):
            outcome = solver(
                self.board_to_solve(),
                limits=self.limits(request),
                stop=control.stop_flag,
                progress=self.listener(control),
                **self.solver_options(request),
            )
        if not outcome.solutions:
            self.report_failure(outcome, control)
            return NO_MOVE
        self.solution = outcome.solutions[0]
        self.report(outcome, control)
        return self.first_move(self.solution)

    def solver(self) -> Solver:
        """The solver of the chosen method."""
        method = str(self.options["Method"])
        if method not in self.solvers:
            choices = ", ".join(self.solvers)
            raise Rejection("not-supported", f"Method {method} in {self.variant}: expected one of {choices}")
        return self.solvers[method]

    def limits(self, request: GoRequest) -> Limits:
        memory_bytes = int(self.options["Hash"]) << 20
        return Limits(request.depth, request.nodes, memory_bytes, int(self.options["MultiPV"]))

    def first_move(self, solution: Any) -> str:
        return str(solution.moves[0]) if solution.moves else NO_MOVE

    def listener(self, control: Control) -> Callable[[Progress], None]:
        """Writes a line of figures each second, and messages at once."""
        next_info_ms = INFO_EVERY_MS

        def listen(progress: Progress) -> None:
            nonlocal next_info_ms
            if progress.message:
                control.say(progress.message)
            elapsed_ms = control.elapsed_ms()
            if elapsed_ms >= next_info_ms:
                next_info_ms = elapsed_ms + INFO_EVERY_MS
                control.info(f"depth {progress.statistics.depth} {figures(progress.statistics.nodes, elapsed_ms)}")
                control.say(f"memory {progress.statistics.memory_bytes >> 20} MB")

        return listen

    def write_solutions(self, outcome: Outcome, control: Control, depth: int, score: str) -> None:
        """Write an `info` line for each solution, and how many there are if they were counted."""
        elapsed_ms = control.elapsed_ms()
        for number, solution in enumerate(outcome.solutions, start=1):
            multipv = number if len(outcome.solutions) > 1 else None
            control.info(info(depth, multipv, score, figures(outcome.statistics.nodes, elapsed_ms), solution.moves))
        self.write_memory(outcome.statistics, control)
        if outcome.statistics.solution_count is not None:
            control.say(f"solutions {outcome.statistics.solution_count}")

    def write_memory(self, statistics: Statistics, control: Control) -> None:
        """Write how much memory the search took, where that is of interest."""

    def report_failure(self, outcome: Outcome, control: Control) -> None:
        """Write why there is no solution."""
        if outcome.ending is Ending.MEMORY:
            raise Rejection("too-large", f"Hash is full: {outcome.reason}")
        control.say(f"unsolvable {outcome.reason}" if outcome.is_unsolvable else outcome.reason)

    def bench(self, control: Control) -> BenchResult:
        nodes, signature = 0, 0
        started = time.perf_counter()
        for more_nodes, found in self.bench_runs(control):
            nodes += more_nodes
            signature = zlib.crc32(found, signature)
            if control.stopped:
                return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
        return BenchResult(nodes, time.perf_counter() - started, signature)

    def export(self, path: str) -> None:
        if self.solution is None:
            raise Rejection("bad-argument", "export: no solution has been found yet")
        write_new(path, "".join(f"{line}\n" for line in self.export_lines()).encode())


def figures(nodes: int, elapsed_ms: int) -> str:
    """The part of an `info` line with nodes, time and speed."""
    return f"nodes {nodes} time {elapsed_ms} nps {1000 * nodes // max(elapsed_ms, 1)}"


def info(depth: int, multipv: int | None, score: str, figures: str, moves: Sequence[str]) -> str:
    """An `info` line about one solution; `multipv` is its number, None if there is only one."""
    number = f" multipv {multipv}" if multipv is not None else ""
    pv = f" pv {' '.join(moves)}" if moves else ""
    return f"depth {depth}{number} score {score} {figures}{pv}"
