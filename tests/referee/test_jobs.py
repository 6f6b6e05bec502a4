"""Jobs: results and errors; dead workers and killed programs leave no process running."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest

from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.jobs import open_pool
from tests.helpers.engine import DEADLINE_S
from tests.helpers.referee import ROOT, processes_with
from tests.helpers.waiting import until

WORKER = "spawn_main"
"""A part of the command line of a worker process."""


@pytest.fixture(autouse=True)
def no_worker_remains():
    yield
    assert processes_with(WORKER) == []


@pytest.mark.parametrize("count", [1, 2])
def test_map_keeps_the_order_of_its_items(count):
    with open_pool(count) as pool:
        found = list(pool.results((f"job {number}", partial(pow, number, 2)) for number in range(9)))
        assert sorted(found) == [number**2 for number in range(9)]
        assert pool.map(abs, range(-5, 0)) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize("count", [1, 2])
def test_error_names_its_job(count):
    with pytest.raises(RefereeError, match="job 3: ValueError: invalid literal") as caught, open_pool(count) as pool:
        list(pool.results((f"job {number}", partial(int, text)) for number, text in enumerate("012x")))
    assert caught.value.code == ExitCode.INTERNAL


@pytest.mark.parametrize("count", [1, 2])
def test_refusal_is_raised_unchanged(count):
    with pytest.raises(RefereeError, match=r"^--variant: no") as caught, open_pool(count) as pool:
        list(pool.results([("job", partial(refuse, "--variant: no"))]))
    assert caught.value.code == ExitCode.USAGE


def refuse(text: str) -> None:
    raise RefereeError(text)


@pytest.mark.parametrize("end", [partial(signal.raise_signal, signal.SIGKILL), partial(os._exit, 3)])
def test_dead_worker_ends_run_and_keeps_results(end: Callable[[], None]) -> None:
    found = []
    with pytest.raises(RefereeError, match="a worker process has died") as caught, open_pool(2) as pool:
        for each in pool.results([*((f"job {number}", partial(abs, number)) for number in range(5)), ("end", end)]):
            found.append(each)
    assert caught.value.code == ExitCode.INTERNAL
    assert set(found) <= set(range(5)) and len(found) >= 3


SLEEPERS = """
import time
from functools import partial
from junqi_referee.jobs import open_pool
with open_pool(2) as pool:
    for _ in pool.results([("now", partial(print, "runs", flush=True)), *[("later", partial(time.sleep, 600))] * 4]):
        pass
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_program(number: signal.Signals) -> None:
    command = [sys.executable, "-c", SLEEPERS]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert program.stdout.readline() == "runs\n"
    until(lambda: len(processes_with(WORKER, looks=1)) == 2)
    program.send_signal(number)
    program.communicate(timeout=DEADLINE_S)
    until(lambda: not processes_with(WORKER, looks=1))
