"""The game on a page: what its person may do in it, and the start of new games."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from junqi_board.errors import RequestError
from junqi_board.game.game import BoardGame, Phase
from junqi_board.game.record import public_record_of, record_of
from junqi_board.game.seating import GUEST, Seating, TimeOut
from junqi_board.messages import LINEUP, MAX_NUMBER, SEAT, flag, number, one_of, optional, record, table, text
from junqi_board.server import Server
from junqi_board.table import Table
from junqi_board.views.base import Command, MessageId, View

ELO = optional(number(0, 10_000))
NEW_GAME = {
    "variant": text(),
    "visibility": one_of("partner", "dark"),
    "seats": table(SEAT, record(who=one_of("me", "guest", "engine"), program=text(), elo=ELO)),
    "clock": optional(record(base_s=number(1, 86_400), increment_s=number(0, 3_600))),
    "time_out": one_of(*TimeOut),
}


def opened(server: Server, table: Table, message_id: MessageId, is_host: bool = True) -> dict[str, Any]:
    """The answer to a message that has begun a game; the host gets an invitation for each guest of it."""
    game = table.game
    guests = [party.seats for party in game.seating.parties if party.who == GUEST and is_host]
    invitations = [{"seats": seats, "token": server.tokens.invite(game.number, seats)} for seats in guests]
    return {"type": "opened", "id": message_id, "game": game.number, "invitations": invitations}


def _input(action: Callable[..., None]) -> Callable[..., Awaitable[None]]:
    """The handler of a message that is an input of the page's person to its game; its fields are the arguments."""

    async def handle(view: "PlayView", message_id: MessageId, **fields: Any) -> None:
        table, seats = view.page.table, view.seats()
        table.do(lambda now_s: action(table.game, seats, now_s=now_s, **fields))

    return handle


_set_lineups = _input(BoardGame.set_lineups)
_answer_draw = _input(BoardGame.answer_draw)


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
        table = self.page.table
        if table.game.phase != Phase.ARRANGING:
            raise RequestError("too-late", "the game has started: choose the level in a new game")
        new = self.page.server.start_game(table.game.seating.with_level(elo), keeps_guests=True)
        # Those who have not come yet may use the invitation that they have, or this one.
        self.send(opened(self.page.server, new, message_id))

    async def _ready(self, message_id: MessageId, lineups: dict[str, str]) -> None:
        # Without the kernels of the rules the game could not start.
        await self.page.server.load_rules()
        await _set_lineups(self, message_id, lineups=lineups)

    async def _draw_answer(self, message_id: MessageId, accept: bool) -> None:
        table = self.page.table
        offer = table.game.offer
        await _answer_draw(self, message_id, accept=accept)
        if offer is not None and not accept:
            table.pages.send_notice("draw-declined", "the draw was declined", offer.by)

    async def _take_back(self, message_id: MessageId) -> None:
        await _input(BoardGame.take_back)(self, message_id)
        self.page.table.practise()

    async def _pause(self, message_id: MessageId, on: bool) -> None:
        table = self.page.table
        if not self.page.access.is_host:
            self.seats()
        table.do(lambda now_s: table.game.set_paused(on, now_s))

    async def _restart_engine(self, message_id: MessageId, seats: str) -> None:
        table = self.page.table
        table.do(lambda now_s: table.game.restart_engine(seats))

    async def _advice(self, message_id: MessageId, ms: int) -> None:
        table, seats = self.page.table, self.seats()
        _check_help(table.game)
        table.practise()
        await table.advisers.advise(seats, ms)

    async def _advice_stop(self, message_id: MessageId) -> None:
        self.page.table.advisers.stop(self.seats())

    async def _belief(self, message_id: MessageId, on: bool) -> None:
        table, seats = self.page.table, self.seats()
        _check_help(table.game)
        table.practise()
        table.advisers.show_belief(seats, on)

    async def _record(self, message_id: MessageId) -> None:
        """The record contains all line-ups, so a page gets it only after the game; a guest's lacks commands."""
        game = self.page.table.game
        if game.phase != Phase.OVER:
            raise RequestError("too-early", "the record is available when the game is over")
        record = record_of(game) if self.page.access.is_host else public_record_of(game)
        line = await asyncio.to_thread(record.as_line)
        self.send({"type": "record", "id": message_id, "line": line})

    async def _past(self, message_id: MessageId, ply: int) -> None:
        """An earlier position of the game, as the page's seats saw it."""
        table = self.page.table
        found = table.pages.scene(self.page.own_seats(table), ply)
        self.send({"type": "past", "id": message_id, "game": table.game.number, **found})

    async def _story(self, message_id: MessageId) -> None:
        """What each move so far did, as the page's seats saw it."""
        table = self.page.table
        entries = table.pages.entries(self.page.own_seats(table))
        self.send({"type": "story", "id": message_id, "game": table.game.number, "entries": entries})

    commands: ClassVar[Mapping[str, Command]] = {
        "new_game": Command(_new_game, NEW_GAME, host_only=True),
        "level": Command(_level, {"elo": ELO}, host_only=True),
        "ready": Command(_ready, {"lineups": table(SEAT, LINEUP)}),
        "move": Command(_input(BoardGame.move), {"ply": number(0, MAX_NUMBER), "move": text(12)}),
        "resign": Command(_input(BoardGame.resign)),
        "hurry": Command(_input(BoardGame.hurry)),
        "draw": Command(_input(BoardGame.offer_draw)),
        "draw_answer": Command(_draw_answer, {"accept": flag}),
        "take_back": Command(_take_back),
        "pause": Command(_pause, {"on": flag}),
        "restart_engine": Command(_restart_engine, {"seats": text(8)}, host_only=True),
        "advice": Command(_advice, {"ms": number(1, 10_000)}, is_slow=True),
        "advice_stop": Command(_advice_stop),
        "belief": Command(_belief, {"on": flag}),
        "record": Command(_record),
        "past": Command(_past, {"ply": number(0, MAX_NUMBER)}),
        "story": Command(_story),
    }

    def game_replaced(self, old: int, new: Table) -> None:
        """Follow to the game that replaces the one shown; a page without a game turns to any."""
        shown = self.page.shown
        if shown is not None and shown.game.number != old:
            return
        if self.page.access.is_host or self.page.server.table_of(self.page.access) is new:
            self._join(new)
        elif shown is not None:
            self.send({"type": "gone"})

    def getting_ready(self, message: dict[str, Any]) -> None:
        self.send(message)

    def _join(self, table: Table | None) -> None:
        if table is None or table is self.page.shown:
            return
        self._leave()
        self.page.shown = table
        table.join(self, self.page.own_seats(table))
        if self.page.access.is_host and table.game.phase != Phase.OVER:
            # A page that is loaded again, also after a restart, shows the invitations of those who are not here.
            self.send(opened(self.page.server, table, None))

    def _leave(self) -> None:
        if self.page.shown is not None:
            self.page.shown.leave(self)
            self.page.shown = None

    def seats(self) -> str:
        """The seats of the page's person; `RequestError` if it only watches."""
        table = self.page.table
        return table.game.person(self.page.own_seats(table)).party.seats


def _check_help(game: BoardGame) -> None:
    if not game.may_be_helped:
        raise RequestError("help-refused", "engines help only when you play alone")
