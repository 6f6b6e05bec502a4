"""The persons of a game: their names, a few words to each other, and another game of the same players."""

from collections.abc import Mapping
from typing import ClassVar

import segno

from junqi_board.errors import RequestError
from junqi_board.game.game import Phase
from junqi_board.game.record import MAX_NAME_CHARS
from junqi_board.messages import text
from junqi_board.talk import MAX_WORDS_CHARS
from junqi_board.views.base import Command, MessageId, View
from junqi_board.views.play import opened

MAX_ADDRESS_CHARS = 106


class People(View):
    """All of it concerns the game that the page shows."""

    async def _name(self, message_id: MessageId, name: str) -> None:
        """Set the name of the page's person; an empty one removes it."""
        table = self.page.table
        seats = table.game.person(self.page.own_seats(table)).party.seats
        table.game.names |= {seats: name.strip()}
        if not name.strip():
            del table.game.names[seats]
        table.pages.send_state()

    async def _say(self, message_id: MessageId, words: str) -> None:
        table = self.page.table
        party = table.game.person(self.page.own_seats(table)).party
        table.pages.talk.say(party.seats, table.game.names.get(party.seats, ""), words)
        table.pages.send_talk()

    async def _rematch(self, message_id: MessageId) -> None:
        """Another game of the same players begins as soon as all persons have asked for it."""
        table = self.page.table
        if table.game.phase != Phase.OVER:
            raise RequestError("too-early", "a rematch can be asked for when the game is over")
        seats = self.page.own_seats(table)
        if not self.page.access.is_host:
            table.game.person(seats)
        wants = table.pages.talk.wants_rematch
        wants.add(seats)
        persons = {party.seats for party in table.game.seating.parties if not party.is_engine}
        if wants >= persons:
            new = self.page.server.start_game(table.game.seating, keeps_guests=True)
            new.game.names |= table.game.names
            new.pages.talk.keep(table.pages.talk)
            new.pages.send_state()
            new.pages.send_talk()
            self.page.send(opened(self.page.server, new, message_id, self.page.access.is_host))
        else:
            table.pages.send_state()
            self.page.send({"type": "rematch_asked", "id": message_id})

    async def _spectators(self, message_id: MessageId) -> None:
        """A link by which others see the game as everybody sees it."""
        token = self.page.server.tokens.spectators_link(self.page.table.game.number)
        self.page.server.keep_guests()
        self.page.send({"type": "spectators", "id": message_id, "token": token})

    async def _qr(self, message_id: MessageId, address: str) -> None:
        """A picture of an address for the camera of a telephone: a text of 0 and 1 a row, without the quiet zone."""
        rows = ["".join(map(str, row)) for row in segno.make_qr(address, error="l", boost_error=False).matrix]
        self.page.send({"type": "qr", "id": message_id, "rows": rows})

    commands: ClassVar[Mapping[str, Command]] = {
        "name": Command(_name, {"name": text(MAX_NAME_CHARS)}),
        "say": Command(_say, {"words": text(MAX_WORDS_CHARS)}),
        "rematch": Command(_rematch),
        "spectators": Command(_spectators, host_only=True),
        "qr": Command(_qr, {"address": text(MAX_ADDRESS_CHARS)}, host_only=True),
    }
