"""Short games of self-play for tests."""

from pathlib import Path

from junqi_training.__main__ import main
from junqi_training.selfplay.settings import SelfPlaySettings

QUICK = SelfPlaySettings("luzhanqi", 50, max_plies=60, shard=2)
"""Settings of games that take almost no time."""


def played_folder(folder: Path, variant: str, games: int) -> Path:
    """A folder of this many games."""
    words = ["--variant", variant, "--nodes", "50", "--games", str(games), "--shard", str(games)]
    assert main(["selfplay", str(folder), *words]) == 0
    return folder
