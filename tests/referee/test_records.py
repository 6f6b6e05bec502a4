"""Records: they keep all games, a cut-off line is removed, a match resumes at their end; turns that pass."""

import json
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.line_process import own_command
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.full_game import FullGame, IllegalMove
from junqi_referee.records.record_file import RecordFile, read_record
from tests.helpers.engine import DEADLINE_S, SLACK
from tests.helpers.marking import long_after
from tests.helpers.referee import ENGINES, ROOT, SCRIPTS, play, processes_with, refused, scripted, settings
from tests.helpers.waiting import until


def game(number: int, **changes) -> GameRecord:
    fields = {
        "game": number,
        "variant": "siguo",
        "visibility": "partner",
        "engines": {},
        "seed": 0,
        "rules": asdict(Rules.of(SIGUO)),
        "lineups": {},
        "first": "S",
        "moves": ["g6g7"],
        "times_ms": [1],
        "scores": ["cp 3"],
        "result": "SN",
        "ending": Ending.FLAG,
        "detail": "司令",
    }
    return GameRecord(**{**fields, **changes})


def without_times(path) -> list[dict]:
    games = [json.loads(line) for line in path.read_text().splitlines()]
    for entry in games:
        del entry["times_ms"], entry["date"], entry["run"]
    return sorted(games, key=lambda entry: entry["game"])


def test_record_line_round_trips():
    assert GameRecord.from_line(game(7).as_line()) == game(7)


@pytest.mark.parametrize("tail", ['{"game": 3, "varia', "\0\0\0\0", "[]", '{"game": 3}', game(3).as_line()[:-1], ""])
def test_damaged_last_line_is_removed(tmp_path, tail):
    """A complete line that lacks only its newline is kept."""
    path = tmp_path / "games.jsonl"
    whole = game(1).as_line() + "\n" + game(2).as_line()
    path.write_text(f"{whole}\n{tail}" if tail else whole)
    with RecordFile(str(path), resume=True) as record:
        assert [entry.game for entry in record.games] == [1, 2]
        assert record.was_damaged == bool(tail)
        record.append(game(3))
    assert path.read_text() == f"{whole}\n{game(3).as_line()}\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"game": 2}', "variant is missing"),
        ("hello", "not JSON: Expecting value at column 1"),
        (game(1).as_line(), "game 1 is in line 1"),
        (game(2).as_line().replace('"flag"', '"bored"'), "ending='bored' is not one of flag, no-moves, resigned"),
        (game(2, rules={"version": 3}).as_line(), "rules: version: 3 is not one of 1, 2"),
        (game(2, comments={"2": "x"}).as_line(), "comments.* is not .*number of a move"),
        (game(2, comments=["x"]).as_line(), "comments is not a table of strings"),
        (game(2, seed=None).as_line(), "seed is not a whole number or 32 hexadecimal digits"),
    ],
)
def test_whole_line_that_is_not_a_record_is_an_error(tmp_path, line, reason):
    path = tmp_path / "games.jsonl"
    for content in (f"{game(1).as_line()}\n{line}\n", f"{game(1).as_line()}\n{line}\n{game(3).as_line()}\n"):
        path.write_text(content)
        with pytest.raises(RefereeError, match=f"line 2: {reason}"):
            read_record(str(path))
    with pytest.raises(RefereeError, match=f"line 2: {reason}"):
        RecordFile(str(path), resume=True)
    assert path.read_text() == content


def test_record_with_games_needs_resume_and_one_referee(tmp_path):
    path = str(tmp_path / "games.jsonl")
    with RecordFile(path, resume=False) as record, pytest.raises(RefereeError, match="another referee"):
        record.append(game(1))
        RecordFile(path, resume=True)
    with pytest.raises(RefereeError, match="--resume"):
        RecordFile(path, resume=False)


@pytest.mark.parametrize("seed", [{}, {"seed": 0}], ids=["secret", "number"])
def test_resumed_match_equals_uninterrupted_match(tmp_path, seed):
    """It takes the seed of its record, which may be the 0 of runs of earlier versions without a seed."""
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    play(settings(*SCRIPTS, rounds=5, max_plies=30, record=str(whole), **seed))
    lines = whole.read_text().splitlines(keepends=True)
    cut.write_text("".join([*lines[:2], *lines[4:7], lines[7][:40]]))
    tournament, said = play(settings(*SCRIPTS, rounds=5, max_plies=30, record=str(cut)), resume=True)
    assert without_times(cut) == without_times(whole)
    assert len({entry["seed"] for entry in without_times(whole)}) == 1
    assert "was damaged" in said
    assert tournament.standings.games == 10


