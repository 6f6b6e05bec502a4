"""An engine process of a page beside its game, such as that of its analysis."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from junqi_board.engines import BoardEngine
from junqi_board.errors import RequestError
from junqi_board.page import Belonging, Page
from junqi_engine.errors import CommandRejected, EngineError


class OwnEngine(Belonging):
    """The process is started when it is first asked. One task at a time asks it, and each ends the search before it."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._engine: BoardEngine | None = None
        self._lock = asyncio.Lock()
        self._stop = threading.Event()
        self._is_closed = False

    def stop(self) -> None:
        """End the search that is going on."""
        self._stop.set()

    @asynccontextmanager
    async def task(self) -> AsyncIterator[tuple[BoardEngine, threading.Event]]:
        """The engine for one task, and what stops its search. Failures become a `RequestError`."""
        self.stop()
        stop = self._stop = threading.Event()
        try:
            async with self._lock:
                yield await self._ready_engine(), stop
        except CommandRejected as error:
            raise RequestError("rejected", str(error)) from None
        except EngineError as error:
            self._drop_engine()
            raise RequestError("engine-failed", f"the engine has failed: {error}") from None

    def close(self) -> None:
        self._is_closed = True
        self._drop_engine()

    async def _ready_engine(self) -> BoardEngine:
        if self._engine is None:
            engine = await self.page.host.engines.take(self.page.host.programs[0])
            if self._is_closed:
                engine.close()
                raise RequestError("busy", "the page is closed")
            self._engine = engine
        return self._engine

    def _drop_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
