"""An engine process that takes part in games: kept from game to game, and replaced after a fault."""

import os
from collections.abc import Callable
from typing import TypeVar

from junqi_engine.engines.client import EngineClient, Patience, Reply
from junqi_engine.engines.match_options import match_options
from junqi_engine.rules.options import Rules
from tools.referee.exits import RefereeError
from tools.referee.settings.engine import Engine

STRAY_ANSWER_S = 0.3
"""How long to wait for a second answer to the previous `go`."""

C = TypeVar("C", bound=EngineClient)


class OptionRefused(RefereeError):
    """An engine rejected an option of the settings."""


class EngineProcess:
    """One process of an engine. Faults raise `EngineError`; `close` must then be called before the next game.

    `log` opens the file for the error output.
    """

    chooses_every_lineup = False
    """Whether the engine chooses a new line-up for every game and cannot be given one."""

    def __init__(
        self, engine: Engine, variant: str, rules: Rules, log: Callable[[], int] | None, patience: Patience
    ) -> None:
        self.engine = engine
        self._rules = rules
        self._match_options = match_options(variant, rules)
        self._log = log
        self._patience = patience
        self._client: EngineClient | None = None

    @property
    def is_running(self) -> bool:
        return self._client is not None

    def prepare(self) -> None:
        """Start the process if it is not running, set its options, and make it ready for a new game."""
        if self._client is None:
            self._start()
        assert self._client is not None
        self._client.send("ucinewgame")
        self._client.ready()

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        """The reply to a `go` in a position."""
        assert self._client is not None
        return self._client.ask((position, go), allowed_ms, self.engine.time_control.patience_s)

    def answered_twice(self) -> bool:
        """Whether the last reply was a late second answer to the previous `go`: the answer to this one follows."""
        assert self._client is not None
        return self._client.answers_again(STRAY_ANSWER_S)

    def set_seed(self, seed: int) -> None:
        """Set the option `Seed`, within its bounds, unless the engine has none or its own options set it."""
        assert self._client is not None
        identity = self._client.identity
        if "seed" not in identity.options or "seed" in {name.lower() for name, _ in self.engine.options}:
            return
        least, most = identity.spins.get("seed", (seed, seed))
        least = max(0, least)  # with a negative seed the engine draws one itself
        if least > most:
            return
        seed = least + seed % (most - least + 1)
        self._client.send(f"setoption name Seed value {seed}")

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        """The reply to `go setup` for a seat; `is_first` if the seat moves first."""
        assert self._client is not None
        lines = (f"position startpos viewer {viewer}", f"go setup {seat}")
        return self._client.ask(lines, None, self._patience.setup_s).move

    def tell_outcome(self, move: str) -> None:
        """Tell the engine its own last move with its suffix. The protocol does so with the next position."""

    def game_over(self, result: str) -> None:
        """Tell the engine the result, `win`, `loss` or `draw`, and check that it still answers."""
        assert self._client is not None
        self._client.send(f"gameover {result}")
        self._client.ready()

    def close(self) -> None:
        """Stop the process; the next `prepare` starts a new one."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def kill(self) -> None:
        """Kill the process, from another thread; a thread that waits for it gets an `EngineError`."""
        client = self._client
        if client is not None:
            client.kill()

    def _start(self) -> None:
        client = self._launch(EngineClient)
        self._client = client
        declared = client.start().options
        wanted = {name: value for name, value in self._match_options.items() if name.lower() in declared}
        for name, value in {**wanted, **dict(self.engine.options)}.items():
            client.send(f"setoption name {name} value {value}")
        for line in client.ready():
            if line.startswith("info string error"):
                raise OptionRefused(f"engine {self.engine.name}: {line.removeprefix('info string error ')}")

    def _launch(self, kind: type[C]) -> C:
        """Start the process, with its error output appended to the log."""
        descriptor = None if self._log is None else self._log()
        try:
            return kind(
                self.engine.start_command, folder=self.engine.folder, stderr=descriptor, patience=self._patience
            )
        finally:
            if descriptor is not None:
                os.close(descriptor)
