"""`junqi-referee stats`: counts of games that can be counted by hand, and the reports."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.pieces import FLAG, KINDS, LIEUTENANT, MARSHAL, MINE, Outcome
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_referee.stats.play import Event, Phase, PlayCounts
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


def stats(capsys, *arguments: str) -> dict:
    assert run(["stats", *arguments, "--json"]) == ExitCode.DONE
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


# Counts


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
