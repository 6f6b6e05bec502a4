"""Player 2.0: positions per second, lateness at a fixed time per move, and the time to stop.

The moves at 50 ms are those of whole games against itself. A client measures each, from `go` to `bestmove`. The
environment variable `JUNQI_BENCH_MOVES` sets their number; 5,000 take about five minutes.
"""

import os
import statistics
import time
from random import Random

from junqi_engine.engines.client import EngineClient
from junqi_engine.engines.own_program import own_command
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from tools.bench.report import Report
from tools.referee.truth import Truth

MOVES = int(os.environ.get("JUNQI_BENCH_MOVES", "400"))
MOVETIME_MS = 50
LATE_MS = 20
SPEED_MS = 2000
STOPS = 40
ENGINE = own_command()


def measure(report: Report) -> None:
    _speed(report)
    _late_moves(report)
    _stops(report)


def _engine() -> EngineClient:
    client = EngineClient(ENGINE)
    client.start()
    client.send("setoption name Seed value 0")
    client.ready()
    return client


def _speed(report: Report) -> None:
    """The engine's own figures, at the start, with viewer SN and with every piece known."""
    client = _engine()
    for viewer, name in (("SN", "two seats hidden"), ("*", "all known")):
        speeds = []
        for _ in range(3):
            client.send(f"position startpos viewer {viewer}", f"go movetime {SPEED_MS}")
            lines = client.listen(1.0)
            words = [line for line in lines if line.startswith("info depth")][-1].split()
            speeds.append(int(words[words.index("nps") + 1]))
        report.figure(f"positions made a second, {name}", max(speeds) / 1e6, "million/s", "at least 1.5")
    client.close()


def _late_moves(report: Report) -> None:
    """Both teams of whole games play at a fixed time per move."""
    clients = {team: _engine() for team in SIGUO.teams}
    times_ms: list[float] = []
    number = 0
    while len(times_ms) < MOVES:
        number += 1
        rng = Random(number)
        truth = Truth("siguo", {seat: lineup_choice.sensible(rng) for seat in SIGUO.seats}, "S", Rules())
        while truth.result is None and len(times_ms) < MOVES:
            team = next(team for team in clients if truth.turn in team)
            answer = clients[team].ask([truth.position_line(team), f"go movetime {MOVETIME_MS}"])
            times_ms.append(answer.time_ms)
            truth.play(answer.move)
    for client in clients.values():
        client.close()
    late = sum(time_ms > MOVETIME_MS + LATE_MS for time_ms in times_ms)
    report.figure(f"moves more than {LATE_MS} ms late at movetime {MOVETIME_MS}, of {MOVES}", late, "moves", "0")
    report.figure("  the slowest", max(times_ms), "ms", f"at most {MOVETIME_MS + LATE_MS}")
    report.figure("  the median", statistics.median(times_ms), "ms")


def _stops(report: Report) -> None:
    """From `stop` to `bestmove` in `go infinite`."""
    client = _engine()
    times_ms = []
    for _ in range(STOPS):
        client.send("go infinite")
        time.sleep(0.1)
        times_ms.append(client.ask(["stop"]).time_ms)
    client.close()
    report.figure("from stop to bestmove, the slowest", max(times_ms), "ms", "at most 20")
    report.figure("  the median", statistics.median(times_ms), "ms")
