"""The game on a page: what its person may do in it, and the start of new games."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from junqi_board.errors import RequestError
from junqi_board.game.parts import Events, Phase
from junqi_board.game.record import public_record_of, record_of
from junqi_board.game.seating import GUEST, Seating, TimeOut
from junqi_board.game.state import BoardGame
from junqi_board.messages import LINEUP, MAX_NUMBER, SEAT, flag, number, one_of, optional, record, table, text
from junqi_board.server import Server
from junqi_board.session.game_session import GameSession
from junqi_board.views.base import Command, MessageId, View

ELO = optional(number(0, 10_000))
NEW_GAME = {
    "variant": text(),
    "visibility": one_of("partner", "dark"),
    "seats": table(SEAT, record(who=one_of("me", "guest", "engine"), program=text(), elo=ELO)),
    "clock": optional(record(base_s=number(1, 86_400), increment_s=number(0, 3_600))),
    "time_out": one_of(*TimeOut),
}


def opened(server: Server, session: GameSession, message_id: MessageId, is_host: bool = True) -> dict[str, Any]:
    """The answer to a message that has begun a game; the host gets an invitation for each guest of it."""
    game = session.game
    guests = [party.seats for party in game.seating.parties if party.who == GUEST and is_host]
    invitations = [{"seats": seats, "token": server.tokens.invite(game.number, seats)} for seats in guests]
    return {"type": "opened", "id": message_id, "game": game.number, "invitations": invitations}


def _input(action: Callable[..., Events]) -> Callable[..., Awaitable[None]]:
    """The handler of a message that is an input of the page's person to its game; its fields are the arguments."""

    async def handle(view: "PlayView", message_id: MessageId, **fields: Any) -> None:
        session, seats = view.page.game(), view.seats()
        session.apply(lambda now_s: action(session.game, seats, now_s=now_s, **fields))

    return handle


_set_lineups = _input(BoardGame.set_lineups)


