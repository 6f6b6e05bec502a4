"""The tool that measures what knowledge of hidden pieces is worth."""

import random

import pytest

from junqi_engine.information.belief.worlds import draw
from junqi_engine.players.registry import newest_search
from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.pieces import UNKNOWN
from tests.hidden_help import random_game, start
from tools.training.games import play_out, searcher, sensible_lineups
from tools.training.measuring import informed
from tools.training.measuring.informed import informed_player, informed_view

pytestmark = pytest.mark.long

NODES = 60


def test_without_an_aid_it_is_the_plain_player() -> None:
    searches = [newest_search().new_search(1) for _ in range(2)]
    lineups = sensible_lineups(LUZHANQI, random.Random(1))
    records = []
    for is_aided in (False, True):
        truth = GameState.start(LUZHANQI, lineups)
        players = [searcher(team_search, 5, NODES) for team_search in searches]
        if is_aided:
            players[1] = informed_player(informed_view(truth, 1, 0.0, random.Random(1)), searches[1], 5, NODES)
        play_out(truth, players)
        records.append(truth.record)
    assert records[0] == records[1]


def told_pieces(game: GameState, told: float) -> set[int]:
    """The enemy pieces that are certain at the start."""
    view = informed_view(game, 0, told, random.Random(3))
    certain = {piece for piece in range(128) if view.position["kind"][piece] != UNKNOWN}
    assert all(view.position["kind"][piece] == game.position["kind"][piece] for piece in certain)
    return {piece for piece in certain if not view.sees(piece // 32)}


def test_more_is_told_with_a_higher_probability_and_everything_with_1() -> None:
    game = start(4)
    none, some, half, everything = (told_pieces(game, told) for told in (0.0, 0.2, 0.5, 1.0))
    assert none == set()
    assert none < some < half < everything
    assert 3 < len(some) < 20 and 15 < len(half) < 36 and len(everything) == 50


def test_what_is_told_is_certain_in_every_world_and_stays_consistent_with_the_game() -> None:
    view = informed_view(start(7), 0, 0.4, random.Random(2))
    told = [piece for piece in range(128) if view.position["kind"][piece] != UNKNOWN]
    for game, plain in random_game(7, (0, 2)):
        view.observe(game.record[-1])
        assert not (view.masks & ~plain.masks).any(), "the informed view knows at least as much"
    kinds = start(7).position["kind"]
    worlds = draw(view, 8, 1)
    assert (worlds[:, told] == kinds[told]).all()
    assert all(view.masks[piece] >> kinds[piece] & 1 for piece in range(128) if view.masks[piece])


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    given = ["--variant", "luzhanqi", "--nodes", str(NODES), "--pairs", "3", *words]
    assert informed.main(given) == 0
    return capsys.readouterr().out


def test_the_command_prints_the_score_of_the_aided_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys).startswith("luzhanqi, told 1, 60 nodes, 3 pairs: ")


def test_two_processes_play_what_one_plays(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--told", "0.5") == run(capsys, "--told", "0.5", "--workers", "2")


@pytest.mark.parametrize("word", ["1.5", "nan"])
def test_a_wrong_probability_is_named(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as ended:
        informed.main(["--told", word])
    assert ended.value.code == 2
    assert f"{word!r} is not a number from 0 to 1" in capsys.readouterr().err.splitlines()[-1]
