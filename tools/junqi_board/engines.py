"""Engine programs with their levels, and their processes: each behind a thread of its own, awaited from the event loop.

This file imports nothing of the rules, so the first engine can start while they are still being loaded.
"""

import asyncio
import re
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from junqi_engine.client.engine_client import EngineClient, Identity, Patience, Reply
from junqi_engine.client.engine_lines import Info, spaced
from junqi_engine.client.line_process import split_command
from junqi_engine.errors import CommandRejected, EngineError, EngineFault, Refused

PATIENCE = Patience(unclocked_s=10.0)
"""Without clocks, an engine counts as hung when its answer is so late."""
KEPT_REPORTS = 60
COMPILING = re.compile(rb"info string compiling kernels: ([0-9]{1,3})% done")
"""The line that an engine of this project prints once a second while it compiles."""
ERROR_PREFIX = "info string error "
VARIANT = "UCI_Variant"

T = TypeVar("T")


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND`; the command is split as a shell splits it. ValueError for any other form."""
    name, _, command = text.partition("=")
    words = split_command(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    return Program(name.strip(), tuple(words))


FULL = "master"
"""The name of full strength, which has no Elo."""


class Level(NamedTuple):
    """A limited strength: its Elo, and the `Skill Level` of each variant that was measured to have about this Elo."""

    elo: int
    siguo: int
    luzhanqi: int


LEVELS = {
    "beginner": Level(745, 2, 0),
    "novice": Level(985, 4, 4),
    "casual": Level(1215, 6, 6),
    "regular": Level(1385, 8, 7),
    "strong": Level(1485, 10, 10),
    "expert": Level(1615, 16, 14),
}
"""By name, from the weakest (docs/players.md, *Limited strength*); on a scale on which a newcomer has 1000."""
ELO_OF_LEVELS: Mapping[str, int | None] = {name: level.elo for name, level in LEVELS.items()} | {FULL: None}
ELO_OF_FULL = 2 * LEVELS["expert"].elo - LEVELS["strong"].elo
"""One level above the last."""
SKILL = "Skill Level"


def options_of(elo: int | None, variant: str) -> dict[str, str]:
    """The options that limit an engine to the level whose Elo is next; none for full strength."""
    if elo is None:
        return {}
    return {SKILL: str(getattr(LEVELS[level_of(elo)], variant))}


def level_of(elo: int) -> str:
    """The name of the level whose Elo is next."""
    return min(LEVELS, key=lambda name: abs(LEVELS[name].elo - elo))


class BoardEngine:
    """One process. A call returns or raises `EngineError`, whatever the process writes. After an error call `close`;
    after a late reply (`TIMEOUT`) the engine can also be asked again.

    `reports` are the last ones of the last search, also while it goes on. `on_compiling` is called in the event loop
    with the share, from 0 to 1, of the kernels that the engine has compiled.
    """

    def __init__(self, program: Program, on_compiling: Callable[[float], None] = lambda share: None) -> None:
        self.identity = Identity()
        self.reports: deque[Info] = deque(maxlen=KEPT_REPORTS)
        self._program = program
        self._on_compiling = on_compiling
        self._client: EngineClient | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._last: Future[Any] | None = None
        """The last job of the thread, which runs them in order."""
        self._is_closed = False
        self._loop = asyncio.get_running_loop()

    async def start(self) -> None:
        """Start the process and read its name and options; an `EngineError` with the fault `no-start` if that fails.

        It is not ready yet: it loads or compiles what the options of its user need when it is first asked.
        """
        self.identity = await self._do(self._start)

    async def set_options(self, options: Mapping[str, str]) -> None:
        """Set those of `options` that the engine declares, then a new game; `CommandRejected` if it rejects one."""
        wanted = {name: value for name, value in options.items() if name.lower() in self.identity.options}
        lines = [f"setoption name {name} value {value}" for name, value in wanted.items()]
        await self.consult(*lines, "ucinewgame")

    async def consult(self, *lines: str) -> list[str]:
        """Send commands that are answered at once; return the answer. `CommandRejected` if the engine rejects one.

        Without commands, wait until the engine is ready.
        """
        found = await self._do(lambda: self._consult(lines))
        for line in found:
            if line.startswith(ERROR_PREFIX):
                text = line.removeprefix(ERROR_PREFIX)
                raise CommandRejected(text.partition(" ")[0], text)
        return found

    async def search(
        self,
        position: str,
        go: str,
        allowed_ms: float | None = None,
        patience_s: float | None = None,
        stop: threading.Event | None = None,
    ) -> Reply:
        """Search a position, as `EngineClient.ask` does.

        Once `stop` is set, before the search or during it, its answer follows soon.
        """
        should_stop = None if stop is None else stop.is_set

        def ask() -> Reply:
            self.reports.clear()
            return self._process.ask((position, go), allowed_ms, patience_s, should_stop, self.reports.append)

        return await self._do(ask)

    def close(self) -> None:
        """Stop the process, at once if it is busy; `wait_closed` waits for its end."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._client is not None and not self._is_idle:
            self._client.kill()
        # The engine's thread does it, so a start that is under way ends first.
        self._last = self._thread.submit(lambda: self._client and self._client.close())
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        if self._last is not None:
            await asyncio.wrap_future(self._last)

    @property
    def is_gone(self) -> bool:
        return self._is_closed and self._is_idle

    @property
    def _is_idle(self) -> bool:
        return self._last is None or self._last.done()

    @property
    def _process(self) -> EngineClient:
        assert self._client is not None
        return self._client

    async def _do(self, work: Callable[[], T]) -> T:
        """The result of `work`, which the thread carries out in its turn, also if the caller is cancelled."""
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        job = self._last = self._thread.submit(work)
        return await asyncio.wrap_future(job)

    def _start(self) -> Identity:
        self._client = EngineClient(self._program.command, patience=PATIENCE, on_line=self._watch_compiling)
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        return self._client.start()

    def _consult(self, lines: Sequence[str]) -> list[str]:
        if lines:
            self._process.send(*lines)
        return self._process.ready(may_load=any(VARIANT in line for line in lines))

    def _watch_compiling(self, line: bytes) -> None:
        found = COMPILING.match(spaced(line))
        if found:
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._on_compiling, min(1.0, int(found[1]) / 100))


class Engines:
    """The selectable programs and all their processes. The caller closes each process it takes."""

    def __init__(self, programs: tuple[Program, ...]) -> None:
        self.programs = programs
        self._started: list[BoardEngine] = []
        self.ready: dict[Program, asyncio.Task[None]] = {}
        """By program, what waits until its first process is ready; others would only compile the same."""
        self._is_closed = False

    async def introduce(self, program: Program, on_compiling: Callable[[float], None]) -> dict[str, str]:
        """Start the first process of a program; `EngineError` if it does not start. Returns the options that it
        declares, as in `Identity`. It compiles in the background, see `ready`, and ends.
        """
        engine = await self._start(BoardEngine(program, on_compiling))

        async def get_ready() -> None:
            try:
                await engine.consult()
            finally:
                engine.close()

        self.ready[program] = asyncio.create_task(get_ready())
        return engine.identity.options

    async def take(self, program: Program) -> BoardEngine:
        """A new process; `EngineError` if it does not start."""
        if program in self.ready:
            await asyncio.wait([self.ready[program]])
        return await self._start(BoardEngine(program))

    async def close(self) -> None:
        """Stop every process that was started, also those in use, and wait for them to exit."""
        self._is_closed = True
        for engine in self._started:
            engine.close()
        await asyncio.gather(*self.ready.values(), return_exceptions=True)
        await asyncio.gather(*(engine.wait_closed() for engine in self._started))

    async def _start(self, engine: BoardEngine) -> BoardEngine:
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engines have been stopped")
        self._started = [other for other in self._started if not other.is_gone] + [engine]
        try:
            await engine.start()
        except BaseException:
            engine.close()
            raise
        return engine


class OwnEngine:
    """An engine beside the players of a game, such as that of an analysis, which is started when it is first asked.
    One task at a time asks it.
    """

    def __init__(self, engines: Engines, options: Mapping[str, str] | None = None) -> None:
        """`options` are set when it is started."""
        self._engines = engines
        self._options = options
        self._engine: BoardEngine | None = None
        self._lock = asyncio.Lock()
        self._stops: list[threading.Event] = []
        self._is_closed = False

    def stop(self) -> None:
        for stop in self._stops:
            stop.set()

    @asynccontextmanager
    async def task(
        self, ends_search: bool = True, check: Awaitable[Any] | None = None
    ) -> AsyncIterator[tuple[BoardEngine, threading.Event]]:
        """The engine for one task, and what stops its search. By default it ends the searches before it, but none if
        `check` refuses it. A failure of the engine is a refusal.
        """
        stop, before = threading.Event(), self._stops.copy()
        if ends_search:
            self._stops.append(stop)
        try:
            if check is not None:
                await check
            for one in before if ends_search else ():
                one.set()
            async with self._lock:
                yield await self._ready_engine(), stop
        except CommandRejected as error:
            raise Refused("rejected", str(error).removeprefix(f"{error.code} ")) from None
        except EngineError as error:
            self._drop_engine()
            raise Refused("engine-failed", f"the engine has failed: {error}") from None
        finally:
            if ends_search:
                self._stops.remove(stop)

    def close(self) -> None:
        self._is_closed = True
        self._drop_engine()

    async def _ready_engine(self) -> BoardEngine:
        if self._engine is None:
            self._engine = await self._engines.take(self._engines.programs[0])
            if self._options is not None:
                await self._engine.set_options(self._options)
        if self._is_closed:
            self._drop_engine()
            raise Refused("busy", "the page is closed")
        return self._engine

    def _drop_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
