"""The saved games of the host: the list, opening one that is over, deleting one. Guests have no part in it."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import ClassVar

from tools.board.messages import text
from tools.board.session import library
from tools.board.views.base import Command, MessageId, View


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
