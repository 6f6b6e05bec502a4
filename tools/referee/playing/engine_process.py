"""An engine process that takes part in games: kept from one to the next, started afresh after a fault."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from protocol.client import EngineClient, Patience, Reply
from tools.referee.exits import RefereeError
from tools.referee.settings.settings import Engine

STRAY_ANSWER_S = 0.3

C = TypeVar("C", bound=EngineClient)


class OptionRefused(RefereeError):
    """An engine would not have an option that it was given."""


class Player:
    """One process of an engine. All faults come out as `EngineError`, and then `close` is due before the next game."""

    sets_up_afresh = False
    """Whether it has a new line-up for every game and can be told none."""

    def __init__(self, engine: Engine, variant: str, rules: Rules, log: Path | None, patience: Patience) -> None:
        self.engine = engine
        self._rules = rules
        self._settings = _settings(variant, rules)
        self._log = log
        self._patience = patience
        self._client: EngineClient | None = None

    @property
    def is_running(self) -> bool:
        return self._client is not None

    def prepare(self) -> None:
        """Have the process running, set, and ready for a new game."""
        if self._client is None:
            self._start()
        assert self._client is not None
        self._client.send("ucinewgame")
        self._client.ready()

    def ask(self, position: str, go: str, allowed_ms: float | None) -> Reply:
        """The answer to a `go` in a position."""
        assert self._client is not None
        return self._client.ask((position, go), allowed_ms, self.engine.time_control.patience_s)

    def has_answered_twice(self) -> bool:
        """Whether the last answer turns out to have been a second one to the `go` before, late as it was."""
        assert self._client is not None
        return self._client.answers_again(STRAY_ANSWER_S)

    def draw_afresh(self, seed: int) -> None:
        """Another `Seed`, within its bounds, for an engine that has one and is not told it by its own options."""
        assert self._client is not None
        declared = self._client.identity.options.get("seed")
        if declared is None or "seed" in {name.lower() for name, _ in self.engine.options}:
            return
        bounds = re.search(r" min (\d+) max (\d+)", declared)
        if bounds:
            least, most = map(int, bounds.groups())
            seed = least + seed % (most - least + 1)
        self._client.send(f"setoption name Seed value {seed}")

    def ask_lineup(self, viewer: str, seat: str, is_first: bool) -> str:
        """What the engine, which plays the seats `viewer`, answers to `go setup`. `is_first`: the seat begins."""
        assert self._client is not None
        lines = (f"position startpos viewer {viewer}", f"go setup {seat}")
        return self._client.ask(lines, None, self._patience.setup_s).move

    def outcome(self, move: str) -> None:
        """What everyone saw of the move that was its last answer; the next position holds it too."""

    def game_over(self, result: str) -> None:
        """Tell the engine `win`, `loss` or `draw`, and see whether the line is still in order."""
        assert self._client is not None
        self._client.send(f"gameover {result}")
        self._client.ready()

    def close(self) -> None:
        """Stop the process; the next `prepare` starts another."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def kill(self) -> None:
        """Kill the process from another thread; whoever waits for it sees it gone."""
        client = self._client
        if client is not None:
            client.kill()

    def _start(self) -> None:
        client = self._launch(EngineClient)
        self._client = client
        declared = client.start().options
        wanted = {name: value for name, value in self._settings.items() if name.lower() in declared}
        for name, value in {**wanted, **dict(self.engine.options)}.items():
            client.send(f"setoption name {name} value {value}")
        for line in client.ready():
            if line.startswith("info string error"):
                raise OptionRefused(f"engine {self.engine.name}: {line.removeprefix('info string error ')}")

    def _launch(self, kind: type[C]) -> C:
        """The process, started, with its error output in the log."""
        descriptor = None
        if self._log is not None:
            descriptor = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            return kind(self.engine.command, folder=self.engine.folder, stderr=descriptor, patience=self._patience)
        finally:
            if descriptor is not None:
                os.close(descriptor)


def _settings(variant: str, rules: Rules) -> Mapping[str, str]:
    """The options that every engine of a match is set to; the rules only where they are not the variant's own."""
    own = Rules.of(BOARDS[variant])
    settings = {"UCI_Variant": variant}
    if rules.no_contact != own.no_contact:
        settings["NoContactLimit"] = str(rules.no_contact)
    if rules.no_contact_loses != own.no_contact_loses:
        settings["NoContactResult"] = "loss" if rules.no_contact_loses else "draw"
    if rules.max_plies != own.max_plies:
        settings["MaxPlies"] = str(rules.max_plies)
    return settings
