"""The process of an engine, kept from game to game and replaced after a fault."""

import os
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from junqi_engine.client.engine_client import Patience, Reply
from junqi_engine.rules.options import Rules, match_options
from junqi_referee.exit_codes import RefereeError
from junqi_referee.playing.taps import RECEIVED, TappedClient, Transcript
from junqi_referee.settings.engine import EngineSettings

BOUNDS = re.compile(r"\bmin ([+-]?\d{1,18})\b"), re.compile(r"\bmax ([+-]?\d{1,18})\b")
"""The bounds in the declaration of a spin option."""

C = TypeVar("C", bound=TappedClient)


class OptionRefused(RefereeError):
    """An engine rejected an option of the settings."""


class EngineProcess:
    """One process of an engine. Faults raise `EngineError`; `close` must then be called before the next game.

    `log` opens the file for stderr, `transcript` the file for every line.
    """

    chooses_every_lineup = False
    """True if the engine chooses a new line-up for every game and cannot be given one."""
    version = ""
    """The name that the engine gives itself; empty before it has started."""

    def __init__(
        self,
        engine: EngineSettings,
        variant: str,
        rules: Rules,
        log: Callable[[], int] | None,
        patience: Patience,
        transcript: Callable[[], int] | None = None,
    ) -> None:
        self.engine = engine
        self._rules = rules
        self._match_options = match_options(variant, rules)
        self._log = log
        self._patience = patience
        self._client: TappedClient | None = None
        self._is_killed = False
        self._open_transcript = transcript
        self._transcript: Transcript | None = None

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

    def set_seed(self, seed: int) -> None:
        """Set the option `Seed`, within its bounds, unless the engine has none or its own options set it."""
        assert self._client is not None
        identity = self._client.identity
        if "seed" not in identity.options or "seed" in {name.lower() for name, _ in self.engine.options}:
            return
        declared = identity.options["seed"].partition(" type spin ")[2]
        least, most = (int(found[1]) if (found := bound.search(declared)) else seed for bound in BOUNDS)
        least = max(0, least)  # with a negative seed an engine draws one itself
        if least > most:
            return
        seed = least + seed % (most - least + 1)
        self._client.send(f"setoption name Seed value {seed}")

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        """The reply to `go setup` for a seat; `is_first` if the seat moves first."""
        assert self._client is not None
        lines = (f"position startpos viewer {viewer}", f"go setup {seat}")
        return self._client.ask(lines, None, self._client.SETUP_S).move

    def tell_outcome(self, move: str) -> None:
        """Tell the engine the suffix of its last move. The protocol does that with the next position."""

    def game_over(self, result: str) -> None:
        """Check that the engine still answers. Only the contest's dialect tells it the result: win, loss or draw."""
        assert self._client is not None
        self._client.ready()

    def close(self) -> None:
        """Stop the process; the next `prepare` starts a new one."""
        client, self._client = self._client, None
        if client is not None:
            client.close()
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None

    def kill(self) -> None:
        """Kill the process, and any that is started later. Called from another thread; waiting for it then raises
        `EngineError`.
        """
        self._is_killed = True
        client = self._client
        if client is not None:
            client.kill()

    def _start(self) -> None:
        client = self._launch(TappedClient)
        self._client = client
        identity = client.start()
        self.version, declared = identity.name, identity.options
        wanted = {name: value for name, value in self._match_options.items() if name.lower() in declared}
        for name, value in {**wanted, **dict(self.engine.options)}.items():
            client.send(f"setoption name {name} value {value}")
        for line in client.ready():
            if line.startswith("info string error"):
                variant = self._match_options["UCI_Variant"]
                reason = line.removeprefix("info string error ")
                raise OptionRefused(f"engine {self.engine.name} rejected an option: {reason} (variant {variant})")

    def _launch(self, kind: type[C]) -> C:
        """Start the process, with its error output appended to the log."""
        descriptor = None if self._log is None else self._log()
        on_line = None
        if self._open_transcript is not None:
            self._transcript = Transcript(self._open_transcript())
            on_line = partial(self._transcript, RECEIVED)
        try:
            client = kind(
                self.engine.start_command,
                folder=self.engine.folder,
                stderr=descriptor,
                patience=self._patience,
                on_line=on_line,
            )
            client.tap = self._transcript
            self._client = client
            if self._is_killed:
                client.kill()
            return client
        finally:
            if descriptor is not None:
                os.close(descriptor)
