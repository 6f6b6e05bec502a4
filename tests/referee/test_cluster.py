"""The same games on a Dask cluster, with a worker killed in the middle."""

import json
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from junqi_referee.endings import Ending
from junqi_referee.exits import RefereeError
from junqi_referee.playing.arbiter import GameRequest
from junqi_referee.playing.engine_process import EngineProcess
from junqi_referee.playing.games import Arbiters
from junqi_referee.settings.schedule import Schedule
from tests.helpers.engine import DEADLINE_S
from tests.helpers.referee import ENGINES, SCRIPTS, SHORT, play, processes_with, scripted, settings

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
            if self._pace.done == GAMES // 3 and not killed:
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
        del entry["times_ms"]
    assert sorted(recorded, key=lambda entry: entry["game"]) == sorted(elsewhere, key=lambda entry: entry["game"])
    assert processes_with(str(ENGINES)) == []


def test_a_timer_that_has_fired_ends_no_game_that_has_just_begun(monkeypatch):
    """A timer cannot be cancelled any more once it has fired and waits for the lock."""
    fired = []

    class Timer:
        def __init__(self, seconds: float, stop) -> None:
            fired.append(stop)

        def start(self) -> None:
            pass

        cancel = start

    monkeypatch.setattr("junqi_referee.playing.games.threading.Timer", Timer)
    chosen = settings(*SCRIPTS)
    arbiters = Arbiters()
    with arbiters.arbiter(chosen, SHORT) as arbiter:
        idle = arbiter.pool.process(chosen.engines[1], 0)
        idle.prepare()
    with arbiters.arbiter(chosen, SHORT) as again:
        assert again is arbiter
        player = again.pool.process(chosen.engines[0], 0)
        player.prepare()
        fired[0]()
        player.game_over("draw")
        idle.game_over("draw")
    fired[-1]()
    assert not player.is_running and not idle.is_running
    with arbiters.arbiter(chosen, SHORT) as third:
        assert third is not arbiter
        third.pool.process(chosen.engines[0], 0).prepare()
    arbiters.close()
    assert processes_with(str(ENGINES)) == []


@pytest.mark.parametrize("place", [0, 1])
def test_an_engine_that_is_just_being_started_when_a_worker_stops_does_not_remain(monkeypatch, place):
    """Of the two engines, the one at `place` is being started."""
    starting, may_start, opened = threading.Event(), threading.Event(), []

    def launch(process, kind):
        opened.append(process)
        if len(opened) == place + 1:
            starting.set()
            assert may_start.wait(DEADLINE_S)
        return real(process, kind)

    real = EngineProcess._launch
    monkeypatch.setattr(EngineProcess, "_launch", launch)
    chosen = settings(*SCRIPTS, each=UNHURRIED, rounds=1, max_plies=4)
    arbiters = Arbiters()
    plan = next(iter(Schedule(chosen, None)))
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(arbiters.play, chosen, SHORT, GameRequest(plan, frozenset()))
        assert starting.wait(DEADLINE_S)
        arbiters.close()
        may_start.set()
        with suppress(RefereeError):  # it did not start
            playing.result()
    assert processes_with(str(ENGINES)) == []
    monkeypatch.undo()
    assert arbiters.play(chosen, SHORT, GameRequest(plan, frozenset())).ending == Ending.MAX_PLIES
    arbiters.close()
    assert processes_with(str(ENGINES)) == []


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_engine_that_does_not_start_on_a_worker(scheduler):
    address, _ = scheduler
    engines = [{"name": "broken", "cmd": "/no/such/engine"}, {"name": "sound", "cmd": scripted("script")}]
    with pytest.raises(RefereeError, match="engine broken: '/no/such/engine' could not be started") as caught:
        play(settings(*engines, rounds=2, scheduler=address))
    assert caught.value.code == 4


@pytest.mark.filterwarnings("ignore")
def test_scheduler_that_is_not_there(monkeypatch):
    monkeypatch.setattr("junqi_referee.jobs.CONNECT_S", 0.5)
    with pytest.raises(RefereeError, match=r"scheduler tcp://127\.0\.0\.1:9: "):
        play(settings(*SCRIPTS, rounds=1, scheduler="tcp://127.0.0.1:9"))
