"""The game on a page: what its person may do in it, and the start of new games."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

from tools.board.errors import RequestError
from tools.board.game.parts import Phase
from tools.board.game.record import public_record_of, record_of
from tools.board.game.seating import GUEST, Seating, TimeOut
from tools.board.game.state import Game
from tools.board.messages import LINEUP, MAX_NUMBER, SEAT, flag, number, one_of, optional, record, table, text
from tools.board.server import Server
from tools.board.session.game_session import GameSession
from tools.board.views.base import Command, MessageId, PageContext, View

ENGINE = {"program": text(), "player": text()}


def invitations(server: Server, game: Game) -> list[dict[str, str]]:
    """An invitation for each guest of a game."""
    guests = [party.seats for party in game.seating.parties if party.who == GUEST]
    return [{"seats": seats, "token": server.tokens.invite(game.number, seats)} for seats in guests]


class PlayView(View):
    """The host's page follows from game to game; a guest's page belongs to one game."""

    def __init__(self, page: PageContext) -> None:
        super().__init__(page)
        self._joined: GameSession | None = None

    def open(self) -> None:
        self.page.server.new_game_callbacks.append(self._new_game_started)
        self._join()

    def close(self) -> None:
        if self._new_game_started in self.page.server.new_game_callbacks:
            self.page.server.new_game_callbacks.remove(self._new_game_started)
        self._leave()

    def send(self, message: dict[str, Any]) -> None:
        self.page.send(message)

    async def _new_game(self, message_id: MessageId, **fields: Any) -> None:
        server = self.page.server
        session = server.start_game(Seating.read(fields, server.programs, server.variants))
        game = session.game
        server.announce_game()
        self.send({"type": "opened", "id": message_id, "game": game.number, "invitations": invitations(server, game)})

    async def _ready(self, message_id: MessageId, lineups: dict[str, str]) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.set_lineups(seats, lineups, now_s))

    async def _move(self, message_id: MessageId, ply: int, move: str) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.move(seats, ply, move, now_s))

    async def _resign(self, message_id: MessageId) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.resign(seats, now_s))

    async def _draw(self, message_id: MessageId) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.offer_draw(seats, now_s))

    async def _draw_answer(self, message_id: MessageId, accept: bool) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.answer_draw(seats, accept, now_s))

    async def _take_back(self, message_id: MessageId) -> None:
        session, seats = self._session(), self._seats()
        session.apply(lambda now_s: session.game.take_back(seats, now_s))

    async def _pause(self, message_id: MessageId, on: bool) -> None:
        session = self._session()
        session.apply(lambda now_s: session.game.set_paused(on, now_s))

    async def _pace(self, message_id: MessageId, ms: int) -> None:
        session = self._session()
        session.apply(lambda now_s: session.game.set_pace(ms))

    async def _new_engine(self, message_id: MessageId, seats: str, program: str, player: str) -> None:
        await self._session().replace_engine(seats, program, player)

    async def _advice(self, message_id: MessageId, ms: int) -> None:
        session, seats = self._session(), self._seats()
        session.agreement.require(seats)
        await session.advisers.advise(seats, ms)

    async def _advice_stop(self, message_id: MessageId) -> None:
        self._session().advisers.stop(self._seats())

    async def _belief(self, message_id: MessageId, on: bool) -> None:
        session, seats = self._session(), self._seats()
        if on:
            session.agreement.require(seats)
        session.advisers.show_belief(seats, on)

    async def _agree_help(self, message_id: MessageId, on: bool) -> None:
        """The page's person agrees that those who play against it are helped by engines."""
        session, seats = self._session(), self._seats()
        session.agreement.agree(seats, on)
        session.advisers.end_refused(session.agreement.allows)
        session.pages.send_state()

    async def _record(self, message_id: MessageId) -> None:
        """The record contains all line-ups, so a page gets it only after the game; a guest's lacks commands."""
        game = self._session().game
        if game.phase != Phase.OVER:
            raise RequestError("too-early", "the record is available when the game is over")
        record = record_of(game) if self.page.access.is_host else public_record_of(game)
        line = await asyncio.to_thread(record.as_line)
        self.send({"type": "record", "id": message_id, "line": line})

    async def _past(self, message_id: MessageId, ply: int) -> None:
        """An earlier position of the game, as the page's seats saw it."""
        session = self._session()
        found = session.pages.scene(self._own_seats(session), ply)
        self.send({"type": "past", "id": message_id, "game": session.game.number, **found})

    async def _story(self, message_id: MessageId) -> None:
        """What each move so far did, as the page's seats saw it."""
        session = self._session()
        entries = session.pages.entries(self._own_seats(session))
        self.send({"type": "story", "id": message_id, "game": session.game.number, "entries": entries})

    async def _rematch(self, message_id: MessageId) -> None:
        """Start another game of the same players under the same rules."""
        server, over = self.page.server, self._session().game
        if over.phase != Phase.OVER:
            raise RequestError("too-early", "a rematch is possible when the game is over")
        game = server.start_game(over.seating).game
        server.announce_game()
        self.send({"type": "opened", "id": message_id, "game": game.number, "invitations": invitations(server, game)})

    commands: ClassVar[Mapping[str, Command]] = {
        "new_game": Command(
            _new_game,
            {
                "variant": text(),
                "visibility": one_of("partner", "dark", "open"),
                "seats": table(SEAT, record(who=one_of("me", "guest", "engine"), **ENGINE)),
                "first": SEAT,
                "clock": optional(record(base_s=number(1, 86_400), increment_s=number(0, 3_600))),
                "time_out": one_of(*TimeOut),
                "move_ms": number(1, 3_600_000),
                "pace_ms": number(0, 10_000),
                "no_contact": optional(number(0, 1_000)),
                "max_plies": number(0, 100_000),
            },
            host_only=True,
        ),
        "ready": Command(_ready, {"lineups": table(SEAT, LINEUP)}),
        "move": Command(_move, {"ply": number(0, MAX_NUMBER), "move": text(12)}),
        "resign": Command(_resign),
        "draw": Command(_draw),
        "draw_answer": Command(_draw_answer, {"accept": flag}),
        "take_back": Command(_take_back),
        "pause": Command(_pause, {"on": flag}),
        "pace": Command(_pace, {"ms": number(0, 10_000)}, host_only=True),
        "new_engine": Command(_new_engine, {"seats": text(8), **ENGINE}, is_slow=True, host_only=True),
        "advice": Command(_advice, {"ms": number(1, 600_000)}, is_slow=True),
        "advice_stop": Command(_advice_stop),
        "belief": Command(_belief, {"on": flag}),
        "agree_help": Command(_agree_help, {"on": flag}),
        "record": Command(_record),
        "past": Command(_past, {"ply": number(0, MAX_NUMBER)}),
        "story": Command(_story),
        "rematch": Command(_rematch, host_only=True),
    }

    def _join(self) -> None:
        """Show the current game, if the page has access to it."""
        session = self.page.server.session
        if session is None or session is self._joined or not self.page.server.is_current(self.page.access):
            return
        self._leave()
        self._joined = session
        session.join(self, self._own_seats(session))

    def _leave(self) -> None:
        if self._joined is not None:
            self._joined.leave(self)
            self._joined = None

    def _new_game_started(self) -> None:
        if self.page.access.is_host:
            self._join()
        else:
            self.send({"type": "gone"})

    def _own_seats(self, session: GameSession) -> str:
        return session.game.seating.host_seats if self.page.access.is_host else self.page.access.seats

    def _session(self) -> GameSession:
        if self._joined is None or self._joined is not self.page.server.session:
            raise RequestError("no-game", "this game is over: the board shows another")
        return self._joined

    def _seats(self) -> str:
        """The seats of the page's person; `RequestError` if it only watches."""
        session = self._session()
        return session.game.person(self._own_seats(session)).party.seats
