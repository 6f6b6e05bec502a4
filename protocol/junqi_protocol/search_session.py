"""A `go` of a player that searches: from limits and clocks to `info` lines and a best move."""

from collections.abc import Mapping, Sequence

import numpy as np

from junqi_engine.evaluation.evaluator import MATE, WON
from junqi_engine.evaluation.win_chances import PERMILLE, wdl_permille
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.players.search_player import SearchPlayer, SearchRecipe
from junqi_engine.rules.layout import team_of
from junqi_engine.search.root import MAX_DEPTH, Report, RootMove, SearchLimits, WorldsSearch
from junqi_protocol.variant_game import Control, GoRequest

FIRST_REPORT_MS = 15
"""With a clock, iterations that end earlier are not printed."""


class SearchSession:
    """The searches of one game. Their memory is kept from move to move."""

    def __init__(self, options: Mapping[str, int | bool | str]) -> None:
        self._options = options
        self._player: SearchPlayer | None = None

    def new_game(self) -> None:
        if self._player is not None:
            self._player.new_game()

    def release_memory(self) -> None:
        """Make a new search for the next `go`: an option of its memory was changed."""
        self._player = None

    def best(
        self, recipe: SearchRecipe, view: SeatView, seed: int, moves: Sequence[int], request: GoRequest,
        control: Control,
    ) -> int:  # fmt: skip
        """The best of `moves`, at least one, within the limits of `request`. `seed` decides what is random."""
        if self._player is None or recipe is not self._player.recipe:
            self._player = SearchPlayer(recipe, int(self._options["Hash"]), int(self._options["Threads"]))
        limits = SearchLimits(
            depth=0 if request.depth is None else min(max(1, request.depth), MAX_DEPTH),
            nodes=0 if request.nodes is None else max(1, request.nodes),
            lines=min(int(self._options["MultiPV"]), len(moves)),
            clock=request.clock(team_of(view.turn), int(self._options["Move Overhead"])),
        )
        skill, stop = int(self._options["Skill Level"]), np.frombuffer(control.stop_flag, np.uint8)
        # Without a clock, everything that is printed except times must not depend on time.
        first_ms = 0 if limits.clock is None else FIRST_REPORT_MS
        for last in self._player.think(view, seed, moves, limits, stop, skill=skill, timer=control):
            control.best = format_code(view.board, last.best[0].move)
            if is_printed := control.elapsed_ms() >= first_ms:
                self._print(self._player.search, view, last, control)
        if not is_printed:
            self._print(self._player.search, view, last, control)
        return last.best[0].move

    def _print(self, search: WorldsSearch, view: SeatView, report: Report, control: Control) -> None:
        elapsed_ms, board = control.elapsed_ms(), view.board
        nps = 1000 * report.nodes // max(elapsed_ms, 1)
        for number, best in enumerate(report.best, 1):
            line = [format_code(board, best.move), *(format_move(board, seen) for seen in search.replies(best.move))]
            score = _score(view, best) + (f" {_wdl(view, best)}" if self._options["UCI_ShowWDL"] else "")
            control.info(
                f"depth {report.depth} seldepth {report.deepest} multipv {number} score {score} nodes {report.nodes} "
                f"nps {nps} hashfull {report.table_permille} time {elapsed_ms} pv {' '.join(line)}"
            )


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
