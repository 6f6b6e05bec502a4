"""A `go` of a player that searches: from limits and clocks to `info` lines and a best move."""

import math
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from junqi_engine.evaluation.evaluator import MATE, WON
from junqi_engine.evaluation.win_chances import PERMILLE, wdl_permille
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.players.registry import FULL_SKILL, SearchRecipe, iterate
from junqi_engine.rules.layout import team_of
from junqi_engine.search.root import MAX_DEPTH, Report, RootMove, SearchLimits, TeamSearch
from junqi_engine.search.time_management import Pace, limit_for_move_ms, time_for_move_ms
from junqi_protocol.variant_game import Control, GoRequest

FIRST_SPEED = 1700.0
"""Positions in a millisecond and thread, until the speed has been measured."""
SHORTEST_MEASUREMENT_MS = 20
"""Shorter searches do not tell the speed."""
FIRST_REPORT_MS = 15
"""With a clock, iterations that end earlier are not printed."""


class SearchSession:
    """The searches of one game. Their memory is kept from move to move."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self._recipe: SearchRecipe | None = None
        self._search: TeamSearch | None = None
        self._speed = 0.0
        """Positions in a millisecond."""

    def new_game(self) -> None:
        if self._search is not None:
            self._search.new_game()

    def release_memory(self) -> None:
        """Make a new search for the next `go`: an option of its memory was changed."""
        self._search = None

    def _search_of(self, recipe: SearchRecipe) -> TeamSearch:
        if self._search is None or recipe is not self._recipe:
            self._recipe = recipe
            self._search = recipe.new_search(int(self._options["Hash"]), int(self._options["Threads"]))
            self._speed = FIRST_SPEED * self._search.threads
        return self._search

    def best(
        self, recipe: SearchRecipe, view: SeatView, seed: int, moves: Sequence[int], request: GoRequest,
        control: Control,
    ) -> int:  # fmt: skip
        """The best of `moves`, at least one, within the limits of `request`. `seed` decides what is random."""
        search = self._search_of(recipe)
        clock = request.clock(team_of(view.turn))
        overhead_ms = int(self._options["Move Overhead"])
        budget_ms = time_for_move_ms(clock, view.ply, len(view.board.seats), overhead_ms)
        limit_ms = None if budget_ms is None else limit_for_move_ms(clock, budget_ms, overhead_ms)
        limits = SearchLimits(
            depth=0 if request.depth is None else min(max(1, request.depth), MAX_DEPTH),
            nodes=0 if request.nodes is None else max(1, request.nodes),
            lines=min(int(self._options["MultiPV"]), len(moves)),
            expected_nodes=0 if budget_ms is None else int(budget_ms * self._speed),
        )
        done = threading.Event()
        # Pondering without any other limit ends with `ponderhit`.
        ends_on_release = request.ponder and request.depth is None and request.nodes is None
        if budget_ms is not None or ends_on_release:
            arguments = (control, limit_ms or 0.0, done)
            threading.Thread(target=_stop_in_time, args=arguments, name="clock", daemon=True).start()
        pace = Pace(budget_ms or 0.0, limit_ms or 0.0)
        is_on_clock = budget_ms is not None and request.movetime_ms is None

        def may_deepen(report: Report) -> bool:
            best = report.best[0]
            return not (is_on_clock and control.is_released) or pace.may_deepen(
                control.elapsed_ms(), best.move, best.score, report.lead
            )

        skill, stop = int(self._options["Skill Level"]), np.frombuffer(control.stop_flag, np.uint8)
        # Without a clock, everything that is printed except times must not depend on time. With limited strength, the
        # order of the moves is known at the end.
        first_ms = math.inf if skill < FULL_SKILL else 0 if budget_ms is None else FIRST_REPORT_MS
        first: tuple[int, int] | None = None
        try:
            for last in iterate(search, view, seed, skill, moves, limits, stop, may_deepen):
                elapsed_ms, control.best = control.elapsed_ms(), format_code(view.board, last.best[0].move)
                first = first or (elapsed_ms, last.nodes)
                if is_printed := elapsed_ms >= first_ms:
                    self._print(search, view, last, control)
        finally:
            done.set()
        if first and budget_ms is not None and not request.ponder:
            self._learn_speed(control.elapsed_ms() - first[0], search.nodes - first[1])
        if not is_printed:
            self._print(search, view, last, control)
        return last.best[0].move

    def _learn_speed(self, elapsed_ms: int, nodes: int) -> None:
        """Take a measurement from the end of the first iteration on: what comes before depends on the position."""
        if elapsed_ms >= SHORTEST_MEASUREMENT_MS:
            self._speed = (self._speed + nodes / elapsed_ms) / 2

    def _print(self, search: TeamSearch, view: SeatView, report: Report, control: Control) -> None:
        elapsed_ms, board = control.elapsed_ms(), view.board
        nps = 1000 * report.nodes // max(elapsed_ms, 1)
        for number, best in enumerate(report.best, 1):
            line = [format_code(board, best.move), *(format_move(board, seen) for seen in search.replies(best.move))]
            score = _score(view, best) + (f" {_wdl(view, best)}" if self._options["UCI_ShowWDL"] else "")
            control.info(
                f"depth {report.depth} seldepth {report.deepest} multipv {number} score {score} nodes {report.nodes} "
                f"nps {nps} hashfull {report.table_permille} time {elapsed_ms} pv {' '.join(line)}"
            )


def _stop_in_time(control: Control, budget_ms: float, done: threading.Event) -> None:
    """End the search when its time is up. While it ponders, the clock does not run."""
    control.wait_for_release()
    done.wait(max(0.0, (budget_ms - control.elapsed_ms()) / 1000))
    control.stop_search()


def _score(view: SeatView, best: RootMove) -> str:
    """`cp` in hundredths of a Lieutenant, or `mate` in moves of the seat to move."""
    if abs(best.score) <= WON:
        return f"cp {best.score}"
    plies = MATE - abs(best.score)
    moves = -(-plies // view.alive.bit_count())
    return f"mate {moves if best.score > 0 else -moves}"


def _wdl(view: SeatView, best: RootMove) -> str:
    if abs(best.score) > WON:
        win, draw, loss = (PERMILLE, 0, 0) if best.score > 0 else (0, 0, PERMILLE)
    else:
        win, draw, loss = wdl_permille(view.board.variant, best.score, view.ply)
    return f"wdl {win} {draw} {loss}"
