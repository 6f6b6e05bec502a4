"""What a record and a report say of the run: the command, the machine, its load, what the engines call themselves."""

import json
import os
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord, read_record
from tests.helpers.record import resigned_game, write_record
from tests.helpers.referee import scripted

WORDS = ["match", "--each", f"cmd={' '.join(scripted('script'))}", "st=5", "--max-plies", "4"]
WORDS += ["--engine", "name=a", "--engine", "name=b"]
LAPTOP = {"machine": {"processor": "a laptop", "cores": 8}, "load": [0.5, None]}


def fail() -> None:
    raise OSError


def test_a_record_has_the_command_the_machine_and_the_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter((0.26, 1.5, 2.0, 3.004))
    monkeypatch.setattr(os, "getloadavg", lambda: (next(loads), 0, 0))
    monkeypatch.setattr("sys.argv", ["x", *WORDS, "--event", "an odd \udcff byte"])
    record = tmp_path / "games.jsonl"
    assert run([*WORDS, "--rounds", "1", "--record", str(record)]) == ExitCode.DONE
    first, second = (game.run for game in read_record(str(record)))
    assert first.keys() == {"command", "machine", "versions", "load"}
    assert first["command"].startswith("junqi-referee match --each 'cmd=")
    assert first["command"].endswith(r" --event 'an odd \udcff byte'")
    assert first["machine"].keys() == {"processor", "cores", "system", "python"}
    assert first["machine"] == second["machine"] and first["machine"]["processor"] and first["machine"]["cores"] >= 1
    assert first["versions"] == {"SN": "script", "EW": "script"}
    assert (first["load"], second["load"]) == ([0.26, 1.5], [2.0, 3.0])


def test_a_report_names_each_machine_with_its_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of games that a resumed run finds in the record, if they name theirs."""
    monkeypatch.setattr(os, "getloadavg", lambda: (1.25, 0, 0))
    record = tmp_path / "games.jsonl"
    assert run([*WORDS, "--rounds", "2", "--record", str(record)]) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines()[-1].endswith(", games 4, load 1.25 to 1.25")
    games = [json.loads(line) for line in record.read_text().splitlines()]
    games[0]["run"] = LAPTOP
    del games[1]["run"]
    record.write_text("".join(f"{json.dumps(game)}\n" for game in games))
    assert run([*WORDS, "--rounds", "2", "--record", str(record), "--resume", "--json"]) == ExitCode.DONE
    captured = capsys.readouterr()
    laptop, here = json.loads(captured.out)["machines"]
    assert laptop == {"processor": "a laptop", "cores": 8, "games": 1, "load": [0.5, 0.5]}
    assert (here["games"], here["load"]) == (2, [1.25, 1.25])
    assert "machine: a laptop, cores 8, games 1, load 0.5 to 0.5\n" in captured.err


def test_a_system_that_counts_no_load(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", fail)
    assert run([*WORDS, "--rounds", "1"]) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines()[-1].endswith(", load unknown")


def test_a_record_of_an_earlier_version_names_no_run(tmp_path: Path) -> None:
    (game,) = read_record(write_record(tmp_path / "games.jsonl", resigned_game()))
    assert game.run == {} and '"run"' not in game.as_line()


@pytest.mark.parametrize(
    "wrong", [3, {"machine": 3}, {"machine": {"cores": [2]}}, {"load": 1}, {"load": [1]}, {"load": ["1", 2]}]
)
def test_another_run_is_refused(wrong: object) -> None:
    table = json.loads(resigned_game().as_line())
    with pytest.raises(
        ValueError, match="run is not a table with a table machine, and two numbers or nulls as its load"
    ):
        GameRecord.from_line(json.dumps({**table, "run": wrong}))
