"""Many games at the same time on one board: whether its memory grows, and whether anything is lost.

Each table has a host's page and a guest's page, which are WebSockets on loopback, and no engine, so the board itself
does the work. A game that is over is followed by a rematch: tokens, sessions and files come and go the whole time.
"""

import random
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from websockets.exceptions import WebSocketException

from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from tests.helpers.board import DEADLINE_S, Page, Server, broken, new_game, serving

SAMPLE_S = 1.0
MAX_PLIES = 120
MOST_GROWTH = 1.05
"""The memory of the last third of the run, as a multiple of that of the third before it."""


@dataclass
class Findings:
    """What happened: finished games, moves, memory samples in MB, the slowest answer, and what went wrong."""

    games: int = 0
    moves: int = 0
    slowest_s: float = 0.0
    samples_mb: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """The median memory of the last third, by that of the third before."""
        third = max(1, len(self.samples_mb) // 3)
        before, last = self.samples_mb[-2 * third : -third], self.samples_mb[-third:]
        return statistics.median(last) / statistics.median(before) if before else 1.0

    def __str__(self) -> str:
        memory = f"{self.samples_mb[0]:.0f} to {self.samples_mb[-1]:.0f} MB" if self.samples_mb else "not measured"
        return (
            f"{self.games} games, {self.moves} moves, memory {memory} (last third {self.growth:.3f} times the one "
            f"before), slowest answer to a move {1000 * self.slowest_s:.0f} ms"
        )


def run(folder: Path, tables: int, seconds: float) -> Findings:
    """Play games at this many tables of one board, which saves them in a folder."""
    findings = Findings()
    with serving(folder, broken("planned")) as server:
        end_s = time.monotonic() + seconds
        threads = [
            threading.Thread(target=_sit, args=(server, random.Random(number), end_s, findings))
            for number in range(tables)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(SAMPLE_S)
            findings.samples_mb.append(psutil.Process(server.process.pid).memory_info().rss / (1 << 20))
        if server.process.poll() is not None:
            findings.faults.append(f"the board has ended with {server.process.returncode}")
    findings.faults += _check_files(folder, findings.games)
    return findings


class _Page(Page):
    """A page that knows the last state of its game."""

    game = 0
    last: dict[str, Any] | None = None

    def hear(self, deadline_s: float = DEADLINE_S) -> dict[str, Any]:
        message = super().hear(deadline_s)
        self.frames.clear()
        if message["type"] == "error":
            raise ValueError(f"refused: {message['code']}: {message['text']}")
        if message["type"] == "game" and message["game"] >= self.game:
            self.last = message
        return message

    def last_state(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The state of the page's game, the one it has or the next, for which a function is true."""
        while self.last is None or self.last["game"] < self.game or not is_it(self.last):
            self.hear()
        return self.last


def _sit(server: Server, rng: random.Random, end_s: float, findings: Findings) -> None:
    """One table, until the time is over."""
    # Two persons, who move as fast as the board answers.
    setup = new_game(
        {"S": "me", "E": "guest", "N": "me", "W": "guest"}, clock={"base_s": 3600, "increment_s": 0},
        max_plies=MAX_PLIES,
    )  # fmt: skip
    try:
        with _Page(server) as host:
            host.until("game")
            opened = host.ask("new_table", **setup)
            with _Page(server, opened["invitations"][0]["token"]) as guest:
                host.game = guest.game = opened["game"]
                while time.monotonic() < end_s:
                    _play((host, guest), rng, end_s, findings)
    except (OSError, WebSocketException, TimeoutError, KeyError, ValueError) as error:
        findings.faults.append(f"a table has failed: {type(error).__name__}: {error}")


def _play(pages: tuple[_Page, _Page], rng: random.Random, end_s: float, findings: Findings) -> None:
    """One game, and the agreement to the next."""
    for page in pages:
        state = page.last_state(lambda state: state["phase"] == "arranging")
        page.game = state["game"]
        page.say("ready", lineups=state["drafts"])
    state = pages[0].last_state(lambda state: state["phase"] != "arranging")
    while time.monotonic() < end_s and state["phase"] != "over":
        page = next(one for one in pages if one.last and state["turn"] in one.last["mine"])
        state = page.last_state(lambda state: bool(state.get("targets")) or state["phase"] == "over")
        if state["phase"] == "over":
            break
        moves = [move for targets in state["targets"].values() for move in targets.values()]
        began_s, ply = time.monotonic(), len(state["moves"])
        page.say("move", ply=ply, move=rng.choice(moves))
        state = page.last_state(lambda state, ply=ply: len(state["moves"]) > ply)
        findings.slowest_s = max(findings.slowest_s, time.monotonic() - began_s)
        findings.moves += 1
    if state["phase"] == "over":
        findings.games += 1
        for one in pages:
            one.say("rematch")


def _check_files(folder: Path, games: int) -> list[str]:
    """What is wrong with the saved games: each must follow the rules, and each finished game must be there."""
    faults, over = [], 0
    for path in sorted(folder.glob("*.jsonl")):
        record = GameRecord.from_line(path.read_text("utf-8"))
        fault = verify(record)
        if fault is not None:
            faults.append(f"{path.name}: {fault}")
        over += not record.ending.breaks_off
    if over < games:
        faults.append(f"{games} games were finished, but only {over} are saved")
    return faults
