"""What the host's page asks the board to keep until its next start; `welcome` gives it back."""

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from tools.board.errors import RequestError
from tools.board.messages import text
from tools.board.session.keepsakes import MAX_NAME_CHARS, MAX_VALUE_CHARS, OWN
from tools.board.views.base import Command, MessageId, View


class Keeping(View):
    """The values are texts that only the page reads."""

    async def _keep(self, message_id: MessageId, name: str, value: str) -> None:
        if name.startswith(OWN):
            raise RequestError("not-kept", f"name: {name!r} belongs to the board")
        await asyncio.to_thread(self.page.server.keepsakes.keep, name, value)

    commands: ClassVar[Mapping[str, Command]] = {
        "keep": Command(_keep, {"name": text(MAX_NAME_CHARS), "value": text(MAX_VALUE_CHARS)}, host_only=True),
    }
