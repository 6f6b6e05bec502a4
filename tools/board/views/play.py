"""The messages of one page about the game at the board: who may say what, and to whom it goes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tools.board.chairs import Chair
from tools.board.game import Game
from tools.board.house import House
from tools.board.messages import BadMessage
from tools.board.passes import Pass
from tools.board.saving import record_of
from tools.board.seating import GUEST, Seating

Send = Callable[[dict[str, Any]], None]


class GameDesk:
    """Answers one page. A host's page follows from game to game; a guest's belongs to one."""

    def __init__(self, house: House, held: Pass, send: Send) -> None:
        self._house = house
        self._held = held
        self.send = send
        self._joined: Game | None = None
        self.handlers: dict[str, Callable[..., Awaitable[None]]] = {
            "new_game": self._new_game,
            "ready": self._ready,
            "move": self._move,
            "resign": self._resign,
            "draw": self._draw,
            "draw_answer": self._draw_answer,
            "take_back": self._take_back,
            "new_engine": self._new_engine,
            "pause": self._pause,
            "pace": self._pace,
            "advice": self._advice,
            "advice_stop": self._advice_stop,
            "belief": self._belief,
            "record": self._record,
        }

    def join(self) -> None:
        """Take the page's place at the game that is on the board."""
        game = self._house.game
        if game is None or game is self._joined or not self._house.is_current(self._held):
            return
        self.close()
        self._joined = game
        game.join(self, game.seating.mine if self._held.is_host else self._held.seats)

    def move_on(self) -> None:
        """A new game is on the board."""
        if self._held.is_host:
            self.join()
        else:
            self.send({"type": "gone"})

    def close(self) -> None:
        if self._joined is not None:
            self._joined.leave(self)
            self._joined = None

    async def _new_game(self, identity: int | None, **fields: Any) -> None:
        if not self._held.is_host:
            raise BadMessage("host-only", "only the page that opened the board begins games")
        seating = Seating.read(fields, self._house.programs, self._house.variants)
        game = self._house.begin(seating)
        invitations = [
            {"seats": chair.party.seats, "token": self._house.passes.invite(game.number, chair.party.seats)}
            for chair in game.chairs
            if chair.party.who == GUEST
        ]
        self._house.tell_new_game()
        self.send({"type": "opened", "id": identity, "game": game.number, "invitations": invitations})

    async def _ready(self, identity: int | None, lineups: dict[str, str]) -> None:
        self._game().ready(self._chair(), lineups)

    async def _move(self, identity: int | None, ply: int, move: str) -> None:
        self._game().move(self._chair(), ply, move)

    async def _resign(self, identity: int | None) -> None:
        self._game().resign(self._chair())

    async def _draw(self, identity: int | None) -> None:
        self._game().offer_draw(self._chair())

    async def _draw_answer(self, identity: int | None, accept: bool) -> None:
        self._game().answer_draw(self._chair(), accept)

    async def _take_back(self, identity: int | None) -> None:
        self._game().take_back(self._chair())

    async def _new_engine(self, identity: int | None, seats: str, program: str, player: str) -> None:
        if not self._held.is_host:
            raise BadMessage("host-only", "only the page that opened the board chooses engines")
        await self._game().replace_engine(seats, program, player)

    async def _pause(self, identity: int | None, on: bool) -> None:
        self._game().pause(on)

    async def _pace(self, identity: int | None, ms: int) -> None:
        if not self._held.is_host:
            raise BadMessage("host-only", "only the page that opened the board sets the pace")
        self._game().pace_ms = ms
        self._game().tell()

    async def _advice(self, identity: int | None, ms: int) -> None:
        await self._game().minder.advise(self._chair(), ms)

    async def _advice_stop(self, identity: int | None) -> None:
        self._game().minder.stop_advice(self._chair())

    async def _belief(self, identity: int | None, on: bool) -> None:
        self._game().minder.show_belief(self._chair(), on)

    async def _record(self, identity: int | None) -> None:
        """The record has all line-ups in it, so it is given out once they are secret no more."""
        game = self._game()
        if game.phase != "over":
            raise BadMessage("too-early", "the record is given out when the game is over")
        line = await asyncio.to_thread(record_of(game).as_line)
        self.send({"type": "record", "id": identity, "line": line})

    def _game(self) -> Game:
        if self._joined is None or self._joined is not self._house.game:
            raise BadMessage("no-game", "this game is no longer at the board")
        return self._joined

    def _chair(self) -> Chair:
        game = self._game()
        chair = game.chair_of(game.seating.mine if self._held.is_host else self._held.seats)
        if chair is None:
            raise BadMessage("no-seat", "you watch this game and have no seat in it")
        return chair
