"""The same games on a Dask cluster, with a worker killed in the middle."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys

import pytest

from junqi_engine.client.line_process import own_command
from junqi_referee.exit_codes import RefereeError
from junqi_referee.playing.games import IDLE_S
from tests.helpers.engine import DEADLINE_S
from tests.helpers.referee import ENGINES, SCRIPTS, play, processes_with, scripted, settings
from tests.helpers.waiting import until

GAMES = 24
UNHURRIED = {"st": 30}
"""No game may end by a timeout on a busy machine."""


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # the warnings of dask and distributed
def test_killed_worker_loses_no_game(scheduler, tmp_path):
    address, workers = scheduler
    path = tmp_path / "games.jsonl"
    engines = [{"name": name, "cmd": scripted("script")} for name in ("one", "two", "three")]
    killed = []

    from junqi_referee.playing.tournament import Progress, Tournament

    class Killer(Progress):
        def game_over(self, *arguments) -> None:
            super().game_over(*arguments)
            if self.done == GAMES // 3 and not killed:
                killed.append(workers[0].pid)
                os.kill(workers[0].pid, signal.SIGKILL)

    match = {"each": UNHURRIED, "rounds": 4, "max_plies": 300, "no_contact": 0}
    chosen = settings(*engines, **match, scheduler=address, record=str(path))
    tournament = Tournament(chosen)
    tournament.run(Killer(sys.stderr), resume=False)
    assert killed
    recorded = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(entry["game"] for entry in recorded) == list(range(1, GAMES + 1))
    assert {entry["ending"] for entry in recorded} == {"max-plies"}

    local = tmp_path / "local.jsonl"
    secret = recorded[0]["seed"]
    play(settings(*engines, **match, record=str(local), concurrency=2, seed=secret))
    elsewhere = [json.loads(line) for line in local.read_text().splitlines()]
    for entry in [*recorded, *elsewhere]:
        del entry["times_ms"], entry["date"], entry["run"]
    assert sorted(recorded, key=lambda entry: entry["game"]) == sorted(elsewhere, key=lambda entry: entry["game"])
    assert processes_with(str(ENGINES)) == []


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_killed_referee_leaves_no_engine_on_the_workers(scheduler, tmp_path):
    address, _ = scheduler
    path = tmp_path / "games.jsonl"
    words = [word for name in "ab" for word in ("--engine", f"cmd={shlex.join(scripted('script'))}", f"name={name}")]
    words += ["--each", "st=30", "--rounds", "1000", "--record", str(path), "--scheduler", address]
    process = subprocess.Popen(own_command("junqi_referee", "match", *words), stderr=subprocess.DEVNULL)
    until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
    process.kill()
    process.wait()
    until(lambda: processes_with(str(ENGINES), looks=1) == [], IDLE_S + DEADLINE_S)


@pytest.mark.filterwarnings("ignore")
def test_missing_scheduler_is_reported(monkeypatch):
    monkeypatch.setattr("junqi_referee.jobs.CONNECT_S", 0.5)
    with socket.socket() as deaf:  # it has an address, and does not listen
        deaf.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(RefereeError, match=f"scheduler {address}: "):
            play(settings(*SCRIPTS, rounds=1, scheduler=address))
