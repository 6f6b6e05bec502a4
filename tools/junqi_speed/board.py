"""What the web board and the referee cost.

- `board`: how long `junqi-board` takes from its start to a game that can be played, with cached kernels
- `referee`: plies per second with engines that answer at once
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from junqi_engine.client.own_program import own_command
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.settings.settings import Settings
from junqi_speed import Report, instant_engine

STARTS = 5


def measure_board(report: Report) -> None:
    """Medians of several starts. The page is only a WebSocket, so the start of a browser is not included."""
    _start()
    starts = [_start() for _ in range(STARTS)]
    report.note(
        f"median of {STARTS} starts, load {os.getloadavg()[0]:.1f}; on a busy machine compare the processor time"
    )
    for place, (name, target) in enumerate(
        [
            ("address printed, browser started", ""),
            ("page connected: rules and engine loaded", ""),
            ("engine has set up its pieces: Start enabled", ""),
            ("first move possible", "below 3"),
            ("processor time of the board", ""),
            ("processor time of the engine", ""),
        ]
    ):
        report.figure(name, statistics.median(start[place] for start in starts), "s", target)


def _start() -> tuple[float, ...]:
    """The times of four steps, in seconds since the start, and the processor time of board and engines."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    # Byte code is cached, as it is in an installation.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        command = own_command("junqi_board", "--no-browser", "--folder", folder)
        board = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert board.stdout is not None
            base, token = board.stdout.readline().split()[1].split("#")
            steps = [time.perf_counter() - began]
            address = base.replace("http:", "ws:") + "socket"
            with connect(
                address, origin=Origin(base.rstrip("/")), max_size=None, compression=None, ping_interval=None
            ) as page:
                page.send(json.dumps({"type": "hello", "token": token}))
                while len(steps) < 4:
                    message = json.loads(page.recv(timeout=300))
                    is_arranged = message["type"] == "game" and all(
                        about["ready"] for about in message["seats"].values() if about["who"] == "engine"
                    )
                    is_next = (message["type"] == "welcome", is_arranged, bool(message.get("targets")))[len(steps) - 1]
                    if is_next:
                        steps.append(time.perf_counter() - began)
                        if len(steps) == 3:
                            page.send(json.dumps({"type": "ready", "lineups": message["drafts"]}))
                board_times = psutil.Process(board.pid)
                engines = sum(map(_processor_s, board_times.children()))
                return (*steps, _processor_s(board_times), engines)
        finally:
            board.terminate()
            board.communicate()


def _processor_s(process: psutil.Process) -> float:
    """The processor time that a process has used, in seconds."""
    times = process.cpu_times()
    return times.user + times.system


GAMES_AT_A_TIME = 2
PAIRS = 20
PLIES_A_GAME = 300
MATCHES = 3


def measure_referee(report: Report) -> None:
    """Complete games, from the line-ups to the record on disk; every engine is a process."""
    best = 0.0
    for _ in range(MATCHES):
        with tempfile.TemporaryDirectory() as folder:
            plies, seconds = play_match(Path(folder))
        best = max(best, plies / seconds)
    report.note(f"{PAIRS} pairs, {PLIES_A_GAME} plies a game, {GAMES_AT_A_TIME} games at a time; best of {MATCHES}")
    report.figure("plies a second, engines that answer at once", best, "plies/s", "at least 2,000 on two cores")


def play_match(folder: Path) -> tuple[int, float]:
    """The plies of one match, and its duration in seconds, including the start of the engines."""
    command = [sys.executable, "-S", "-E", instant_engine.__file__]
    tables = {
        "match": {
            "rounds": PAIRS,
            "concurrency": GAMES_AT_A_TIME,
            "no-contact": 0,
            "max-plies": PLIES_A_GAME,
            "record": str(folder / "games.jsonl"),
        },
        "each": {"cmd": command, "st": 1},
        "engine": [{"name": "one"}, {"name": "other"}],
    }
    tournament = Tournament(Settings.read(tables, "bench"))
    began = time.perf_counter()
    with (folder / "progress").open("w") as out:
        tournament.run(Progress(out), resume=False)
    seconds = time.perf_counter() - began
    return sum(len(game.moves) for game in tournament.finished.values()), seconds
