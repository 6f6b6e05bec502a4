"""What can be evaluated: an engine's command, a player of this package, a function of Python."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from junqi_engine.engines.engine import Engine
from junqi_engine.env.policies import policy
from junqi_engine.errors import JunqiError
from junqi_engine.library.game import View
from tools.referee.exits import RefereeError

COMMAND, PLAYER, PYTHON = "command", "player", "python"
Chances = dict[str, dict[str, float]]
"""By point: the chance of each letter."""


@dataclass(frozen=True)
class Subject:
    """A player by its kind: a command with words NAME=VALUE for options, a version, or `module:name`."""

    kind: str
    text: str

    def start(self, seed: int, nodes: int) -> "Player":
        """The player, ready for games. `RefereeError` if there is none."""
        try:
            return {COMMAND: _EnginePlayer, PLAYER: _VersionPlayer, PYTHON: _FunctionPlayer}[self.kind](
                self.text, seed, nodes
            )
        except (JunqiError, ImportError, AttributeError) as error:
            raise RefereeError(f"{self.text}: {error}") from None


class Player:
    """Plays a seat. `view` is what the seat may know."""

    def move(self, view: View) -> str:
        raise NotImplementedError

    def belief(self, view: View) -> Chances | None:
        """The chances of the hidden pieces on the board; None if it has no belief."""
        return None

    def close(self) -> None:
        """End what it has started."""


class _VersionPlayer(Player):
    def __init__(self, version: str, seed: int, nodes: int) -> None:
        self._policy = policy(version, seed, nodes)
        self._has_belief = self._policy.version not in ("1.0", "1.1", "1.2")

    def move(self, view: View) -> str:
        return self._policy.move(view)

    def belief(self, view: View) -> Chances | None:
        return {point: view.belief(point) for point in hidden_points(view)} if self._has_belief else None


class _EnginePlayer(Player):
    def __init__(self, command: str, seed: int, nodes: int) -> None:
        words, self._nodes, self._has_belief = shlex.split(command), nodes, True
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        self._engine = Engine([word for word in words if word not in {f"{k}={v}" for k, v in options.items()}])
        for name, value in options.items():
            self._engine.configure({name: value})
        if "Seed" in self._engine.options and "Seed" not in options:
            self._engine.configure({"Seed": seed})

    def move(self, view: View) -> str:
        return self._engine.play(view, nodes=self._nodes).move

    def belief(self, view: View) -> Chances | None:
        if not self._has_belief:
            return None
        try:
            lines = self._engine.consult(
                f"setoption name UCI_Variant value {view.variant}", view.position_line(), "belief"
            )
        except JunqiError:
            lines = []
        told = [line.split()[2:] for line in lines if line.startswith("info belief ")]
        found = {words[0]: {word[0]: float(word[2:]) for word in words[1:]} for words in told}
        self._has_belief = bool(found)
        return found or None

    def close(self) -> None:
        self._engine.close()


class _FunctionPlayer(Player):
    """`name` is a function `choose(view) -> move`, or a class or function without arguments that gives an object with
    `move(view)` and, if it has one, `belief(view)`.
    """

    def __init__(self, text: str, seed: int, nodes: int) -> None:
        module, _, name = text.partition(":")
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        found: Any = getattr(import_module(module), name)
        made = found() if isinstance(found, type) else found
        self._choose: Callable[[View], str] = getattr(made, "move", made)
        self._belief: Callable[[View], Chances] | None = getattr(made, "belief", None)

    def move(self, view: View) -> str:
        return self._choose(view)

    def belief(self, view: View) -> Chances | None:
        return self._belief(view) if self._belief is not None else None


def hidden_points(view: View) -> list[str]:
    """The points of the pieces whose kind is not certain."""
    return [point for point in view.piece_map() if len(view.possible(point)) > 1]
