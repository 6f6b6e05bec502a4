"""The state of the board's server: engines, access tokens, connected pages, the game on the board."""

import asyncio
import importlib
import secrets
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from junqi_board.access import Access, AccessTokens
from junqi_board.addresses import LOOPBACK, Network
from junqi_board.engine_programs import ELO_OF_LEVELS, SKILL, Program
from junqi_board.engines import Engines
from junqi_board.errors import InternalErrors, RequestError
from junqi_board.kept import GUESTS, TOKEN, HostSettings
from junqi_engine.errors import CommandRejected, EngineError

if TYPE_CHECKING:
    from junqi_board.game.game import BoardGame
    from junqi_board.game.seating import Seating
    from junqi_board.ladder import Ladder
    from junqi_board.table import Table


DEFAULT_VARIANT = "siguo"
"""What an engine plays that does not declare the option `UCI_Variant`."""


class Listener(Protocol):
    """A connected page, as the server tells it what concerns all pages."""

    def game_replaced(self, old: int, new: "Table") -> None:
        """Another game has taken the place of the game numbered `old`; 0 for the first."""

    def getting_ready(self, message: dict[str, Any]) -> None:
        """The engines get ready, or are."""


@dataclass
class Server:
    """One server. Created in the event loop; `open` starts the engines, whose options say what can be played."""

    programs: tuple[Program, ...]
    folder: Path
    tokens: AccessTokens = field(default_factory=AccessTokens)
    network: Network = LOOPBACK
    games: Path | None = None
    """A file of recorded games that the host's page opens at once."""
    fault: str = ""
    errors: InternalErrors = field(default_factory=InternalErrors)
    cleanup: ExitStack = field(default_factory=ExitStack)
    """What `close` removes."""
    table: "Table | None" = None
    """The game on the board."""
    listeners: list[Listener] = field(default_factory=list)
    """One for each connected page."""

    def __post_init__(self) -> None:
        self.engines = Engines(self.programs)
        self.kept = HostSettings(self.folder)
        self.host = self.tokens.add_host(self.kept.values.get(TOKEN, ""))
        self.kept.keep_own(TOKEN, self.host.token)
        self.run = secrets.token_urlsafe(6)
        """Names this start of the board: it counts its games from 1."""
        self._started: set[str] = set()
        """The names of the programs that have started."""
        self._with_levels: set[str] = set()
        """The names of the programs that can play at levels."""
        self.variants: tuple[str, ...] = ()
        """Every variant that the first engine plays or solves."""
        self._game_count = 0
        self.opened = asyncio.Event()
        self.settled = asyncio.Event()
        """Every engine is ready, or has failed."""
        self._compiled: dict[str, float] = {}
        self._failing: set[str] = set()
        self._loading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Read the options of every engine, then wait until all are ready.

        The board is open in between: an engine may compile for a minute. An engine that does not start is omitted, and
        `fault` names it.
        """
        await asyncio.gather(*map(self._introduce, self.programs))
        self.opened.set()
        await asyncio.gather(*map(self._wait_until_ready, self.programs))
        self.settled.set()

    async def load_rules(self) -> None:
        """Load the kernels of the rules, or wait until they are loaded; no game can start without them."""
        if self._loading is None:
            module = importlib.import_module("junqi_board.drawing.junqi")
            self._loading = asyncio.create_task(asyncio.to_thread(module.warm_up))
        await asyncio.shield(self._loading)

    @cached_property
    def ladder(self) -> "Ladder":
        """What the host has reached."""
        from junqi_board.ladder import Ladder

        return Ladder(self.kept, self._with_levels)

    @property
    def first_elo(self) -> int | None:
        """The Elo of the first game's engine: that of the level chosen last, or else the weakest."""
        if self.programs[0].name not in self._with_levels:
            return None
        return ELO_OF_LEVELS.get(self.kept.values.get("level", "").strip('"'), ELO_OF_LEVELS["beginner"])

    def catalogue(self, access: Access) -> dict[str, Any]:
        """What a page can choose from. Why an engine failed may show commands and folders, which are not for guests."""
        engines = [
            {"program": program.name, "levels": ELO_OF_LEVELS if program.name in self._with_levels else {}}
            for program in self.programs
            if program.name in self._started
        ]
        return {"engines": engines, "variants": list(self.variants), "fault": self.fault if access.is_host else ""}

    def readiness(self) -> dict[str, Any]:
        """How far the engines have compiled, as a message: a share from 0 to 1, None if it is not known."""
        waiting = [share for name, share in self._compiled.items() if name not in self._failing]
        is_ready = not waiting and self.opened.is_set()
        return {"type": "starting", "is_ready": is_ready, "share": min(waiting) if any(waiting) else None}

    # The game on the board. Its modules load the rules; the server listens before they are loaded.

    def start_game(self, seating: "Seating", keeps_guests: bool = False) -> "Table":
        """Start a new game in place of the one on the board, which is saved.

        Its guests lose their access, unless `keeps_guests`.
        """
        from junqi_board.table import new_game

        return self._turn_to(new_game(self._next_number(), seating), None, keeps_guests)

    async def resume_game(self, path: Path, keeps_guests: bool = False) -> "Table":
        """Resume the saved game in a file in place of the one on the board; `RequestError` changes nothing."""
        from junqi_board.table import saved_game

        game = await saved_game(self._next_number(), path, self.engines, self.variants)
        return self._turn_to(game, path, keeps_guests)

    async def resume_interrupted(self) -> None:
        """Resume the game that was being played when the board ended, with its guests; nothing if there is none."""
        from junqi_board.saving import interrupted

        seed, *guests = self.kept.values.get(GUESTS, "").split("\n")
        path = await asyncio.to_thread(interrupted, self.folder, seed)
        if path is None:
            return
        # A game that cannot go on, such as one of an engine that is not there, stays in the list of unfinished games.
        with suppress(RequestError):
            table = await self.resume_game(path)
            for guest in guests:
                token, _, seats = guest.partition(" ")
                self.tokens.restore(token, table.game.number, seats)
            self.keep_guests()

    def keep_guests(self) -> None:
        """Keep for the next start which game is on the board, and who may play it."""
        if self.table is not None:
            game = self.table.game
            guests = (f"{one.token} {one.seats}" for one in self.tokens.guests(game.number))
            with suppress(RequestError):
                self.kept.keep(GUESTS, "\n".join((str(game.seed), *guests)))

    def table_of(self, access: Access) -> "Table | None":
        """The game on the board, if the page with this access may see it."""
        is_it = self.table is not None and self.tokens.game_of(access) == self.table.game.number
        return self.table if access.is_host or is_it else None

    @property
    def running(self) -> Path | None:
        """The file of the game on the board."""
        return None if self.table is None else self.table.saved.path

    async def close(self) -> None:
        if self.table is not None:
            self.table.close()
        self.cleanup.close()
        await self.engines.close()

    def _next_number(self) -> int:
        self._game_count += 1
        return self._game_count

    def _turn_to(self, game: "BoardGame", path: Path | None, keeps_guests: bool) -> "Table":
        from junqi_board.table import Table

        replaced, old = self.table, 0
        if replaced is not None:
            old = replaced.game.number
            # A game that goes on after an internal error is not left.
            if replaced.game.seed != game.seed:
                replaced.leave_game()
            replaced.close()
        if path is None and not game.history:
            self.ladder.begin(game)
        table = self.table = Table(game, self.engines, self.folder, self.errors, self._recover, self.ladder, path)
        if replaced is not None:
            if keeps_guests:
                self.tokens.move_guests(old, game.number)
            else:
                self.tokens.forget_guests(old)
        self.keep_guests()
        table.follow()
        for listener in list(self.listeners):
            listener.game_replaced(old, table)
        return table

    def _recover(self, table: "Table") -> None:
        """After an internal error in an input of the game: go on from its file, which has the state before."""

        async def resume() -> None:
            if table is self.table and table.saved.path is not None:
                await self.resume_game(table.saved.path, keeps_guests=True)

        table.run(resume())

    async def _introduce(self, program: Program) -> None:
        try:
            engine = await self.engines.introduce(program, lambda share: self._compiles(program, share))
            variants = engine.choice("UCI_Variant")
        except (EngineError, CommandRejected) as error:
            self.fault = f"{program.name}: {error}"
            return
        if program is self.programs[0]:
            self.variants = variants.values if variants else (DEFAULT_VARIANT,)
        self._started.add(program.name)
        if SKILL.lower() in engine.identity.options:
            self._with_levels.add(program.name)
        self._compiled[program.name] = 0.0

    async def _wait_until_ready(self, program: Program) -> None:
        if program.name not in self._compiled:
            return
        try:
            await self.engines.first_ready(program)
        except EngineError as error:
            self.fault = f"{program.name}: {error}"
            self._failing.add(program.name)
        else:
            del self._compiled[program.name]
        self._tell_readiness()

    def _compiles(self, program: Program, share: float) -> None:
        self._compiled[program.name] = share
        self._tell_readiness()

    def _tell_readiness(self) -> None:
        for listener in list(self.listeners):
            listener.getting_ready(self.readiness())
