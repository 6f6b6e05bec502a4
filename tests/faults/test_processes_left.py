"""The helper that finds remaining processes: it sees those that this test run started, and no others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.helpers.referee import MARK, processes_with

NAME, VALUE = MARK.split("=")


@contextmanager
def sleeper(name: str, environment: dict[str, str] | None = None, code: str = "") -> Iterator[None]:
    """A process with a name in its command line, which has written a line and ends with its input."""
    code += "\nprint(flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, name], env=os.environ | (environment or {}), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield
    finally:
        process.communicate("\n")


@pytest.mark.parametrize("code", ["", "import os; os.setsid()", "import os\nif os.fork(): os.wait(); os._exit(0)"])
def test_a_process_of_this_run_is_seen_wherever_it_went(code: str) -> None:
    with sleeper("a process of ours", code=code):
        assert processes_with("a process of ours", looks=1) != []
    assert processes_with("a process of ours") == []


def test_one_of_another_run_is_not() -> None:
    with sleeper("a process of theirs", {NAME: f"{VALUE}0"}):
        assert processes_with("a process of theirs") == []
