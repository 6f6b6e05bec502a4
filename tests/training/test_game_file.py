"""Shards of stored games: their arrays, damage to them, and the positions of the games."""

from dataclasses import replace
from pathlib import Path

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.position import Result
from junqi_training.selfplay.folder import (
    DataFolder,
    Origin,
    ReplayError,
    check_game,
    positions,
    read_shard,
)
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import SelfPlaySettings
from tests.helpers.selfplay import QUICK, small_game

pytestmark = pytest.mark.long
ORIGIN = Origin("0.1.0", "abc", QUICK)

# Shards


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = Generator(QUICK)
    with DataFolder(tmp_path_factory.mktemp("games"), ORIGIN) as data:
        return data.add([generator.play(number) for number in (2, 3)])


def test_a_shard_is_read_as_it_was_written(shard: Path) -> None:
    generator = Generator(QUICK)
    assert read_shard(shard) == (ORIGIN, [generator.play(number) for number in (2, 3)])


# Positions


@pytest.mark.parametrize("variant", BOARDS)
def test_positions_have_views_scores_and_results(variant):
    generator = Generator(SelfPlaySettings(variant, "4.4@200:1,1.2:1", max_plies=30))
    game, seen = generator.play(0), 0
    for number, position in enumerate(positions(game)):
        assert position.ply == number == position.truth.ply
        team = position.truth.turn % 2
        assert position.move in position.views[team].legal_moves()
        assert not position.views[1 - team].sees(position.truth.turn)
        assert position.score == game.scores[number]
        seen += 1
    assert seen == len(game.moves)


def test_a_wrong_result_or_ending_is_found_by_replay():
    game = small_game()
    check_game(game)
    with pytest.raises(ReplayError, match="it ends with DRAW, max-plies; the file says TEAM_0, max-plies"):
        check_game(replace(game, result=Result.TEAM_0))
    with pytest.raises(ReplayError, match="it has not ended, but its ending is max-plies"):
        check_game(replace(game, moves=game.moves[:2]))
