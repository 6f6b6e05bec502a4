"""The report of a match for programs: faults by name and as exit code, and the machine."""

import json
import os
import shlex
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode
from junqi_referee.records.record_file import read_record
from tests.helpers.referee import scripted

SOUND, DEAD = (shlex.join(scripted(name)) for name in ("script", "dies_on_go"))


def match(one: str, other: str, *words: str) -> list[str]:
    engines = ["--engine", "name=one", f"cmd={one}", "--engine", "name=other", f"cmd={other}"]
    return ["match", *engines, "--each", "nodes=1", "--no-contact", "4", *words]


def test_last_line_names_engines_at_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(match(SOUND, DEAD, "--json")) == ExitCode.DONE
    captured = capsys.readouterr()
    assert "  Elo inf (95%: -inf to inf), nElo inf\n" in captured.err and "+/- inf" not in captured.err
    expected = "FAULTS 2 of 2 games were lost by an engine's fault: other 2 (disconnect 2)"
    assert captured.err.splitlines()[-1] == expected
    assert json.loads(captured.out)["faults"] == {"other": {"disconnect": 2}}
    assert run(match(SOUND, SOUND)) == ExitCode.DONE
    assert "FAULTS" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("one", "other", "words", "code"),
    [
        (DEAD, SOUND, "H0", ExitCode.FAILED),
        (SOUND, DEAD, "H0,faults", ExitCode.FAILED),
        (SOUND, SOUND, "undecided", ExitCode.FAILED),
        (SOUND, SOUND, "H0,faults", ExitCode.DONE),
    ],
)
def test_fail_on_tests_the_decision(one: str, other: str, words: str, code: ExitCode) -> None:
    rounds = "2" if words == "undecided" else "8"
    test = ["--sprt", "elo0=-200", "elo1=0", "--rounds", rounds]
    assert run(match(one, other, *test, "--fail-on", words)) == code


def test_limits_are_named_and_score_has_interval(capsys: pytest.CaptureFixture[str]) -> None:
    words = match(SOUND, SOUND, "--rounds", "2")
    assert run(words) == ExitCode.DONE
    assert "limits" not in capsys.readouterr().out
    assert run([*words[:4], "depth=1", *words[4:]]) == ExitCode.DONE
    shown = capsys.readouterr().out
    assert "limits: one nodes=1 depth=1; other nodes=1\n" in shown and "score 50.00 % (95%: " in shown


# ci


def ci(one: str, other: str, *words: str) -> list[str]:
    engines = ["--engine", f"cmd={one}", "--against", f"cmd={other}"]
    return ["ci", *engines, "--each", "nodes=1", "--no-contact", "4", *words]


@pytest.mark.parametrize(("one", "other"), [(SOUND, DEAD), (DEAD, SOUND)])
def test_ci_fails_on_fault_of_either_engine(one: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ci(one, other, "--rounds", "1", "--sprt", "elo0=-50", "elo1=0")) == ExitCode.FAILED
    shown = capsys.readouterr().out
    assert "FAILED  new vs old: no game may be lost by a fault (2 by disconnect)" in shown
    assert "PASSED  new vs old: LLR " in shown and "passes with H1 or undecided" in shown


@pytest.mark.parametrize("flag", ["--engine", "--against"])
def test_ci_refuses_more_than_two_engines(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ci(SOUND, SOUND), flag, "cmd=third"]) == ExitCode.USAGE
    assert f"ci plays one engine against another, but {flag} is given 2 times" in capsys.readouterr().err


def test_ci_passes_undecided_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ci(SOUND, SOUND, "--rounds", "1", "--json")) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["engines"] == ["new", "old"] and [bound["holds"] for bound in found["bounds"]] == [True, True]
    assert (found["sprt"]["elo0"], found["sprt"]["elo1"], found["sprt"]["verdict"]) == (-50, 0, "continue")


# Records and reports of the run


def test_record_has_command_machine_and_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = match(SOUND, SOUND, "--rounds", "1")
    loads = iter((0.26, 1.5, 2.0, 3.004))
    monkeypatch.setattr(os, "getloadavg", lambda: (next(loads), 0, 0))
    monkeypatch.setattr("sys.argv", ["x", *words, "--log", "an odd \udcff byte"])
    record = tmp_path / "games.jsonl"
    assert run([*words, "--record", str(record)]) == ExitCode.DONE
    first, second = (game.run for game in read_record(str(record)))
    assert first.keys() == {"command", "machine", "versions", "load"}
    assert first["command"].startswith("junqi-referee match --engine name=one 'cmd=")
    assert first["command"].endswith(r" --log 'an odd \udcff byte'")
    assert first["machine"].keys() == {"processor", "cores", "system", "python"}
    assert first["machine"] == second["machine"] and first["machine"]["processor"] and first["machine"]["cores"] >= 1
    assert first["versions"] == {"SN": "script", "EW": "script"}
    assert (first["load"], second["load"]) == ([0.26, 1.5], [2.0, 3.0])


def test_load_may_be_unknown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError

    monkeypatch.setattr(os, "getloadavg", fail)
    assert run(match(SOUND, SOUND)) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines()[-1].endswith(", load unknown")
