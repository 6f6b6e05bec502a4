"""Saved games that were interrupted: the list of them, and resuming one. For the host's page only."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

from tools.board.messages import text
from tools.board.session.saving import Unfinished, unfinished_games
from tools.board.views.base import Command, MessageId, View
from tools.board.views.play import invitations

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
