"""The state of the board's server: engine pool, access tokens, connected pages, the games that are being played."""

import asyncio
import importlib
import secrets
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from junqi_board.access_tokens import GUEST_PAGES, SPECTATOR, SPECTATOR_PAGES, Access, AccessTokens, Allowance
from junqi_board.addresses import LOOPBACK, Network
from junqi_board.engine_pool import EnginePool
from junqi_board.engine_programs import ELO_OF_LEVELS, SKILL, Program
from junqi_board.errors import InternalErrors, RequestError
from junqi_board.session.host_settings import GUESTS, TOKEN, HostSettings
from junqi_engine.client.engine_client import Patience
from junqi_engine.errors import CommandRejected, EngineError

if TYPE_CHECKING:
    from junqi_board.game.seating import Seating
    from junqi_board.session.game_session import GameSession


DEFAULT_VARIANT = "siguo"
"""What an engine plays that does not declare the option `UCI_Variant`."""


class Listener(Protocol):
    """A connected page, as the server tells it what concerns all pages."""

    def game_replaced(self, old: int, new: "GameSession") -> None:
        """Another game has taken the place of the game numbered `old`; 0 for the first."""

    def getting_ready(self, message: dict[str, Any]) -> None:
        """The engines get ready, or are."""


@dataclass
class Server:
    """One server. Created in the event loop; `open` starts the engines, whose options say what can be played."""

    programs: tuple[Program, ...]
    folder: Path
    patience: Patience = field(default_factory=Patience)
    tokens: AccessTokens = field(default_factory=AccessTokens)
    network: Network = LOOPBACK
    games: Path | None = None
    """A file of recorded games that the host's page opens at once."""
    fault: str = ""
    errors: InternalErrors = field(default_factory=InternalErrors)
    cleanup: ExitStack = field(default_factory=ExitStack)
    """What `close` removes."""
    session: "GameSession | None" = None
    """The game on the board."""
    listeners: list[Listener] = field(default_factory=list)
    """One for each connected page."""

    def __post_init__(self) -> None:
        self.pool = EnginePool(self.programs, self.patience)
        self.host_settings = HostSettings(self.folder)
        self.host = self.tokens.add_host(self.host_settings.values.get(TOKEN, ""))
        self.host_settings.keep_own(TOKEN, self.host.token)
        self.run = secrets.token_urlsafe(6)
        """Names this start of the board: it counts its games from 1."""
        self.guests_turn = asyncio.Lock()
        """Held by the guest whose request is being calculated, so that the guests together do not hold up the games."""
        self._allowances: dict[str, Allowance] = {}
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

    @property
    def first_elo(self) -> int | None:
        """The Elo of the first game's engine: that of the level chosen last, or else the weakest."""
        if self.programs[0].name not in self._with_levels:
            return None
        return ELO_OF_LEVELS.get(self.host_settings.values.get("level", "").strip('"'), ELO_OF_LEVELS["beginner"])

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

    def start_game(self, seating: "Seating", keeps_guests: bool = False) -> "GameSession":
        """Start a new game in place of the one on the board, which is saved.

        Its guests lose their access, unless `keeps_guests`.
        """
        # Loads the rules; the server listens before they are loaded.
        from junqi_board.session.game_session import new_session

        session = new_session(self._next_number(), seating, self.pool, self.folder, self.errors)
        self._turn_to(session, keeps_guests)
        return session

    async def resume_game(self, name: str) -> "GameSession":
        """Resume the saved game in the file with this name, in place of the one on the board.

        `RequestError` changes nothing.
        """
        from junqi_board.session.game_session import resumed_session

        number = self._next_number()
        session = await resumed_session(number, name, self.variants, self.pool, self.folder, self.errors)
        self._turn_to(session, False)
        return session

    async def resume_interrupted(self) -> None:
        """Resume the game that was being played when the board ended, with its guests; nothing if there is none."""
        from junqi_board.session.game_session import resumed_session
        from junqi_board.session.saving import interrupted

        seed, *guests = self.host_settings.values.get(GUESTS, "").split("\n")
        name = await asyncio.to_thread(interrupted, self.folder, seed)
        if name is None:
            return
        number = self._next_number()
        # A game that cannot go on, such as one of an engine that is not there, stays in the list of unfinished games.
        with suppress(RequestError):
            session = await resumed_session(number, name, self.variants, self.pool, self.folder, self.errors)
            for guest in guests:
                token, _, seats = guest.partition(" ")
                self.tokens.restore(token, number, seats)
            self._turn_to(session, False)

    def keep_guests(self) -> None:
        """Keep for the next start which game is on the board, and who may play it."""
        if self.session is not None:
            game = self.session.game
            guests = (f"{one.token} {one.seats}" for one in self.tokens.guests(game.number))
            with suppress(RequestError):
                self.host_settings.keep(GUESTS, "\n".join((str(game.seed), *guests)))

    def _next_number(self) -> int:
        self._game_count += 1
        return self._game_count

    def _turn_to(self, session: "GameSession", keeps_guests: bool) -> None:
        replaced, self.session = self.session, session
        old = 0
        if replaced is not None:
            old = replaced.game.number
            replaced.close()
            if keeps_guests:
                self.tokens.move_guests(old, session.game.number)
            else:
                self.tokens.forget_guests(old)
        self.keep_guests()
        session.open()
        for listener in list(self.listeners):
            listener.game_replaced(old, session)

    def allowance(self, access: Access) -> Allowance:
        """What a new page may use: a guest's pages share it, and those of all spectators; the host's have one each."""
        if access.is_host:
            return Allowance(is_host=True)
        most_pages = SPECTATOR_PAGES if access.seats == SPECTATOR else GUEST_PAGES
        return self._allowances.setdefault(access.token, Allowance(is_host=False, most_pages=most_pages))

    def table_of(self, access: Access) -> "GameSession | None":
        """The game on the board, if the page with this access may see it."""
        is_it = self.session is not None and self.tokens.game_of(access) == self.session.game.number
        return self.session if access.is_host or is_it else None

    async def close(self) -> None:
        if self.session is not None:
            self.session.close()
        self.cleanup.close()
        await self.pool.close()

    async def _introduce(self, program: Program) -> None:
        try:
            engine = await self.pool.introduce(program, lambda share: self._compiles(program, share))
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
            await self.pool.first_ready(program)
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
