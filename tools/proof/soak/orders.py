"""Protocol commands in random order, all to one engine process.

Every `go` is answered once and in time, memory does not grow after the warm-up, and no process remains.
"""

import os
import random
import time
from collections.abc import Sequence

import psutil

from junqi_engine.engines.client import EngineClient
from junqi_engine.players.versions import VERSIONS
from tools.proof.soak.findings import Findings, SoakError

ORDERS = (
    *("go infinite", "go ponder wtime 500 btime 500", "go ponder nodes 30", "go nodes 40", "go depth 1", "go depth x"),
    *("go movetime 2", "go setup S", "go perft 1", "stop", "stop", "ponderhit", "ponderhit", "isready", "ucinewgame"),
    *("position startpos", "position startpos viewer *", "position startpos viewer S moves g6g7 l7k7", "d", "legal"),
    *("setoption name MultiPV value 3", "setoption name MultiPV value 1", "setoption name Seed value 5", "eval"),
    *("setoption name Hash value 4", "setoption name Hash value 9999999", "setoption name Skill Level value 5"),
    *(f"setoption name Player value {version}" for version in VERSIONS),
)
SETTLED = ("setoption name Hash value 16", "setoption name MultiPV value 1", "setoption name Skill Level value 20")
BATCH = 20
BATCHES_PER_SAMPLE = 10
MOVETIME_MS = 10
MARGIN_MS = 50
SLACK = 10
"""How many times the margin of a match an answer may take here, since the machine may be busy."""
ANSWERS_DEADLINE_S = 100
MOST_GROWTH = 0.05


def give_orders(found: Findings, engine: Sequence[str], orders: int, end: float, seed: int) -> None:
    """Send commands until `orders` are sent or the monotonic clock reaches `end`.

    Raises SoakError, or EngineError if the engine dies or is late.
    """
    rng = random.Random(seed)
    client = EngineClient(list(engine))
    try:
        client.start()
        client.ready()
        while found.orders < orders and time.monotonic() < end:
            _send_batch(client, found, [rng.choice(ORDERS) for _ in range(BATCH)])
            answer = client.ask(("position startpos", f"go movetime {MOVETIME_MS}"), MOVETIME_MS + SLACK * MARGIN_MS)
            found.latest_ms = max(found.latest_ms, answer.time_ms - MOVETIME_MS)
            found.orders += 2
            found.answers += 1
            if found.orders // (BATCH + 2) % BATCHES_PER_SAMPLE == 0:
                found.memory_mb.append(_memory_mb(client.pid))
    finally:
        client.close()
    remaining = [each.pid for each in psutil.process_iter() if _group(each) == client.pid]
    if remaining:
        raise SoakError(f"processes remain: {', '.join(remaining)}")
    if found.growth > MOST_GROWTH:
        raise SoakError(f"memory grew by {100 * found.growth:.1f}%: {[round(mb) for mb in found.memory_mb]} MB")


def _send_batch(client: EngineClient, found: Findings, orders: list[str]) -> None:
    """Send commands at once and then `stop`: each `go` among them must be answered exactly once."""
    expected = sum(order.startswith("go") for order in orders)
    client.send(*orders)
    stopped = time.monotonic()
    client.send("stop", *SETTLED, "isready")
    heard: list[bytes] = []

    def is_over(line: bytes) -> bool:
        heard.append(line)
        return sum(line.startswith(b"bestmove") for line in heard) >= expected

    if expected:
        client.wait_for(is_over, ANSWERS_DEADLINE_S, f"{expected} answers")
        found.latest_ms = max(found.latest_ms, 1000 * (time.monotonic() - stopped))
    extra = [line for line in client.listen(0.0 if expected else 0.01) if line.startswith("bestmove")]
    text = b"\n".join(heard)
    if extra or b"error internal" in text:
        raise SoakError(f"{orders}: {extra or text!r}")
    found.orders += len(orders)
    found.answers += expected


def _memory_mb(pid: int) -> float:
    """The resident memory of a process in MB."""
    return psutil.Process(pid).memory_info().rss / (1 << 20)


def _group(process: psutil.Process) -> int | None:
    """The process group of a process; None if it has ended, reaped or not."""
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else os.getpgid(process.pid)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return None
