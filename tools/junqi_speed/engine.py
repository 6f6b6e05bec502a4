"""What runs as processes: the newest player, and the referee with engines that answer at once.

The moves at 50 ms are those of whole games against itself. A client measures each, from `go` to `bestmove`. The
environment variable `JUNQI_BENCH_MOVES` sets their number; 5,000 take about five minutes.
"""

import io
import os
import shlex
import statistics
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from itertools import count
from pathlib import Path
from random import Random

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.line_process import own_command
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run as referee
from junqi_referee.full_game import FullGame
from junqi_referee.records.record_file import read_record
from junqi_speed import Report, instant_engine

MOVES = int(os.environ.get("JUNQI_BENCH_MOVES", "400"))
MOVETIME_MS, SPEED_MS, STOPS = 50, 2000, 40


def measure_search(report: Report) -> None:
    client = _engine()
    for viewer, name in (("SN", "two seats hidden"), ("*", "all known")):
        lines = f"position startpos viewer {viewer}", f"go movetime {SPEED_MS}"
        speed = max(client.ask(lines).info.nps or 0 for _ in range(3))
        report.figure(f"positions made a second, {name}", speed / 1e6, "million/s", "at least 1.5")
    _late_moves(report)
    times_ms = []
    for _ in range(STOPS):
        client.send("position startpos", "go infinite")
        time.sleep(0.1)
        times_ms.append(client.ask(["stop"]).time_ms)
    client.close()
    report.figure("from stop to bestmove, the slowest", max(times_ms), "ms", "at most 20")
    report.figure("from stop to bestmove, the median", statistics.median(times_ms), "ms")


def _engine() -> EngineClient:
    client = EngineClient(own_command())
    client.start()
    client.send("setoption name Seed value 0")
    client.ready(may_load=True)
    return client


def _late_moves(report: Report) -> None:
    """Both teams of whole games play at a fixed time per move."""
    clients = {team: _engine() for team in SIGUO.teams}
    times_ms: list[float] = []
    for rng in map(Random, count(1)):
        full = FullGame("siguo", {seat: lineup_choice.sensible(rng) for seat in SIGUO.seats}, "S", Rules())
        while full.result is None and len(times_ms) < MOVES:
            team = next(team for team in clients if full.turn in team)
            answer = clients[team].ask([full.position_line(team), f"go movetime {MOVETIME_MS}"])
            times_ms.append(answer.time_ms)
            full.play(answer.move)
        if len(times_ms) == MOVES:
            break
    for client in clients.values():
        client.close()
    report.figure(f"movetime {MOVETIME_MS}, the slowest", max(times_ms), "ms", "at most 70")
    report.figure(f"movetime {MOVETIME_MS}, the median", statistics.median(times_ms), "ms")


MATCH = "--rounds 20 --concurrency 2 --no-contact 0 --max-plies 300 --seed 1 --engine name=one --engine name=other"


def measure_referee(report: Report) -> None:
    """Complete games, from the start of the engines to the record on disk; every engine is a process."""
    best = max(plies_s() for _ in range(3))
    report.figure("plies a second, engines that answer at once", best, "plies/s", "at least 2,000 on two cores")


def plies_s() -> float:
    """The plies of one match, by its duration in seconds."""
    engine = shlex.join([sys.executable, "-S", "-E", instant_engine.__file__])
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        record, began = Path(folder, "games.jsonl"), time.perf_counter()
        referee(["match", *MATCH.split(), "--each", f"cmd={engine}", "st=1", "--record", str(record)])
        seconds = time.perf_counter() - began
        return sum(len(game.moves) for game in read_record(str(record))) / seconds
