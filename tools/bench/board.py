"""How long `junqi-board` takes from its start to a game that can be played, with cached kernels."""

import json
import os
import statistics
import subprocess
import tempfile
import time

import psutil

from junqi_engine.engines.own_program import own_command
from tools.bench.report import Report

STARTS = 5


def measure(report: Report) -> None:
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
        command = own_command("tools.board", "--no-browser", "--folder", folder)
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
