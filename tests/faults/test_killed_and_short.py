"""The referee killed, and short of disk, files, memory and true time: a message, the right exit code, nothing lost.

Faults of this kind around the engine are in test_faults.py. `--budget N` kills N times as often (docs/testing.md).
"""

import json
import os
import random
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.own_program import own_command
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from tests.helpers.engine import DEADLINE_S, limited
from tests.helpers.marking import long_after, seeds
from tests.helpers.proof import hostile_matches
from tests.helpers.referee import SCRIPTS, play, scripted, settings

SCRIPT = " ".join(scripted("script"))
ENGINES = ["--engine", "name=one", f"cmd={SCRIPT}", "--engine", "name=other", f"cmd={SCRIPT}"]
MATCH = ["match", *ENGINES, "--max-plies", "4", "--each", "st=9"]


def referee(*words: str, limit: tuple[int, int] | None = None, **more: object) -> subprocess.CompletedProcess[str]:
    """Run `junqi-referee` with a limit of the system, a kind and its value."""
    command = own_command("junqi_referee", *words)
    # On a full disk, Python itself would leave damaged files of compiled modules.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command if limit is None else limited(command, *limit),
        stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S, env=environment, **({"stdout": subprocess.PIPE} | more),
    )  # fmt: skip


def games_in(path: Path) -> set[int]:
    return {json.loads(line)["game"] for line in path.read_text().splitlines()}


# Hostile engines


@pytest.mark.parametrize("meet", long_after(1, [hostile_matches.play_match, hostile_matches.run_check]))
def test_hostile_engines_win_by_no_fault_of_others_and_are_checked_to_the_end(meet: Callable) -> None:
    counts = hostile_matches.Counts()
    for seed in seeds(2):
        meet(counts, seed)
    print(counts, flush=True)


# Disk


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


# Files, memory, time


def test_a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    real: Callable[[], float] = time.time
    monkeypatch.setattr(time, "time", lambda: real() + rng.choice((-1e9, -5, 5, 1e9)))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))
    tournament, _ = play(settings(*SCRIPTS, each={"tc": "60"}, rounds=1, max_plies=10), Patience())
    assert {game.ending for game in tournament.finished.values()} == {Ending.MAX_PLIES}
    assert all(0 <= ms < 60_000 for game in tournament.finished.values() for ms in game.times_ms)
