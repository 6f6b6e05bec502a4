"""The game of a puzzle behind the protocol, for every puzzle of the contract in `junqi_puzzles.base`.

`PuzzleGame` checks the request, sets the limits, ends the search in time, and writes the `info` lines. A subclass
defines what differs between puzzles.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from junqi_engine.errors import Refused, expect_one_of, naming, quoted
from junqi_engine.files import write_whole
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_engine.search.clock import stop_in_time
from junqi_protocol.catalogue import CATALOGUE
from junqi_protocol.variant_game import Control, GameSeed, GoRequest, VariantGame
from junqi_puzzles.base import Ending, Limits, Outcome, Progress, Puzzle, Search, Statistics
from junqi_puzzles.difficulty import Level, difficulty, generate

INFO_EVERY_MS = 1000
OWN_OPTIONS = {entry.variant: {option.name for option in entry.options} for entry in CATALOGUE}
"""By variant, the options that change how a board is read."""
WARM_UP_NODES = 30_000
"""Node limit of the warm-up: most puzzles solve `startpos`, and `readyok` is not delayed."""


@contextmanager
def deadline(request: GoRequest, control: Control) -> Iterator[None]:
    """Set the stop flag when the time of `request` is up."""
    limit_ms, ended = request.movetime_ms if request.movetime_ms is not None else request.time_ms, threading.Event()
    if limit_ms is not None:
        arguments = (control, float(limit_ms), ended)
        threading.Thread(target=stop_in_time, args=arguments, name="clock", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


class PuzzleGame(VariantGame):
    """A puzzle variant. `puzzle` is the `Puzzle` with the current options, `solution` the last solution, if any."""

    searches_to_evaluate = True
    has_searchmoves: ClassVar[bool] = False
    solved_text: ClassVar[str] = "solved"
    """The last line of `d` for a solved board."""
    _boards: tuple[Any, Any] | None

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self.solution: Any = None
        self.puzzle = self.make_puzzle()
        self._seed = GameSeed(options)
        self.set_board(self.puzzle.start, [])

    # Defined by a puzzle

    def make_puzzle(self) -> Puzzle[Any]:
        raise NotImplementedError

    def is_done(self) -> bool:
        """Whether `go` has nothing to solve."""
        return self.puzzle.is_solved(self.board)

    def notes(self) -> list[str]:
        return []

    def warning(self) -> str:
        """A warning about an unusual position, or an empty text."""
        return ""

    def solve(self, request: GoRequest, control: Control) -> Outcome:
        limits, progress = self.limits(request), self.listener(control)
        return self.puzzle.solve(self.board, limits=limits, stop=control.stop_flag, progress=progress)

    def report(self, outcome: Any, control: Control) -> None:
        steps = outcome.steps or 0
        self.write_solutions(outcome, control, steps, f"mate {steps}")

    def export_title(self) -> str:
        return f"{len(self.solution.moves)} steps"

    # Common to all puzzles

    def warm_up(self) -> None:
        game = type(self)(self.variant, self.options)
        game.go(GoRequest(nodes=WARM_UP_NODES), Control(lambda line: None))

    def new_game(self) -> None:
        self.solution = None
        self._seed.renew()

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], words[end + 1 :]
        if start != ["startpos"] and start[:1] != ["fen"]:
            raise Refused("bad-argument", f"position: expected startpos or fen, not {quoted(' '.join(start))}")
        self.set_board(self.puzzle.start if start == ["startpos"] else " ".join(start[1:]), moves)

    def set_board(self, text: str, moves: list[str]) -> None:
        start = self.puzzle.parse(text)
        self._boards = start, self.puzzle.play_all(start, moves)
        self.start_text, self.moves = text, tuple(moves)

    def option_changed(self, name: str) -> None:
        if name not in OWN_OPTIONS[self.variant]:
            return
        self.puzzle = self.make_puzzle()
        self._boards = None

    def _both_boards(self) -> tuple[Any, Any]:
        if self._boards is None:
            start = self.puzzle.parse(self.start_text)
            self._boards = start, self.puzzle.play_all(start, self.moves)
        return self._boards

    @property
    def start_board(self) -> Any:
        return self._both_boards()[0]

    @property
    def board(self) -> Any:
        """The board after the moves. `Refused` if an option that was set after `position` forbids it."""
        return self._both_boards()[1]

    def legal(self) -> list[str]:
        return self.puzzle.legal_moves(self.board)

    def describe(self) -> list[str]:
        lines = [*self.puzzle.rows(self.board), f"fen {self.puzzle.format(self.board)}", *self.notes()]
        return [*lines, self.solved_text] if self.puzzle.is_solved(self.board) else lines

    def evaluate(self, control: Control) -> list[str]:
        with naming("eval: "):
            try:
                found = difficulty(
                    self.make_puzzle(), self.board, limits=self.limits(GoRequest()), stop=control.stop_flag
                )
            except Refused:
                if not control.stopped:
                    raise
                return ["eval stopped"]
        return [f"difficulty {found}"]

    def hint(self, request: GoRequest, control: Control) -> str:
        with naming("go hint: "), deadline(request, control):
            found = self.puzzle.hint(self.board, Search(self.limits(request), control.stop_flag))
        if found.left is not None:
            control.say(" ".join([f"hint left {found.left}", *(["moves", *found.moves] if found.moves else [])]))
        else:
            control.say("unsolvable from here" if found.is_proven else "hint unknown: the search has ended early")
        return found.moves[0] if found.moves else NO_MOVE_TEXT

    def generate(self, request: GoRequest, control: Control) -> None:
        if request.level is not None:
            expect_one_of("go generate:", request.level, [level.value for level in Level])
        level = None if request.level is None else Level(request.level)
        with naming("go generate: "), deadline(request, control):
            wanted, made = int(self.options["MultiPV"]), 0
            listener = once_a_second(control, lambda _, __: control.say(f"generating: {made} of {wanted} puzzles"))
            new = generate(
                self.make_puzzle(), self.board, self._seed.value(control), level=level, steps=request.depth,
                limits=self.limits(GoRequest()), stop=control.stop_flag, progress=listener,
            )  # fmt: skip
            for one in islice(new, wanted):
                made += 1
                control.say(f"generated fen {self.puzzle.format(one.board)}")
                control.say(f"difficulty {one.difficulty}")
            if made < wanted:
                control.say(f"the search has ended early: {made} of {wanted} puzzles")

    def go(self, request: GoRequest, control: Control) -> str:
        if request.searchmoves and not self.has_searchmoves:
            self._refuse("go searchmoves")
        if self.is_done():
            control.info(f"depth 0 score mate 0 nodes 0 time {control.elapsed_ms()}")
            return NO_MOVE_TEXT
        warning = self.warning()
        if warning:
            control.say(warning)
        with deadline(request, control):
            outcome = self.solve(request, control)
        if not outcome.solutions:
            self.report_failure(outcome, control)
            return NO_MOVE_TEXT
        self.solution, self.solved_board = outcome.solutions[0], self.board
        self.solved_puzzle = self.make_puzzle()  # a new one, without tables
        self.report(outcome, control)
        moves = self.puzzle.first_move(self.solution)
        return moves[0] if moves else NO_MOVE_TEXT

    def limits(self, request: GoRequest) -> Limits:
        memory_bytes = int(self.options["Hash"]) << 20
        return Limits(request.depth, request.nodes, memory_bytes, int(self.options["MultiPV"]))

    def listener(self, control: Control) -> Callable[[Progress], None]:
        def write(progress: Progress, elapsed_ms: int) -> None:
            control.info(f"depth {progress.statistics.depth} {figures(progress.statistics.nodes, elapsed_ms)}")
            control.say(f"memory {progress.statistics.memory_bytes >> 20} MB")

        return once_a_second(control, write)

    def write_solutions(self, outcome: Outcome, control: Control, depth: int, score: str) -> None:
        """Write an `info` line for each solution, and the number of solutions if they were counted."""
        elapsed_ms = control.elapsed_ms()
        for number, solution in enumerate(outcome.solutions, start=1):
            multipv = number if len(outcome.solutions) > 1 else None
            control.info(info(depth, multipv, score, figures(outcome.statistics.nodes, elapsed_ms), solution.moves))
        self.write_memory(outcome.statistics, control)
        if outcome.statistics.solution_count is not None:
            control.say(f"solutions {outcome.statistics.solution_count}")

    def write_memory(self, statistics: Statistics, control: Control) -> None:
        """Write the memory that the search took, where it is large."""

    def report_failure(self, outcome: Outcome, control: Control) -> None:
        """Write the reason why there is no solution."""
        if outcome.ending is Ending.MEMORY:
            raise Refused("too-large", f"Hash is full: {outcome.reason}")
        control.say(f"unsolvable {outcome.reason}" if outcome.is_unsolvable else outcome.reason)

    def export(self, path: str) -> None:
        if self.solution is None:
            raise Refused("bad-argument", "export: no solution has been found yet")
        with naming("export: "):
            contents = self.contents(path.lower())
        try:
            write_whole(Path(path), contents, replaces=False)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Refused("bad-file", f"export: {quoted(path, longest=60)}: {reason}") from error

    def contents(self, name: str) -> bytes:
        """The contents of an exported file of this name."""
        puzzle, moves = self.solved_puzzle, self.solution.moves
        lines = [f"# {self.export_title()}", *puzzle.rows(self.solved_board)]
        for move, board in zip(moves, puzzle.boards(self.solved_board, moves)[1:], strict=True):
            lines += ["", move, *puzzle.rows(board)]
        return "".join(f"{line}\n" for line in lines).encode()


def once_a_second(control: Control, write: Callable[[Progress, int], None]) -> Callable[[Progress], None]:
    """A listener that calls `write` with the progress and the milliseconds since the `go`, once a second."""
    next_info_ms = INFO_EVERY_MS

    def listen(progress: Progress) -> None:
        nonlocal next_info_ms
        elapsed_ms = control.elapsed_ms()
        if elapsed_ms >= next_info_ms:
            next_info_ms = elapsed_ms + INFO_EVERY_MS
            write(progress, elapsed_ms)

    return listen


def figures(nodes: int, elapsed_ms: int) -> str:
    return f"nodes {nodes} time {elapsed_ms} nps {1000 * nodes // max(elapsed_ms, 1)}"


def info(depth: int, multipv: int | None, score: str, figures: str, moves: Sequence[str]) -> str:
    """The `info` line of a solution; `multipv` is its number, None if there is only one."""
    number = f" multipv {multipv}" if multipv is not None else ""
    pv = f" pv {' '.join(moves)}" if moves else ""
    return f"depth {depth}{number} score {score} {figures}{pv}"
