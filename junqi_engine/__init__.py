"""Junqi as a library: games, views, engines and puzzles. docs/library.md describes it; `ARCHITECTURE.md` has the map.

Importing this module loads nothing heavy. A name is loaded from its module when it is first used (PEP 562), and with
the first of them numpy and numba. No other module of the project imports this one.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from junqi_engine.errors import BadLineup, BadPosition, CommandRejected, EngineError, EngineFault, IllegalMove, Refused
from junqi_engine.version import __version__ as __version__

if TYPE_CHECKING:
    from junqi_engine import env as env
    from junqi_engine.api.game import Game, View
    from junqi_engine.api.game_files import read_games
    from junqi_engine.api.move import Move, Piece
    from junqi_engine.api.readable import Point, battle, board_points
    from junqi_engine.client.engine import Engine
    from junqi_engine.client.engine_client import Patience
    from junqi_engine.client.engine_lines import Info, Score
    from junqi_engine.client.results import Analysis, Limit, PlayResult
    from junqi_engine.game_review.review import Review, review
    from junqi_engine.rules.options import Rules

__all__ = [
    "Analysis", "BadLineup", "BadPosition", "CommandRejected", "Engine", "EngineError", "EngineFault", "Game",
    "IllegalMove", "Info", "Limit", "Move", "Patience", "Piece", "PlayResult", "Point", "Refused", "Review",
    "Rules", "Score", "View", "battle", "board_points", "read_games", "review",
]  # fmt: skip

_MODULES = {
    "Engine": "junqi_engine.client.engine",
    "Info": "junqi_engine.client.engine_lines",
    "Patience": "junqi_engine.client.engine_client",
    "PlayResult": "junqi_engine.client.results",
    "Analysis": "junqi_engine.client.results",
    "Limit": "junqi_engine.client.results",
    "read_games": "junqi_engine.api.game_files",
    "Score": "junqi_engine.client.engine_lines",
    "Game": "junqi_engine.api.game",
    "Move": "junqi_engine.api.move",
    "Piece": "junqi_engine.api.move",
    "Point": "junqi_engine.api.readable",
    "Review": "junqi_engine.game_review.review",
    "Rules": "junqi_engine.rules.options",
    "View": "junqi_engine.api.game",
    "battle": "junqi_engine.api.readable",
    "board_points": "junqi_engine.api.readable",
    "review": "junqi_engine.game_review.review",
}
"""The module of each name that is loaded when it is first used."""


if not TYPE_CHECKING:  # otherwise every misspelt name would have the type Any

    def __getattr__(name: str) -> Any:
        if name == "env":  # a package, which needs the extra `env`
            return import_module("junqi_engine.env")
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
