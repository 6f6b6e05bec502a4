"""`junqi-referee stats`: counts of games that can be counted by hand, attacks of a drawn game, the reports."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import FLAG, KINDS, LIEUTENANT, MARSHAL, MINE, Outcome
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_referee.stats.play import Event, Phase, PlayCounts
from junqi_referee.truth import Truth
from tests.helpers.drawing import assert_drawn
from tests.helpers.record import record_of, resigned_game, start, write_record

MIRRORED = lineup.mirror(lineup.DEFAULT)


def small_game() -> GameRecord:
    """Six plies: a Lieutenant that loses, a step into a campsite, four quiet moves; a pass and two resignations."""
    truth = start()
    for text in ("k6l7", "l9m8", "pass:N", "f9g9", "i6i7", "m8l9", "resign:N", "g9f9", "resign:W", "resign:E"):
        truth.play(text)
    return record_of(truth)


def counts_of(*games: GameRecord, is_mirrored: bool = False) -> PlayCounts:
    counts = PlayCounts(SIGUO, is_mirrored)
    for game in games:
        counts.add(game)
    return counts


def test_a_game_counted_by_hand():
    counts = counts_of(small_game())
    assert (counts.games, counts.lengths, counts.longest_quiet) == (1, [6], [5])
    assert counts.total(Event.PLY) == 6
    assert counts.total(Event.ATTACK) == 1
    assert counts.total(Event.ATTACK, Phase.OPENING, "S", LIEUTENANT) == 1
    assert counts.total(Event.CAMPSITE) == counts.total(Event.CAMPSITE, seats="EW") == 1
    assert [counts.total(Event.PLY, phase) for phase in Phase] == [2, 2, 2]
    assert [counts.total(Event.PLY, seats=seat) for seat in "SENW"] == [2, 2, 0, 2]
    assert counts.outcomes == {Outcome.DEFENDER_WON: 1}
    assert counts.passes == {"N": 1}
    assert counts.eliminations == {("N", "resigned"): 1, ("W", "resigned"): 1, ("E", "resigned"): 1}
    assert counts.endings == {"resigned": 1}
    assert counts.results == {"SN": 1}


def test_lineups_by_place_and_mirrored():
    game = small_game()
    game = replace(game, lineups={**game.lineups, "S": MIRRORED})
    counts = counts_of(replace(game, moves=[]))
    assert counts.lineups == 4
    assert counts.frequency(FLAG, 23) == 0.75
    assert counts.frequency(FLAG, 21) == 0.25
    assert counts.in_row(MARSHAL, 0) == counts.frequency(MARSHAL, 3) + counts.frequency(MARSHAL, 1) == 1
    assert counts.in_row(MINE, 4) == pytest.approx(2 / 3)
    assert all(sum(counts.frequency(kind, place) for kind in range(KINDS)) == 1 for place in range(25))
    mirrored = counts_of(replace(game, moves=[]), is_mirrored=True)
    assert mirrored.frequency(FLAG, 21) == 1
    assert mirrored.beside_flag == counts.beside_flag == {MINE: 4}


# Reports


def test_the_heat_map_is_an_svg_with_every_point(tmp_path, capsys):
    record = write_record(tmp_path / "games.jsonl", small_game())
    path = tmp_path / "x.svg"
    assert run(["stats", record, "--svg", str(path)]) == ExitCode.DONE
    root = ElementTree.fromstring(path.read_text())
    count = {name: sum(element.tag.endswith(name) for element in root.iter()) for name in ("rect", "circle")}
    assert count == {"rect": 1 + 12 * 25, "circle": 12 * 5}
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[0] == "Where the pieces start in Siguo: games 1, line-ups 4"
    assert texts.count("100") == 25
    capsys.readouterr()
    assert run(["stats", record, "--svg", str(path)]) == ExitCode.USAGE
    assert capsys.readouterr().err == f"junqi-referee: {path} exists; --overwrite replaces it\n"
    assert run(["stats", record, "--svg", str(path), "--mirror", "--overwrite"]) == ExitCode.DONE
    assert "mirrored so that the flag is on the left" in path.read_text()


# Bad input


def test_games_that_cannot_be_counted(tmp_path, capsys):
    good, wrong = small_game(), replace(resigned_game(), game=2, result="EW")
    unfinished = replace(record_of(start()), game=3)
    record = write_record(tmp_path / "games.jsonl", good, wrong, unfinished)
    assert run(["stats", record]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert captured.out.startswith("siguo: games 1, plies 6")
    assert captured.err.splitlines() == [
        "junqi-referee: unfinished games, not counted: 1",
        "junqi-referee: game 2 is not counted: EW by resigned is recorded, SN by resigned was played",
    ]
    record = write_record(tmp_path / "games.jsonl", unfinished)
    assert run(["stats", record]) == ExitCode.FAILED
    assert capsys.readouterr().err == f"junqi-referee: stats: no finished games in {record}\n"


# Attacks by what the target has shown

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


def drawn_game() -> GameRecord:
    truth = Truth("luzhanqi", LINEUPS, "S", Rules())
    assert_drawn(truth.view("*"), BOARD)
    moves = [text for line in MOVES.split("\n") for text in line.split("  ")[0].split()]
    for text in [*moves, "resign:N"]:
        assert truth.play(text.partition("!")[0].rstrip("xo=")) == text
    return record_of(truth, engines={"S": {"name": "new"}, "N": {"name": "old"}})


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


def test_attacks_counted_by_hand(tmp_path, capsys):
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
