"""The board of one host: its engines, access tokens, connected pages, and the game on it.

The web server listens before the rules are loaded, so what needs them is imported where it is used.
"""

import asyncio
import itertools
import secrets
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from junqi_board.access import Access, AccessTokens
from junqi_board.addresses import LOOPBACK, Network
from junqi_board.engines import ELO_OF_LEVELS, SKILL, VARIANT, Engines, Program
from junqi_board.errors import InternalErrors
from junqi_board.ladder import Ladder
from junqi_board.store import GUESTS, TOKEN, Store
from junqi_engine.client.engine_lines import option_choices
from junqi_engine.errors import CommandRejected, EngineError, Refused

if TYPE_CHECKING:
    from junqi_board.game.game import BoardGame
    from junqi_board.game.seating import Seating
    from junqi_board.messages import Sent
    from junqi_board.messages.connection import Starting
    from junqi_board.messages.game import OpenedGame
    from junqi_board.table import Table

DEFAULT_VARIANT = "siguo"
"""The variant of engines that do not declare the option `UCI_Variant`."""


class PageConnection(Protocol):
    access: Access

    def seats_at(self, table: "Table") -> str: ...

    def send(self, message: "Sent") -> None: ...

    def show_game(self) -> None:
        """There is another game on the board, or the first."""


