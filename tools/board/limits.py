"""How much of the machine a page may use. What is sent too fast is answered later, and a guest cannot have it all."""

import asyncio
import time
from collections.abc import Awaitable

MESSAGES_A_SECOND = 100
MAX_BURST = 200
GUEST_SHARE = 0.25
"""The part of one processor that the messages of a guest may use, and again as much for its slow requests."""
GUEST_PAGES = 4
GUEST_WAITING = 8
"""The slow requests of a guest that may wait for each other."""


class Rate:
    """So many units a second, after a burst at once."""

    def __init__(self, units_a_second: float, burst: float) -> None:
        self._units_a_second = units_a_second
        self._burst = burst
        self._credit = burst
        self._seen_s = time.monotonic()

    async def spend(self, units: float = 1) -> None:
        """Use units; if there are none, wait until these are there. Those who wait are served in order."""
        now_s = time.monotonic()
        self._credit = min(self._burst, self._credit + self._units_a_second * (now_s - self._seen_s)) - units
        self._seen_s = now_s
        if self._credit < 0:
            await asyncio.sleep(-self._credit / self._units_a_second)


class Allowance:
    """What the pages with one token use together. The host's pages are only kept from sending too fast."""

    def __init__(self, is_host: bool) -> None:
        self._is_host = is_host
        self._rate = Rate(MESSAGES_A_SECOND, MAX_BURST)
        self._lane = asyncio.Lock()
        self._waiting = 0
        self._pages = 0

    def add_page(self) -> bool:
        """Whether one more page may connect; if so, call `remove_page` at its end."""
        if not self._is_host and self._pages >= GUEST_PAGES:
            return False
        self._pages += 1
        return True

    def remove_page(self) -> None:
        self._pages -= 1

    async def spend(self, processor_s: float) -> None:
        """A message has been handled, in so much processor time; wait until the next one may be."""
        await self._rate.spend(1 if self._is_host else max(1, MESSAGES_A_SECOND * processor_s / GUEST_SHARE))

    @property
    def is_busy(self) -> bool:
        """Whether too many slow requests wait already."""
        return not self._is_host and self._waiting >= GUEST_WAITING

    async def run_slow(self, request: Awaitable[None]) -> None:
        """Carry out a slow request. Those of a guest come one after the other, with pauses between them."""
        if self._is_host:
            await request
            return
        self._waiting += 1
        try:
            async with self._lane:
                began_s = time.monotonic()
                try:
                    await request
                finally:
                    await asyncio.sleep((1 / GUEST_SHARE - 1) * (time.monotonic() - began_s))
        finally:
            self._waiting -= 1
