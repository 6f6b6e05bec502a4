"""What the server holds: the engines, the passes, the game at the board."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.client import EngineError, Patience
from tools.board.engines import Choice, Engine, Program, Refused, Stable
from tools.board.passes import Pass, Passes

if TYPE_CHECKING:
    from tools.board.game import Game


ONLY_VARIANT = "siguo"
"""What an engine plays that declares no `UCI_Variant`."""


@dataclass
class House:
    """One server. Made in the event loop; `open` starts the first engine, whose options say what can be played."""

    programs: tuple[Program, ...]
    folder: Path
    patience: Patience = field(default_factory=Patience)
    passes: Passes = field(default_factory=Passes)
    game: "Game | None" = None
    fault: str = ""
    desks: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stable = Stable(self.programs, self.patience)
        self.host = self.passes.new_host()
        self._players: dict[str, Choice] = {}
        self._variants: tuple[str, ...] = ()
        self._numbers = 0
        self._opened = asyncio.Event()

    async def open(self) -> None:
        """Learn what the engines offer; one that does not start is left out, and `fault` says so."""
        await asyncio.gather(*map(self._meet, self.programs))
        self._opened.set()

    async def wait_until_open(self) -> None:
        await self._opened.wait()

    @property
    def variants(self) -> tuple[str, ...]:
        """Every variant that the first engine plays or solves."""
        return self._variants

    @property
    def default_player(self) -> str:
        """The first engine's own choice of a player; empty if it offers none."""
        choice = self._players.get(self.programs[0].name)
        return choice.default if choice else ""

    def catalogue(self) -> dict[str, Any]:
        """What can be chosen, for the page."""
        players = [
            {"program": name, "players": list(self._players[name].values), "player": self._players[name].default}
            for name in (program.name for program in self.programs)
            if name in self._players
        ]
        return {"engines": players, "variants": list(self._variants), "fault": self.fault}

    def begin(self, seating: Any) -> "Game":
        """Put a new game on the board; the one before is saved, and its guests are sent away."""
        from tools.board.game import Game

        if self.game is not None:
            self.game.close()
        self.passes.forget_guests()
        self._numbers += 1
        self.game = Game(self._numbers, seating, self.stable, self.folder)
        self.game.open()
        return self.game

    def tell_new_game(self) -> None:
        """Bring the host's pages to the new game, and let others know that theirs has gone."""
        for desk in list(self.desks):
            desk.move_on()

    def is_current(self, held: Pass) -> bool:
        """Whether a pass is for the game at the board, or the host's."""
        return held.is_host or (self.game is not None and held.game == self.game.number)

    async def close(self) -> None:
        """Save the game and stop every engine."""
        if self.game is not None:
            self.game.close()
        await self.stable.close()

    async def _meet(self, program: Program) -> None:
        engine: Engine | None = None
        try:
            engine = await self.stable.take(program)
            player, variants = engine.choice("Player"), engine.choice("UCI_Variant")
        except (EngineError, Refused) as error:
            self.fault = f"{program.name}: {error}"
            return
        if program is self.programs[0]:
            self._variants = variants.values if variants else (ONLY_VARIANT,)
        self._players[program.name] = player or Choice("", ("",))
        self.stable.give_back(engine)


def parse_program(text: str) -> Program:
    """`NAME=COMMAND`, the command split at spaces as a shell does; ValueError says what is missing."""
    import shlex

    name, _, command = text.partition("=")
    words: Sequence[str] = shlex.split(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} is not NAME=COMMAND")
    return Program(name.strip(), tuple(words))
