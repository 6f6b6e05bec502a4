"""Shards of stored games: their arrays, damage to them, and the positions of the games."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.position import Result
from junqi_training.selfplay.folder import (
    DataFolder,
    FolderError,
    Origin,
    ReplayError,
    check_game,
    positions,
    read_shard,
)
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import SelfPlaySettings
from tests.helpers.marking import times
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


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("moves", np.full(1, 3, np.uint16), "its games are not those of its settings"),
        ("moves", 0xFFFF, "a move is not between points of the board"),
        ("players", "?.2", "is not a version"),
        ("results", 7, "7 is not a valid Result"),
        ("endings", "x", "'x' is not a valid Ending"),
        ("lineups", "z" * 25, "letter 1 is 'z'; expected a letter from a to l"),
        ("made_by", "{}", "program"),
    ],
)
def test_an_array_that_does_not_fit_is_refused(
    shard: Path, tmp_path: Path, name: str, value: object, text: str
) -> None:
    with np.load(shard) as file:
        arrays = dict(file)
    arrays[name] = value if isinstance(value, np.ndarray) else np.full_like(arrays[name], value)
    broken = tmp_path / shard.name
    np.savez(broken, **arrays)
    with pytest.raises(FolderError, match=text) as refusal:
        read_shard(broken)
    assert str(refusal.value).startswith(f"{broken}: ") and str(refusal.value).isprintable()


def test_a_damaged_file_is_refused_or_says_the_same(shard: Path, tmp_path: Path) -> None:
    good, rng, broken = shard.read_bytes(), random.Random(1), tmp_path / shard.name
    for number in range(times(200)):
        data = bytearray(good)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        broken.write_bytes(data if number % 2 else good[: rng.randrange(len(good))])
        try:
            found = read_shard(broken)
        except FolderError:
            continue
        assert found == read_shard(shard)


# Positions


@pytest.mark.parametrize("variant", BOARDS)
def test_positions_have_views_scores_and_results(variant):
    generator = Generator(SelfPlaySettings(variant, "2.0@200:1,1.2:1", max_plies=30))
    game, seen = generator.play(0), 0
    for number, position in enumerate(positions(game)):
        assert position.ply == number == position.truth.ply
        team = position.truth.turn % 2
        assert position.move in position.views[team].legal_moves()
        assert not position.views[1 - team].sees(position.truth.turn)
        assert position.score == game.scores[number]
        seen += 1
    assert seen == len(game.moves)


def test_the_result_is_that_of_the_team_to_move():
    game = small_game()
    for result, expected in ((Result.TEAM_0, [1, -1, 1]), (Result.TEAM_1, [-1, 1, -1]), (Result.DRAW, [0, 0, 0])):
        ended = replace(game, result=result)
        found = [position.result for position in positions(ended, with_views=False)]
        assert found == expected


def test_a_move_that_is_not_legal_is_found_by_replay():
    game = small_game()
    broken = replace(game, moves=(game.moves[0], 0, game.moves[2]))
    for replay in (lambda: check_game(broken), lambda: list(positions(broken))):
        with pytest.raises(ReplayError, match="game 7, ply 1: "):
            replay()


def test_a_wrong_result_or_ending_is_found_by_replay():
    game = small_game()
    check_game(game)
    with pytest.raises(ReplayError, match="it ends with DRAW, max-plies; the file says TEAM_0, max-plies"):
        check_game(replace(game, result=Result.TEAM_0))
    with pytest.raises(ReplayError, match="it has not ended, but its ending is max-plies"):
        check_game(replace(game, moves=game.moves[:2]))
