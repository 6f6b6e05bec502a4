"""Start of the process: its first search, the first start with an empty cache and later ones, what a later one spends
its time on, and what each kernel costs to compile. Each figure is of a process of its own.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from junqi_engine.client.line_process import own_command
from junqi_protocol.catalogue import CATALOGUE, JUNQI_VARIANTS
from junqi_speed import Report

REPEATS = 9
FRESH = 6
"""Processes whose first search is measured."""
SEARCHES = 3
MOVE_MS = 100
BUSY_LOOPS = 2
KERNELS_LISTED = 12
STEPS = (
    ("numpy", "import numpy"),
    ("numba", "import numba"),
    ("the compiler's objects", "import numba.core.registry as r; r.cpu_target.target_context"),
    ("checking the cache", "import junqi_engine.kernel_cache as c; c.folder_of({package!r})"),
    ("modules of the variant", "import {module}"),
    ("the game at its start", "game = {module}.GAME({variant!r}, options)"),
    ("the rehearsal", "game.rehearse()"),
)
"""What a later start does after the interpreter and the protocol are loaded: a name and a statement."""
PROCESSORS = (1, 2)
CLOCKED = """
import sys, time
sys.path.insert(0, {root!r})
from junqi_protocol.catalogue import OPTIONS
from junqi_protocol.options import Options
options = Options(OPTIONS)
times = [time.process_time()]
def lap():
    times.append(time.process_time())
{statements}
print(*times)
"""
COMPILES = """
import sys, time
sys.path.insert(0, {root!r})
from junqi_engine import compiling, kernels
compiling.import_all({package!r})
for kernel in kernels.kernels_of({package!r}):
    started = time.thread_time()
    kernel.prepare()
    print(time.thread_time() - started, kernel.name)
"""
ON_SOME = """
import os, sys
os.sched_setaffinity(0, map(int, sys.argv[1].split(",")))
os.execv(sys.argv[2], sys.argv[2:])
"""
ROOT = Path(__file__).resolve().parent.parent.parent


def measure_start(report: Report) -> None:
    for variant in JUNQI_VARIANTS:
        _first_searches(report, variant)
    for entry in CATALOGUE:
        _starts(report, entry.variant)
    _parts(report)
    for package in dict.fromkeys(entry.package for entry in CATALOGUE):
        _compiles(report, package)


def _first_searches(report: Report, variant: str) -> None:
    """The first `go movetime` of fresh processes, beside the third of the same process."""
    runs = [_searches(variant) for _ in range(FRESH)]
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    try:
        busy = [_searches(variant)[0] for _ in range(FRESH)]
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    shares = sorted(run[0].nodes / run[-1].nodes for run in runs)
    late = max(run[0].answer_ms for run in runs)
    name = f"{variant}, first search, share of the third's positions"
    report.figure(f"{name}, lowest", shares[0], f"of {FRESH}", "0.7")
    report.figure(f"{name}, median", statistics.median(shares), f"of {FRESH}", "0.7")
    report.figure(f"{variant}, first search, answer to movetime {MOVE_MS}", late, f"ms, highest of {FRESH}", "110")
    name = f"{variant}, first search beside {BUSY_LOOPS} busy loops"
    report.figure(f"{name}, depth", min(first.depth for first in busy), f"lowest of {FRESH}", "3")
    report.figure(f"{name}, answer", max(first.answer_ms for first in busy), f"ms, highest of {FRESH}")


class _Search(NamedTuple):
    """What one `go` did."""

    nodes: int
    depth: int
    answer_ms: float


def _searches(variant: str) -> list[_Search]:
    found = []
    with subprocess.Popen(own_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None

        def send(*lines: str) -> None:
            assert process.stdin is not None
            process.stdin.write("".join(f"{line}\n" for line in lines))
            process.stdin.flush()

        send("uci", f"setoption name UCI_Variant value {variant}", "isready")
        next(printed for printed in process.stdout if printed.strip() == "readyok")
        for _ in range(SEARCHES):
            nodes = depth = 0
            send("position startpos")
            started = time.perf_counter()
            send(f"go movetime {MOVE_MS}")
            for printed in process.stdout:
                words = printed.split()
                if words[:1] == ["bestmove"]:
                    break
                if "nodes" in words:
                    nodes, depth = (int(words[words.index(word) + 1]) for word in ("nodes", "depth"))
            found.append(_Search(nodes, depth, 1000 * (time.perf_counter() - started)))
        send("quit")
    return found


def _starts(report: Report, variant: str) -> None:
    with tempfile.TemporaryDirectory(prefix="junqi-bench-") as folder:
        report.figure(f"{variant}, first readyok, empty cache", ready_s(variant, folder), "s", "10 on two idle cores")
        later = min(ready_s(variant, folder) for _ in range(REPEATS))
        report.figure(f"{variant}, later readyok", later, "s", "0.7")
    if variant == CATALOGUE[0].variant:
        for number in PROCESSORS:
            available = sorted(os.sched_getaffinity(0))[:number]
            with tempfile.TemporaryDirectory(prefix="junqi-bench-") as folder:
                report.figure(
                    f"{variant}, first readyok on {number} processors", ready_s(variant, folder, available), "s"
                )


def ready_s(variant: str, cache: str, processors: Sequence[int] = ()) -> float:
    """Seconds from the start of a process until it is ready to play a variant, with kernels from the folder `cache`, on
    some processors or on all.
    """
    chosen = [sys.executable, "-S", "-c", ON_SOME, ",".join(map(str, processors))] if processors else []
    started = time.perf_counter()
    with subprocess.Popen(
        [*chosen, *own_command()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_with_cache(cache)
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"setoption name UCI_Variant value {variant}\nisready\n")
        process.stdin.flush()
        next(printed for printed in process.stdout if printed.strip() == "readyok")
        seconds = time.perf_counter() - started
        process.stdin.write("quit\n")
    return seconds


def _parts(report: Report) -> None:
    """Where the processor time of a later start goes."""
    for entry in (CATALOGUE[0], CATALOGUE[2]):
        texts = [text.format(package=entry.package, module=entry.module, variant=entry.variant) for _, text in STEPS]
        code = CLOCKED.format(root=str(ROOT), statements="".join(f"{text}\nlap()\n" for text in texts))
        runs = []
        for _ in range(1 + REPEATS):
            times = [float(word) for word in _run([sys.executable, "-P", "-c", code]).split()]
            runs.append([after - before for before, after in pairwise([0.0, *times])])
        del runs[0]  # it may have compiled
        for number, name in enumerate(("interpreter and protocol", *(name for name, _ in STEPS))):
            middle = statistics.median(run[number] for run in runs)
            report.figure(f"{entry.variant}, later start, {name}", middle * 1000, "ms of processor time")


def _compiles(report: Report, package: str) -> None:
    """The processor time of each kernel of a package in one process, which compiles those it calls before it."""
    with tempfile.TemporaryDirectory(prefix="junqi-bench-") as folder:
        code = COMPILES.format(root=str(ROOT), package=package)
        printed = _run([sys.executable, "-P", "-c", code], _with_cache(folder))
    rows = [(float(seconds), name) for seconds, name in map(str.split, printed.splitlines())]
    report.figure(f"{package}, all {len(rows)} kernels", sum(seconds for seconds, _ in rows), "s")
    for seconds, name in sorted(rows, reverse=True)[:KERNELS_LISTED]:
        report.figure(name, seconds, "s")


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def _with_cache(folder: str) -> dict[str, str]:
    return os.environ | {"JUNQI_ENGINE_CACHE": folder}
