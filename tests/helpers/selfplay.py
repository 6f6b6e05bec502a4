"""Short games of self-play for tests."""

from dataclasses import replace
from pathlib import Path

from junqi_engine.rules.pieces import LETTERS
from junqi_training.selfplay import run as command
from junqi_training.selfplay.folder import StoredGame
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import SelfPlaySettings

QUICK = SelfPlaySettings("luzhanqi", "1.2:1", max_plies=60, shard=2)
"""Games that take no time."""
QUICK_PLAYERS = "quick@50"
LIEUTENANT = LETTERS.index("h")


def small_game() -> StoredGame:
    """A short game of luzhanqi that a limit of plies ends."""
    return Generator(replace(QUICK, max_plies=3)).play(7)


def played_folder(folder: Path, variant: str, games: int) -> Path:
    """A folder of this many games of quick players."""
    words = ["--variant", variant, "--mixture", QUICK_PLAYERS, "--games", str(games), "--shard", str(games)]
    assert command.main([str(folder), *words]) == 0
    return folder
