"""Who may be connected: strangers, which have not shown a token yet, are few and soon gone, so that pages find a place.

A stranger may be a script that opens a thousand connections and says nothing. The newest ones stay: a browser asks at
once and is answered at once. When there are too many, the oldest one of the address with the most connections goes, so
that nobody can keep another device out.
"""

import asyncio
import resource
from collections import Counter

MAX_STRANGERS = 128
SHARE_OF_FILES = 8
"""Strangers may have one in so many of the file descriptors of the process."""
GOODBYE_S = 5.0
"""How long a page that has been told to go may take to read that."""

Client = tuple[str, int]
"""The address and the port of the other end, which no two connections share."""


class Door:
    """The open connections of a server."""

    def __init__(self) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._most = max(1, min(MAX_STRANGERS, files // SHARE_OF_FILES))
        self._transports: dict[Client, asyncio.Transport] = {}
        self._strangers: dict[Client, None] = {}
        """The strangers, the oldest first."""

    def come(self, client: Client, transport: asyncio.Transport) -> None:
        """A connection has been made; another one may be closed for it."""
        self._transports[client] = transport
        self._strangers[client] = None
        if len(self._strangers) > self._most:
            counts = Counter(address for address, _ in self._strangers)
            crowd = max(counts, key=lambda address: counts[address])
            self.cut(next(stranger for stranger in self._strangers if stranger[0] == crowd))

    def let_in(self, client: Client) -> None:
        """A connection has shown a token: it stays as long as it likes."""
        self._strangers.pop(client, None)

    def gone(self, client: Client) -> None:
        """A connection has ended."""
        self._strangers.pop(client, None)
        self._transports.pop(client, None)

    def cut(self, client: Client) -> None:
        """End a connection at once. Closing it would wait until the other end has read everything, perhaps for ever."""
        transport = self._transports.get(client)
        self.gone(client)
        if transport is not None:
            transport.abort()

    def send_away(self, client: Client) -> None:
        """End a connection that has been told to go, if it does not go by itself."""
        asyncio.get_running_loop().call_later(GOODBYE_S, self.cut, client)
