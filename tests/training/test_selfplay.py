"""Self-play: players, games, the data folder, and runs that were interrupted."""

import multiprocessing
import random
from dataclasses import replace
from pathlib import Path

import pytest

from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS, HEADQUARTERS_INDICES, SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import FLAG
from junqi_engine.rules.position import Placement, Result
from junqi_referee.endings import Ending
from junqi_referee.exits import RefereeError
from junqi_referee.jobs import Cluster, Processes
from junqi_training.selfplay.folder import DataFolder, FolderError, Origin, check_game, read_folder
from junqi_training.selfplay.run import Generator, decision, main, play_games
from junqi_training.selfplay.settings import Mixture, Player, SelfPlaySettings, own_revision
from tests.helpers.selfplay import LIEUTENANT, QUICK

pytestmark = pytest.mark.long

# Players and line-ups


def test_a_mixture_is_read_and_written_and_drawn_by_weight():
    mixture = Mixture.parse("2.0@4000:3,2.0@1000,1.2:1")
    assert str(mixture) == "2.0@4000:3,2.0@1000:1,1.2:1"
    assert mixture.players == (Player("2.0", 4000), Player("2.0", 1000), Player("1.2"))
    drawn = [mixture.draw(random.Random(seed)) for seed in range(500)]
    assert 250 < drawn.count(Player("2.0", 4000)) < 350


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a player, such as 2.0@4000:3 or 1.2"),
        ("2.0", "2.0 needs a limit of nodes"),
        ("1.2@100", "1.2 has no nodes"),
        ("9.9@10", f"9.9 is not one of quick, {', '.join(VERSIONS)}"),
        ("2.0@10:0", "'2.0@10:0': the weight must be at least 1"),
        ("1.2,1.2:4", "1.2 appears twice"),
        ("2.0@4000000000", "4000000000 nodes are not from 0 to 1000000000"),
    ],
)
def test_a_wrong_mixture_is_refused(text, reason):
    with pytest.raises(ValueError) as refusal:
        Mixture.parse(text)
    assert str(refusal.value) == reason


# Games


@pytest.mark.parametrize("variant", BOARDS)
def test_a_game_depends_on_settings_and_number_alone(variant):
    chosen = SelfPlaySettings(variant, "2.0@200:2,1.2:1", max_plies=40)
    first, again = Generator(chosen), Generator(chosen)
    games = [first.play(number) for number in range(3)]
    for game in games:
        check_game(game)
    assert [again.play(number) for number in (2, 0, 1)] == [games[2], games[0], games[1]]
    assert len({game.lineups for game in games}) == 3
    other = Generator(replace(chosen, seed=2)).play(0)
    assert other.lineups != games[0].lineups


def test_searched_moves_have_scores_and_the_opening_is_random():
    chosen = SelfPlaySettings("luzhanqi", "2.0@200:1", max_plies=20, random_plies=6, near_best=0.5)
    game = Generator(chosen).play(1)
    assert game.scores[:6] == (None,) * 6 and None not in game.scores[6:]
    other = Generator(replace(chosen, near_best=0.0)).play(1)
    assert other.moves[:6] == game.moves[:6] and other.moves != game.moves


def endgame(south: int, east: int, north: int) -> GameState:
    """A game of siguo without West, in which each seat has its flag and this many lieutenants in its front rows."""
    placements = []
    for seat, count in enumerate((south, east, north)):
        block = SIGUO.block(seat)
        placements.append(Placement(seat, block[HEADQUARTERS_INDICES[0]], FLAG))
        placements += [Placement(seat, block[index], LIEUTENANT) for index in range(count)]
    return GameState.from_placements(SIGUO, Rules.of(SIGUO), placements, 0, 0b0111, 0, 0)


@pytest.mark.parametrize(
    ("pieces", "result"),
    [
        ((4, 1, 4), Result.TEAM_0),
        ((7, 1, 1), Result.TEAM_0),
        ((1, 8, 0), Result.TEAM_1),
        ((3, 1, 4), Result.ONGOING),
        ((4, 2, 4), Result.ONGOING),
        ((1, 8, 1), Result.ONGOING),
    ],
)
def test_a_team_with_one_piece_that_can_move_has_lost_against_eight(pieces, result):
    assert decision(endgame(*pieces)) == result


