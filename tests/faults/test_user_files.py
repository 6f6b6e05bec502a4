"""Files of the user are never harmed, and no tool shows a traceback for what comes from outside."""

import json
import sys
from pathlib import Path

import pytest

import junqi_engine as junqi
from junqi_engine.rules import lineup
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.playing.arbiter import Arbiter
from junqi_referee.playing.engine_pool import LogFolder
from junqi_referee.records.game_record import GameRecord, RecordFile, read_record
from junqi_referee.settings.schedule import Book
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
        (["check", "cmd=x", "option.Log File=a\nquit"], r"option.Log File=a\nquit must be a string of one line"),
        ([*MATCH, "option.A\nB=1"], r"option.A\nB=1 must be a string of one line"),
        (["benchmark", "--command", "foo 'bar", "folder"], "benchmark: cmd=foo 'bar: No closing quotation"),
        (["benchmark", "--command", "", "folder"], "benchmark: cmd is missing"),
        ([*MATCH, "--sprt", "elo0=0", "elo1=10000"], "elo1 (10000) must be from -2000 to 2000"),
        ([*MATCH, "--sprt", "elo0=-1e6", "elo1=0", "model=logistic"], "elo0 (-1e+06) must be from -2000 to 2000"),
        ([*MATCH, "--record", "a\0b"], "embedded null byte"),
    ],
)
def test_wrong_words_are_a_message(capsys: pytest.CaptureFixture[str], words: list[str], text: str) -> None:
    assert run(words) in (ExitCode.USAGE, ExitCode.NO_START)
    said = capsys.readouterr().err
    assert text in said and said.count("\n") == 1


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
