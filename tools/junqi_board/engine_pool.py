"""Engine processes that are kept for reuse; each user gets a process whose options have their defaults."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from junqi_board.engine_programs import Program
from junqi_board.engines import BoardEngine
from junqi_engine.client.engine_client import Patience
from junqi_engine.errors import CommandRejected, EngineError, EngineFault


@dataclass
class EnginePool:
    """The programs that can be chosen, and idle processes of them."""

    programs: tuple[Program, ...]
    patience: Patience = field(default_factory=Patience)
    max_idle: int = 4
    _idle: list[BoardEngine] = field(default_factory=list)
    _started: list[BoardEngine] = field(default_factory=list)
    _first: dict[Program, asyncio.Task[None]] = field(default_factory=dict)
    """By program, its first process, which may be compiling; others would only compile the same."""
    _is_closed: bool = False

    def program(self, name: str) -> Program | None:
        return next((program for program in self.programs if program.name == name), None)

    async def introduce(self, program: Program, on_compiling: Callable[[float], None]) -> BoardEngine:
        """Start the first process of a program and read its options; `EngineError` if it does not start.

        It gets ready in the background, see `first_ready`, and is then idle.
        """
        engine = await self._start(program)
        engine.on_compiling = on_compiling
        self._first[program] = asyncio.create_task(self._prepare_first(engine))
        return engine

    async def first_ready(self, program: Program) -> None:
        """Wait until the first process of a program is ready; `EngineError` if it has failed."""
        await asyncio.shield(self._first[program])

    async def take(self, program: Program) -> BoardEngine:
        """An idle process of a program, or else a new one; `EngineError` if it does not start.

        An idle process gets the defaults of the options that its last user has set; one that refuses is replaced. A new
        one is not ready yet: it loads what the options of its user need, and nothing else, when it is first asked.
        """
        if program in self._first:
            # Whoever waits for the first process learns why it failed; here, another one is tried.
            await asyncio.wait([self._first[program]])
        while idle := [engine for engine in self._idle if engine.program == program]:
            engine = idle[0]
            self._idle.remove(engine)
            try:
                await engine.reset()
            except (EngineError, CommandRejected):
                engine.close()
            else:
                return engine
        return await self._start(program)

    async def compile_variants(self, program: Program, variants: Iterable[str]) -> None:
        """Have a process of its own load each of the variants, so that what it compiles is in the cache afterwards.

        `EngineError` or `CommandRejected` if it cannot.
        """
        engine = await self.take(program)
        try:
            for variant in variants:
                await engine.consult(f"setoption name UCI_Variant value {variant}")
        finally:
            engine.close()

    def give_back(self, engine: BoardEngine) -> None:
        """Keep a working process for reuse; stop it if it is busy or the pool is full."""
        engine.listener = None
        if engine.is_busy or len(self._idle) >= self.max_idle:
            engine.close()
        else:
            self._idle.append(engine)

    async def _start(self, program: Program) -> BoardEngine:
        if self._is_closed:
            raise EngineError(EngineFault.DISCONNECT, "the engines have been stopped")
        engine = BoardEngine(program, self.patience)
        self._started = [other for other in self._started if not other.is_gone] + [engine]
        try:
            await engine.start()
        except BaseException:
            engine.close()
            raise
        return engine

    async def _prepare_first(self, engine: BoardEngine) -> None:
        try:
            await engine.get_ready()
        except BaseException:
            engine.close()
            raise
        self.give_back(engine)

    async def close(self) -> None:
        """Stop every process that was ever started, whoever uses it, and wait for their end."""
        self._is_closed = True
        for task in self._first.values():
            task.cancel()
        await asyncio.gather(*self._first.values(), return_exceptions=True)
        self._idle.clear()
        for engine in self._started:
            engine.close()
        await asyncio.gather(*(engine.wait_closed() for engine in self._started))
