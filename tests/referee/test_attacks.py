"""`junqi-referee stats`: attacks by what the target has shown, of a game that is drawn and counted by hand."""

import json
from dataclasses import replace
from typing import Any

import pytest

from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_referee.truth import Truth
from tests.helpers.drawing import assert_drawn
from tests.helpers.record import record_of, resigned_game, write_record

LINEUPS = {"S": "dbfgadecgegihcfkjkijhjhli", "N": "habcgedkkcedffgjjiiigjhlh"}
BOARD = """
    a  b  c  d  e
12  Nh Nl Nh Nj Ng
11  Ni Ni Ni Nj Nj
10  Ng () Nf () Nf
 9  Nd Ne () Nc Nk
 8  Nk () Nd () Ne
 7  Ng Nc Nb Na Nh
 6  Sd Sb Sf Sg Sa
 5  Sd () Se () Sc
 4  Sg Se () Sg Si
 3  Sh () Sc () Sf
 2  Sk Sj Sk Si Sj
 1  Sh Sj Sh Sl Si
"""
# What S attacks, and what N does; each attack with what it wins and loses.
MOVES = """
e6e7x a7a6o     a x h: 30, 0           g x d: 0, 40
e7e8x a8a7      a x e: 85, 0           the bomb moves
a6a7= e9e8=!d1  d x k: 110, 100        k x a: 210, 110
e5e10x c7c6x    c x f: 50, 0           b x f: 50, 0
e10e11o c8c7    c x j: 0, 150
e4e11x c7c8     i x j: 100, 0
e11d11x         i x j: 100, 0
"""
NEW = {
    ("high", "front"): (3, 165, 0, 55),
    ("high", "back"): (1, 0, 150, -150),
    ("middle", "moved"): (1, 110, 100, 10),
    ("engineer", "winner"): (1, 100, 0, 100),
    ("engineer", "back"): (1, 100, 0, 100),
}
OLD = {
    ("middle", "front"): (1, 0, 40, -40),
    ("bomb", "winner"): (1, 210, 110, 100),
    ("high", "front"): (1, 50, 0, 50),
}


def drawn_game(**engines: str) -> GameRecord:
    truth = Truth("luzhanqi", LINEUPS, "S", Rules())
    assert_drawn(truth.view("*"), BOARD)
    moves = [text for line in MOVES.split("\n") for text in line.split("  ")[0].split()]
    for text in [*moves, "resign:N"]:
        assert truth.play(text.partition("!")[0].rstrip("xo=")) == text
    names = engines or {"S": "new", "N": "old"}
    return record_of(truth, engines={seats: {"name": name} for seats, name in names.items()})


def attacks(capsys: pytest.CaptureFixture[str], record: str) -> dict[str, Any]:
    assert run(["stats", record, "--json"]) == ExitCode.DONE
    (variant,) = json.loads(capsys.readouterr().out).values()
    return variant["attacks_by_target"]


def cells_of(found: dict[str, Any]) -> dict[tuple[str, str], tuple[float, ...]]:
    return {
        (group, target): tuple(cell.values())
        for group, targets in found["groups"].items()
        for target, cell in targets.items()
        if cell["attacks"]
    }


def test_a_game_counted_by_hand(tmp_path, capsys):
    found = attacks(capsys, write_record(tmp_path / "games.jsonl", drawn_game()))
    assert list(found) == ["new", "old"]
    assert cells_of(found["new"]) == NEW
    assert cells_of(found["old"]) == OLD
    assert [(each["games"], each["attacks"], each["lost_to_landmines"]) for each in found.values()] == [
        (1, 7, 1),
        (1, 3, 0),
    ]
    assert found["old"]["groups"]["bomb"]["back"] == {"attacks": 0, "won": 0, "lost": 0, "net": None}


def test_figures_are_per_game_and_the_net_is_of_one_attack(tmp_path, capsys):
    quiet = replace(drawn_game(), game=2, moves=["resign:N"], times_ms=[0], scores=[None])
    found = attacks(capsys, write_record(tmp_path / "games.jsonl", drawn_game(), quiet))
    assert found["new"]["groups"]["high"]["front"] == {"attacks": 1.5, "won": 82.5, "lost": 0, "net": 55}
    assert (found["new"]["games"], found["new"]["lost_to_landmines"]) == (2, 0.5)


def test_an_engine_against_itself_plays_two_games_and_a_team_of_two_engines_one_each(tmp_path, capsys):
    found = attacks(capsys, write_record(tmp_path / "games.jsonl", drawn_game(S="same", N="same")))
    assert (found["same"]["games"], found["same"]["attacks"]) == (2, 5)
    names = {"S": {"name": "a"}, "N": {"name": "b"}, "E": {"name": "c"}, "W": {"name": "c"}}
    found = attacks(capsys, write_record(tmp_path / "dark.jsonl", replace(resigned_game(), engines=names)))
    assert {name: each["games"] for name, each in found.items()} == {"a": 1, "b": 1, "c": 1}
