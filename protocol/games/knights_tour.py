"""Knight's tours behind the protocol."""

import itertools
import re
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from protocol.game import NO_MOVE, BenchResult, Control, Game, GoRequest, Rejection
from protocol.options import quoted
from puzzles import knights_tour
from puzzles.base import PuzzleError, parse_square, square_name
from puzzles.knights_tour import Found, NoTour

Place = tuple[int, int]

LONGEST_PV = 1000
MOST_DRAWN = 40
STOP_SEEN_EVERY_S = 0.02
METHODS = ("best", "warnsdorff", "dfs")
BENCH = (
    (8, 8, None, None, True),
    (8, 8, (7, 0), (0, 0), False),
    (3, 10, None, None, True),
    (5, 8, None, None, False),
    (37, 41, (0, 0), (36, 40), False),
    (1000, 1000, None, None, True),
)


@dataclass(frozen=True)
class Task:
    """The tour that is asked for: the board, its ends, and the squares of the way begun, the start first."""

    rows: int
    columns: int
    begun: tuple[Place, ...] = ()
    end: Place | None = None
    closed: bool = False

    @property
    def start(self) -> Place | None:
        return self.begun[0] if self.begun else None

    @property
    def is_done(self) -> bool:
        squares = self.rows * self.columns
        return len(self.begun) >= squares + self.closed and (self.end is None or self.begun[squares - 1] == self.end)

    def name(self, square: Place) -> str:
        return square_name(square[1], self.rows - 1 - square[0])

    def __str__(self) -> str:
        words = [f"{self.rows}x{self.columns}"]
        words += [f"start {self.name(self.start)}"] if self.start else []
        words += [f"end {self.name(self.end)}"] if self.end else []
        return " ".join(words + ["closed"] * self.closed)


