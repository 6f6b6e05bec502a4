"""Files of the user are never harmed: they are written as a whole or not at all, and what is no file is refused. And no
tool shows a traceback for what comes from outside.
"""

import json
import os
import shlex
from pathlib import Path

import pytest

import junqi_engine as junqi
from junqi_engine import files
from junqi_engine.api.game_record import GameRecord
from junqi_engine.files import read_regular, sole_writer, write_whole
from junqi_engine.rules import lineup
from junqi_referee.cli import run
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.playing.arbiter import Arbiter
from junqi_referee.records.record_file import RecordFile, read_record
from junqi_referee.settings.schedule import Book
from tests.helpers.marking import long_after
from tests.helpers.referee import SCRIPTS, play, scripted, settings

SCRIPT = " ".join(scripted("script"))
ENGINES = ("--engine", "name=one", f"cmd={SCRIPT}", "--engine", "name=other", f"cmd={SCRIPT}")


def games_in(path: Path) -> set[int]:
    return {json.loads(line)["game"] for line in path.read_text().splitlines()}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Files from other systems


def foreign(path: Path, text: str) -> Path:
    """A file with a byte-order mark and CRLF."""
    path.write_bytes(f"\ufeff{text}".replace("\n", "\r\n").encode())
    return path


def test_readers_accept_byte_order_marks_and_crlf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = junqi.Game("luzhanqi", seed=1, rules=junqi.Rules(max_plies=4))
    while not game.is_game_over():
        game.push(game.legal_moves[0])
    lines = "".join(f"{game.record(number=number)}\n" for number in (1, 2))
    record = foreign(tmp_path / "games.jsonl", lines)
    assert [one.fen() for one in junqi.read_games(record)] == [game.fen()] * 2
    assert junqi.Game.from_record("\ufeff" + game.record()).fen() == game.fen()
    assert [one.game for one in read_record(str(record))] == [1, 2]
    assert run(["replay", str(record), "1"]) == ExitCode.DONE
    with RecordFile(str(record), resume=True) as found:
        assert [one.game for one in found.games] == [1, 2] and not found.was_damaged
    book = foreign(tmp_path / "book.txt", f"{lineup.DEFAULT} # the usual one\n\n")
    assert Book.read(str(book)).lineups == (lineup.DEFAULT,)
    engines = "".join(f"--engine name={name} cmd='{shlex.join(scripted('script'))}'\n" for name in ("one", "other"))
    match = foreign(tmp_path / "match.txt", f"--rounds 1 --max-plies 4 # short\n--each st=5\n{engines}")
    assert run(["match", f"@{match}", "--book", str(book)]) == ExitCode.DONE


# Logs


def test_foreign_file_is_not_appended_to(tmp_path: Path) -> None:
    (tmp_path / "noisy-1-0.log").write_text("mine\n")
    noisy = {"name": "noisy", "cmd": scripted("noisy")}
    play(settings(noisy, SCRIPTS[1], rounds=2, max_plies=4, log=str(tmp_path)))
    assert contents(tmp_path) == {"noisy-1-0.log": b"mine\n", "noisy-1-0.2.log": b"ouch\n"}


# Records


def test_foreign_file_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("one line of somebody else\n", "one line", "[]\n", '{"name": "x"}\n', '{"games": []}', "\0\0\0", "1"):
        path.write_text(text)
        with pytest.raises(RefereeError, match=r"not written by the referee|line 1"):
            RecordFile(str(path), resume=True)
        assert contents(tmp_path) == {"notes.txt": text.encode()}


@pytest.mark.parametrize("beginning", ["{", '{"gam', '{"game":1,"variant":"siguo","moves":["g6'])
def test_first_line_that_was_cut_off_is_removed(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(beginning)
    play(settings(*SCRIPTS, rounds=1, max_plies=4, record=str(path)), resume=True)
    assert len(path.read_text().splitlines()) == 2


# Unexpected exceptions


@pytest.mark.parametrize("lineups", long_after(1, ["engine", "random"]))
def test_exception_in_one_game_does_not_end_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lineups: str
) -> None:
    original = Arbiter.play

    def play_or_fail(self: Arbiter, request: object) -> GameRecord:
        if request.plan.game == 3:  # type: ignore[attr-defined]
            raise ZeroDivisionError("a bug\nof ours")
        return original(self, request)  # type: ignore[arg-type]

    monkeypatch.setattr(Arbiter, "play", play_or_fail)
    path = tmp_path / "games.jsonl"
    words = ["match", *ENGINES, *"--rounds 3 --max-plies 4 --each st=5 --lineups".split(), lineups]
    words += ["--record", str(path)]
    assert run(words) == ExitCode.INTERNAL
    said = capsys.readouterr().err
    assert r"game 3 failed and has no result: ZeroDivisionError: a bug\nof ours at test_user_files.py:" in said
    assert games_in(path) == ({1, 2, 5, 6} if lineups == "engine" else {1, 2, 4, 5, 6})
    monkeypatch.undo()
    assert run([*words, "--resume"]) == ExitCode.DONE
    assert games_in(path) == set(range(1, 7))


# One file


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("old", [None, b"old"])
def test_file_is_written_whole(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    write_whole(path, b"new", replaces=old is not None)
    assert path.read_bytes() == b"new" and names(tmp_path) == {"file"}
    (tmp_path / "plain").touch()
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "no" / "file", b"new", replaces=old is not None)


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_replaced_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_whole(path, b"new", replaces=True)
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == mode and names(tmp_path) == {"file"}


def test_existing_file_is_kept_without_overwrite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which Windows does in its own way."""
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        write_whole(path, b"new", replaces=False)
    assert path.read_bytes() == b"mine"
    monkeypatch.setattr(files.sys, "platform", "win32")
    write_whole(path, b"new", replaces=True)
    assert path.read_bytes() == b"new" and names(tmp_path) == {"file"}


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_regular_files_are_read_or_replaced(tmp_path: Path, kind: str) -> None:
    target, path = tmp_path / "target", tmp_path / "file"
    target.write_bytes(b"mine")
    if kind == "link":
        path.symlink_to(target)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    before = names(tmp_path)
    with pytest.raises(OSError):
        write_whole(path, b"new", replaces=True)
    with pytest.raises(OSError):
        read_regular(path, 100)
    assert target.read_bytes() == b"mine" and names(tmp_path) == before


def test_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(path, 4)


@pytest.mark.parametrize("is_link", [False, True])
def test_only_one_program_writes_to_a_folder(tmp_path: Path, is_link: bool) -> None:
    folder = tmp_path / "folder"
    if is_link:
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    with (
        sole_writer(folder),
        pytest.raises(ValueError, match="another program is writing to it"),
        sole_writer(folder),
    ):
        pass
    with sole_writer(folder):
        pass
