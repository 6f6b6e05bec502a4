"""Starts a command of the referee in a fork, kills it by SIGKILL, and looks for what remains of it.

The fork has loaded the referee already, so a kill never hits the start of the interpreter.
"""

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tools.referee.cli import run
from tools.referee.exits import ExitCode

MARK = "JUNQI_CRASH_TRIAL"
"""The environment variable that all processes of one trial inherit."""
GONE_WITHIN_S = 10.0
POLL_S = 0.002
MOST_TRIES = 5


class CrashError(Exception):
    """A kill has left behind what it must not; the text describes it."""


def start(words: Sequence[str], output: Path, trial: str) -> int:
    """Run a command of `junqi-referee` in a fork; returns its process number."""
    process = os.fork()
    if process:
        return process
    code = 1
    try:
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for number in (1, 2):
            os.dup2(descriptor, number)
        os.environ[MARK] = trial
        code = run(words)
    finally:
        os._exit(code)


def finish(words: Sequence[str], output: Path, trial: str) -> float:
    """Run a command to its end; the seconds it took. `CrashError` if its exit code is not 0.

    On a busy machine an engine may not start in time; the command is then run again.
    """
    began = time.monotonic()
    for _ in range(MOST_TRIES):
        _, status = os.waitpid(start(words, output, trial), 0)
        if os.waitstatus_to_exitcode(status) != ExitCode.NO_START:
            break
    if status:
        raise CrashError(f"exit status {status} of {' '.join(words)}: {output.read_text()[-500:]}")
    return time.monotonic() - began


def kill(words: Sequence[str], output: Path, trial: str, is_time: Callable[[], bool], after_s: float) -> bool:
    """Run a command and kill it some seconds after `is_time` returns True; whether it still ran."""
    process = start(words, output, trial)
    while not is_time():
        if os.waitpid(process, os.WNOHANG)[0]:
            return False
        time.sleep(POLL_S)
    time.sleep(after_s)
    if os.waitpid(process, os.WNOHANG)[0]:
        return False
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return True


def gone_after(trial: str) -> float:
    """The seconds until no process of a trial remains; `CrashError` if one remains for too long."""
    began = time.monotonic()
    while remaining := _processes_of(trial):
        if time.monotonic() - began > GONE_WITHIN_S:
            for process in remaining:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise CrashError(f"{len(remaining)} processes remain after {GONE_WITHIN_S:g} s")
        time.sleep(POLL_S)
    return time.monotonic() - began


def _processes_of(trial: str) -> list[int]:
    entry = f"{MARK}={trial}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile, or belongs to another user
            if entry in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
