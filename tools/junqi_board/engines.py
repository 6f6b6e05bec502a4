"""Engine programs with their levels, and their processes: each behind a thread of its own, awaited from the event loop.

This file imports nothing of the rules, so the first engine can start while they are still being loaded.
"""

import asyncio
import logging
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from junqi_engine.client.engine_client import EngineClient, Identity, Patience, Reply
from junqi_engine.client.engine_lines import Info, option_choices, spaced
from junqi_engine.client.line_process import split_command
from junqi_engine.errors import CommandRejected, EngineError, EngineFault

PATIENCE = Patience(unclocked_s=10.0)
"""Without clocks, an engine counts as hung when its answer is so late."""
KEPT_REPORTS = 60
COMPILING = re.compile(rb"info string compiling kernels: ([0-9]{1,3})% done")
"""What an engine of this project writes once a second while it compiles."""
MAX_CHOICES = 100
MAX_CHOICE_CHARS = 100
MAX_REJECTION_CHARS = 2_000
MAX_REASON_CHARS = 300
ERROR_PREFIX = "info string error "
VARIANT = "UCI_Variant"

log = logging.getLogger("junqi-board")

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
    "beginner": Level(936, 0, 0),
    "novice": Level(1102, 1, 2),
    "casual": Level(1268, 3, 5),
    "regular": Level(1434, 4, 8),
    "strong": Level(1600, 6, 12),
    "expert": Level(1766, 8, 12),
}
"""By name, from the weakest; on a scale on which player 1.2 has 1000."""
ELO_OF_LEVELS: Mapping[str, int | None] = {name: level.elo for name, level in LEVELS.items()} | {FULL: None}
ELO_OF_FULL = 2 * LEVELS["expert"].elo - LEVELS["strong"].elo
"""One level above the last."""
SKILL = "Skill Level"


def options_of(elo: int | None, variant: str) -> dict[str, str]:
    """The options that limit an engine to the level whose Elo is next; none for full strength."""
    if elo is None:
        return {}
    level = min(LEVELS.values(), key=lambda level: abs(level.elo - elo))
    return {SKILL: str(getattr(level, variant))}