class KnightsTourGame(Game):
    """The position is a `Task`."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self._task = _parse(["8x8", "start", "a1"], [])
        self._steps: np.ndarray | None = None
        self._solved: Task | None = None

    def new_game(self) -> None:
        self._steps = self._solved = None

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:end], words[end + 1 :]
        if start == ["startpos"]:
            start = ["fen", "8x8", "start", "a1"]
        if start[:1] != ["fen"]:
            raise Rejection("bad-argument", "position: startpos or fen must follow")
        try:
            task = _parse(start[1:], moves)
            knights_tour.check_request(task.rows, task.columns, task.start, task.end, task.closed)
            knights_tour.check_way(task.rows, task.columns, task.begun, task.closed)
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        self._task = task
        self.new_game()

    def go(self, request: GoRequest, control: Control) -> str:
        task = self._task
        method = str(self.options["Method"])
        if method not in METHODS:
            raise Rejection("not-supported", f"Method {method} in {self.variant}: there are {', '.join(METHODS)}")
        if request.searchmoves:
            raise Rejection("not-supported", f"go searchmoves in {self.variant}")
        if task.is_done:
            control.info(f"depth 0 score mate 0 nodes 0 time {control.elapsed_ms()}")
            return NO_MOVE
        try:
            found = self._find(task, method, request, control)
        except NoTour as error:
            control.say(f"unsolvable {error}")
            return NO_MOVE
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        if found.steps is None:
            control.say(f"no tour found within {found.nodes} nodes, and no proof that there is none")
            return NO_MOVE
        self._steps, self._solved = found.steps, task
        return self._report(task, found, control)

    def legal(self) -> list[str]:
        task = self._task
        if not task.begun:
            return []
        visited = set(task.begun)
        here = task.begun[-1]
        moves = []
        for down, along in ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)):
            to = here[0] + down, here[1] + along
            is_home = task.closed and to == task.begun[0] and len(task.begun) == task.rows * task.columns
            if 0 <= to[0] < task.rows and 0 <= to[1] < task.columns and (to not in visited or is_home):
                moves.append(task.name(here) + task.name(to))
        return moves

    def describe(self) -> list[str]:
        task = self._task
        lines = []
        if max(task.rows, task.columns) <= MOST_DRAWN:
            step_of = {square: str(step) for step, square in reversed(list(enumerate(task.begun, 1)))}
            width = max(len(str(len(task.begun))), 1)
            marks = {task.end: "E"} | step_of
            lines = [
                " ".join(f"{marks.get((row, column), '.'):>{width}}" for column in range(task.columns))
                for row in range(task.rows)
            ]
        moves = " ".join(
            task.name(one) + task.name(other) for one, other in zip(task.begun, task.begun[1:], strict=False)
        )
        lines.append(f"fen {task}" + (f" moves {moves}" if moves else ""))
        return [*lines, "solved"] if task.is_done else lines

    def bench(self, control: Control) -> BenchResult:
        nodes, signature = 0, 0
        started = time.perf_counter()
        for rows, columns, start, end, closed in BENCH:
            if control.stopped:
                return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
            steps = knights_tour.tour(rows, columns, start, end, closed)
            nodes += steps.size
            signature = zlib.crc32(steps.tobytes(), signature)
        return BenchResult(nodes, time.perf_counter() - started, signature)

    def export(self, path: str) -> None:
        if self._steps is None:
            raise Rejection("bad-argument", "export: no tour has been found yet")
        try:
            knights_tour.write(self._steps, path, self._task.closed)
        except PuzzleError as error:
            raise Rejection(error.code, f"export: {error}") from error

    def _find(self, task: Task, method: str, request: GoRequest, control: Control) -> Found:
        limit_ms = request.movetime_ms if request.movetime_ms is not None else request.time_ms

        def should_stop() -> bool:
            return control.stopped or (limit_ms is not None and control.elapsed_ms() >= limit_ms)

        if method != "best":
            begun = task.begun or ((0, 0),)
            return knights_tour.search(
                task.rows, task.columns, begun, task.end, task.closed, method, request.nodes, should_stop
            )
        if len(task.begun) > 1:
            return knights_tour.complete(task.rows, task.columns, task.begun, task.end, task.closed, should_stop)
        build = partial(knights_tour.tour, task.rows, task.columns, task.start, task.end, task.closed)
        steps = _unless_stopped(build, should_stop)
        return Found(steps, 0 if steps is None else task.rows * task.columns)

    def _report(self, task: Task, found: Found, control: Control) -> str:
        """The `info` lines of a tour; its first move after the way begun."""
        steps = found.steps
        assert steps is not None
        squares = task.rows * task.columns
        first = max(len(task.begun), 1) - 1
        count = squares - 1 - first + task.closed
        # Only as much of the order is made as is shown.
        shown = count if squares <= LONGEST_PV else 1
        wanted = [(first + i) % squares for i in range(shown + 1)]
        order = [(int(at) // task.columns, int(at) % task.columns) for at in _positions(steps, wanted)]
        moves = [task.name(one) + task.name(other) for one, other in itertools.pairwise(order)]
        elapsed_ms = control.elapsed_ms()
        figures = f"nodes {found.nodes} time {elapsed_ms} nps {1000 * found.nodes // max(elapsed_ms, 1)}"
        pv = f" pv {' '.join(moves)}" if squares <= LONGEST_PV and moves else ""
        control.info(f"depth {count} score mate {count} {figures}{pv}")
        if squares > LONGEST_PV:
            control.say(f"a tour of {squares} squares: export FILE writes it")
        return moves[0] if moves else NO_MOVE


def _positions(steps: np.ndarray, wanted: list[int]) -> list[int]:
    """Where the wanted steps are, as row * columns + column."""
    if len(wanted) <= 2:
        return [int((steps == step).argmax()) for step in wanted]
    order = np.argsort(steps, axis=None)
    return [int(order[step]) for step in wanted]


def _parse(words: list[str], moves: list[str]) -> Task:
    """A task of the words after `fen` and the moves; `PuzzleError` or `Rejection` if they don't make one."""
    match = re.fullmatch(r"([0-9]{1,12})x([0-9]{1,12})", words[0]) if words else None
    if match is None:
        given = quoted(words[0]) if words else "nothing"
        raise Rejection("bad-position", f"the board is <rows>x<columns>, such as 8x8, not {given}")
    rows, columns = int(match[1]), int(match[2])
    squares: dict[str, Place] = {}
    closed = False
    index = 1
    while index < len(words):
        word = words[index]
        if word in ("start", "end") and word not in squares and index + 1 < len(words):
            squares[word] = _square(words[index + 1], rows, columns, word)
            index += 2
        elif word == "closed" and not closed:
            closed = True
            index += 1
        else:
            raise Rejection("bad-position", f"{quoted(word)} is unknown, incomplete or given twice")
    way = [squares["start"]] if "start" in squares else []
    for number, move in enumerate(moves, 1):
        names = re.fullmatch(r"([a-z]+[0-9]+)([a-z]+[0-9]+)", move)
        if names is None:
            raise Rejection("bad-move", f"move {number}: {quoted(move)} is not two squares, such as a1b3")
        one, other = (_square(name, rows, columns, f"move {number}", "bad-move") for name in names.groups())
        if not way:
            way.append(one)
        if one != way[-1]:
            raise Rejection("illegal-move", f"move {number}: {quoted(move)} does not begin where the way has come to")
        way.append(other)
    return Task(rows, columns, tuple(way), squares.get("end"), closed)


def _square(text: str, rows: int, columns: int, where: str, code: str = "bad-position") -> Place:
    try:
        file, rank = parse_square(text)
    except ValueError:
        raise Rejection(code, f"{where}: {quoted(text)} is no square, such as a1") from None
    if file >= columns or rank >= rows:
        raise Rejection(code, f"{where}: {quoted(text)} is off the board of {rows} x {columns}")
    return rows - 1 - rank, file


def _unless_stopped(build: Callable[[], np.ndarray], should_stop: Callable[[], bool]) -> np.ndarray | None:
    """What `build` gives, or None once `should_stop` says so; what takes seconds then ends unheeded."""
    executor = ThreadPoolExecutor(max_workers=1)
    future = executor.submit(build)
    executor.shutdown(wait=False)
    while not should_stop() or future.done():
        try:
            return future.result(timeout=STOP_SEEN_EVERY_S)
        except TimeoutError:
            continue
    return None


GAME = KnightsTourGame
