"""A page of the board in the process of the test, for what must not depend on a socket or on time."""

import asyncio
import json
from typing import Any

import msgspec

from junqi_board.access import Access
from junqi_board.answers import welcome
from junqi_board.connection import Connection
from junqi_board.host import Host
from junqi_board.messages import Sent


class Person(Connection):
    """A page without a browser and without a socket; `frames` is all that it was sent."""

    def __init__(self, host: Host, access: Access) -> None:
        super().__init__(host, access)
        self.frames: list[str] = []
        self.begin(welcome(host, access))

    def send(self, message: Sent) -> None:
        self.frames.append(msgspec.json.encode(message).decode())

    async def say(self, kind: str, **fields: Any) -> None:
        await self.take(json.dumps({"type": kind, "id": 1, **fields}))
        await asyncio.gather(*self.slow)

    def state(self) -> dict[str, Any]:
        return json.loads(next(frame for frame in reversed(self.frames) if frame.startswith('{"type":"game"')))
