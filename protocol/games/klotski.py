"""Sliding-block puzzles behind the protocol."""

import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from protocol.game import NO_MOVE, BenchResult, Control, Game, GoRequest, Rejection
from protocol.options import quoted
from puzzles import klotski
from puzzles.base import PuzzleError
from puzzles.klotski import Board, Ending, Limits, Progress, Solution
from puzzles.klotski.tables import tables_of

INFO_EVERY_MS = 1000
BENCH = (
    klotski.START,
    "abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA.",
    "##AA##/#.AAt#/z...tt/zz..../.zv.rr/.vv.r./##v.## goal ##rr##/#.rv.#/..vv../..zv../..zz../..tz../##tt##",
)


class KlotskiGame(Game):
    """The position is a `Board`; the tables of its puzzle are made with it."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self._last: Solution | None = None
        self._take(klotski.from_code(klotski.START))

    def new_game(self) -> None:
        self._last = None

    def option_changed(self, name: str) -> None:
        if name == "Axis Locked":
            self._take(replace(self._board, axis_locked=bool(self.options[name])))

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        try:
            board = self._parse(words[:end])
            for move in words[end + 1 :]:
                board = board.play(move, self._metric)
            self._take(board)
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error

    def go(self, request: GoRequest, control: Control) -> str:
        if request.searchmoves:
            raise Rejection("not-supported", f"go searchmoves in {self.variant}")
        limits = self._limits(request, control)
        try:
            result = klotski.solve(
                self._board,
                self._metric,
                int(self.options["MultiPV"]),
                limits,
                str(self.options["Disk"]) or None,
                self._tables,
                control.say,
            )
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        except MemoryError:
            raise Rejection("too-large", "the machine has no memory left for the search") from None
        seen = f"{result.states} states, every position within {result.depth} steps"
        if result.ending is Ending.OUTGROWN:
            raise Rejection("too-large", f"Hash is full: {seen}; no solution among them")
        if result.ending is Ending.EXHAUSTED:
            control.say(f"unsolvable proven by {result.states} states")
        elif result.ending is not Ending.FOUND:
            control.say(f"{result.ending.value} before a solution was found: {seen}")
        if result.steps is None:
            return NO_MOVE
        self._last = result.solutions[0]
        elapsed_ms = control.elapsed_ms()
        figures = f"nodes {result.states} time {elapsed_ms} nps {1000 * result.states // max(elapsed_ms, 1)}"
        for number, solution in enumerate(result.solutions, start=1):
            multipv = f" multipv {number}" if len(result.solutions) > 1 else ""
            pv = f" pv {' '.join(solution.moves)}" if solution.moves else ""
            control.info(f"depth {result.steps}{multipv} score mate {result.steps} {figures}{pv}")
        control.say(f"memory {result.bytes} bytes, {result.bytes / result.states:.1f} a state")
        if result.count is not None:
            control.say(f"solutions {result.count}")
        return self._last.moves[0] if self._last.moves else NO_MOVE

    def legal(self) -> list[str]:
        return klotski.legal_moves(self._board, self._metric)

    def describe(self) -> list[str]:
        board = self._board
        lines = [*board.rows(), f"fen {board}", f"metric {self._metric}"]
        if board.axis_locked:
            lines.append("axis locked")
        with suppress(PuzzleError):  # not every position has a code
            lines.append(f"code {klotski.to_code(board)}")
        return [*lines, "solved"] if board.is_solved else lines

    def evaluate(self, control: Control) -> list[str]:
        found = klotski.survey(self._board, self._metric, self._limits(GoRequest(), control), self._tables)
        if not found.is_complete:
            return [f"incomplete: {found.states} states within {found.farthest_steps} steps, then stopped or full"]
        shortest = "unsolvable" if found.steps is None else f"{found.steps} steps, {found.solutions} shortest solutions"
        return [
            f"reachable {found.states} states",
            f"goals {found.goals} states",
            f"solution {shortest}",
            f"farthest {found.farthest_steps} steps {found.farthest}",
            f"dead-ends {'unknown' if found.dead_ends is None else found.dead_ends} states",
            f"memory {found.bytes / found.states:.1f} bytes a state",
        ]

    def bench(self, control: Control) -> BenchResult:
        nodes, signature = 0, 0
        limits = self._limits(GoRequest(), control)
        started = time.perf_counter()
        for text in BENCH:
            board = klotski.parse(text) if " " in text else klotski.from_code(text)
            for metric in klotski.METRICS:
                result = klotski.solve(board, metric, limits=limits)
                nodes += result.states
                if control.stopped:
                    return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
                moves = " ".join(result.solutions[0].moves)
                signature = zlib.crc32(f"{result.states} {moves}".encode(), signature)
        return BenchResult(nodes, time.perf_counter() - started, signature)

    def export(self, path: str) -> None:
        if self._last is None:
            raise Rejection("bad-argument", "export: no solution has been found yet")
        lines = [f"# {len(self._last)} steps, metric {self._metric}", "\n".join(self._last.boards[0].rows())]
        for move, board in zip(self._last.moves, self._last.boards[1:], strict=True):
            lines += ["", move, *board.rows()]
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
        except (OSError, ValueError) as error:
            raise Rejection("bad-file", f"export: {error}") from error

    @property
    def _metric(self) -> str:
        return str(self.options["Metric"])

    def _take(self, board: Board) -> None:
        self._tables = tables_of(board)
        self._board = board

    def _parse(self, words: list[str]) -> Board:
        locked = bool(self.options["Axis Locked"])
        if words == ["startpos"]:
            return replace(klotski.from_code(klotski.START), axis_locked=locked)
        if not words or words[0] != "fen":
            raise Rejection("bad-argument", f"position: startpos or fen must follow, not {quoted(' '.join(words))}")
        if len(words) == 2 and "/" not in words[1]:
            if len(words[1]) == 36:
                return klotski.from_rush_hour(words[1])
            return replace(klotski.from_code(words[1]), axis_locked=locked)
        return klotski.parse(" ".join(words[1:]), locked)

    def _limits(self, request: GoRequest, control: Control) -> Limits:
        if str(self.options["Method"]) != "best":
            raise Rejection("not-supported", f"Method {self.options['Method']} in {self.variant}")
        next_info_ms = INFO_EVERY_MS
        limit_ms = request.movetime_ms if request.movetime_ms is not None else request.time_ms

        def report(progress: Progress) -> None:
            nonlocal next_info_ms
            elapsed_ms = control.elapsed_ms()
            if limit_ms is not None and elapsed_ms >= limit_ms:
                control.stop_flag[0] = 1
            if elapsed_ms >= next_info_ms:
                next_info_ms = elapsed_ms + INFO_EVERY_MS
                nps = 1000 * progress.states // max(elapsed_ms, 1)
                control.info(f"depth {progress.depth} nodes {progress.states} time {elapsed_ms} nps {nps}")
                control.say(f"memory {progress.bytes >> 20} MB")

        limits = Limits(
            bytes=int(self.options["Hash"]) << 20,
            states=request.nodes,
            stop_flag=np.frombuffer(control.stop_flag, np.uint8),
            progress=report,
        )
        return limits if request.depth is None else replace(limits, depth=request.depth)


GAME = KlotskiGame
