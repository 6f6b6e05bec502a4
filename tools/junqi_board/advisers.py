"""An engine that advises a person: what it believes of hidden pieces, and what it would play.

Its search reports several moves with the chance of winning after each. It is told what the person's own seats have seen
and nothing more, so its advice and belief may be shown.
"""

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

from junqi_board.engines import Engines, OwnEngine
from junqi_board.game.game import BoardGame
from junqi_board.game.record import rule_options
from junqi_board.messages import Chances, Sent, Targets
from junqi_board.messages.connection import Notice
from junqi_board.messages.game import Advice, AdvisedMove, Belief
from junqi_board.scenes import junqi
from junqi_engine.client.engine_lines import Info
from junqi_engine.errors import Refused
from junqi_engine.rules.board import Board

LINES_SHOWN = 3
PATIENCE_MS = 10_000
_BELIEF = re.compile(r"info belief ([a-q][0-9]{1,2})((?: [a-l]:[01]\.[0-9]+)+)")


def advice(move: str, legal: Mapping[str, Mapping[str, str]], reports: Iterable[Info]) -> list[AdvisedMove]:
    """The advice to play `move`, and others after it; empty if it is not one of the moves `legal`, `junqi.targets`.

    The probability of winning after each move comes from the last report of it, None without `wdl`.
    """
    places = {text: (int(start), int(target)) for start, found in legal.items() for target, text in found.items()}
    if move not in places:
        return []
    latest = {report.multipv: report for report in reports if report.pv and report.pv[0] in places}
    ranked = [latest[rank] for rank in sorted(latest)]
    wins = {report.pv[0]: report.wdl and report.wdl[0] / 1000 for report in reversed(ranked)}
    best = list(dict.fromkeys([move, *(report.pv[0] for report in ranked)]))[:LINES_SHOWN]
    return [AdvisedMove(one, *places[one], wins.get(one)) for one in best]


def parse_belief(board: Board, lines: list[str]) -> dict[str, Chances]:
    """By point, the chances of the piece there; lines of any other form are skipped."""
    found: dict[str, Chances] = {}
    for line in lines:
        match = _BELIEF.fullmatch(line)
        if match is not None and match[1] in board.point_named:
            chances = (entry.split(":") for entry in match[2].split())
            found[str(board.point_named[match[1]])] = {letter: min(1.0, float(chance)) for letter, chance in chances}
    return found


class Adviser:
    """The adviser of a person who plays alone against engines."""

    def __init__(
        self,
        game: BoardGame,
        engines: Engines,
        send: Callable[[Sent], None],
        run: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        """`send` sends to the pages of the person; `run` runs a coroutine until the game is closed."""
        self._game = game
        self._send = send
        self._run = run
        self._engine = OwnEngine(engines, rule_options(game) | {"UCI_ShowWDL": "true", "MultiPV": str(LINES_SHOWN)})
        self._shows_belief = False
        self._wanted = ""
        """The position whose belief is to be shown."""
        self._believed: tuple[str, dict[str, Chances]] = "", {}
        """The last position for which the engine was asked, and its belief."""

    def expect_turn(self) -> Targets:
        """The legal moves of the person, as in `junqi.targets`; `Refused` if it has none."""
        full, party = self._game.full_game_in_play(), self._game.person(self._seats).party
        legal = junqi.targets(full.view(party.viewer), party.seats)
        if not legal:
            raise Refused("not-your-turn", "it is not your turn")
        return legal

    async def advise(self, move_ms: int) -> None:
        legal, full, party = self.expect_turn(), self._game.full_game_in_play(), self._game.person(self._seats).party
        ply, position, go = len(full.moves), full.position_line(party.viewer), f"go movetime {move_ms}"
        try:
            async with self._engine.task() as (engine, stop):
                answer = await engine.search(position, go, move_ms + PATIENCE_MS, stop=stop)
                found = advice(answer.move, legal, engine.reports)
        except Refused as error:
            raise Refused("adviser-failed", f"the adviser has failed: {error}") from None
        if not found:
            raise Refused("adviser-failed", f"the adviser has failed: its move {answer.move[:20]!r} is not legal")
        # Another move may have been played, or this turn taken back.
        if full is self._game.full and len(full.moves) == ply:
            best, *others = found
            self._send(Advice(self._game.id, ply, best.move, best.start, best.target, best.win, others))

    def stop(self) -> None:
        self._engine.stop()

    def show_belief(self, is_on: bool) -> None:
        """Show the belief in this and every later position, or stop that."""
        self._shows_belief = is_on
        self.follow()

    def follow(self) -> None:
        full = self._game.full
        if self._shows_belief and full is not None:
            self._wanted = full.position_line(self._game.person(self._seats).party.viewer)
            self._run(self._believe(self._wanted, len(full.moves)))

    def close(self) -> None:
        self._engine.close()

    @property
    def _seats(self) -> str:
        """The seats of the only person: a guest does not play without the host."""
        return self._game.seating.host_seats

    async def _believe(self, position: str, ply: int) -> None:
        """Ask for the belief. Positions that are replaced while the engine thinks are skipped."""
        try:
            async with self._engine.task(ends_search=False) as (engine, _):
                if position == self._wanted and position != self._believed[0]:
                    lines = await engine.consult(position, "belief")
                    self._believed = position, parse_belief(self._game.board, lines)
        except Refused as error:
            self._shows_belief = False
            self._send(Notice("adviser-failed", f"the adviser has failed: {error}"))
        else:
            if position == self._wanted and self._shows_belief:
                self._send(Belief(self._game.id, ply, self._believed[1]))
