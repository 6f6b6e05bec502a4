"""An engine that advises a person: what it believes of hidden pieces, and what it would play.

Its search lines say several moves with the chance of winning after each. It is told what the person's own seats have
seen and nothing more, so its advice and belief may be shown.
"""

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

from junqi_board.drawing import junqi
from junqi_board.engines import BoardEngine, Engines
from junqi_board.errors import RequestError
from junqi_board.game.game import BoardGame
from junqi_board.game.record import rule_options
from junqi_board.pages import GamePages
from junqi_engine.errors import CommandRejected, EngineError
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import Board
from junqi_engine.rules.pieces import LETTERS

LINES_SHOWN = 3
_MULTIPV = re.compile(r" multipv (\d+) ")
_CHANCES = re.compile(r" wdl (\d{1,4}) (\d{1,4}) (\d{1,4})(?: |$)")
_MOVE = re.compile(r" pv (\S+)")


def advice(move: str, legal: Mapping[str, Mapping[str, str]], lines: Iterable[str]) -> dict[str, Any] | None:
    """The advice to play `move`; None if it is not one of the moves `legal`, which are as in `junqi.targets`.

    The probability of winning after each move comes from the last line about it, None without `wdl`.
    """
    places = {text: (int(start), int(target)) for start, found in legal.items() for target, text in found.items()}
    if move not in places:
        return None
    latest: dict[int, tuple[str, float | None]] = {}
    for line in lines:
        found = _MOVE.search(line)
        if found is None or found[1] not in places:
            continue
        number, chances = _MULTIPV.search(line), _CHANCES.search(line)
        win = None if chances is None else int(chances[1]) / 1000
        latest[1 if number is None else int(number[1])] = (found[1], win)
    wins = dict(latest[number] for number in sorted(latest, reverse=True))
    ranked = [move, *(other for _, (other, _) in sorted(latest.items()) if other != move)][:LINES_SHOWN]
    shown = [
        {"move": one, "from": places[one][0], "to": places[one][1], "win": wins.get(one)}
        for one in dict.fromkeys(ranked)
    ]
    return {"type": "advice", **shown[0], "others": shown[1:]}


PATIENCE_MS = 10_000
MOST_LINES = 200
"""The lines of a search that are read for its advice."""
_BELIEF = re.compile(r"info belief ([a-q][0-9]{1,2})((?: [a-l]:[01]\.[0-9]+)+)")


def parse_belief(board: Board, lines: list[str]) -> dict[str, dict[str, float]]:
    """By point, by letter, the probability; lines of any other form are skipped."""
    found: dict[str, dict[str, float]] = {}
    for line in lines:
        match = _BELIEF.fullmatch(line)
        if match is None or match[1] not in board.point_named:
            continue
        entries = (entry.split(":") for entry in match[2].split())
        chances = {letter: min(1.0, float(chance)) for letter, chance in entries if letter in LETTERS}
        found[str(board.point_named[match[1]])] = chances
    return found


