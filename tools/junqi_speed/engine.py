"""What runs as processes: the newest player, the signatures of all players, the web board and the referee.

- `search`: positions per second, lateness at a fixed time per move, and the time to stop. The moves at 50 ms are those
  of whole games against itself. A client measures each, from `go` to `bestmove`. The environment variable
  `JUNQI_BENCH_MOVES` sets their number; 5,000 take about five minutes.
- `depth`: time to depth 6 in fixed positions: 20 openings, 20 middle games and 20 endings of each Junqi variant. The
  positions, in `positions.txt`, are from games between two versions of an older player, as the team to move sees
  them. Time counts from `go` to `bestmove`, so it includes drawing the worlds.
- `signatures`: the protocol's `bench` command: speed and signature of every player in both variants. A signature is a
  hash of what a player did on fixed work. It changes only if the player's behaviour changes.
- `board`: how long `junqi-board` takes from its start to a game that can be played, with cached kernels
- `referee`: plies per second with engines that answer at once
"""

import itertools
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import psutil

from junqi_engine.client.engine_client import EngineClient
from junqi_engine.client.line_process import own_command
from junqi_engine.players import lineup_choice
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.cli import parse
from junqi_referee.playing.match import settings_of
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.truth import Truth
from junqi_speed import Report, instant_engine

MOVES = int(os.environ.get("JUNQI_BENCH_MOVES", "400"))
MOVETIME_MS = 50
LATE_MS = 20
SPEED_MS = 2000
STOPS = 40


def measure_search(report: Report) -> None:
    _speed(report)
    _late_moves(report)
    _stops(report)


def _engine(*options: str) -> EngineClient:
    client = EngineClient(own_command())
    client.start()
    client.send(*(f"setoption name {option}" for option in options))
    client.ready(may_load=True)
    return client


def _speed(report: Report) -> None:
    """The engine's own figures, at the start, with viewer SN and with every piece known."""
    client = _engine("Seed value 0")
    for viewer, name in (("SN", "two seats hidden"), ("*", "all known")):
        speeds = []
        for _ in range(3):
            reply = client.ask((f"position startpos viewer {viewer}", f"go movetime {SPEED_MS}"))
            speeds.append(reply.info.nps or 0)
        report.figure(f"positions made a second, {name}", max(speeds) / 1e6, "million/s", "at least 1.5")
    client.close()


def _late_moves(report: Report) -> None:
    """Both teams of whole games play at a fixed time per move."""
    clients = {team: _engine("Seed value 0") for team in SIGUO.teams}
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
    report.figure(f"movetime {MOVETIME_MS}, the slowest", max(times_ms), "ms", f"at most {MOVETIME_MS + LATE_MS}")
    report.figure(f"movetime {MOVETIME_MS}, the median", statistics.median(times_ms), "ms")


def _stops(report: Report) -> None:
    """From `stop` to `bestmove` in `go infinite`."""
    client = _engine("Seed value 0")
    times_ms = []
    for _ in range(STOPS):
        client.send("go infinite")
        time.sleep(0.1)
        times_ms.append(client.ask(["stop"]).time_ms)
    client.close()
    report.figure("from stop to bestmove, the slowest", max(times_ms), "ms", "at most 20")
    report.figure("from stop to bestmove, the median", statistics.median(times_ms), "ms")


DEPTH = 6
PHASES = ("opening", "middle", "ending")
POSITIONS = Path(__file__).with_name("positions.txt")
"""A line has the variant, the phase and the `position` command."""
LONGEST_S = 600.0
"""A search that takes longer than this hangs."""
NODES = re.compile(rb"\bnodes (\d+)")


def measure_depth(report: Report) -> None:
    lines = POSITIONS.read_text(encoding="ascii").splitlines()
    for variant in BOARDS:
        client = _engine(f"UCI_Variant value {variant}", "Seed value 1")
        for phase in PHASES:
            head = f"{variant}, {phase}: "
            found = [line.removeprefix(head) for line in lines if line.startswith(head)]
            seconds, nodes = 0.0, 0
            for position in found:
                client.send("ucinewgame", position)
                client.ready()
                started = time.perf_counter()
                nodes += int(_said(client, f"go depth {DEPTH}", NODES, b"bestmove")[1])
                seconds += time.perf_counter() - started
            name = f"{head}time to depth {DEPTH}, {len(found)} positions"
            report.figure(name, seconds, "s")
            report.figure(f"{name}: positions made a second", nodes / seconds / 1e6, "million/s")
        client.close()


RESULT = re.compile(rb"info string bench nodes (\d+) nps (\d+) signature ([0-9A-F]+)")


def measure_signatures(report: Report) -> None:
    for variant, player in itertools.product(BOARDS, VERSIONS):
        client = _engine(f"UCI_Variant value {variant}", f"Player value {player}")
        found = _said(client, "bench", RESULT, b"info string bench nodes")
        client.close()
        name = f"{variant}, player {player}, bench"
        report.figure(name, int(found[2]) / 1e6, "million nodes/s")
        report.signature(f"{name}, signature", f"{found[3].decode()}, {int(found[1])} nodes")


def _said(client: EngineClient, command: str, pattern: re.Pattern[bytes], last: bytes) -> re.Match[bytes]:
    """The last match of a pattern in what the engine answers to a command, up to a line that begins with `last`."""
    found: list[re.Match[bytes]] = []

    def is_last(line: bytes) -> bool:
        found.extend(pattern.finditer(line))
        return line.startswith(last)

    client.send(command)
    client.wait_for(is_last, LONGEST_S, last.decode())
    return found[-1]


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
    words = f"match --rounds {PAIRS} --concurrency {GAMES_AT_A_TIME} --no-contact 0 --max-plies {PLIES_A_GAME}".split()
    words += ["--record", str(folder / "games.jsonl"), "--each", f"cmd={shlex.join(command)}", "st=1"]
    tournament = Tournament(settings_of(parse([*words, "--engine", "name=one", "--engine", "name=other"])))
    began = time.perf_counter()
    with (folder / "progress").open("w") as out:
        tournament.run(Progress(out), resume=False)
    seconds = time.perf_counter() - began
    return sum(len(game.moves) for game in tournament.finished.values()), seconds