@dataclass
class Host:
    """`start` starts the engines, whose options say what can be played."""

    programs: tuple[Program, ...]
    folder: Path
    tokens: AccessTokens = field(default_factory=AccessTokens)
    network: Network = LOOPBACK
    games: Path | None = None
    """A file of recorded games that the host's page opens at once."""
    fault: str = ""
    errors: InternalErrors = field(default_factory=InternalErrors)
    cleanup: ExitStack = field(default_factory=ExitStack)
    """Everything that `close` undoes."""
    table: "Table | None" = None
    """The game on the board."""
    connections: list[PageConnection] = field(default_factory=list)
    variants: tuple[str, ...] = ()
    """Every variant that the first engine that has started plays or solves."""
    reviews: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    """The last reviews, by record, with the nodes that were searched for each move."""

    def __post_init__(self) -> None:
        self.engines = Engines(self.programs)
        self.store = Store(self.folder)
        self.access = self.tokens.add(True, "", self.store.settings.get(TOKEN, ""))
        self.store.set_own(TOKEN, self.access.token)
        self.run = secrets.token_urlsafe(6)
        """Id of this server run; game numbers restart at 1."""
        self.has_levels: dict[str, bool] = {}
        """By name of the programs that have started: whether they play at levels."""
        self.ladder = Ladder(self.store, self.has_levels)
        self._variants: dict[str, tuple[str, ...]] = {}
        self._compiled: dict[str, float] = {}
        """By name of the programs that are not ready: the share of their kernels that is compiled."""
        self.opened = asyncio.Event()
        """The options of every engine are known."""
        self._numbers = itertools.count(1)

    # Engines

    async def start(self) -> None:
        """Read the options of every engine, then wait until all are ready: an engine may compile for a minute.

        One that does not start is omitted, and `fault` names it.
        """
        await asyncio.gather(*map(self._introduce, self.programs))
        # The first one that has started says what can be played, helps, and is chosen first.
        started = sorted(self.programs, key=lambda one: one.name not in self.has_levels)
        self.programs = self.engines.programs = tuple(started)
        self.variants = self._variants.get(started[0].name, ())
        self.opened.set()
        await asyncio.gather(*(self._wait_until_ready(one) for one in self.programs if one.name in self.has_levels))

    async def _introduce(self, program: Program) -> None:
        try:
            options = await self.engines.introduce(program, lambda share: self._compiles(program, share))
        except EngineError as error:
            self.fault = f"{program.name}: {error}"
        else:
            self._variants[program.name] = option_choices(options.get(VARIANT.lower(), "")) or (DEFAULT_VARIANT,)
            self.has_levels[program.name] = SKILL.lower() in options
            self._compiled[program.name] = 0.0

    async def _wait_until_ready(self, program: Program) -> None:
        try:
            await self.engines.ready[program]
        except EngineError as error:
            self.fault = f"{program.name}: {error}"
        del self._compiled[program.name]
        self._tell_readiness()

    def _compiles(self, program: Program, share: float) -> None:
        if program.name in self._compiled:
            self._compiled[program.name] = share
            self._tell_readiness()

    def _tell_readiness(self) -> None:
        for connection in self.connections:
            connection.send(self.readiness())

    def readiness(self) -> "Starting":
        from junqi_board.messages.connection import Starting

        shares = self._compiled.values()
        is_ready = not shares and self.opened.is_set()
        return Starting(is_ready, min(shares) if any(shares) else None)

    # The game on the board

    async def open_game(self) -> None:
        """Resume the game that was interrupted, with its guests, or start one, at the level that was chosen last; then
        compile what nobody has used yet.
        """
        from junqi_board.game.seating import opening
        from junqi_board.scenes.junqi import warm_up

        await self.opened.wait()
        await self._resume_interrupted()
        level = self.store.settings.get("level", "").strip('"')
        has_levels = self.has_levels.get(self.programs[0].name)
        elo = ELO_OF_LEVELS.get(level, ELO_OF_LEVELS["beginner"]) if has_levels else None
        seating = opening(self.variants, self.programs, elo)
        if seating is not None and self.table is None:
            self.start_game(seating)
        # A kernel is loaded, or compiled, at its first call: now, rather than at the first move.
        await asyncio.to_thread(warm_up)
        await self._compile_teasers()

    async def _compile_teasers(self) -> None:
        """Compile the kernels that are not cached: the first teaser would otherwise take half a minute."""
        from junqi_board.scenes.teasers import VARIANTS
        from junqi_engine.kernel_cache import has_kernels

        kernels_of = {name: f"junqi_puzzles.{name.replace('-', '_')}" for name in VARIANTS if name in self.variants}
        cold = [name for name, package in kernels_of.items() if not has_kernels(package)]
        if not cold:
            return
        with suppress(EngineError, CommandRejected):  # an engine that cannot says so when it is used
            engine = await self.engines.take(self.programs[0])
            try:
                for variant in cold:
                    await engine.consult(f"setoption name UCI_Variant value {variant}")
            finally:
                engine.close()

    async def _resume_interrupted(self) -> None:
        from junqi_board.saving import interrupted

        seed, *guests = self.store.settings.get(GUESTS, "").split("\n")
        path = await asyncio.to_thread(interrupted, self.folder, seed)
        if path is None:
            return
        # A game that cannot go on, such as one of an engine that is not there, stays in the list of unfinished games.
        with suppress(Refused):
            table = await self.resume_game(path)
            for guest in guests:
                token, _, seats = guest.partition(" ")
                # An older board let in spectators, too.
                if seats in table.game.seating.guests:
                    self.tokens.add(False, seats, token)
            self.keep_guests()

    def start_game(self, seating: "Seating", keeps_guests: bool = False, before: "Table | None" = None) -> "Table":
        """Start a new game in place of the one on the board, which is saved.

        Its guests lose their access, unless `keeps_guests`. A rematch keeps the names, the chat and the score of the
        game `before`.
        """
        from junqi_board.table import new_game

        return self.turn_to(new_game(seating), keeps_guests=keeps_guests, before=before)

    async def resume_game(self, path: Path) -> "Table":
        """Resume the saved game in a file in place of the one on the board; `Refused` changes nothing."""
        return self.turn_to(await self._read(path), path)

    async def _read(self, path: Path) -> "BoardGame":
        """The saved game in a file; `Refused` if it cannot go on."""
        from junqi_board.game.record import resumed
        from junqi_board.saving import read

        # In a thread: a long record takes seconds to check.
        return await asyncio.to_thread(lambda: resumed(read(path)[1], self.programs, self.variants))

    def opened_game(self, table: "Table", is_host: bool = True) -> "OpenedGame":
        """The message that a game has begun; the host gets an invitation for each guest of it."""
        from junqi_board.messages.game import Invitation, OpenedGame

        guests = table.game.seating.guests if is_host else ()
        return OpenedGame(table.game.id, [Invitation(seats, self.tokens.invite(seats)) for seats in guests])

    def add_fact(self, kind: str, fact: str, value: Any = True) -> None:
        """Store a fact, and tell all tabs of the host what is known now."""
        from junqi_board.messages.connection import Fact

        if self.store.add(kind, fact, value):
            self.send_host(Fact(kind, fact, value))

    def send_host(self, message: "Sent") -> None:
        for connection in self.connections:
            if connection.access.is_host:
                connection.send(message)

    def keep_guests(self) -> None:
        """Keep for the next start which game is on the board, and who may play it."""
        if self.table is not None:
            guests = (f"{one.token} {one.seats}" for one in self.tokens.guests)
            self.store.set_own(GUESTS, "\n".join((str(self.table.game.seed), *guests)))

    def table_of(self, access: Access) -> "Table | None":
        """The game on the board, if the page with this access may see it."""
        return self.table if self.tokens.has(access) else None

    @property
    def running(self) -> Path | None:
        return None if self.table is None else self.table.saved.path

    async def close(self) -> None:
        if self.table is not None:
            self.table.close()
        self.cleanup.close()
        await self.engines.close()

    def turn_to(
        self,
        game: "BoardGame",
        path: Path | None = None,
        keeps_guests: bool = False,
        before: "Table | None" = None,
    ) -> "Table":
        """Show a game in place of the one on the board, which is saved; `path` is its file, if it has one."""
        from junqi_board.table import Table

        replaced = self.table
        if replaced is not None:
            replaced.close()
        game.number = next(self._numbers)
        game.id = game.id or f"{self.run}.{game.number}"
        game.awaits_page = path is not None and not self.connections
        if path is None and not game.history:
            self.ladder.begin(game)
        table = self.table = Table(game, self, path)
        if before is not None:
            table.keep_people(before)
        if not keeps_guests:
            self.tokens.forget_guests()
        self.keep_guests()
        for connection in self.connections:
            connection.show_game()
        table.do(game.resume)
        return table

    def pages_of(self, table: "Table") -> list[tuple[str, "Callable[[Sent], None]"]]:
        shown = [connection for connection in self.connections if self.table_of(connection.access) is table]
        return [(connection.seats_at(table), connection.send) for connection in shown]

    async def recover(self, table: "Table") -> None:
        """After an internal error in an input of the game: go on from its file, which has the state before, as soon as
        the host starts the engine again.
        """
        path = table.saved.path
        if table is self.table and path is not None:
            game = await self._read(path)
            # What comes again with the next move of an engine must not go on for ever.
            engine = next((player.party.seats for player in game.players if player.party.is_engine), None)
            if engine is not None:
                game.start_failed(engine, "internal", "internal error of the board", 0.0)
            self.turn_to(game, path, keeps_guests=True)