Run = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a coroutine until the game is closed."""


class Advisers:
    """The advisers of a game, by the seats of the person that they advise; each is started when first needed."""

    def __init__(self, game: BoardGame, engines: Engines, pages: GamePages, run: Run) -> None:
        self._game = game
        self._engines = engines
        self._pages = pages
        self._run = run
        self._advisers: dict[str, Adviser] = {}

    async def advise(self, seats: str, move_ms: int) -> None:
        truth, viewer = self._game.truth_in_play(), self._game.person(seats).party.viewer
        ply = len(truth.moves)
        await self._adviser(seats).advise(truth.position_line(viewer), ply, truth.view(viewer), seats, move_ms)

    def stop(self, seats: str) -> None:
        if seats in self._advisers:
            self._advisers[seats].stop()

    def show_belief(self, seats: str, is_on: bool) -> None:
        """Show the belief in this and every later position, or stop that."""
        self._adviser(seats).shows_belief = is_on
        self.refresh(seats)

    def refresh_all(self) -> None:
        """Show the belief in the present position on all pages that want it."""
        for seats in self._advisers:
            if self._pages.has_pages(seats):
                self.refresh(seats)

    def refresh(self, seats: str) -> None:
        truth, adviser = self._game.truth, self._advisers[seats]
        if adviser.shows_belief and truth is not None:
            position = truth.position_line(self._game.person(seats).party.viewer)
            self._run(adviser.believe(position, len(truth.moves)))

    def close(self) -> None:
        for adviser in self._advisers.values():
            adviser.close()

    def _adviser(self, seats: str) -> "Adviser":
        if seats not in self._advisers:

            def send(message: dict[str, Any]) -> None:
                self._pages.send(seats, message)

            options = rule_options(self._game) | {"UCI_ShowWDL": "true", "MultiPV": str(LINES_SHOWN)}
            is_open = not self._pages.has_guest(seats)
            self._advisers[seats] = Adviser(self._game.board, options, self._engines, send, is_open)
        return self._advisers[seats]


class Adviser:
    def __init__(
        self, board: Board, options: Mapping[str, str], engines: Engines, send: Any, shows_reasons: bool
    ) -> None:
        """`shows_reasons`: the person may read why an engine has failed, with commands and folders of this machine."""
        self.board = board
        self.shows_belief = False
        self._options = dict(options)
        self._engines = engines
        self._send = send
        self._shows_reasons = shows_reasons
        self._engine: BoardEngine | None = None
        self._next: tuple[str, int] | None = None
        self._is_believing = False
        self._believed: tuple[str, dict[str, dict[str, float]]] = "", {}
        """The last position for which the engine was asked, and its belief."""
        self._is_advising = False
        self._search_lines: list[str] = []
        self._stop = threading.Event()
        self._starting = asyncio.Lock()

    async def advise(self, position: str, ply: int, view: SeatView, seats: str, move_ms: int) -> None:
        """Send advice for the position after `ply` moves."""
        legal = junqi.targets(view, seats)
        if not legal:
            raise RequestError("not-your-turn", "it is not your turn")
        if self._is_advising:
            raise RequestError("busy", "the adviser is already thinking")
        self._is_advising = True
        stop = self._stop = threading.Event()
        self._search_lines.clear()
        try:
            engine = await self._ready_engine()
            answer = await engine.search(position, f"go movetime {move_ms}", move_ms + PATIENCE_MS, stop=stop)
        except (EngineError, CommandRejected) as error:
            self._give_up(str(error))
        else:
            found = advice(answer.move, legal, self._search_lines)
            if found is None:
                self._give_up(f"its move {answer.move[:20]!r} is not legal")
            else:
                self._send(found | {"ply": ply})
        finally:
            self._is_advising = False

    def stop(self) -> None:
        self._stop.set()

    async def believe(self, position: str, ply: int) -> None:
        """Show the belief after `ply` moves; of requests that arrive meanwhile, only the last is answered."""
        self._next = position, ply
        if self._is_believing:
            return
        self._is_believing = True
        try:
            while self._next is not None and self.shows_belief:
                (position, ply), self._next = self._next, None
                if position != self._believed[0]:
                    engine = await self._ready_engine()
                    self._believed = position, parse_belief(self.board, await engine.consult(position, "belief"))
                if self._next is None:
                    self._send({"type": "belief", "ply": ply, "points": self._believed[1]})
        except (EngineError, CommandRejected) as error:
            self.shows_belief = False
            self._give_up(str(error))
        finally:
            self._is_believing = False

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    async def _ready_engine(self) -> BoardEngine:
        async with self._starting:
            if self._engine is None:
                engine = await self._engines.take(self._engines.programs[0])
                try:
                    await engine.set_options(self._options)
                except BaseException:
                    engine.close()
                    raise
                engine.listener = self._keep_lines
                self._engine = engine
            return self._engine

    def _keep_lines(self, lines: list[str]) -> None:
        self._search_lines = (self._search_lines + lines)[-MOST_LINES:]

    def _give_up(self, text: str) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
        reason = f": {text}" if self._shows_reasons else ""
        self._send({"type": "notice", "code": "adviser-failed", "text": f"the adviser has failed{reason}"})
