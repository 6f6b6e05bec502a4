"""Self-play: players, games, the data folder, and runs that were interrupted."""

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from junqi_engine.rules.board import BOARDS
from junqi_training.__main__ import main
from junqi_training.selfplay.folder import DataFolder, FolderError, Origin
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import SelfPlaySettings
from tests.helpers.selfplay import QUICK

pytestmark = pytest.mark.long


# Games


@pytest.mark.parametrize("variant", BOARDS)
def test_game_depends_on_settings_and_number_alone(variant):
    """And its moves are legal, with its result at their end."""
    chosen = SelfPlaySettings(variant, 100, max_plies=40)
    first, again = Generator(chosen), Generator(chosen)
    games = [first.play(number) for number in range(3)]
    for game in games:
        state = game.start()
        for move in game.moves:
            state.play(move)
        assert state.result == game.result
    assert [again.play(number) for number in (2, 0, 1)] == [games[2], games[0], games[1]]
    assert len({game.lineups for game in games}) == 3
    other = Generator(replace(chosen, seed=2)).play(0)
    assert other.lineups != games[0].lineups


# Data folders


ORIGIN = Origin("0.1.0", "abc", QUICK)


def play_into(folder: Path, *firsts: int) -> None:
    generator = Generator(QUICK)
    with DataFolder(folder, ORIGIN) as data:
        for first in firsts:
            data.add([generator.play(first + number) for number in range(QUICK.shard)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize(
    ("spoil", "other", "text"),
    [
        (lambda folder: None, replace(ORIGIN, revision="def"), "revision is abc, not def"),
        (lambda folder: None, replace(ORIGIN, settings=replace(QUICK, seed=2)), "seed is 1, not 2"),
        (
            lambda folder: None,
            replace(ORIGIN, settings=replace(QUICK, variant="siguo")),
            "variant is luzhanqi, not siguo",
        ),
        (lambda folder: (folder / "x").touch(), ORIGIN, "'x' is not a file of self-play; name another folder"),
        (
            lambda folder: damage(folder / "games-000000000.npz"),
            ORIGIN,
            r"games-000000000\.npz: not a shard of games, or damaged: ",
        ),
    ],
)
def test_foreign_folder_is_refused_and_unchanged(tmp_path, spoil, other, text):
    """It is of another origin, has a file of the user, or is damaged."""
    play_into(tmp_path, 0)
    spoil(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=text):
        DataFolder(tmp_path, other)
    assert contents(tmp_path) == before


# Runs

COMMAND = ("--variant", "luzhanqi", "--nodes", "50", "--max-plies", "30", "--shard", "2")


def test_resumed_run_equals_uninterrupted_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("junqi_training.selfplay.run.own_revision", lambda: "abc")
    assert main(["selfplay", str(tmp_path / "whole"), *COMMAND, "--games", "6"]) == 0
    assert "6 games, " in capsys.readouterr().out
    assert main(["selfplay", str(tmp_path / "parts"), *COMMAND, "--games", "2"]) == 0
    assert main(["selfplay", str(tmp_path / "parts"), *COMMAND, "--games", "6", "--workers", "2"]) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    capsys.readouterr()
    assert main(["selfplay", str(tmp_path / "parts"), *COMMAND, "--games", "6"]) == 0
    assert capsys.readouterr().out == "no games are missing\n"
    assert multiprocessing.active_children() == []
