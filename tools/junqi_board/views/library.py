"""The saved games of the host, and what its page asks the board to keep until its next start. Guests have none."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from junqi_board import saving
from junqi_board.errors import RequestError
from junqi_board.kept import MAX_NAME_CHARS, MAX_VALUE_CHARS, OWN
from junqi_board.messages import text
from junqi_board.views.base import Command, MessageId, View
from junqi_board.views.play import opened


class Library(View):
    """Nothing is kept between messages."""

    async def _list(self, message_id: MessageId) -> None:
        server = self.page.server
        found = await asyncio.to_thread(saving.summaries, server.folder, server.running)
        self.page.send({"type": "library", "id": message_id, "games": [asdict(summary) for summary in found]})

    async def _open(self, message_id: MessageId, name: str) -> None:
        line = await asyncio.to_thread(saving.read_over, saving.path_of(self.page.server.folder, name))
        self.page.send({"type": "library_game", "id": message_id, "line": line})

    async def _delete(self, message_id: MessageId, name: str) -> None:
        server = self.page.server
        await asyncio.to_thread(saving.delete, saving.path_of(server.folder, name), server.running)
        await self._list(message_id)

    async def _resume(self, message_id: MessageId, name: str) -> None:
        """Go on with an unfinished game, in place of the one that is shown."""
        server, path = self.page.server, saving.path_of(self.page.server.folder, name)
        if path == server.running and server.table is not None and server.table.game.result is None:
            raise RequestError("busy", "this game is on the board now")
        self.page.send(opened(server, await server.resume_game(path), message_id))

    async def _keep(self, message_id: MessageId, name: str, value: str) -> None:
        """Keep a text that only the page reads; `welcome` gives it back."""
        if name.startswith(OWN):
            raise RequestError("not-kept", f"name: {name!r} belongs to the board")
        await asyncio.to_thread(self.page.server.kept.keep, name, value)

    _NAMED: ClassVar[Mapping[str, Any]] = {"name": text()}
    commands: ClassVar[Mapping[str, Command]] = {
        "library": Command(_list, is_slow=True, host_only=True),
        "library_open": Command(_open, _NAMED, is_slow=True, host_only=True),
        "library_delete": Command(_delete, _NAMED, is_slow=True, host_only=True),
        "resume": Command(_resume, _NAMED, is_slow=True, host_only=True),
        "keep": Command(_keep, {"name": text(MAX_NAME_CHARS), "value": text(MAX_VALUE_CHARS)}, host_only=True),
    }
