"""Faults around the process: signals in every state, clients that do not read, full disks.

Signals and broken streams of an idle or searching engine are in test_process.py, damaged kernel folders and two first
starts at once in test_kernels.py, a lost Dask worker in test_referee_cluster.py, a killed referee in
test_referee_records.py, the board's server in test_board_ends.py.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import psutil
import pytest

from junqi_protocol.commands import COMMANDS
from junqi_protocol.free_memory import free_memory_mb, memory_mb
from tests.helpers.engine import COMMAND, DEADLINE_S, Engine, errors, limited
from tests.helpers.marking import long_after

SLACK = 10
STATES = {
    "loading": ["go nodes 100"],
    "idle": ["isready"],
    "searching": ["isready", "go infinite"],
    "pondering": ["isready", "go ponder wtime 100 btime 100"],
    "counting": ["position startpos viewer *", "isready", "go perft 9"],
    "benching": ["isready", "bench"],
    "behind": ["isready", "go infinite", *["setoption name Hash value 3"] * 50, "go depth 3"],
    "finished": ["position startpos moves resign:S resign:N", "isready"],
    "searching luzhanqi": ["setoption name UCI_Variant value luzhanqi", "isready", "go infinite"],
    "solving": ["setoption name UCI_Variant value knights-tour", "isready", "setoption name Method value dfs", "go"],
}
INTERRUPTED = ("loading", "searching", "behind", "solving")
ENDS = {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -9}
INTERRUPTED_IMPORT = """
import os, runpy, signal, sys
sys.argv = sys.argv[1:]
interrupt = lambda event, about: (event, about[:1]) == ("import", ("typing",)) and os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("state", "number"),
    long_after(
        3, [*((state, signal.SIGTERM) for state in STATES), *product(INTERRUPTED, (signal.SIGINT, signal.SIGKILL))]
    ),
)
def test_a_signal_in_any_state(state: str, number: signal.Signals) -> None:
    with Engine() as engine:
        lines = STATES[state]
        engine.send(*lines)
        if "isready" in lines:
            engine.until("readyok")
        else:
            engine.send("uci")
            engine.until("uciok")
        asked = time.monotonic()
        engine.signal(number)
        rest = engine.rest()
        assert engine.exit_code() == ENDS[number]
        assert time.monotonic() - asked < 1.0 * SLACK
        if number != signal.SIGKILL:
            goes = sum(line.startswith("go") for line in lines)
            assert sum(line.startswith("bestmove") for line in engine.lines) == goes, rest
            assert engine.process.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_as_soon_as_it_is_handled(number: signal.Signals) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ours = 1 << signal.SIGTERM - 1  # its handler is set after that of SIGINT
    while not int(re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())[1], 16) & ours:
        assert process.poll() is None
        time.sleep(0.0005)
    process.send_signal(number)
    assert process.communicate(timeout=DEADLINE_S) == (b"", b"")
    assert process.returncode == ENDS[number]


@pytest.mark.parametrize("module", ["junqi_protocol", "junqi_referee", "junqi_board"])
def test_ctrl_c_while_a_command_loads(module: str) -> None:
    """It comes at the first import of a library."""
    process = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module], capture_output=True, timeout=DEADLINE_S
    )
    assert (process.returncode, process.stdout, process.stderr) == (130, b"", b"")


@pytest.mark.parametrize("module", ["junqi_referee", "junqi_board"])
def test_a_command_in_the_background_ignores_ctrl_c_while_it_loads(module: str) -> None:
    code = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN){INTERRUPTED_IMPORT}"
    process = subprocess.run([sys.executable, "-c", code, module, "--version"], capture_output=True, timeout=DEADLINE_S)
    assert (process.returncode, process.stderr) == (0, b"")


# Streams


def test_a_client_that_never_reads_does_not_fill_the_memory() -> None:
    """The output that waits is limited: if nobody reads it, no more input is read."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    os.set_blocking(process.stdin.fileno(), False)
    sent, silent_since = 0, time.monotonic()
    while time.monotonic() - silent_since < 0.5:
        try:
            sent += os.write(process.stdin.fileno(), b"help\n" * 4000) // 5
            silent_since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    assert sent < 400_000
    assert psutil.Process(process.pid).memory_info().rss < 400 << 20
    process.stdin.close()
    count = process.stdout.read(100_000).count(b"\n")
    assert count > 1000
    process.kill()
    process.wait(DEADLINE_S)
    process.stdout.close()


def test_after_the_end_of_input_whoever_reads_late_gets_every_line() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"help\n" * 8_000)
    process.stdin.close()
    assert len(process.stdout.read().splitlines()) == 8_000 * len(COMMANDS)
    assert process.wait(DEADLINE_S) == 0
    process.stdout.close()


# Disk and memory


NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""On a full disk, Python itself would leave damaged files of compiled modules."""


def with_full_disk(*lines: str, size: int = 0) -> list[str]:
    """The engine with these lines; files are limited to `size` bytes, as on a full disk."""
    return limited([*COMMAND, *lines], resource.RLIMIT_FSIZE, size)


def test_a_log_on_a_full_disk_is_given_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    lines = [f"setoption name Log File value {log}", *["help"] * 5, "d"]
    done = subprocess.run(
        with_full_disk(*lines, size=1500), capture_output=True, text=True, timeout=DEADLINE_S,
        env=os.environ | NO_BYTECODE,
    )  # fmt: skip
    assert done.returncode == 0
    assert errors(done.stdout.splitlines()) == ["bad-file"]
    assert "info string S to move" in done.stdout.splitlines()


def test_more_memory_than_is_free_is_rejected_and_the_old_size_stays() -> None:
    assert 0 < free_memory_mb() <= memory_mb()
    code = (
        "import junqi_protocol.catalogue as c; "
        "c.COMMON = tuple(x._replace(available=lambda: 50, default=16) if x.name == 'Hash' else x for x in c.COMMON); "
        "import junqi_protocol.__main__ as m; m.main()"
    )
    lines = "setoption name Hash value 51\nsetoption name Hash value 50\ngo nodes 10\n"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=DEADLINE_S)
    assert errors(done.stdout.splitlines()) == ["too-large"]
    assert "option Hash: 51; 50 available" in done.stdout
    assert re.fullmatch(r"bestmove \w+", done.stdout.splitlines()[-1])