@pytest.mark.parametrize("is_there", [False, True])
def test_record_is_readable_by_owner_only(tmp_path, is_there):
    path = tmp_path / "games.jsonl"
    if is_there:
        path.touch(0o644)
    play(settings(*SCRIPTS, rounds=1, max_plies=2, record=str(path)))
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("seed", ["a" * 31, "A" * 32, "a" * 33, -1, True, 1 << 63, 1.5])
def test_seed_is_a_number_or_a_secret(seed):
    with pytest.raises(ValueError, match="seed is not a whole number or 32 hexadecimal digits"):
        GameRecord.from_line(game(1, seed=seed).as_line())
    with pytest.raises(RefereeError, match=r"is not a whole number .*, nor the 32 hexadecimal digits of"):
        settings(*SCRIPTS, seed=seed)
    assert GameRecord.from_line(game(1, seed="a" * 32).as_line()).seed == "a" * 32


def test_record_of_other_settings_is_refused(tmp_path):
    asked = {"rounds": 2, "max_plies": 30, "record": str(tmp_path / "games.jsonl")}
    play(settings(*SCRIPTS, **asked))
    for change, named in (
        ({"seed": 9}, "seed"),
        ({"rounds": 1}, "these settings have only 2 games"),
        ({"max_plies": 31}, "rules"),
        ({"each": {"st": 0.2}}, "limits"),
        ({"lineups": "random"}, "lineups"),
        ({"visibility": "open"}, "visibility"),
    ):
        with pytest.raises(RefereeError, match=named):
            play(settings(*SCRIPTS, **{**asked, **change}), resume=True)


