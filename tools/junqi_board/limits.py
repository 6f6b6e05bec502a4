"""How many may be connected, and how much of the machine a page may use.

A stranger is a connection that has not shown a token yet. It may be one of a script that opens a thousand of them and
says nothing, so few are admitted, for a short time. The newest ones stay: a browser asks at once and is answered at
once. When there are too many, the oldest one of the address with the most connections goes, so that nobody can keep
another device out. What a page sends too fast is answered later, and a guest cannot have all of the machine.
"""

import asyncio
import resource
import time
from collections import Counter
from collections.abc import Awaitable, Callable

MESSAGES_A_SECOND = 100
MAX_BURST = 200
GUEST_SHARE = 0.25
"""The part of one processor that the messages of a guest may use, and again as much for its slow requests."""
GUEST_PAGES = 4
SPECTATOR_PAGES = 32
"""The pages of all spectators of a game together, who share one token."""
GUEST_WAITING = 8
"""The slow requests of a guest that may wait for each other."""


class Rate:
    """This many units a second, after a burst at once."""

    def __init__(self, units_a_second: float, burst: float) -> None:
        self._units_a_second = units_a_second
        self._burst = burst
        self._credit = burst
        self._seen_s = time.monotonic()
        self._turn = asyncio.Lock()

    def spend(self, units: float = 1) -> None:
        """Use units, also if there are none left."""
        now_s = time.monotonic()
        self._credit = min(self._burst, self._credit + self._units_a_second * (now_s - self._seen_s)) - units
        self._seen_s = now_s

    async def wait(self) -> None:
        """Wait until what was spent is there again. Those who wait are served in order, and all others in between."""
        async with self._turn:
            self.spend(0)
            await asyncio.sleep(max(0, -self._credit / self._units_a_second))


class Allowance:
    """What the pages with one token use together. The host's pages are only kept from sending too fast."""

    def __init__(self, is_host: bool, most_pages: int = GUEST_PAGES) -> None:
        self._is_host = is_host
        self._most_pages = most_pages
        self._rate = Rate(MESSAGES_A_SECOND, MAX_BURST)
        self._lane = asyncio.Lock()
        self._waiting = 0
        self._pages = 0

    def add_page(self) -> bool:
        """Whether one more page may connect; if so, call `remove_page` at its end."""
        if not self._is_host and self._pages >= self._most_pages:
            return False
        self._pages += 1
        return True

    def remove_page(self) -> None:
        self._pages -= 1

    async def take_turn(self) -> None:
        """Wait until a message may be handled: the pages take turns, so that others come in between."""
        await self._rate.wait()

    def spend(self, processor_s: float) -> None:
        """A message has been handled, in so much processor time."""
        self._rate.spend(1 if self._is_host else max(1, MESSAGES_A_SECOND * processor_s / GUEST_SHARE))

    @property
    def is_busy(self) -> bool:
        """Whether too many slow requests wait already."""
        return not self._is_host and self._waiting >= GUEST_WAITING

    async def run_slow(self, request: Callable[[], Awaitable[None]]) -> None:
        """Carry out a slow request. Those of a guest come one after the other, with pauses between them."""
        if self._is_host:
            await request()
            return
        self._waiting += 1
        try:
            async with self._lane:
                began_s = time.monotonic()
                await request()
                await asyncio.sleep((1 / GUEST_SHARE - 1) * (time.monotonic() - began_s))
        finally:
            self._waiting -= 1


MAX_STRANGERS = 128
EXCHANGE_S = 10.0
"""The time of a stranger for a request with its answer, and for an upgrade with its token."""
SHARE_OF_FILES = 8
"""Strangers may have one in this many of the file descriptors of the process."""
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
        self._deadlines: dict[Client, asyncio.TimerHandle] = {}
        self._answered: set[Client] = set()

    def come(self, client: Client, transport: asyncio.Transport) -> None:
        """A connection has been made; another one may be closed for it."""
        self._transports[client] = transport
        self._strangers[client] = None
        self.give_time(client)
        if len(self._strangers) > self._most:
            counts = Counter(address for address, _ in self._strangers)
            crowd = max(counts, key=lambda address: counts[address])
            self.cut(next(stranger for stranger in self._strangers if stranger[0] == crowd))

    def answer(self, client: Client) -> None:
        """The upgrade of a connection is being accepted."""
        if client in self._transports:
            self._answered.add(client)

    def is_answered(self, client: Client | None) -> bool:
        """Whether the upgrade of a connection has been accepted."""
        return client in self._answered

    def is_open(self, client: Client) -> bool:
        """Whether a connection has not ended."""
        return client in self._transports

    def give_time(self, client: Client) -> None:
        """A stranger begins anew: it has all the time again."""
        self._stop_deadline(client)
        if client in self._strangers:
            self._deadlines[client] = asyncio.get_running_loop().call_later(EXCHANGE_S, self.cut, client)

    def let_in(self, client: Client) -> None:
        """A connection has shown a token: it stays as long as it likes."""
        self._strangers.pop(client, None)
        self._stop_deadline(client)

    def gone(self, client: Client) -> None:
        """A connection has ended."""
        self._strangers.pop(client, None)
        self._stop_deadline(client)
        self._transports.pop(client, None)
        self._answered.discard(client)

    def cut(self, client: Client) -> None:
        """End a connection at once. Closing it would wait until the other end has read everything, perhaps for ever."""
        transport = self._transports.get(client)
        self.gone(client)
        if transport is not None:
            transport.abort()

    def send_away(self, client: Client) -> None:
        """End a connection that has been told to go, if it does not go by itself."""
        asyncio.get_running_loop().call_later(GOODBYE_S, self.cut, client)

    def _stop_deadline(self, client: Client) -> None:
        deadline = self._deadlines.pop(client, None)
        if deadline is not None:
            deadline.cancel()
