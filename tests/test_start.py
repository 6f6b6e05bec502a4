"""Compiling before the first game: the order, the two processes, the progress, `--compile` and `--help`."""

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from junqi_engine.compiling import Plan
from protocol.own_program import own_command
from tests.engine import Engine

PROGRESS = re.compile(r"info string compiling kernels: (\d+)% done")


class Named:
    """As much of a kernel as a plan reads. Each has the same small cost."""

    def __init__(self, name: str, *callees: "Named") -> None:
        self.name = name
        self.py_func = SimpleNamespace(__code__=SimpleNamespace(co_code=b""))
        self._callees = callees

    def callees(self) -> Iterator["Named"]:
        yield from self._callees


@pytest.fixture
def plan() -> Plan:
    """
    step <- walk <- search
    print
    """
    step = Named("step")
    walk = Named("walk", step)
    kernels: list[Any] = [step, walk, Named("search", walk, step), Named("print")]
    return Plan(kernels)


def taken(plan: Plan) -> Any:
    kernel = plan.take()
    assert kernel is not None
    return kernel


def test_the_longest_chain_of_callers_comes_first_and_callees_before_callers(plan: Plan) -> None:
    order = []
    while (kernel := plan.take()) is not None:
        order.append(kernel.name)
        plan.done(kernel)
    assert order == ["step", "walk", "search", "print"]
    assert plan.share_done() == 1.0


def test_a_kernel_waits_for_its_callees_which_another_process_compiles(plan: Plan) -> None:
    step, other = taken(plan), taken(plan)
    assert (step.name, other.name) == ("step", "print")
    plan.done(other)
    waiting = threading.Timer(0.1, plan.done, [step])
    waiting.start()
    assert taken(plan).name == "walk"
    waiting.join()


def test_a_kernel_of_a_process_that_died_is_given_to_the_other(plan: Plan) -> None:
    step = taken(plan)
    plan.put_back(step)
    assert taken(plan) is step
    assert plan.share_done() == 0.0


def test_an_abandoned_plan_has_nothing_to_do(plan: Plan) -> None:
    taken(plan)
    plan.abandon()
    assert plan.take() is None


@pytest.mark.long
def test_progress_is_printed_while_compiling_and_not_when_warm(tmp_path: Path) -> None:
    shares = []
    for _ in range(2):
        with Engine(environment={"JUNQI_ENGINE_CACHE": str(tmp_path)}) as engine:
            engine.send("setoption name UCI_Variant value match3", "isready")
            lines = engine.until("readyok", 900.0)
            engine.send("quit")
            assert engine.exit_code() == 0
        shares.append([int(match[1]) for match in map(PROGRESS.fullmatch, lines) if match])
    cold, warm = shares
    assert len(cold) > 1
    assert cold == sorted(cold)
    assert all(0 <= share <= 100 for share in cold)
    assert warm == []
    assert not list(tmp_path.rglob("*.tmp.*"))


def run(*arguments: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({} if cache is None else {"JUNQI_ENGINE_CACHE": str(cache)})
    return subprocess.run(own_command("protocol", *arguments), capture_output=True, text=True, env=environment)


def test_compile_names_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = run("--compile", cache=blocked / "cache")
    assert done.returncode == 3
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"junqi-engine: the cache folder cannot be written: {blocked / 'cache' / 'junqi_engine-'}")


def test_compile_takes_no_arguments() -> None:
    done = run("--compile", "siguo")
    assert (done.returncode, done.stderr) == (2, "junqi-engine: --compile takes no arguments\n")


@pytest.mark.long
def test_compile_fills_the_cache_of_every_variant(tmp_path: Path) -> None:
    packages = ("junqi_engine", "puzzles.klotski", "puzzles.submarine", "puzzles.match3", "puzzles.knights_tour")
    done = run("--compile", cache=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert {folder.name.rpartition("-")[0] for folder in tmp_path.iterdir()} == set(packages)
    assert run("--compile", cache=tmp_path).stdout.splitlines() == [f"{name}: already compiled" for name in packages]


def test_help_names_every_way_to_start() -> None:
    done = run("--help")
    assert done.returncode == 0
    for word in ("LINE", "--contest", "--compile", "--help"):
        assert word in done.stdout
