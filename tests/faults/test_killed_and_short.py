"""The referee killed, and short of disk, files, memory and true time: a message, the right exit code, nothing lost.

Faults of this kind around the engine are in test_faults.py. `--budget N` kills N times as often (docs/testing.md).
"""

import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.own_program import own_command
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_speed import instant_engine
from tests.helpers.engine import DEADLINE_S, SLACK, limited
from tests.helpers.marking import long_after, seeds
from tests.helpers.proof import hostile_matches
from tests.helpers.record import resigned_game
from tests.helpers.referee import SCRIPTS, play, processes_with, scripted, settings

SCRIPT = " ".join(scripted("script"))
ENGINES = ["--engine", "name=one", f"cmd={SCRIPT}", "--engine", "name=other", f"cmd={SCRIPT}"]
MATCH = ["match", *ENGINES, "--max-plies", "4", "--each", "st=9"]
LETTERS = "cbfahdehgegidcfkjkijgjhli"


def referee(*words: str, limit: tuple[int, int] | None = None, **more: object) -> subprocess.CompletedProcess[str]:
    """Run `junqi-referee` with a limit of the system, a kind and its value."""
    command = own_command("junqi_referee", *words)
    # On a full disk, Python itself would leave damaged files of compiled modules.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command if limit is None else limited(command, *limit),
        stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S, env=environment, **({"stdout": subprocess.PIPE} | more),
    )  # fmt: skip


def recorded(folder: Path) -> Path:
    """A record of two games in a folder."""
    record = folder / "games.jsonl"
    play(settings(*SCRIPTS, rounds=1, record=str(record)), Patience())
    return record


def games_in(path: Path) -> set[int]:
    return {json.loads(line)["game"] for line in path.read_text().splitlines()}


# Killed at random moments


DEAF = shlex.join((sys.executable, "-S", "-E", instant_engine.__file__, "deaf"))
"""An engine that does not notice the end of its input."""
MINE = ("notes.txt", "games.jsonl.bak", "x.jgs")
ROUNDS = {"match": 12, "tournament": 4}


def new_place(folder: Path) -> Path:
    """A folder with files of the user, and 30 games to convert."""
    folder.mkdir()
    for name in MINE:
        (folder / name).write_text("mine")
    games = [replace(resigned_game(), game=number) for number in range(1, 31)]
    (folder / "input.jsonl").write_text("".join(f"{game.as_line()}\n" for game in games))
    return folder


def words_of(name: str, place: Path) -> list[str]:
    if name == "convert":
        return ["convert", str(place / "input.jsonl"), "--write", f"{place / 'games'}/", "--overwrite"]
    engines = [f"--engine name={engine}" for engine in ("one", "other", "third")[: 2 + (name == "tournament")]]
    limits = f"--max-plies 12 --concurrency 2 --seed 5 --rounds {ROUNDS[name]} --resume"
    files = ["--record", str(place / "games.jsonl"), "--log", str(place / "logs")]
    return [name, *" ".join(engines).split(), "--each", f"cmd={DEAF}", "nodes=1", *limits.split(), *files]


def made_by(name: str, place: Path) -> list[object]:
    """The whole games in the record, without what two runs differ in, or the converted files.

    A kill may cut off the last game.
    """
    if name == "convert":
        return [(path.name, path.read_bytes()) for path in sorted(place.glob("games/[!.]*"))]
    lines = (place / "games.jsonl").read_bytes().split(b"\n")[:-1] if (place / "games.jsonl").exists() else []
    games = [replace(GameRecord.from_line(line.decode()), times_ms=[], date="", run={}) for line in lines]
    return sorted(games, key=lambda game: game.game)


def check_continued(name: str, cut: Path, whole: Path) -> None:
    """What a run made that was killed and continued is what another made; no other file remains."""
    assert referee(*words_of(name, cut)).returncode == ExitCode.DONE
    assert made_by(name, cut) == made_by(name, whole)
    assert {(cut / name).read_text() for name in MINE} == {"mine"}
    names = [{str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()} for place in (cut, whole)]
    assert all(name.startswith(("logs/", "games.jsonl.damaged")) for name in names[0] - names[1])