def test_an_adjudicated_game_is_a_prefix_of_the_game_played_on():
    chosen = SelfPlaySettings("siguo", "1.2:1", seed=77)
    short, long = Generator(chosen), Generator(replace(chosen, is_adjudicated=False))
    for number in range(40):
        game = short.play(number)
        if game.ending == Ending.ADJUDICATED:
            break
    else:
        raise AssertionError("no game was adjudicated")
    check_game(game)
    whole = long.play(number)
    assert whole.moves[: len(game.moves)] == game.moves and len(whole.moves) > len(game.moves)
    assert whole.result == game.result


# Data folders


ORIGIN = Origin("0.1.0", "abc", QUICK)


def play_into(folder: Path, *firsts: int) -> None:
    generator = Generator(QUICK)
    with DataFolder(folder, ORIGIN) as data:
        for first in firsts:
            data.add([generator.play(first + number) for number in range(QUICK.shard)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_has_the_games_of_its_shards(tmp_path):
    play_into(tmp_path / "new", 2, 0)
    assert sorted(contents(tmp_path / "new")) == ["games-000000000.npz", "games-000000002.npz"]
    assert [game.number for game in read_folder(tmp_path / "new")] == [0, 1, 2, 3]
    with pytest.raises(FolderError, match="there are no games of self-play"):
        list(read_folder(tmp_path))


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
def test_a_folder_that_cannot_be_continued_is_refused_and_stays(tmp_path, spoil, other, text):
    """It is of another origin, has a file of the user, or is damaged."""
    play_into(tmp_path, 0)
    spoil(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(FolderError, match=text):
        DataFolder(tmp_path, other)
    assert contents(tmp_path) == before


def test_a_folder_is_open_once(tmp_path):
    with DataFolder(tmp_path, ORIGIN), pytest.raises(FolderError, match="another program is writing to it"):
        DataFolder(tmp_path, ORIGIN)


# Runs

COMMAND = ("--variant", "luzhanqi", "--mixture", "1.2:1", "--max-plies", "30", "--shard", "2")


def test_a_run_that_is_continued_is_like_one_that_was_not(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("junqi_training.selfplay.run.own_revision", lambda: "abc")
    assert main([str(tmp_path / "whole"), *COMMAND, "--games", "6"]) == 0
    assert "6 games, " in capsys.readouterr().out
    assert main([str(tmp_path / "parts"), *COMMAND, "--games", "2"]) == 0
    assert main([str(tmp_path / "parts"), *COMMAND, "--games", "6", "--workers", "2"]) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    capsys.readouterr()
    assert main([str(tmp_path / "parts"), *COMMAND, "--games", "6"]) == 0
    assert capsys.readouterr().out == "no games are missing\n"
    assert multiprocessing.active_children() == []


def test_an_interrupted_run_keeps_finished_shards_and_ends_its_workers(tmp_path):
    with Processes(2) as workers:
        game, _ = next(play_games(workers, QUICK, range(1000)))
        assert game == Generator(QUICK).play(game.number)
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_killed_ends_the_run():
    with (
        pytest.raises(RefereeError, match=r"game \d+: a worker process has died: killed by SIGKILL"),
        Processes(1) as workers,
    ):
        for _ in play_games(workers, QUICK, range(1000)):
            multiprocessing.active_children()[0].kill()
    assert multiprocessing.active_children() == []


@pytest.mark.filterwarnings("ignore")  # the warnings of dask and distributed
def test_games_on_a_cluster_are_the_same():
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with Cluster(cluster.scheduler_address) as workers:
            played = [game for game, _ in play_games(workers, QUICK, range(5), own_revision())]
        here = Generator(QUICK)
        assert sorted(played, key=lambda game: game.number) == [here.play(number) for number in range(5)]
        with (
            pytest.raises(RefereeError, match=r"a worker has revision .*, not another"),
            Cluster(cluster.scheduler_address) as workers,
        ):
            list(play_games(workers, QUICK, range(2), "another"))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--variant", "chess"), "variant: 'chess' is not one of siguo, luzhanqi"),
        (("--games", "55"), "games: 55 is not a multiple of the shard, 50"),
        (("--near-best", "1.5"), "near_best: 1.5 is not from 0 to 1"),
        (("--near-best", "nan"), "near_best: nan is not from 0 to 1"),
        (("--max-plies", "0"), "max_plies: 0 is not a whole number from 1 to 65535"),
        (("--mixture", "3"), "'3' is not"),
    ],
)
def test_wrong_options_are_refused_and_create_nothing(tmp_path, capsys, words, text):
    assert main([str(tmp_path / "new"), *words]) == 2
    assert text in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
