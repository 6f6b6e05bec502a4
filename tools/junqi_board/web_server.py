"""The web server: uvicorn, which looks for its end less often, and does not wait for connections that say nothing."""

import asyncio
import socket
from functools import partial
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from junqi_board.limits import Door

LOOK_EVERY_S = 0.5
MAX_BACKLOG = 128
"""Connections that the system keeps until they are accepted; the client of one that it refuses tries a second later."""
READ_BYTES = 1 << 13
"""How much is read at once. uvicorn stops reading as soon as a message waits, so no more than these wait."""
MAX_UNREAD_BYTES = 1 << 20
"""How much the other end may leave unread and still send."""
UNREAD_S = 30.0
"""How long the other end may read nothing while there is much for it to read."""


class WebServer(uvicorn.Server):
    """uvicorn looks ten times a second, for which an idle board needed a quarter of a percent of a core."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen. asyncio has made the backlog as small as the number that it accepts at once."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(MAX_BACKLOG)

    async def main_loop(self) -> None:
        """Return when the server should end."""
        # At tick 0 it also brings the date of its answers up to date.
        while not await self.on_tick(0):
            await asyncio.sleep(LOOK_EVERY_S)


class Connection(asyncio.BufferedProtocol):
    """The connection of a protocol of uvicorn: a door knows it, and its other end cannot make it keep much."""

    def __init__(self, door: Door, is_upgraded: bool, kind: type[asyncio.Protocol], **settings: Any) -> None:
        self._door = door
        self._is_upgraded = is_upgraded
        self._protocol = kind(**settings)
        self._buffer = bytearray(READ_BYTES)
        self._client: tuple[str, int] | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._protocol.connection_made(transport)
        client = transport.get_extra_info("peername")
        if not client:  # it has ended already
            transport.abort()
            return
        self._client = client[0], client[1]
        if self._is_upgraded:
            self._door.give_time(self._client)
        else:
            self._door.come(self._client, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._protocol.connection_lost(exc)
        if self._client is not None:
            self._door.gone(self._client)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        is_early = self._is_upgraded and not self._door.is_answered(self._client)
        # Only a stranger that wants errors sends before it has the answer to its upgrade.
        if is_early or self._transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            self._transport.abort()
        else:
            self._protocol.data_received(bytes(self._buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """The request that asked for the upgrade, from the protocol before this one."""
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._unread = asyncio.get_running_loop().call_later(UNREAD_S, self._transport.abort)
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._stop_waiting()
        self._protocol.resume_writing()

    def _stop_waiting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def protocols(door: Door) -> dict[str, Any]:
    """The protocols of HTTP and of WebSockets, as arguments of `uvicorn.Config`, for connections that use a door."""
    return {
        "http": partial(Connection, door, False, H11Protocol),
        "ws": partial(Connection, door, True, WebSocketsSansIOProtocol),
        # A few bytes could be unpacked to hundreds of megabytes before anything counts them.
        "ws_per_message_deflate": False,
    }
