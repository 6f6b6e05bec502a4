"""Shards of stored games: their arrays."""

from pathlib import Path

import pytest

from junqi_training.selfplay.folder import DataFolder, Origin, read_shard
from junqi_training.selfplay.run import Generator
from tests.helpers.selfplay import QUICK

pytestmark = pytest.mark.long
ORIGIN = Origin("0.1.0", "abc", QUICK)


def test_shard_round_trips(tmp_path: Path) -> None:
    generator = Generator(QUICK)
    games = [generator.play(number) for number in (2, 3)]
    with DataFolder(tmp_path / "games", ORIGIN) as data:
        shard = data.add(games)
    assert read_shard(shard) == (ORIGIN, games)
