"""The state of the board's server: engine pool, access tokens, connected pages, the current game."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from junqi_engine.errors import CommandRejected
from protocol.client import EngineError, Patience
from tools.board.access_tokens import Access, AccessTokens
from tools.board.engine_pool import EnginePool
from tools.board.engines import Choice, Engine
from tools.board.internal_errors import InternalErrors
from tools.board.programs import Program

if TYPE_CHECKING:
    from tools.board.game.seating import Seating
    from tools.board.session.game_session import GameSession


DEFAULT_VARIANT = "siguo"
"""What an engine plays that does not declare the option `UCI_Variant`."""


@dataclass
class Server:
    """One server. Created in the event loop; `open` starts the engines, whose options say what can be played."""

    programs: tuple[Program, ...]
    folder: Path
    patience: Patience = field(default_factory=Patience)
    tokens: AccessTokens = field(default_factory=AccessTokens)
    session: "GameSession | None" = None
    fault: str = ""
    errors: InternalErrors = field(default_factory=InternalErrors)
    cleanup: ExitStack = field(default_factory=ExitStack)
    """What `close` removes."""
    new_game_callbacks: list[Callable[[], None]] = field(default_factory=list)
    """One for each connected page; called by `announce_game`."""

    def __post_init__(self) -> None:
        self.pool = EnginePool(self.programs, self.patience)
        self.host = self.tokens.new_host()
        self._players: dict[str, Choice] = {}
        self._variants: tuple[str, ...] = ()
        self._game_count = 0
        self._opened = asyncio.Event()

    async def open(self) -> None:
        """Read the options of every engine. An engine that does not start is omitted, and `fault` names it."""
        await asyncio.gather(*map(self._read_options, self.programs))
        self._opened.set()

    async def wait_until_open(self) -> None:
        await self._opened.wait()

    @property
    def variants(self) -> tuple[str, ...]:
        """Every variant that the first engine plays or solves."""
        return self._variants

    @property
    def default_player(self) -> str:
        """The default of the first engine's option `Player`; empty if it has none."""
        choice = self._players.get(self.programs[0].name)
        return choice.default if choice else ""

    def catalogue(self, access: Access) -> dict[str, Any]:
        """What a page can choose from. Why an engine failed may show commands and folders, which are not for guests."""
        players = [
            {"program": name, "players": list(self._players[name].values), "player": self._players[name].default}
            for name in (program.name for program in self.programs)
            if name in self._players
        ]
        return {"engines": players, "variants": list(self._variants), "fault": self.fault if access.is_host else ""}

    def start_game(self, seating: "Seating") -> "GameSession":
        """Start a new game. The previous one is saved, and its guests lose their access."""
        # Loads the rules; the server listens before they are loaded.
        from tools.board.session import game_start

        return self._turn_to(game_start.new_session(self._game_count + 1, seating, self.pool, self.folder, self.errors))

    def resume_game(self, name: str) -> "GameSession":
        """Resume the saved game in the file with this name; `RequestError` changes nothing. Ends the game before it."""
        from tools.board.session import game_start

        number = self._game_count + 1
        return self._turn_to(
            game_start.resumed_session(number, name, self._variants, self.pool, self.folder, self.errors)
        )

    def _turn_to(self, session: "GameSession") -> "GameSession":
        if self.session is not None:
            self.session.close()
        self.tokens.forget_guests()
        self._game_count += 1
        self.session = session
        session.open()
        return session

    def announce_game(self) -> None:
        """Bring the host's pages to the new game, and tell guests that theirs is over."""
        for on_new_game in list(self.new_game_callbacks):
            on_new_game()

    def is_current(self, access: Access) -> bool:
        """Whether an access is the host's, or belongs to the current game."""
        return access.is_host or (self.session is not None and access.game == self.session.game.number)

    async def close(self) -> None:
        """Save the game and stop every engine."""
        if self.session is not None:
            self.session.close()
        self.cleanup.close()
        await self.pool.close()

    async def _read_options(self, program: Program) -> None:
        try:
            engine: Engine = await self.pool.take(program)
            player, variants = engine.choice("Player"), engine.choice("UCI_Variant")
        except (EngineError, CommandRejected) as error:
            self.fault = f"{program.name}: {error}"
            return
        if program is self.programs[0]:
            self._variants = variants.values if variants else (DEFAULT_VARIANT,)
        self._players[program.name] = player or Choice("", ("",))
        self.pool.give_back(engine)
