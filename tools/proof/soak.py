"""Long runs: `python -m tools.proof.soak [--games N] [--orders N] [--minutes M] [--seed N]`.

Games are played through the referee with bounds checks in all kernels, in every variant and visibility, between all
players; orders are `go`, `stop`, `ponderhit`, `setoption` and positions in any order, to one process. Asserted: no
game ends by a fault, every `go` is answered once, none late, memory stays flat once warm, no process is left.

Ends with the summary that stands in docs/soak.md, or with the first thing that went wrong.
"""

import argparse
import io
import os
import platform
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from junqi_engine.rules.board import BOARDS
from protocol.catalogue import PLAYERS
from protocol.client import EngineClient, EngineError
from tools.referee.running.progress import Progress
from tools.referee.running.tournament import Tournament
from tools.referee.settings.settings import Settings, Visibility

ENGINE = [sys.executable, "-m", "protocol"]
MARGIN_MS = 50
SLACK = 10
"""How many times as late as in a match an answer may be here."""
GROWTH = 0.05
"""Of memory, after the warm-up, which is a fifth of the run."""
WARM_UP = 0.2
BATCH = 20
NODES = 60
BLOCK_GAMES = 8
MOVETIME_MS = 10
ORDERS = (
    *("go infinite", "go ponder wtime 500 btime 500", "go ponder nodes 30", "go nodes 40", "go depth 1", "go depth x"),
    *("go movetime 2", "go setup S", "go perft 1", "stop", "stop", "ponderhit", "ponderhit", "isready", "ucinewgame"),
    *("position startpos", "position startpos viewer *", "position startpos viewer S moves g6g7 l7k7", "d", "legal"),
    *("setoption name MultiPV value 3", "setoption name MultiPV value 1", "setoption name Seed value 5", "eval"),
    *("setoption name Hash value 4", "setoption name Hash value 9999999", "setoption name Skill Level value 5"),
    *(f"setoption name Player value {version}" for version in PLAYERS),
)
SETTLED = ("setoption name Hash value 16", "setoption name MultiPV value 1", "setoption name Skill Level value 20")


class Wrong(Exception):
    """Something that must not happen has happened."""


@dataclass
class Found:
    """What a run came to."""

    games: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    orders: int = 0
    answers: int = 0
    latest_ms: float = 0.0
    memory_mb: list[float] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """By how much the most memory after the warm-up exceeds the most in it."""
        warm = max(2, int(WARM_UP * len(self.memory_mb)))
        after = self.memory_mb[warm:]
        return max(after) / max(self.memory_mb[:warm]) - 1 if after else 0.0

    def lines(self, seconds: float) -> Iterator[str]:
        """The summary."""
        yield f"machine        {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        yield f"time           {seconds:.0f} s"
        yield f"games          {self.games}, {self.plies} plies, bounds checks on"
        yield f"endings        {', '.join(f'{name} {count}' for name, count in sorted(self.endings.items()))}"
        yield f"orders         {self.orders}, {self.answers} of them a go, each answered once"
        yield f"latest answer  {self.latest_ms:.0f} ms after stop or the end of its time"
        if self.memory_mb:
            yield f"memory         {self.memory_mb[-1]:.1f} MB at the end, {100 * self.growth:+.1f}% after the warm-up"
        yield "processes left 0"


def play_games(found: Found, games: int, end: float, seed: int) -> None:
    """So many games, or until the time is up, in blocks of `BLOCK_GAMES`."""
    os.environ["NUMBA_BOUNDSCHECK"] = "1"
    settings = _blocks(seed)
    while found.games < games and time.monotonic() < end:
        tournament = Tournament(next(settings))
        tournament.run(Progress(io.StringIO()), resume=False)
        for game in tournament.finished.values():
            found.games += 1
            found.plies += len(game.moves)
            found.endings[game.ending] += 1
            if game.ending.is_fault or game.detail:
                raise Wrong(f"game ended by {game.ending}: {game.detail}")
    del os.environ["NUMBA_BOUNDSCHECK"]


