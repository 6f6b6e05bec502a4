"""`AsyncEngine`: an `Engine` that an asyncio program awaits. The engine has a thread of its own, which waits for it."""

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

from junqi_engine.client.engine import OWN_ENGINE, Engine
from junqi_engine.client.engine_client import Patience
from junqi_engine.client.engine_lines import Info
from junqi_engine.errors import EngineError, EngineFault

T = TypeVar("T")
Given = ParamSpec("Given")
Awaited = Callable[Concatenate["AsyncEngine", Given], Coroutine[Any, Any, T]]


class EngineThread:
    """The thread of an engine process: it carries out work in the order in which it comes; the event loop awaits it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._jobs: list[Future[Any]] = []
        self._last: Future[Any] | None = None
        self._under_way: Callable[[], Any] | None = None

    async def do(self, work: Callable[[], T]) -> T:
        """The result of `work`, which goes on if the caller is cancelled. RuntimeError after `close`."""
        job = self._thread.submit(self._carry_out, work)
        self._jobs = [other for other in self._jobs if not other.done()] + [job]
        return await asyncio.wrap_future(job)

    def is_at(self, work: Callable[[], Any]) -> bool:
        """Whether this work has begun and goes on."""
        return self._under_way is work

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

    def _carry_out(self, work: Callable[[], T]) -> T:
        self._under_way = work
        try:
            return work()
        finally:
            self._under_way = None


def _awaited(method: Callable[Concatenate[Engine, Given], T]) -> Awaited[Given, T]:
    @wraps(method)
    async def ask(self: "AsyncEngine", *words: Given.args, **named: Given.kwargs) -> T:
        return await self._ask(partial(method, self.engine, *words, **named))

    return ask


def _reported(
    method: Callable[Concatenate[Engine, Given], Iterable[Info]],
) -> Callable[Concatenate["AsyncEngine", Given], AsyncIterator[Info]]:
    """A method of `Engine` that gives reports, for `async for`. Leaving the loop stops the search."""

    @wraps(method)
    def begin(self: "AsyncEngine", *words: Given.args, **named: Given.kwargs) -> AsyncIterator[Info]:
        return _Analysis(self, partial(method, self.engine, *words, **named))

    return begin


class AsyncEngine:
    """An engine process for asyncio programs, with the methods of `Engine`. It is started by `async with` or `start`.

    Those that talk to the engine are awaited, and `analysis` is for `async for`; see `Engine` for what they do.

    >>> import asyncio
    >>> from junqi_engine import AsyncEngine, Game
    >>> async def play():
    ...     async with AsyncEngine("junqi-engine", options={"Player": "1.2", "Seed": 1}) as engine:
    ...         return await engine.play(Game("luzhanqi", seed=1).view("S"))
    >>> asyncio.run(play()).depth
    1

    A call that is cancelled stops its search; the engine can be asked again.
    """

    def __init__(
        self,
        command: str | Path | Sequence[str | Path] = OWN_ENGINE,
        *,
        options: Mapping[str, bool | int | str] | None = None,
        folder: str | Path | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._start = partial(Engine, command, options=options, folder=folder, patience=patience)
        self._engine: Engine | None = None
        self._thread: EngineThread | None = None
        self._is_closed = False
        self._current: weakref.ref[_Analysis] | None = None

    async def start(self) -> "AsyncEngine":
        """Start the process; `EngineError` if that fails."""
        if self._thread is None:
            self._thread = EngineThread()
            try:
                await self._thread.do(self._launch)
            except BaseException:
                await self.close()
                raise
        return self

    @property
    def engine(self) -> Engine:
        """The engine that this one awaits, to read its `name`, `id` and `options`."""
        if self._engine is None:
            raise EngineError(EngineFault.NO_START, "the engine has not been started: use `async with` or `start`")
        return self._engine

    configure = _awaited(Engine.configure)
    new_game = _awaited(Engine.new_game)
    ping = _awaited(Engine.ping)
    consult = _awaited(Engine.consult)
    play = _awaited(Engine.play)
    setup = _awaited(Engine.setup)
    analyse = _awaited(Engine.analyse)
    analysis = _reported(Engine.analysis)

    def stop(self) -> None:
        """End the running search; its answer follows soon."""
        self.engine.stop()

    async def close(self) -> None:
        """End the process and everything that it has started, at once if it is busy."""
        if self._thread is None:
            return
        if not self._is_closed:
            self._is_closed = True
            if self._thread.is_busy and self._engine is not None:
                self._engine.kill()
            self._thread.close(self._finish)
        await self._thread.wait_closed()

    async def __aenter__(self) -> "AsyncEngine":
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an AsyncEngine is a process, which cannot be copied or pickled; start another one")

    def __repr__(self) -> str:
        return f"<AsyncEngine: {self._engine!r}>"

    def _launch(self) -> None:
        self._engine = self._start()

    def _finish(self) -> None:
        if self._engine is not None:
            self._engine.close()

    async def _ask(self, work: Callable[[], T]) -> T:
        """Do work in the engine's thread after what is under way; an analysis is left for it."""
        self._leave_analysis()
        return await self._do(work)

    def _leave_analysis(self, successor: "_Analysis | None" = None) -> None:
        analysis = None if self._current is None else self._current()
        self._current = None if successor is None else weakref.ref(successor)
        if analysis is not None:
            analysis.leave()

    async def _do(self, work: Callable[[], T]) -> T:
        if self._thread is None or self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been closed")
        try:
            return await self._thread.do(work)
        except asyncio.CancelledError:
            self._stop_work(work)
            raise

    def _stop_work(self, work: Callable[[], object]) -> None:
        """Stop the search of this work, not that of another call before it."""
        if self._thread is not None and self._thread.is_at(work):
            self.engine.stop()


class _Analysis(AsyncIterator[Info]):
    """The reports of a search, which the engine's thread reads and the event loop hands out."""

    def __init__(self, engine: AsyncEngine, begin: Callable[[], Iterable[Info]]) -> None:
        self._owner = engine
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Info | None] = asyncio.Queue()
        self._is_unwanted = threading.Event()
        self._read = partial(_read, begin, self._loop, self._queue, self._is_unwanted)
        self._job: asyncio.Task[None] | None = None

    def __aiter__(self) -> "_Analysis":
        return self

    async def __anext__(self) -> Info:
        if self._job is None:
            self._owner._leave_analysis(self)
            self._job = asyncio.ensure_future(self._owner._do(self._read))
            self._job.add_done_callback(partial(_end, self._queue))
        info = await self._queue.get()
        if info is None:
            self._queue.put_nowait(None)  # for whoever asks again
            await self._job
            raise StopAsyncIteration
        return info

    def __del__(self) -> None:
        self.leave()

    def leave(self) -> None:
        """The loop was left: the engine need not search on."""
        self._is_unwanted.set()
        self._owner._stop_work(self._read)


def _read(
    begin: Callable[[], Iterable[Info]],
    loop: asyncio.AbstractEventLoop,
    queue: "asyncio.Queue[Info | None]",
    is_unwanted: threading.Event,
) -> None:
    """Pass the reports of a search on, until nobody wants them."""
    if is_unwanted.is_set():
        return
    for info in begin():
        if is_unwanted.is_set():
            break
        with suppress(RuntimeError):  # the event loop has ended
            loop.call_soon_threadsafe(queue.put_nowait, info)


def _end(queue: "asyncio.Queue[Info | None]", job: asyncio.Task[None]) -> None:
    """No more reports come. An error that nobody waits for any more is not one of the program."""
    if not job.cancelled():
        job.exception()
    queue.put_nowait(None)
