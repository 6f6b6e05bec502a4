"""Many games with bounds checks in all kernels, and many commands in random order to one process.

`--budget N` plays and sends N times as many; `-s` shows what was counted (docs/testing.md).
"""

import io
import itertools
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import psutil
import pytest

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.own_program import own_command
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.settings.settings import MatchSettings, Visibility
from tests.helpers.marking import seeds

GAMES_PER_MATCH = 8
NODES = 60
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
WARM_UP = 0.2
"""The share of the memory samples that belong to the warm-up."""
MOST_GROWTH = 0.05


def matches(engine: Sequence[str], count: int) -> Iterator[MatchSettings]:
    """Settings of short matches, each player against the next, in every variant and visibility."""
    rooms = itertools.cycle(itertools.product(BOARDS, Visibility))
    for number, (variant, visibility) in enumerate(itertools.islice(rooms, count)):
        pair = [VERSIONS[number % len(VERSIONS)], VERSIONS[(number + 1) % len(VERSIONS)]]
        engines = [{"name": f"{v} {i}", "cmd": list(engine), "option": {"Player": v}} for i, v in enumerate(pair)]
        match = {"variant": variant, "visibility": str(visibility), "rounds": GAMES_PER_MATCH // 2}
        tables = {"match": {**match, "seed": number, "lineups": "random"}, "each": {"nodes": NODES}}
        yield MatchSettings.read({**tables, "engine": engines}, "soak")


@pytest.mark.long
def test_games_between_all_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game ends by a fault."""
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    endings: Counter[str] = Counter()
    plies = 0
    for settings in matches(own_command(), len(seeds(3))):
        tournament = Tournament(settings)
        tournament.run(Progress(io.StringIO()), resume=False)
        for game in tournament.finished.values():
            assert not game.ending.is_fault and not game.detail, f"{game.ending}: {game.detail}"
            endings[game.ending] += 1
            plies += len(game.moves)
    shares = ", ".join(f"{name} {number}" for name, number in sorted(endings.items()))
    print(f"{endings.total()} games, {plies} plies, bounds checks on: {shares}")


class Orders:
    """Commands in random order to one process: each `go` is answered once and in time."""

    def __init__(self) -> None:
        self.client = EngineClient(own_command())
        self.sent = self.answers = 0
        self.latest_ms = 0.0
        self.memory_mb: list[float] = []

    def give(self, batches: int) -> None:
        rng = random.Random(1)
        try:
            self.client.start()
            self.client.ready()
            for batch in range(batches):
                self._send([rng.choice(ORDERS) for _ in range(BATCH)])
                asked = "position startpos", f"go movetime {MOVETIME_MS}"
                answer = self.client.ask(asked, MOVETIME_MS + SLACK * MARGIN_MS)
                self.latest_ms = max(self.latest_ms, answer.time_ms - MOVETIME_MS)
                self.sent += len(asked)
                self.answers += 1
                if batch % BATCHES_PER_SAMPLE == 0:
                    self.memory_mb.append(psutil.Process(self.client.pid).memory_info().rss / (1 << 20))
        finally:
            self.client.close()

    def _send(self, orders: list[str]) -> None:
        """Send commands at once and then `stop`: each `go` among them must be answered exactly once."""
        expected = sum(order.startswith("go") for order in orders)
        self.client.send(*orders)
        stopped = time.monotonic()
        self.client.send("stop", *SETTLED, "isready")
        heard: list[bytes] = []

        def is_over(line: bytes) -> bool:
            heard.append(line)
            return sum(line.startswith(b"bestmove") for line in heard) >= expected

        if expected:
            self.client.wait_for(is_over, ANSWERS_DEADLINE_S, f"{expected} answers")
            self.latest_ms = max(self.latest_ms, 1000 * (time.monotonic() - stopped))
        extra = [line for line in self.client.listen(0.0 if expected else 0.01) if line.startswith("bestmove")]
        assert not extra and b"error internal" not in b"\n".join(heard), f"{orders}: {extra or heard}"
        self.sent += len(orders)
        self.answers += expected


@pytest.mark.long
def test_commands_in_random_order() -> None:
    """Memory does not grow after the warm-up, and no process remains."""
    orders = Orders()
    orders.give(len(seeds(30)))
    assert [each.pid for each in psutil.process_iter() if group_of(each) == orders.client.pid] == []
    warm = max(2, int(WARM_UP * len(orders.memory_mb)))
    growth = max(orders.memory_mb[warm:], default=0.0) / max(orders.memory_mb[:warm]) - 1
    print(
        f"{orders.sent} commands, {orders.answers} of them go, each answered once, the latest {orders.latest_ms:.0f} "
        f"ms late; {orders.memory_mb[-1]:.1f} MB at the end, {100 * growth:+.1f}% after the warm-up"
    )
    assert growth < MOST_GROWTH


def group_of(process: psutil.Process) -> int | None:
    """The process group of a process; None if it has ended, reaped or not."""
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else os.getpgid(process.pid)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return None
