"""Files of the user are never harmed, and no tool shows a traceback for what comes from outside."""

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

import pytest

import junqi_engine as junqi
from junqi_engine.client.line_process import ErrorOutput
from junqi_engine.client.own_program import own_command
from junqi_engine.rules import lineup
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.playing.arbiter import Arbiter
from junqi_referee.playing.engine_pool import LogFolder
from junqi_referee.records.game_record import GameRecord, RecordFile, read_record
from junqi_referee.settings.schedule import Book
from tests.helpers.engine import DEADLINE_S
from tests.helpers.referee import SCRIPTS, SHORT, play, scripted, settings

NOISY = ({"name": "noisy", "cmd": scripted("noisy")}, SCRIPTS[1])
MATCH = ["match", "--rounds", "1", "--max-plies", "4", "--each", "st=5"]
MATCH += ["--engine", "name=one", f"cmd={' '.join(scripted('script'))}"]
MATCH += ["--engine", "name=other", f"cmd={' '.join(scripted('script'))}"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# What a message names


def test_a_folder_of_an_engine_that_is_missing_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    missing, file = tmp_path / "nowhere", tmp_path / "file"
    file.touch()
    for folder, reason in ((missing, "No such file or directory"), (file, "Not a directory")):
        assert run([*MATCH, "--engine", "name=third", f"cmd={scripted('script')[0]}", f"dir={folder}"]) != 0
        capsys.readouterr()
        words = ["--each", "st=5", f"dir={folder}"]
        assert run([*MATCH[:5], *words, *MATCH[7:]]) == ExitCode.NO_START
        assert f"its folder {folder}: {reason}" in capsys.readouterr().err
        with pytest.raises(junqi.EngineError, match=f"its folder {folder}: {reason}"):
            junqi.Engine(scripted("script"), folder=folder)


def test_what_the_system_refuses_is_no_wrong_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text("")

    def full(*_: object) -> NoReturn:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    assert run(["replay", str(tmp_path / "nowhere")]) == ExitCode.USAGE
    monkeypatch.setattr(Path, "read_bytes", full)
    monkeypatch.setenv("JUNQI_DEBUG", "0")
    assert run(["stats", str(record)]) == ExitCode.INTERNAL
    told = capsys.readouterr().err
    assert told.endswith(f"junqi-referee: record {record}: Too many open files\n") and "Traceback" not in told
    monkeypatch.setenv("JUNQI_DEBUG", "1")
    assert run(["replay", str(record)]) == ExitCode.INTERNAL
    told = capsys.readouterr().err
    assert told.startswith("Traceback") and told.endswith(f"junqi-referee: record {record}: Too many open files\n")


# Files from other systems

MARKED = ("\ufeff", "\r\n")
"""A byte-order mark, and the ends of lines, as other systems write them."""


def foreign(path: Path, text: str) -> Path:
    mark, end = MARKED
    path.write_bytes((mark + text.replace("\n", end)).encode())
    return path


def test_every_reader_takes_a_byte_order_mark_and_other_ends_of_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = junqi.Game("luzhanqi", seed=1, rules=junqi.Rules(max_plies=4))
    while not game.is_game_over():
        game.push(game.legal_moves[0])
    lines = "".join(f"{game.record(number=number)}\n" for number in (1, 2))
    record = foreign(tmp_path / "games.jsonl", lines)
    assert [one.fen() for one in junqi.read_games(record)] == [game.fen()] * 2
    assert junqi.Game.from_record("\ufeff" + game.record()).fen() == game.fen()
    assert [one.game for one in read_record(str(record))] == [1, 2]
    for command in (["replay", record, 1], ["stats", record]):
        assert run([*map(str, command)]) == ExitCode.DONE
    contest = tmp_path / "contest.txt"
    assert run(["convert", str(record), "--write", str(contest)]) == ExitCode.DONE
    foreign(contest, contest.read_text())
    capsys.readouterr()
    assert run(["convert", str(contest)]) == ExitCode.DONE
    assert junqi.Game.from_record(capsys.readouterr().out.splitlines()[0]).fen() == game.fen()
    with RecordFile(str(record), resume=True) as found:
        assert [one.game for one in found.games] == [1, 2] and found.damaged_path is None
    book = foreign(tmp_path / "book.txt", f"{lineup.DEFAULT} # the usual one\n\n")
    assert Book.read(str(book)).lineups == (lineup.DEFAULT,)
    engines = "".join(
        f"[[engine]]\nname = '{name}'\ncmd = {json.dumps(scripted('script'))}\n" for name in ("one", "other")
    )
    match = foreign(tmp_path / "match.toml", f"[match]\nrounds = 1\nmax_plies = 4\n[each]\nst = 5\n{engines}")
    assert run(["match", str(match), "--book", str(book)]) == ExitCode.DONE


def test_an_engine_may_begin_with_a_byte_order_mark() -> None:
    code = "import sys; print('\\ufeffuciok', flush=True)\nfor line in sys.stdin: print('readyok', flush=True)"
    junqi.Engine([sys.executable, "-X", "utf8", "-c", code], patience=SHORT).close()


# Logs


def test_an_empty_file_in_the_log_folder_is_kept(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("mine.log", "one-1-0.log", "notes.txt"):
        (logs / name).touch()
    play(settings(*SCRIPTS, rounds=1, max_plies=4, log=str(logs)))
    assert contents(logs) == {"mine.log": b"", "one-1-0.log": b"", "notes.txt": b""}


def test_an_empty_log_folder_of_the_user_is_kept(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    play(settings(*SCRIPTS, rounds=1, max_plies=4, log=str(logs)))
    assert logs.is_dir() and not contents(logs)
    play(settings(*SCRIPTS, rounds=1, max_plies=4, log=str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()


def test_a_file_of_the_user_is_not_appended_to(tmp_path: Path) -> None:
    (tmp_path / "noisy-1-0.log").write_text("mine\n")
    play(settings(*NOISY, rounds=2, max_plies=4, log=str(tmp_path)))
    assert contents(tmp_path) == {"noisy-1-0.log": b"mine\n", "noisy-1-0.2.log": b"ouch\n"}


def test_a_log_does_not_grow_without_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that writes a megabyte, each time when it is started, is not stopped by it."""
    monkeypatch.setattr("junqi_engine.client.line_process.MAX_COPY_BYTES", 1000)
    noisy = {"name": "noisy", "cmd": scripted("noisy", "200000")}
    for number in (1, 2):
        tournament, _ = play(settings(noisy, SCRIPTS[1], rounds=1, max_plies=4, log=str(tmp_path / str(number))))
        assert {game.ending for game in tournament.finished.values()} == {Ending.MAX_PLIES}
        full = b"ouch\n" * 200 + b"\n(the log is full; the rest is dropped)\n"
        assert contents(tmp_path / str(number)) == {"noisy-1-0.log": full}
    logs = LogFolder(str(tmp_path / "logs"))

    def outputs(name: str, count: int) -> list[ErrorOutput]:
        """What this many processes of an engine write to its log."""
        descriptors = [logs.open(name) for _ in range(count)]
        made = [ErrorOutput(descriptor) for descriptor in descriptors]
        for descriptor in descriptors:
            os.close(descriptor)
        return made

    for _ in range(3):
        (output,) = outputs("x", 1)
        os.write(output.input, b"a" * 600)
        output.close_input()
        output.wait(DEADLINE_S)
    both = outputs("two", 2)
    for _ in range(3):
        for output in both:
            os.write(output.input, b"a" * 400)
            time.sleep(0.05)
    for output in both:
        output.close_input()
        output.wait(DEADLINE_S)
    assert logs.close()
    size = 1000 + len("\n(the log is full; the rest is dropped)\n")
    assert {name: len(log) for name, log in contents(tmp_path / "logs").items()} == {"x.log": size, "two.log": size}


def test_a_log_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    logs = LogFolder(str(tmp_path / "logs"))
    (tmp_path / "logs").rmdir()
    with pytest.raises(RefereeError, match=r"log .*/logs/x: No such file or directory") as error:
        logs.open("x")
    assert error.value.code == ExitCode.INTERNAL


# Records


@pytest.mark.parametrize(
    "foreign", ["one line of somebody else\n", "one line", "[]\n", '{"name": "x"}\n', '{"games": []}', "\0\0\0", "1"]
)
def test_a_foreign_file_is_not_resumed(tmp_path: Path, foreign: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(foreign)
    with pytest.raises(RefereeError, match=r"it holds no game record, so it was not written by the referee|line 1"):
        RecordFile(str(path), resume=True)
    assert contents(tmp_path) == {"notes.txt": foreign.encode()}


@pytest.mark.parametrize("beginning", ["{", '{"gam', '{"game":1,"variant":"siguo","moves":["g6'])
def test_a_first_line_that_was_cut_off_is_moved_away(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(beginning)
    (tmp_path / "games.jsonl.damaged").write_text("mine\n")
    play(settings(*SCRIPTS, rounds=1, max_plies=4, record=str(path)), resume=True)
    assert len(path.read_text().splitlines()) == 2
    assert (tmp_path / "games.jsonl.damaged").read_text() == "mine\n"
    assert (tmp_path / "games.jsonl.damaged2").read_text() == beginning + "\n"


def test_a_command_that_is_not_text_is_recorded_and_a_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = own_command("junqi_referee", *MATCH, "--record", str(path), "--json")

    def run_with(place: str, odd: str) -> subprocess.CompletedProcess[bytes]:
        command = [os.fsencode(word.replace(place, f"{place}{odd}")) for word in words]
        return subprocess.run(command, capture_output=True, timeout=DEADLINE_S)

    done = run_with("name=one", "\udcff\x1b[2J")
    assert done.returncode == ExitCode.USAGE and done.stderr.count(b"\n") == 1
    assert rb"name='one\udcff\x1b[2J' has a character that cannot be printed" in done.stderr
    assert not path.exists()
    done = run_with(" ".join(scripted("script")), " \udcff\x1b[2J")
    assert done.returncode == 0, done.stderr
    games = [GameRecord.from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all("\udcff\x1b[2J" in game.engines["SN"]["command"] for game in games)
    done = subprocess.run(own_command("junqi_referee", "replay", str(path)), capture_output=True, timeout=DEADLINE_S)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_long_name_fits_into_the_name_of_a_log(tmp_path: Path) -> None:
    engines = ({"name": "军" * 95, "cmd": scripted("noisy", "10")}, SCRIPTS[1])
    play(settings(*engines, rounds=1, max_plies=4, log=str(tmp_path)))
    assert [len(name.encode()) < 120 for name in contents(tmp_path)] == [True]


# Links


def test_a_dangling_link_is_not_written_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.jql").symlink_to(tmp_path / "elsewhere")
    letters = "cbfahdehgegidcfkjkijgjhli"
    assert run(["lineup", letters, "--write", str(tmp_path / "x.jql")]) == ExitCode.USAGE
    assert "File exists" in capsys.readouterr().err
    assert not (tmp_path / "elsewhere").exists()


# Words of the command line


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["check", "cmd=foo 'bar"], "check: cmd=foo 'bar: No closing quotation"),
        (["check", "cmd="], "check: cmd is missing"),
        (["check", "cmd=''"], "check: cmd is missing"),
        (["check", "dir=/"], "check: cmd is missing"),
        ([*MATCH, "--sprt", "elo0=0", "elo1=10000"], "elo1 (10000) must be from -2000 to 2000"),
        ([*MATCH, "--sprt", "elo0=-1e6", "elo1=0", "model=logistic"], "elo0 (-1e+06) must be from -2000 to 2000"),
        ([*MATCH, "--record", "a\0b"], "embedded null byte"),
    ],
)
def test_wrong_words_are_a_message(capsys: pytest.CaptureFixture[str], words: list[str], text: str) -> None:
    assert run(words) in (ExitCode.USAGE, ExitCode.NO_START)
    said = capsys.readouterr().err
    assert text in said and said.count("\n") == 1


def test_a_record_with_broken_text_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    play(settings(*SCRIPTS, rounds=1, max_plies=4, record=str(path)))
    path.write_text(path.read_text().replace('"detail":""', '"detail":"\\ud800\\u001b[2J"'))
    for words in ([], ["1"]):
        assert run(["replay", str(path), *words]) == ExitCode.DONE
        assert "\x1b" not in capsys.readouterr().out


# Unexpected exceptions


@pytest.mark.parametrize("lineups", ["random", "engine"])
def test_an_exception_in_one_game_ends_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lineups: str
) -> None:
    original = Arbiter.play

    def play_or_fail(self: Arbiter, request: object) -> GameRecord:
        if request.plan.game == 3:  # type: ignore[attr-defined]
            raise ZeroDivisionError("a bug\nof ours")
        return original(self, request)  # type: ignore[arg-type]

    monkeypatch.setattr(Arbiter, "play", play_or_fail)
    path = tmp_path / "games.jsonl"
    words = [*MATCH, "--lineups", lineups, "--record", str(path)]
    words[words.index("--rounds") + 1] = "3"
    assert run(words) == ExitCode.INTERNAL
    said = capsys.readouterr().err
    assert r"game 3 failed and has no result: ZeroDivisionError: a bug\nof ours at test_user_files.py:" in said
    games = {json.loads(line)["game"] for line in path.read_text().splitlines()}
    assert games == ({1, 2, 5, 6} if lineups == "engine" else {1, 2, 4, 5, 6})
    monkeypatch.undo()
    assert run([*words, "--resume"]) == ExitCode.DONE
    assert {json.loads(line)["game"] for line in path.read_text().splitlines()} == set(range(1, 7))
