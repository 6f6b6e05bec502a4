"""What a record and a report say of the run: the command, the machine, its load, what the engines call themselves."""

import os
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import read_record
from tests.helpers.referee import scripted

WORDS = ["match", "--each", f"cmd={' '.join(scripted('script'))}", "st=5", "--max-plies", "4"]
WORDS += ["--engine", "name=a", "--engine", "name=b"]


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


def test_a_system_that_counts_no_load(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", fail)
    assert run([*WORDS, "--rounds", "1"]) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines()[-1].endswith(", load unknown")
