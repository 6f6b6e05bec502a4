"""The saved games of the host: the lists of those that are over and of those that were interrupted; opening, resuming,
deleting one. Guests have no part in it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from tools.board.messages import text
from tools.board.session import library
from tools.board.session.saving import Unfinished, unfinished_games
from tools.board.views.base import Command, MessageId, View
from tools.board.views.play import invitations


class Library(View):
    """Nothing is kept between messages. `resume` is a message of the view of unfinished games."""

    async def _list(self, message_id: MessageId) -> None:
        found = await asyncio.to_thread(library.summaries, self.page.server.folder)
        self.page.send({"type": "library", "id": message_id, "games": [asdict(summary) for summary in found]})

    async def _open(self, message_id: MessageId, name: str) -> None:
        line = await asyncio.to_thread(library.read_over, self.page.server.folder, name)
        self.page.send({"type": "library_game", "id": message_id, "line": line})

    async def _delete(self, message_id: MessageId, name: str) -> None:
        await asyncio.to_thread(library.delete, self.page.server.folder, name)
        await self._list(message_id)

    commands: ClassVar[Mapping[str, Command]] = {
        "library": Command(_list, is_slow=True, host_only=True),
        "library_open": Command(_open, {"name": text()}, is_slow=True, host_only=True),
        "library_delete": Command(_delete, {"name": text()}, is_slow=True, host_only=True),
    }


MAX_NAME_CHARS = 60


class UnfinishedGames(View):
    """Nothing is kept between messages."""

    async def _list(self, message_id: MessageId) -> None:
        games = await asyncio.to_thread(unfinished_games, self.page.server.folder)
        self.page.send({"type": "unfinished", "id": message_id, "games": [_entry(game) for game in games]})

    async def _resume(self, message_id: MessageId, name: str) -> None:
        server = self.page.server
        session = server.resume_game(name, self.page.session)
        number = session.game.number
        self.page.send(
            {"type": "opened", "id": message_id, "game": number, "invitations": invitations(server, session.game)}
        )

    commands: ClassVar[Mapping[str, Command]] = {
        "unfinished": Command(_list, is_slow=True, host_only=True),
        "resume": Command(_resume, {"name": text()}, host_only=True),
    }


def _entry(game: Unfinished) -> dict[str, Any]:
    """A saved game in the list; nothing in it depends on hidden pieces."""
    record = game.record
    names = [str(entry["name"])[:MAX_NAME_CHARS] for entry in record.engines.values()]
    return {"name": game.name, "variant": record.variant, "names": names, "moves": len(record.moves)}
