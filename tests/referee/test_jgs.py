"""The referee reads `.jgs` files."""

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode
from junqi_referee.records.record_file import read_record
from junqi_referee.records.replay import verify
from tests.helpers.jgs import DRAW, WIN, event, game_file, move

TAKES = move("k6", "l7", 3)
"""A Lieutenant meets a Major General: the attacker is removed."""


@pytest.mark.parametrize(
    ("events", "named"),
    [
        ([move("i6", "g7")], "event 1: 'i6g7' is not legal"),
        ([move("i6", "i7"), move("g6", "g7")], "event 2: 'g6g7' is not legal: "),
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
def test_file_that_breaks_the_rules_is_refused(tmp_path, capsys, events, named):
    path = tmp_path / "x.jgs"
    path.write_bytes(game_file(*events))
    assert run(["convert", str(path)]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert captured.err.startswith(f"junqi-referee: record {path}: {named}")
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_names_are_kept_on_request_only(tmp_path, capsys):
    names = ["甲".encode("gb18030"), b"b", b"", b"d"]
    path = tmp_path / "x.jgs"
    path.write_bytes(game_file(move("i6", "i7"), event(*DRAW), names=names))
    assert run(["convert", str(path)]) == ExitCode.DONE
    plain = GameRecord.from_line(capsys.readouterr().out)
    assert plain.engines == {"SN": {"name": "SN"}, "EW": {"name": "EW"}}
    assert run(["convert", str(path), "--names"]) == ExitCode.DONE
    named = GameRecord.from_line(capsys.readouterr().out)
    assert [named.engines[seat]["name"] for seat in "SENW"] == ["甲", "b", "", "d"]


def test_files_of_a_folder_become_one_record(tmp_path, capsys):
    """A resignation and a passed turn among the moves."""
    events = [move("i6", "i7"), event(0xF5, 2, 3), event(0xF5, 3, 2, 4), event(0xF5, 4, 2), event(0xF5, 4, 1)]
    for name in ("a/1.jgs", "b.JGS"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(game_file(*events, event(*DRAW)))
    again = tmp_path / "again.jsonl"
    assert run(["convert", str(tmp_path), "--write", str(again)]) == ExitCode.DONE
    games = read_record(str(again))
    assert [game.game for game in games] == [1, 2] and all(verify(game) is None for game in games)
    assert [" ".join(game.moves) for game in games] == ["i6i7 pass:E resign:N resign:W"] * 2
    assert {(game.result, game.ending) for game in games} == {("draw", Ending.AGREED)}
    assert capsys.readouterr() == ("", "")