def referee(*words: str) -> subprocess.Popen:
    return subprocess.Popen(
        own_command("junqi_referee", *words),
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def sleeps(process: subprocess.Popen) -> bool:
    """True if all threads of a process wait."""
    tasks = [path.read_text() for path in Path(f"/proc/{process.pid}/task").glob("*/stat")]
    return all(task.rpartition(")")[2].split()[0] == "S" for task in tasks)


WAITS = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import script
def go(position, words):
    Path(sys.argv[2]).touch()
    while not Path(sys.argv[3]).exists():
        time.sleep(0.01)
    script.answer(position, words)
script.serve(go)
"""
"""An engine that reports each `go`, and answers it when it is allowed to."""


def waiting(tmp_path) -> tuple[str, Path, Path]:
    """The command of `WAITS`, the file that it makes at a `go`, and the file that allows the answer."""
    program, asked, may_answer = tmp_path / "waits.py", tmp_path / "asked", tmp_path / "may-answer"
    program.write_text(WAITS)
    return shlex.join([sys.executable, str(program), str(ENGINES), str(asked), str(may_answer)]), asked, may_answer


@pytest.mark.parametrize("number", long_after(1, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_ctrl_c_ends_match_within_a_second(tmp_path, number):
    path = tmp_path / "games.jsonl"
    engine, asked, _ = waiting(tmp_path)
    sound = " ".join(scripted("script"))
    words = ["--engine", f"cmd={sound}", "name=a", "--engine", f"cmd={sound}", "name=b", "--engine", f"cmd={engine}"]
    process = referee("tournament", *words, "name=c", "--each", "st=100", "--concurrency", "2", "--record", str(path))
    until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 2)
    until(asked.exists)
    until(lambda: sleeps(process))  # both games are counted, not only written
    began = time.monotonic()
    process.send_signal(number)
    _, stderr = process.communicate(timeout=DEADLINE_S)
    assert time.monotonic() - began < 1.0 * SLACK
    assert process.returncode == ExitCode.INTERRUPTED
    assert "2 of 6 games are in" in stderr
    assert stderr.rstrip().endswith("--resume")
    assert processes_with("waits.py") == []
    assert all(entry.ending != Ending.INTERRUPTED for entry in read_record(str(path)))


def test_killed_referee_leaves_no_engine_and_can_resume(tmp_path):
    path = tmp_path / "games.jsonl"
    sound = shlex.join(scripted("script"))
    words = [word for name in "ab" for word in ("--engine", f"cmd={sound}", f"name={name}")]
    words = ["match", *words, "--each", "st=100", "--rounds", "40", "--concurrency", "2", "--record", str(path)]
    process = referee(*words)
    until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
    process.kill()
    process.communicate(timeout=DEADLINE_S)
    until(lambda: processes_with(str(ENGINES), looks=1) == [])
    before = path.read_bytes()
    before = before[: before.rfind(b"\n") + 1]
    assert 3 <= before.count(b"\n") < 80
    assert run([*words, "--resume"]) == ExitCode.DONE
    assert path.read_bytes().startswith(before)
    assert sorted(entry.game for entry in read_record(str(path))) == list(range(1, 81))


def test_game_is_repeated_after_suspension_of_referee(tmp_path):
    engine, asked, may_answer = waiting(tmp_path)
    words = [word for name in "ab" for word in ("--engine", f"cmd={engine}", f"name={name}")]
    process = referee("match", *words, "--each", "st=2", "--max-plies", "6", "--rounds", "1")
    until(asked.exists)
    until(lambda: sleeps(process))  # it waits for the answer
    process.send_signal(signal.SIGSTOP)
    may_answer.touch()
    time.sleep(2.5)  # longer than the engine may think
    process.send_signal(signal.SIGCONT)
    stdout, stderr = process.communicate(timeout=DEADLINE_S)
    assert "game 1 is played again: this program was stopped for" in stderr
    assert "endings: max-plies 2" in stdout and process.returncode == ExitCode.DONE


def test_ratings_of_record_equal_its_match(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    words = [word for name in "ab" for word in ("--engine", f"cmd={shlex.join(scripted('script'))}", f"name={name}")]
    asked = ["match", *words, "--each", "nodes=1", "--rounds", "2", "--max-plies", "6", "--record", str(path)]
    assert run(asked) == ExitCode.DONE
    said = capsys.readouterr().out.split("machine:")[0]
    assert run(["ratings", str(path)]) == ExitCode.DONE
    assert capsys.readouterr().out == said and "DrawRatio 100.00 %, PairsRatio -, pairs 2" in said
    assert run(["ratings", str(path), str(path), "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == {"engines", "games", "endings", "faults", "pairings", "sprt"}
    assert [one["pentanomial"] for one in found["pairings"]] == [[0, 0, 4, 0, 0]]
    path.write_text("")
    assert "no finished game" in refused(capsys, "ratings", str(path))


def test_ratings_leave_out_games_of_one_name(tmp_path, capsys):
    path, mixed = tmp_path / "games.jsonl", tmp_path / "mixed.jsonl"
    words = [word for name in "ab" for word in ("--engine", f"cmd={shlex.join(scripted('script'))}", f"name={name}")]
    assert run(["match", *words, "--each", "nodes=1", "--max-plies", "6", "--record", str(path)]) == ExitCode.DONE
    first, second = path.read_text().splitlines()
    path.write_text(first.replace('"name":"b"', '"name":"a"') + "\n")
    mixed.write_text(first + "\n" + second.replace('"name":"b"', '"name":"a"') + "\n")
    left_out = "games whose two teams have one name are left out: 1"
    capsys.readouterr()
    assert left_out in refused(capsys, "ratings", str(path), code=ExitCode.FAILED)
    assert run(["ratings", str(mixed)]) == ExitCode.FAILED
    captured = capsys.readouterr()
    assert left_out in captured.err and "a against b\n  games 1:" in captured.out


def test_pass_moves_the_turn_and_is_not_a_ply() -> None:
    full = FullGame("siguo", dict.fromkeys("SENW", lineup.DEFAULT), "S", Rules())
    for text, seats, message in (
        ("pass:E", None, "'pass:E' is not legal: S is to move"),
        ("pass:S", "SN", "'pass:S' is not legal: a player cannot pass"),
        ("pass:X", None, "X is not a seat"),
        ("pass:S#E", None, "has a suffix, which only the referee may add"),
    ):
        with pytest.raises(IllegalMove, match=message):
            full.play(text, seats)
        assert (full.turn, full.moves) == ("S", [])
    assert full.play("pass:S") == "pass:S"
    assert (full.turn, full.ply, full.result) == ("E", 0, None)
    full.play("l7m8", "EW")
    assert full.position_line("SN").endswith(" viewer SN moves pass:S l7m8")
    assert [full.view(viewer).ply for viewer in ("SN", "EW", "*")] == [1, 1, 1]
