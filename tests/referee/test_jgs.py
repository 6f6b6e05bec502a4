"""The referee and `.jgs` files: `convert` reads and writes them, and records survive the way there and back."""

import random
from dataclasses import replace
from functools import cache

import pytest

from junqi_engine.notation.jgs import format_jgs, parse_jgs
from junqi_engine.notation.moves import format_code
from junqi_engine.players.registry import RECIPES
from junqi_engine.rules.board import SIGUO
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.records.conversion import game_of_jgs, jgs_of
from junqi_referee.records.game_record import GameRecord, read_record
from junqi_referee.records.replay import verify
from tests.helpers.jgs import DRAW, WIN, event, game_file, move
from tests.helpers.marking import seeds
from tests.helpers.record import record_of, resigned_game, start, write_record


@cache
def played_game(seed: int, plies: int | None = None) -> GameRecord:
    """A game of 1.2 against 1.1, in which clocks run out and players resign at random."""
    rng = random.Random(seed)
    truth = start(SIGUO.seats[seed % 4], seed=seed)
    while truth.result is None and (plies is None or truth.ply < plies):
        chance = rng.random()
        if chance < 0.01:
            truth.play(f"pass:{truth.turn}")
        elif chance < 0.0105:
            truth.play(f"resign:{rng.choice(truth.alive)}")
        else:
            team = next(team for team in SIGUO.teams if truth.turn in team)
            view = truth.view(team)
            recipe = RECIPES["1.2" if team == SIGUO.teams[seed // 4 % 2] else "1.1"]
            found = recipe.choose(view, rng.randrange(2**31), view.legal_moves())
            truth.play(format_code(SIGUO, found.move))
    return record_of(truth, seed + 1)


def there_and_back(game: GameRecord) -> GameRecord:
    return game_of_jgs(parse_jgs(format_jgs(jgs_of(game))), game.game)


# Conversion


@pytest.mark.parametrize("seed", seeds(3))
def test_games_of_our_players_survive(seed):
    game = played_game(seed)
    names = {"engines": {"SN": {"name": "SN"}, "EW": {"name": "EW"}}}
    assert there_and_back(game) == replace(game, **names)
    assert verify(game) is None


TAKES = move("k6", "l7", 3)
"""A Lieutenant meets a Major General: the attacker is removed."""


@pytest.mark.parametrize(
    ("events", "named"),
    [
        ([move("i6", "g7")], "event 1: 'i6g7' is not legal"),
        ([move("i6", "i7"), move("g6", "g7")], "event 2: g6g7 is a move of S, but it is E's turn"),
        ([event(0xF5, 2, 2)], "event 1: 'pass:N' is not legal: S is to move"),
        ([TAKES], "event 1: outcome 3 is recorded, k6l7o was played"),
        ([move("k6", "l7", 2, "h1")], "event 1: revealed flags h1, but k6l7o was played"),
        ([event(0xF5, 3, 3, 1)], "event 1: E is eliminated; by the rules it is not"),
        ([event(*WIN)], "the file ends with a win, but SENW are still in the game"),
        (
            [event(0xF5, 3, 3, 4), event(0xF5, 3, 1, 4), event(*DRAW)],
            "the file ends with a draw; by the rules it is SN",
        ),
        ([event(0xF5, 3, 3, 4), event(0xF5, 3, 1, 4), move("i6", "i7")], "event 3: 'i6i7' is not legal: the game has"),
    ],
)
def test_files_that_break_the_rules_are_refused(tmp_path, capsys, events, named):
    path = tmp_path / "x.jgs"
    path.write_bytes(game_file(*events))
    assert run(["convert", str(path)]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert captured.err.startswith(f"junqi-referee: record {path}: {named}")
    assert (captured.out, captured.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (replace(resigned_game(), ending=Ending.ADJUDICATED), "SN by adjudicated; a .jgs file cannot express this"),
        (replace(resigned_game(), result="EW"), "breaks the rules: EW by resigned is recorded"),
        (replace(resigned_game(), variant="luzhanqi", lineups={}), "variant luzhanqi has no .jgs files"),
    ],
)
def test_what_a_file_cannot_express_is_refused(tmp_path, capsys, game, named):
    if game.variant == "luzhanqi":
        game = replace(game, result="S", moves=[], times_ms=[], scores=[])
    record = write_record(tmp_path / "games.jsonl", game)
    assert run(["convert", record, "--write", str(tmp_path / "x.jgs")]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert captured.err.startswith(f"junqi-referee: game 1: {named}")
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "x.jgs").exists()


# The command


def test_a_folder_there_and_back(tmp_path, capsys):
    games = [played_game(seed, 40) for seed in range(3)]
    record = write_record(tmp_path / "games.jsonl", *games)
    folder = tmp_path / "some" / "games"
    assert run(["convert", record, "--write", f"{folder}/"]) == ExitCode.DONE
    assert [path.name for path in sorted(folder.iterdir())] == [f"game-000{number}.jgs" for number in (1, 2, 3)]
    again = tmp_path / "again.jsonl"
    assert run(["convert", str(folder), "--write", str(again)]) == ExitCode.DONE
    assert [(game.moves, game.lineups, game.first) for game in read_record(str(again))] == [
        (game.moves, game.lineups, game.first) for game in games
    ]
    assert capsys.readouterr() == ("", "")
    assert run(["convert", str(folder)]) == ExitCode.DONE
    assert capsys.readouterr().out == again.read_text()


def test_names_are_dropped_unless_asked_for(tmp_path, capsys):
    names = ["甲".encode("gb18030"), b"b", b"", b"d"]
    path = tmp_path / "x.jgs"
    path.write_bytes(game_file(move("i6", "i7"), event(*DRAW), names=names))
    assert run(["convert", str(path)]) == ExitCode.DONE
    plain = GameRecord.from_line(capsys.readouterr().out)
    assert plain.engines == {"SN": {"name": "SN"}, "EW": {"name": "EW"}}
    assert run(["convert", str(path), "--names"]) == ExitCode.DONE
    named = GameRecord.from_line(capsys.readouterr().out)
    assert [named.engines[seat]["name"] for seat in "SENW"] == ["甲", "b", "", "d"]
    record = write_record(tmp_path / "games.jsonl", named)
    for asked, expected in ((["--names"], ("甲", "b", "", "d")), ([], ("", "", "", ""))):
        target = tmp_path / f"{len(asked)}.jgs"
        assert run(["convert", record, "--write", str(target), *asked]) == ExitCode.DONE
        assert parse_jgs(target.read_bytes(), with_names=True).names == expected