@pytest.mark.long
@pytest.mark.parametrize("name", ["match", "tournament", "convert"])
def test_a_killed_run_loses_nothing(name: str, tmp_path: Path) -> None:
    """A run that has made all is compared with one that was not killed, and the next one begins in a new folder."""
    rng = random.Random(name)
    whole, places = new_place(tmp_path / "whole"), count(1)
    assert referee(*words_of(name, whole)).returncode == ExitCode.DONE
    expected = made_by(name, whole)
    cut, kills, slowest_s = new_place(tmp_path / f"cut {next(places)}"), 0, 0.0
    while kills < len(seeds(1)):
        awaited = len(made_by(name, cut)) + rng.randint(0, len(expected) // 4)
        command = own_command("junqi_referee", *words_of(name, cut))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and len(made_by(name, cut)) < awaited:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.02))
        process.kill()
        kills += process.wait() == -signal.SIGKILL
        killed_s = time.monotonic()
        while processes_with(instant_engine.__file__):
            assert time.monotonic() < killed_s + 10.0 * SLACK
        slowest_s = max(slowest_s, time.monotonic() - killed_s)
        made = made_by(name, cut)
        assert all(game in expected for game in made)
        if made == expected:
            check_continued(name, cut, whole)
            cut = new_place(tmp_path / f"cut {next(places)}")
    check_continued(name, cut, whole)
    print(f"{name}: {kills} kills, {next(places) - 1} runs, no process after {slowest_s:.1f} s", flush=True)


# Hostile engines


@pytest.mark.parametrize("meet", long_after(1, [hostile_matches.play_match, hostile_matches.run_check]))
def test_hostile_engines_win_by_no_fault_of_others_and_are_checked_to_the_end(meet: Callable) -> None:
    counts = hostile_matches.Counts()
    for seed in seeds(2):
        meet(counts, seed)
    print(counts, flush=True)


# Disk


def test_a_full_disk_at_stdout() -> None:
    with open("/dev/full", "w") as full:
        done = referee("lineup", LETTERS, stdout=full)
    assert (done.returncode, done.stderr) == (ExitCode.INTERNAL, "junqi-referee: No space left on device\n")


@pytest.mark.long
def test_a_full_disk_during_a_match(tmp_path: Path) -> None:
    """The game that does not fit is saved elsewhere or printed, the others are in the record; the match continues."""
    record = tmp_path / "games.jsonl"
    words = [*MATCH, "--rounds", "3", "--record", str(record)]
    done = referee(*words, limit=(resource.RLIMIT_FSIZE, 2000))
    assert done.returncode == ExitCode.INTERNAL and "Traceback" not in done.stderr
    assert "File too large; game" in done.stderr and "continue with --resume" in done.stderr
    assert 0 < len(games_in(record)) < 6
    assert referee(*words, "--resume").returncode == ExitCode.DONE
    assert games_in(record) == set(range(1, 7))


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`/sys` refuses new files to everybody, root included."""
    record = str(recorded(tmp_path))
    for words in (
        [*MATCH, "--record", "/sys/games.jsonl"],
        ["convert", record, "--write", "/sys/games/"],
        ["stats", record, "--svg", "/sys/x.svg"],
        ["lineup", LETTERS, "--write", "/sys/x.jql"],
    ):
        assert run(words) == ExitCode.USAGE
        assert re.fullmatch(r"junqi-referee: .*/sys.*: .*\n", capsys.readouterr().err)


# Files, memory, time


def test_too_little_memory_to_start() -> None:
    for megabytes in (120, 200):
        done = referee("book", "--count", "1", limit=(resource.RLIMIT_AS, megabytes << 20))
        assert done.returncode in (ExitCode.INTERNAL, ExitCode.DONE)
        assert "Traceback" not in done.stderr
        # A library may find it out first, and end the process with a message of its own.
        assert done.returncode == ExitCode.DONE or done.stderr.strip()


def test_a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    real: Callable[[], float] = time.time
    monkeypatch.setattr(time, "time", lambda: real() + rng.choice((-1e9, -5, 5, 1e9)))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))
    tournament, _ = play(settings(*SCRIPTS, each={"tc": "60"}, rounds=1, max_plies=10), Patience())
    assert {game.ending for game in tournament.finished.values()} == {Ending.MAX_PLIES}
    assert all(0 <= ms < 60_000 for game in tournament.finished.values() for ms in game.times_ms)
