"""Submarine Adventure behind the protocol."""

import time
import zlib
from collections.abc import Mapping

import numpy as np

from protocol.game import NO_MOVE, BenchResult, Control, Game, GoRequest, Rejection
from protocol.options import quoted
from puzzles import submarine
from puzzles.base import PuzzleError
from puzzles.submarine import SetUp, Solution


class SubmarineGame(Game):
    """The position is a `SetUp`, or one that the submarine has left: solved."""

    def __init__(self, variant: str, options: Mapping[str, int | bool | str]) -> None:
        super().__init__(variant, options)
        self._set_up = submarine.levels()[1].set_up
        self._has_left = False
        self._last: Solution | None = None

    def new_game(self) -> None:
        self._last = None

    def set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        has_left = False
        try:
            set_up = self._parse(words[:end])
            for move in words[end + 1 :]:
                if has_left:
                    raise Rejection("game-over", f"{quoted(move)}: the submarine has left")
                has_left = move == submarine.LEAVE and move in submarine.legal_moves(set_up)
                set_up = set_up if has_left else submarine.play(set_up, move)
        except PuzzleError as error:
            raise Rejection(error.code, str(error)) from error
        self._set_up, self._has_left = set_up, has_left

    def go(self, request: GoRequest, control: Control) -> str:
        method = str(self.options["Method"])
        if request.searchmoves or method not in ("best", "dfs"):
            what = "go searchmoves" if request.searchmoves else f"Method {method}"
            raise Rejection("not-supported", f"{what} in {self.variant}")
        if self._has_left:
            control.info(f"depth 0 score mate 0 nodes 0 time {control.elapsed_ms()}")
            return NO_MOVE
        warning = submarine.inventory_warning(self._set_up)
        if warning:
            control.say(f"warning: {warning}")
        flag = np.frombuffer(control.stop_flag, np.uint8)
        if method == "dfs":
            limit = request.depth if request.depth is not None else int(self.options["MaxSteps"])
            result = submarine.depth_first(self._set_up, limit, flag)
        else:
            result = submarine.solve(self._set_up, int(self.options["MultiPV"]), flag, request.depth)
        if result.steps is None:
            if not result.is_complete:
                control.say(f"no solution before the search ended: {result.states} states seen")
            elif method == "dfs" and limit:
                control.say(f"no solution within {limit} steps, proven by {result.states} states")
            else:
                control.say(f"unsolvable proven by {result.states} states")
            return NO_MOVE
        self._last = result.solutions[0]
        elapsed_ms = control.elapsed_ms()
        figures = f"nodes {result.states} time {elapsed_ms} nps {1000 * result.states // max(elapsed_ms, 1)}"
        for number, solution in enumerate(result.solutions, start=1):
            multipv = f" multipv {number}" if len(result.solutions) > 1 else ""
            control.info(
                f"depth {result.steps}{multipv} score mate {result.steps} {figures} pv {' '.join(solution.moves)}"
            )
        if result.count is not None:
            control.say(f"solutions {result.count}")
        return self._last.moves[0]

    def legal(self) -> list[str]:
        return [] if self._has_left else submarine.legal_moves(self._set_up)

    def describe(self) -> list[str]:
        drawing = [" ".join(f"{tile:<6}" for tile in self._set_up.tiles[row : row + 3]).rstrip() for row in (0, 3, 6)]
        return [*drawing, f"fen {self._set_up}", *(["the submarine has left"] if self._has_left else [])]

    def bench(self, control: Control) -> BenchResult:
        nodes, signature = 0, 0
        started = time.perf_counter()
        for level in submarine.levels().values():
            result = submarine.solve(level.set_up)
            nodes += result.states
            signature = zlib.crc32(f"{result.states} {' '.join(result.solutions[0].moves)}".encode(), signature)
            if control.stopped:
                return BenchResult(nodes, time.perf_counter() - started, signature, is_complete=False)
        return BenchResult(nodes, time.perf_counter() - started, signature)

    def export(self, path: str) -> None:
        if self._last is None:
            raise Rejection("bad-argument", "export: no solution has been found yet")
        lines = [f"# {len(self._last)} steps", str(self._last.set_ups[0])]
        lines += [f"{move} {after}" for move, after in zip(self._last.moves, self._last.set_ups[1:], strict=False)]
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join([*lines, self._last.moves[-1]]) + "\n")
        except (OSError, ValueError) as error:
            raise Rejection("bad-file", f"export: {error}") from error

    def _parse(self, words: list[str]) -> SetUp:
        if words == ["startpos"]:
            return submarine.levels()[1].set_up
        if len(words) != 2 or words[0] != "fen":
            raise Rejection("bad-argument", f"position: startpos or fen must follow, not {quoted(' '.join(words))}")
        return submarine.parse(words[1])


GAME = SubmarineGame
