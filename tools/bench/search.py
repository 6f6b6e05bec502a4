"""Player 2.0: positions made a second, how late it is, and how fast it stops.

The moves at 50 ms are those of whole games against itself, each measured as a client would: from the `go` to the
`bestmove`. `JUNQI_BENCH_MOVES` sets how many; 5,000 take about five minutes.
"""

import os
import statistics
import time
from random import Random

from junqi_engine import lineup
from junqi_engine.board import SIGUO, Board
from junqi_engine.notation import format_move
from junqi_engine.position import Result
from junqi_engine.state import GameState
from protocol.client import EngineClient
from tools.bench.report import Report

MOVES = int(os.environ.get("JUNQI_BENCH_MOVES", "400"))
MOVETIME_MS = 50
SPEED_MS = 2000
STOPS = 40


def measure(report: Report) -> None:
    _speed(report)
    _late_moves(report)
    _stops(report)


def _engine() -> EngineClient:
    client = EngineClient([sys.executable, "-m", "protocol"])
    client.start()
    client.ready()
    return client


def _speed(report: Report) -> None:
    """As the engine says itself, from the start with viewer SN and with every piece known."""
    client = _engine()
    for viewer, name in (("SN", "two seats hidden"), ("*", "all known")):
        best = 0
        for _ in range(3):
            client.send(f"position startpos viewer {viewer}", f"go movetime {SPEED_MS}")
            words = client.lines_until("bestmove")[-2].split()
            best = max(best, int(words[words.index("nps") + 1]))
        report.figure(f"positions made a second from the start, {name}", best / 1e6, "million/s", "at least 1.5")
    client.close()


def _late_moves(report: Report) -> None:
    """Both teams of whole games play at a fixed time a move."""
    clients = [_engine(), _engine()]
    times_ms: list[float] = []
    number = 0
    while len(times_ms) < MOVES:
        number += 1
        rng = Random(number)
        game = GameState.start(SIGUO, {letter: lineup.sensible(rng) for letter in SIGUO.seats})
        while game.result == Result.ONGOING and len(times_ms) < MOVES:
            team = game.turn & 1
            position = _position(SIGUO, game, team)
            answer = clients[team].ask([position, f"go movetime {MOVETIME_MS}"])
            times_ms.append(answer.time_ms)
            game.play(parse_code(SIGUO, answer.move))
    for client in clients:
        client.close()
    late = sum(time_ms > MOVETIME_MS + 20 for time_ms in times_ms)
    report.figure(f"moves at movetime {MOVETIME_MS} that came over 20 ms late, of {MOVES}", late, "moves", "0")
    report.figure("  the slowest", max(times_ms), "ms", f"at most {MOVETIME_MS + 20}")
    report.figure("  the median", statistics.median(times_ms), "ms")
