"""Files of the user are never harmed, and no tool shows a traceback for what comes from outside."""

import json
from pathlib import Path

import pytest

import junqi_engine as junqi
from junqi_engine.rules import lineup
from junqi_referee.cli import run
from junqi_referee.exits import ExitCode, RefereeError
from junqi_referee.playing.arbiter import Arbiter
from junqi_referee.records.game_record import GameRecord, RecordFile, read_record
from junqi_referee.settings.schedule import Book
from tests.helpers.referee import SCRIPTS, play, scripted, settings

NOISY = ({"name": "noisy", "cmd": scripted("noisy")}, SCRIPTS[1])
MATCH = ["match", "--rounds", "1", "--max-plies", "4", "--each", "st=5"]
MATCH += ["--engine", "name=one", f"cmd={' '.join(scripted('script'))}"]
MATCH += ["--engine", "name=other", f"cmd={' '.join(scripted('script'))}"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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


# Logs


def test_a_file_of_the_user_is_not_appended_to(tmp_path: Path) -> None:
    (tmp_path / "noisy-1-0.log").write_text("mine\n")
    play(settings(*NOISY, rounds=2, max_plies=4, log=str(tmp_path)))
    assert contents(tmp_path) == {"noisy-1-0.log": b"mine\n", "noisy-1-0.2.log": b"ouch\n"}


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
