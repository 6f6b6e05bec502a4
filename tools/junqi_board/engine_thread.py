"""The thread of an engine process, which the event loop awaits."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class EngineThread:
    """The thread of an engine process: it carries out work in the order in which it comes; the event loop awaits it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._jobs: list[Future[Any]] = []
        self._last: Future[Any] | None = None

    async def do(self, work: Callable[[], T]) -> T:
        """The result of `work`, which goes on if the caller is cancelled. RuntimeError after `close`."""
        job = self._thread.submit(work)
        self._jobs = [other for other in self._jobs if not other.done()] + [job]
        return await asyncio.wrap_future(job)

    def close(self, last: Callable[[], Any]) -> None:
        """Do `last` after all other work, and end the thread."""
        self._last = self._thread.submit(last)
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        """Wait for the last work of a thread that `close` has ended."""
        if self._last is not None:
            await asyncio.wrap_future(self._last)

    @property
    def is_busy(self) -> bool:
        """Whether there is unfinished work, also if nobody awaits it any more; the last work does not count."""
        return any(not job.done() for job in self._jobs)

    @property
    def is_gone(self) -> bool:
        """Whether the last work is done."""
        return self._last is not None and self._last.done()