class BoardEngine:
    """One process. A call returns or raises `EngineError`, whatever the process writes. After an error call `close`;
    after a late reply (`TIMEOUT`) the engine can also be asked again.

    `reports` are the last ones of the last search, also while it goes on. `on_compiling` is called in the event loop
    with the share, from 0 to 1, of the kernels that the engine has compiled.
    """

    def __init__(self, program: Program, on_compiling: Callable[[float], None] = lambda share: None) -> None:
        self.program = program
        self.identity = Identity()
        self.reports: deque[Info] = deque(maxlen=KEPT_REPORTS)
        self._on_compiling = on_compiling
        self._client: EngineClient | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._last: Future[Any] | None = None
        """The last job of the thread, which does one after the other."""
        self._is_closed = False
        self._loop = asyncio.get_running_loop()

    async def start(self) -> None:
        """Start the process and read its name and options; an `EngineError` with the fault `no-start` if that fails."""
        self.identity = await self._do(self._start)

    async def get_ready(self) -> None:
        """Wait until a process that has just started can be asked: it may have to compile first."""
        await self._do(lambda: self._process().ready())

    async def set_options(self, options: Mapping[str, str]) -> None:
        """Set those of `options` that the engine declares, then a new game; `CommandRejected` if it rejects one."""
        wanted = {name: value for name, value in options.items() if name.lower() in self.identity.options}
        lines = [f"setoption name {name} value {value}" for name, value in wanted.items()]
        await self.consult(*lines, "ucinewgame")

    async def consult(self, *lines: str) -> list[str]:
        """Send commands that are answered at once; return the answer. `CommandRejected` if the engine rejects one."""
        found = await self._do(lambda: self._consult(lines))
        for line in found:
            if line.startswith(ERROR_PREFIX):
                text = line.removeprefix(ERROR_PREFIX)[:MAX_REJECTION_CHARS]
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
            return self._process().ask((position, go), allowed_ms, patience_s, should_stop, self.reports.append)

        return await self._do(ask)

    @property
    def texts(self) -> list[str]:
        """What the engine said in `info string` during the last search."""
        return [report.string for report in list(self.reports) if report.string]

    def close(self) -> None:
        """Stop the process, at once if it is busy; `wait_closed` waits for its end."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._client is not None and not self.is_idle:
            self._client.kill()
        # The engine's thread does it, so a start that is under way ends first.
        self._last = self._thread.submit(self._end)
        self._thread.shutdown(wait=False)

    async def wait_closed(self) -> None:
        """Wait for the end of a process that `close` has stopped."""
        if self._last is not None:
            await asyncio.wrap_future(self._last)

    @property
    def is_idle(self) -> bool:
        return self._last is None or self._last.done()

    @property
    def is_gone(self) -> bool:
        return self._is_closed and self.is_idle

    def choices(self, option: str) -> tuple[str, ...]:
        """The values of a combo option, without those that no page could send; none if it is not declared."""
        named = option_choices(self.identity.options.get(option.lower(), ""))
        return tuple(name for name in named if name.isprintable() and len(name) <= MAX_CHOICE_CHARS)[:MAX_CHOICES]

    async def _do(self, work: Callable[[], T]) -> T:
        """The result of `work`, which the thread carries out in its turn, also if the caller is cancelled."""
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        job = self._last = self._thread.submit(self._guarded, work)
        return await asyncio.wrap_future(job)

    def _guarded(self, work: Callable[[], T]) -> T:
        """Any exception means that the board cannot read what the engine wrote: the engine is at fault."""
        try:
            return work()
        except EngineError:
            raise
        except Exception as error:
            log.exception("the output of the engine %s cannot be read", self.program.name)
            text = f"its output cannot be read: {type(error).__name__}: {error}"
            raise EngineError(EngineFault.PROTOCOL, text[:MAX_REASON_CHARS]) from error

    def _start(self) -> Identity:
        self._client = EngineClient(self.program.command, patience=PATIENCE, witness=self._watch_compiling)
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engine has been stopped")
        return self._client.start()

    def _end(self) -> None:
        if self._client is not None:
            self._client.close()

    def _consult(self, lines: Sequence[str]) -> list[str]:
        client = self._process()
        client.send(*lines)
        return client.ready(may_load=any(VARIANT in line for line in lines))

    def _process(self) -> EngineClient:
        if self._client is None:
            raise EngineError(EngineFault.NO_START, "the engine has not been started")
        return self._client

    def _watch_compiling(self, line: bytes) -> None:
        found = COMPILING.match(spaced(line))
        if found:
            with suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._on_compiling, min(1.0, int(found[1]) / 100))


class Engines:
    """The programs that can be chosen, and all processes of them. Whoever takes a process closes it."""

    def __init__(self, programs: tuple[Program, ...]) -> None:
        self.programs = programs
        self._started: list[BoardEngine] = []
        self._ready: dict[Program, asyncio.Task[None]] = {}
        """By program, what waits until its first process is ready; others would only compile the same."""
        self._spare: dict[Program, BoardEngine] = {}
        """The first processes that nobody has taken."""
        self._is_closed = False

    async def introduce(self, program: Program, on_compiling: Callable[[float], None]) -> BoardEngine:
        """Start the first process of a program and read its options; `EngineError` if it does not start.

        It gets ready in the background, see `first_ready`, and is then for whoever takes the first one.
        """
        engine = self._spare[program] = await self._start(BoardEngine(program, on_compiling))
        self._ready[program] = asyncio.create_task(engine.get_ready())
        return engine

    async def first_ready(self, program: Program) -> None:
        """Wait until the first process of a program is ready; `EngineError` if it has failed."""
        await asyncio.shield(self._ready[program])

    async def take(self, program: Program) -> BoardEngine:
        """A process that nobody uses; `EngineError` if it does not start.

        It is not ready yet: it loads what the options of its user need, and nothing else, when it is first asked.
        """
        first = self._ready.get(program)
        if first is not None:
            await asyncio.wait([first])
            spare = self._spare.pop(program, None)
            if spare is not None and first.exception() is None:
                return spare
            # Whoever waits for the first process learns why it failed; here, another one is tried.
            if spare is not None:
                spare.close()
        return await self._start(BoardEngine(program))

    async def close(self) -> None:
        """Stop every process that was ever started, whoever uses it, and wait for their end."""
        self._is_closed = True
        for task in self._ready.values():
            task.cancel()
        await asyncio.gather(*self._ready.values(), return_exceptions=True)
        for engine in self._started:
            engine.close()
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