class PlayView(View):
    """A page shows one game. The host's page follows when another game replaces it, a guest's only to a rematch."""

    def open(self) -> None:
        self.page.server.listeners.append(self)
        self.page.send(self.page.server.readiness())
        self._join(self.page.server.table_of(self.page.access))

    def close(self) -> None:
        if self in self.page.server.listeners:
            self.page.server.listeners.remove(self)
        self._leave()

    def send(self, message: dict[str, Any]) -> None:
        self.page.send(message)

    async def _new_game(self, message_id: MessageId, **fields: Any) -> None:
        server = self.page.server
        seating = Seating.read(fields, server.programs, server.variants)
        self.send(opened(server, server.start_game(seating), message_id))

    async def _level(self, message_id: MessageId, elo: int | None) -> None:
        """Begin anew against engines of another strength, before the first move."""
        session = self.page.game()
        if session.game.phase != Phase.ARRANGING:
            raise RequestError("too-late", "the game has started: choose the level in a new game")
        new = self.page.server.start_game(session.game.seating.with_level(elo), keeps_guests=True)
        # Those who have not come yet may use the invitation that they have, or this one.
        self.send(opened(self.page.server, new, message_id))

    async def _ready(self, message_id: MessageId, lineups: dict[str, str]) -> None:
        # Without the kernels of the rules the game could not start.
        await self.page.server.load_rules()
        await _set_lineups(self, message_id, lineups=lineups)

    async def _pause(self, message_id: MessageId, on: bool) -> None:
        session = self.page.game()
        if not self.page.access.is_host:
            self.seats()
        session.apply(lambda now_s: session.game.set_paused(on, now_s))

    async def _restart_engine(self, message_id: MessageId, seats: str) -> None:
        session = self.page.game()
        session.apply(lambda now_s: session.game.restart_engine(seats))

    async def _advice(self, message_id: MessageId, ms: int) -> None:
        session, seats = self.page.game(), self.seats()
        _check_help(session.game)
        await session.advisers.advise(seats, ms)

    async def _advice_stop(self, message_id: MessageId) -> None:
        self.page.game().advisers.stop(self.seats())

    async def _belief(self, message_id: MessageId, on: bool) -> None:
        session, seats = self.page.game(), self.seats()
        _check_help(session.game)
        session.advisers.show_belief(seats, on)

    async def _record(self, message_id: MessageId) -> None:
        """The record contains all line-ups, so a page gets it only after the game; a guest's lacks commands."""
        game = self.page.game().game
        if game.phase != Phase.OVER:
            raise RequestError("too-early", "the record is available when the game is over")
        record = record_of(game) if self.page.access.is_host else public_record_of(game)
        line = await asyncio.to_thread(record.as_line)
        self.send({"type": "record", "id": message_id, "line": line})

    async def _past(self, message_id: MessageId, ply: int) -> None:
        """An earlier position of the game, as the page's seats saw it."""
        session = self.page.game()
        found = session.pages.scene(self.page.own_seats(session), ply)
        self.send({"type": "past", "id": message_id, "game": session.game.number, **found})

    async def _story(self, message_id: MessageId) -> None:
        """What each move so far did, as the page's seats saw it."""
        session = self.page.game()
        entries = session.pages.entries(self.page.own_seats(session))
        self.send({"type": "story", "id": message_id, "game": session.game.number, "entries": entries})

    commands: ClassVar[Mapping[str, Command]] = {
        "new_game": Command(_new_game, NEW_GAME, host_only=True),
        "level": Command(_level, {"elo": ELO}, host_only=True),
        "ready": Command(_ready, {"lineups": table(SEAT, LINEUP)}),
        "move": Command(_input(BoardGame.move), {"ply": number(0, MAX_NUMBER), "move": text(12)}),
        "resign": Command(_input(BoardGame.resign)),
        "hurry": Command(_input(BoardGame.hurry)),
        "draw": Command(_input(BoardGame.offer_draw)),
        "draw_answer": Command(_input(BoardGame.answer_draw), {"accept": flag}),
        "take_back": Command(_input(BoardGame.take_back)),
        "pause": Command(_pause, {"on": flag}),
        "restart_engine": Command(_restart_engine, {"seats": text(8)}, host_only=True),
        "advice": Command(_advice, {"ms": number(1, 10_000)}, is_slow=True),
        "advice_stop": Command(_advice_stop),
        "belief": Command(_belief, {"on": flag}),
        "record": Command(_record),
        "past": Command(_past, {"ply": number(0, MAX_NUMBER)}),
        "story": Command(_story),
    }

    def game_replaced(self, old: int, new: GameSession) -> None:
        """Follow to the game that replaces the one shown; a page without a game turns to any."""
        shown = self.page.session
        if shown is not None and shown.game.number != old:
            return
        if self.page.access.is_host or self.page.server.table_of(self.page.access) is new:
            self._join(new)
        elif shown is not None:
            self.send({"type": "gone"})

    def getting_ready(self, message: dict[str, Any]) -> None:
        self.send(message)

    def _join(self, session: GameSession | None) -> None:
        if session is None or session is self.page.session:
            return
        self._leave()
        self.page.session = session
        session.join(self, self.page.own_seats(session))
        if self.page.access.is_host and session.game.phase != Phase.OVER:
            # A page that is loaded again, also after a restart, shows the invitations of those who are not here.
            self.send(opened(self.page.server, session, None))

    def _leave(self) -> None:
        if self.page.session is not None:
            self.page.session.leave(self)
            self.page.session = None

    def seats(self) -> str:
        """The seats of the page's person; `RequestError` if it only watches."""
        session = self.page.game()
        return session.game.person(self.page.own_seats(session)).party.seats


def _check_help(game: BoardGame) -> None:
    if not game.may_be_helped:
        raise RequestError("help-refused", "engines help only when you play alone")
