"""A `go` of a player that searches: limits and clocks in, `info` lines and a line of play out."""

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.players import v2_0
from junqi_engine.rules.board import Board
from junqi_engine.search.root import MAX_DEPTH, Comparison, Limits, Line, TeamSearch
from junqi_engine.search.time_management import time_for_move_ms
from junqi_engine.search.transposition import MATE, WON
from protocol.game import Control, GoRequest

NODES_A_MS = 4000
FIRST_REPORT_MS = 15
"""With a clock: rounds that end sooner are not worth a line each."""
NEW_ROUND_PART = 0.6
"""With a clock: no new round once so much of the move's time is gone, since it would not be finished."""


class Thinker:
    """Searches for one game; the memory of the search is kept from move to move."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self._search: TeamSearch | None = None

    def prepare(self) -> None:
        """Have the memory that the options ask for."""
        if self._search is None:
            self._search = TeamSearch(int(self._options["Hash"]), int(self._options["Threads"]))

    def forget(self) -> None:
        """The options that say how much memory to have were changed."""
        self._search = None

    def best(self, view: SeatView, moves: Sequence[int], request: GoRequest, control: Control) -> int:
        """The move to play, of at least one, within the limits of `request`."""
        self.prepare()
        assert self._search is not None
        if request.is_unlimited:
            control.restart()  # nobody's clock runs: loading is not counted
        seats = len(view.board.seats)
        clock = request.clock(view.turn & 1)
        budget_ms = time_for_move_ms(clock, view.ply, seats, int(self._options["Move Overhead"]))
        limits = Limits(
            depth=min(request.depth or MAX_DEPTH, MAX_DEPTH),
            nodes=request.nodes or 0,
            lines=min(int(self._options["MultiPV"]), len(moves)),
            expected_nodes=0 if budget_ms is None else int(budget_ms * NODES_A_MS),
        )
        # Without a clock nothing that is printed may depend on time, but the times themselves.
        reporter = _Reporter(view.board, control, 0 if budget_ms is None else FIRST_REPORT_MS)
        done = threading.Event()
        if budget_ms is not None:
            watch = threading.Thread(target=_stop_in_time, args=(control, budget_ms, done), name="clock", daemon=True)
            watch.start()

        def may_deepen() -> bool:
            is_on_clock = budget_ms is not None and request.movetime_ms is None and control.is_released
            return not is_on_clock or control.elapsed_ms() < NEW_ROUND_PART * (budget_ms or 0)

        stop = np.frombuffer(control.stop_flag, np.uint8)
        try:
            lines = v2_0.think(
                self._search, view, int(self._options["Seed"]), int(self._options["Skill Level"]), moves, limits, stop,
                reporter.take, may_deepen,
            )  # fmt: skip
        finally:
            done.set()
        reporter.finish()
        return lines[0].move


def _stop_in_time(control: Control, budget_ms: float, done: threading.Event) -> None:
    """End the search when its time is up; while it ponders the clock stands."""
    control.wait_for_release()
    done.wait(max(0.0, (budget_ms - control.elapsed_ms()) / 1000))
    control.stop_search()


class _Reporter:
    """Prints what the search has found after each round, but for those that end before `first_ms`."""

    def __init__(self, board: Board, control: Control, first_ms: int) -> None:
        self._board, self._control, self._first_ms = board, control, first_ms
        self._last: Comparison | None = None
        self._is_printed = False

    def take(self, comparison: Comparison) -> None:
        self._last, self._is_printed = comparison, False
        if self._control.elapsed_ms() >= self._first_ms:
            self._print()

    def finish(self) -> None:
        if not self._is_printed:
            self._print()

    def _print(self) -> None:
        found, self._is_printed = self._last, True
        if found is None:
            return
        elapsed_ms = self._control.elapsed_ms()
        nps = 1000 * found.nodes // max(elapsed_ms, 1)
        for number, line in enumerate(found.lines(), 1):
            replies = [format_move(self._board, seen) for seen in found.replies(line)]
            self._control.info(
                f"depth {found.depth} seldepth {found.deepest} multipv {number} score {_score(found.view, line)} "
                f"nodes {found.nodes} nps {nps} hashfull {found.table_permille} time {elapsed_ms} "
                f"pv {' '.join([format_code(self._board, line.move), *replies])}"
            )


def _score(view: SeatView, line: Line) -> str:
    """`cp` in hundredths of a Lieutenant, or `mate` in moves of the seat to move."""
    if abs(line.score) <= WON:
        return f"cp {line.score}"
    plies = MATE - abs(line.score)
    moves = -(-plies // view.alive.bit_count())
    return f"mate {moves if line.score > 0 else -moves}"