def _blocks(seed: int) -> Iterator[Settings]:
    """Settings of short matches, in every variant and visibility, each player against the next."""
    number = seed
    while True:
        for board in BOARDS.values():
            for visibility in Visibility:
                pair = [PLAYERS[number % len(PLAYERS)], PLAYERS[(number + 1) % len(PLAYERS)]]
                engines = [{"name": f"{v} {i}", "cmd": ENGINE, "option": {"Player": v}} for i, v in enumerate(pair)]
                match = {"variant": board.variant, "visibility": str(visibility), "rounds": BLOCK_GAMES // 2}
                tables = {"match": {**match, "seed": number, "lineups": "random"}, "each": {"nodes": NODES}}
                yield Settings.read({**tables, "engine": engines}, "soak")
                number += 1


def give_orders(found: Found, orders: int, end: float, seed: int) -> None:
    """So many orders to one process, or until the time is up."""
    rng = random.Random(seed)
    client = EngineClient(ENGINE)
    try:
        client.start()
        client.ready()
        while found.orders < orders and time.monotonic() < end:
            _batch(client, found, [rng.choice(ORDERS) for _ in range(BATCH)])
            answer = client.ask(("position startpos", f"go movetime {MOVETIME_MS}"), MOVETIME_MS + SLACK * MARGIN_MS)
            found.latest_ms = max(found.latest_ms, answer.time_ms - MOVETIME_MS)
            found.orders += 2
            found.answers += 1
            if found.orders // (BATCH + 2) % 10 == 0:
                found.memory_mb.append(_memory_mb(client.pid))
    finally:
        client.close()
    left = [folder.name for folder in Path("/proc").glob("[0-9]*") if _group(folder) == client.pid]
    if left:
        raise Wrong(f"processes were left: {', '.join(left)}")
    if found.growth > GROWTH:
        raise Wrong(f"memory grew by {100 * found.growth:.1f}%: {[round(mb) for mb in found.memory_mb]} MB")


def _batch(client: EngineClient, found: Found, orders: list[str]) -> None:
    """Some orders in one go; then every `go` among them must have been answered, once, soon after the last `stop`."""
    expected = sum(order.startswith("go") for order in orders)
    client.send(*orders)
    stopped = time.monotonic()
    client.send("stop", *SETTLED, "isready")
    heard: list[bytes] = []

    def is_over(line: bytes) -> bool:
        heard.append(line)
        return sum(line.startswith(b"bestmove") for line in heard) >= expected

    if expected:
        client.wait_for(is_over, time.monotonic_ns() + int(100e9), f"{expected} answers")
        found.latest_ms = max(found.latest_ms, 1000 * (time.monotonic() - stopped))
    extra = [line for line in client.listen(0.0 if expected else 0.01) if line.startswith("bestmove")]
    text = b"\n".join(heard)
    if extra or b"error internal" in text:
        raise Wrong(f"{orders}: {extra or text!r}")
    found.orders += len(orders)
    found.answers += expected


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _group(folder: Path) -> int | None:
    """The process group of a folder of /proc; None if the process is gone or only waits to be reaped."""
    try:
        state, _, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return None
    return None if state == "Z" else int(group)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.proof.soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--orders", type=int, default=50_000)
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="at most, half of it for the games")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    began, found = time.monotonic(), Found()
    try:
        play_games(found, arguments.games, began + 30 * arguments.minutes, arguments.seed)
        give_orders(found, arguments.orders, began + 60 * arguments.minutes, arguments.seed)
    except (Wrong, EngineError) as fault:
        print(f"seed {arguments.seed}, after {found.games} games and {found.orders} orders: {fault}", file=sys.stderr)
        return 1
    print("\n".join(found.lines(time.monotonic() - began)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
