"""Faults around the processes: signals in every state, clients that do not read, engines that write anything, full
disks, too little memory, a clock that jumps. `--budget N` repeats the hostile engines (docs/testing.md).
"""

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from junqi_engine.client.engine_client import Patience
from junqi_engine.client.line_process import own_command
from junqi_protocol.free_memory import free_memory_mb, memory_mb
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode
from tests.helpers.engine import COMMAND, DEADLINE_S, SLACK, Engine, errors, limited
from tests.helpers.marking import long_after, seeds
from tests.helpers.proof import hostile_matches
from tests.helpers.referee import SCRIPTS, play, scripted, settings

STATES = {
    "loading": ["go nodes 100"],
    "searching": ["isready", "go infinite"],
    "behind": ["isready", "go infinite", *["setoption name Hash value 3"] * 50, "go depth 3"],
    "solving": ["setoption name UCI_Variant value match3", "isready", "go depth 100"],
    "idle": ["isready"],
    "pondering": ["isready", "go ponder wtime 100 btime 100"],
    "counting": ["position startpos viewer *", "isready", "go perft 9"],
    "benching": ["isready", "bench"],
}
ENDS = {signal.SIGTERM: 0, signal.SIGINT: 130}
INTERRUPTED_IMPORT = """
import os, runpy, signal, sys
sys.argv = sys.argv[1:]
interrupt = lambda event, about: (event, about[:1]) == ("import", ("typing",)) and os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def run(command: Sequence[str], **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without compiled modules, which Python would leave damaged on a full disk."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, env=environment, **more)


# Signals


@pytest.mark.parametrize(
    ("state", "number"),
    long_after(
        2,
        [
            *(("loading", signal.SIGTERM), ("searching", signal.SIGINT), ("loading", signal.SIGINT)),
            *((state, signal.SIGTERM) for state in STATES if state != "loading"),
        ],
    ),
)
def test_signal_ends_engine_in_any_state(state: str, number: signal.Signals) -> None:
    with Engine() as engine:
        lines = STATES[state]
        engine.send(*lines)
        if "isready" in lines:
            engine.lines_until("readyok")
        else:
            engine.send("uci")
            engine.lines_until("uciok")
        asked = time.monotonic()
        engine.signal(number)
        rest = engine.rest()
        assert engine.exit_code() == ENDS[number]
        assert time.monotonic() - asked < 1.0 * SLACK
        goes = sum(line.startswith("go") for line in lines)
        assert sum(line.startswith("bestmove") for line in engine.lines) == goes, rest
        assert engine.process.stderr.read() == b""


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
def test_signal_ends_engine_once_handled(number: signal.Signals) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ours = 1 << signal.SIGTERM - 1  # its handler is set after that of SIGINT
    while not int(re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())[1], 16) & ours:
        assert process.poll() is None
        time.sleep(0.0005)
    process.send_signal(number)
    assert process.communicate(timeout=DEADLINE_S) == (b"", b"")
    assert process.returncode == ENDS[number]


@pytest.mark.parametrize("module", long_after(2, ["junqi_protocol", "junqi_referee", "junqi_board"]))
def test_ctrl_c_ends_a_loading_command(module: str) -> None:
    """Ctrl-C comes at the first import of a library. A command in the background ignores it."""
    done = run([sys.executable, "-c", INTERRUPTED_IMPORT, module])
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    if module != "junqi_protocol":
        code = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN){INTERRUPTED_IMPORT}"
        done = run([sys.executable, "-c", code, module, "--version"])
        assert (done.returncode, done.stderr) == (0, "")


# Hostile engines


@pytest.mark.parametrize("meet", long_after(1, [hostile_matches.play_match, hostile_matches.run_check]))
def test_hostile_engines_cause_no_faults_of_others(meet: Callable) -> None:
    counts = hostile_matches.Counts()
    for seed in seeds(2):
        meet(counts, seed)
    print(counts, flush=True)


# Disk, memory, time


@pytest.mark.long
def test_full_disk_ends_match_and_keeps_record(tmp_path: Path) -> None:
    """The game that does not fit is played again, the others are in the record; the match continues."""
    record, script = tmp_path / "games.jsonl", " ".join(scripted("script"))
    engines = ["--engine", "name=one", f"cmd={script}", "--engine", "name=other", f"cmd={script}"]
    words = ["match", *engines, *"--max-plies 4 --each st=9 --rounds 3 --record".split(), str(record)]
    done = run(limited(own_command("junqi_referee", *words), resource.RLIMIT_FSIZE, 2000))
    assert done.returncode == ExitCode.INTERNAL and "Traceback" not in done.stderr
    assert "File too large; game" in done.stderr and "continue with --resume" in done.stderr
    assert 0 < len(record.read_text().splitlines()) < 6
    assert run(own_command("junqi_referee", *words, "--resume")).returncode == ExitCode.DONE
    assert {json.loads(line)["game"] for line in record.read_text().splitlines()} == set(range(1, 7))


ENOUGH_KB = 1_200_000
HASHES = ["setoption name Hash value 2000", "setoption name Hash value 600", "go nodes 1000"]
SPACES = [
    (ENOUGH_KB, HASHES, ["too-large"]),
    (ENOUGH_KB, ["setoption name UCI_Variant value klotski", "isready", *HASHES], ["too-large"]),
    (400_000, ["go nodes 10", "setoption name UCI_Variant value knights-tour", "d"], ["too-large"] * 2),
    (200_000, ["isready", "setoption name EvalFile value x", "go nodes 10"], ["too-large"] * 3),
]
"""Limits of the address space (`ulimit -v`), lines, and the expected errors."""


@pytest.mark.parametrize(("most_kb", "lines", "codes"), SPACES)
def test_lack_of_memory_is_rejected_as_too_large(most_kb: int, lines: list[str], codes: list[str]) -> None:
    done = run(limited(COMMAND, resource.RLIMIT_AS, most_kb << 10), input="\n".join(lines))
    assert (errors(done.stdout.splitlines()), done.returncode, done.stderr) == (codes, 2, "")
    if most_kb < ENOUGH_KB:
        done = run(limited([*COMMAND, "--contest"], resource.RLIMIT_AS, most_kb << 10), input="START 0")
        assert all(line.startswith("junqi-engine: too-large ") for line in done.stderr.splitlines()) and done.stderr


def test_hash_larger_than_free_memory_is_rejected() -> None:
    assert 0 < free_memory_mb() <= memory_mb()
    code = (
        "import junqi_protocol.dispatch as d; d.free_memory_mb = lambda: 50; "
        "import junqi_protocol.__main__ as m; m.main()"
    )
    lines = "setoption name Hash value 16\nsetoption name Hash value 51\nsetoption name Hash value 50\ngo nodes 10\n"
    done = run([sys.executable, "-c", code], input=lines)
    assert errors(done.stdout.splitlines()) == ["too-large"]
    assert "option Hash: 51; 50 available" in done.stdout
    assert re.fullmatch(r"bestmove \w+", done.stdout.splitlines()[-1])


def test_jumping_clock_causes_no_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    real: Callable[[], float] = time.time
    monkeypatch.setattr(time, "time", lambda: real() + rng.choice((-1e9, -5, 5, 1e9)))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))
    tournament, _ = play(settings(*SCRIPTS, each={"tc": "60"}, rounds=1, max_plies=10), Patience())
    assert {game.ending for game in tournament.finished.values()} == {Ending.MAX_PLIES}
    assert all(0 <= ms < 60_000 for game in tournament.finished.values() for ms in game.times_ms)
