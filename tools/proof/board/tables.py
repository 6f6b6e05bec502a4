"""Many games at the same time on one board: whether its memory grows, and whether anything is lost.

Each table has a host's page and a guest's page, which are WebSockets on loopback, and no engine, so the board itself
does the work. A game that is over is followed by a rematch: tokens, sessions and files come and go the whole time.
"""

import itertools
import json
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from junqi_engine.engines.own_program import own_command
from tools.proof.board import engine
from tools.referee.records.game_record import GameRecord
from tools.referee.records.replay import verify

ANSWER_S = 60.0
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


def run(tables: int, seconds: float, seed: int) -> Findings:
    """Play games at so many tables of one board."""
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="junqi-tables-") as name:
        folder = Path(name)
        command = own_command("tools.board", "--no-browser", "--folder", name)
        command += ["--engine", f"script={shlex.join([sys.executable, '-S', str(engine.__file__)])}"]
        board = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert board.stdout is not None
            base, token = board.stdout.readline().split()[1].split("#")
            end_s = time.monotonic() + seconds
            threads = [
                threading.Thread(target=_sit, args=(base, token, random.Random(seed + number), end_s, findings))
                for number in range(tables)
            ]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                time.sleep(SAMPLE_S)
                findings.samples_mb.append(_memory_mb(board.pid))
            if board.poll() is not None:
                findings.faults.append(f"the board has ended with {board.returncode}")
        finally:
            board.terminate()
            board.wait()
            if board.stdout is not None:
                board.stdout.close()
        findings.faults += _check_files(folder, findings.games)
    return findings


def _sit(base: str, token: str, rng: random.Random, end_s: float, findings: Findings) -> None:
    """One table, until the time is over."""
    try:
        with _Page(base, token) as host:
            host.until("game")
            opened = host.ask("new_table", **_setup())
            with _Page(base, opened["invitations"][0]["token"]) as guest:
                pages = {"SN": host, "EW": guest}
                for page in pages.values():
                    page.game = opened["game"]
                while time.monotonic() < end_s:
                    _play(pages, rng, end_s, findings)
    except (OSError, WebSocketException, TimeoutError, KeyError, ValueError) as error:
        findings.faults.append(f"a table has failed: {type(error).__name__}: {error}")


def _play(pages: "dict[str, _Page]", rng: random.Random, end_s: float, findings: Findings) -> None:
    """One game, and the agreement to the next."""
    for page in pages.values():
        state = page.state(lambda state: state["phase"] == "arranging")
        page.game = state["game"]
        page.say("ready", lineups=state["drafts"])
    page = pages["SN"]
    state = page.state(lambda state: state["phase"] != "arranging")
    while time.monotonic() < end_s:
        page = next(one for one in pages.values() if state["turn"] in one.seats)
        state = page.state(lambda state: bool(state.get("targets")) or state["phase"] == "over")
        if state["phase"] == "over":
            break
        moves = [move for targets in state["targets"].values() for move in targets.values()]
        began_s, ply = time.monotonic(), len(state["moves"])
        page.say("move", ply=ply, move=rng.choice(moves))
        state = page.state(lambda state, ply=ply: len(state["moves"]) > ply)
        findings.slowest_s = max(findings.slowest_s, time.monotonic() - began_s)
        findings.moves += 1
        if state["phase"] == "over":
            break
    if state["phase"] == "over":
        findings.games += 1
        for one in pages.values():
            one.say("rematch")


class _Page:
    """A page that is only a WebSocket."""

    def __init__(self, base: str, token: str) -> None:
        url = f"{base.replace('http', 'ws')}socket"
        self._connection = connect(
            url, origin=Origin(base.rstrip("/")), max_size=None, compression=None, open_timeout=ANSWER_S,
            close_timeout=0.2, ping_interval=None,
        )  # fmt: skip
        self._socket: ClientConnection = self._connection.__enter__()
        self._ids = itertools.count(1)
        self.game = 0
        self.seats = ""
        self.last: dict[str, Any] = {}
        self.say("hello", token=token)

    def __enter__(self) -> "_Page":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.__exit__(None, None, None)

    def say(self, kind: str, **fields: Any) -> None:
        self._socket.send(json.dumps({"type": kind, **fields}))

    def _hear(self) -> dict[str, Any]:
        message = json.loads(self._socket.recv(timeout=ANSWER_S))
        if message["type"] == "error":
            raise ValueError(f"refused: {message['code']}: {message['text']}")
        if message["type"] == "game" and message["game"] >= self.game:
            self.last, self.seats = message, message["mine"]
        return dict(message)

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            message = self._hear()
            if message["type"] == kind:
                return message

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = next(self._ids)
        self.say(kind, id=number, **fields)
        while True:
            message = self._hear()
            if message.get("id") == number:
                return message

    def state(self, is_it: Any) -> dict[str, Any]:
        """The state of the page's game, the one it has or the next, for which a function is true."""
        while not (self.last and self.last["game"] >= self.game and is_it(self.last)):
            self._hear()
        return self.last


def _setup() -> dict[str, Any]:
    """Two persons, who move as fast as the board answers."""
    who = {"S": "me", "N": "me", "E": "guest", "W": "guest"}
    return {
        "variant": "siguo",
        "visibility": "partner",
        "seats": {seat: {"who": one, "program": "", "player": "", "elo": None} for seat, one in who.items()},
        "first": "S",
        "clock": {"base_s": 3600, "increment_s": 0},
        "time_out": "loses",
        "move_ms": 100,
        "pace_ms": 0,
        "no_contact": None,
        "max_plies": MAX_PLIES,
    }


def _memory_mb(process: int) -> float:
    """The resident memory of a process, without its children."""
    return psutil.Process(process).memory_info().rss / (1 << 20)


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
