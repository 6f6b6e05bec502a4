"""The web server: uvicorn, which looks for its end less often, and does not wait for connections that say nothing."""

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tools.board.limits import Door

LOOK_EVERY_S = 0.5
MAX_BACKLOG = 128
"""Connections that the system keeps until they are accepted; the client of one that it refuses tries a second later."""
MAX_UNREAD_BYTES = 1 << 20
"""How much the other end of a WebSocket may leave unread until its pings are no longer answered."""
MAX_FRAMES = 1_000
"""The frames of one message, and the messages that wait to be read."""
SLICE_BYTES = 1 << 13
"""How much of what has come is unpacked until they are counted: a quarter of a megabyte of small frames takes long."""


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


def protocols(door: Door) -> dict[str, Any]:
    """The protocols of HTTP and of WebSockets, as arguments of `uvicorn.Config`, for connections that use a door."""

    class Http(H11Protocol):
        """A request with its answer has to be over in time, and so has what it takes to show a token."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if self.client is None:  # it has ended already
                transport.abort()
                return
            door.come(self.client, transport)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self.client is not None:
                door.gone(self.client)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.client is not None:
                door.give_time(self.client)

        def handle_websocket_upgrade(self, event: Any) -> None:
            if self.client is not None:
                door.give_time(self.client)
            super().handle_websocket_upgrade(event)

    class Socket(WebSocketsSansIOProtocol):
        """The other end cannot make it keep more than a little."""

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self.client is not None:
                door.gone(self.client)

        def data_received(self, data: bytes) -> None:
            if self.handshake_initiated and not self.handshake_complete:
                self.transport.abort()  # only a stranger that wants errors sends before it has the answer
                return
            for start in range(0, len(data), SLICE_BYTES):
                super().data_received(data[start : start + SLICE_BYTES])
                if len(self.frames) > MAX_FRAMES or self.queue.qsize() > MAX_FRAMES:
                    self.transport.abort()
                if self.transport.is_closing():
                    return

        def handle_ping(self) -> None:
            if self.transport.get_write_buffer_size() < MAX_UNREAD_BYTES:
                super().handle_ping()
            else:
                self.conn.data_to_send()  # the answer, which is thrown away

        def keepalive_timeout(self) -> None:
            self.transport.abort()

    # A read of 256 KB of compressed messages would be unpacked to 200 MB before anything counts them.
    return {"http": Http, "ws": Socket, "ws_per_message_deflate": False}
