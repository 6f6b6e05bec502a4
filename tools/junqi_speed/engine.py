"""The engine as a process: the newest player, and the signatures of all players.

- `search`: positions per second, lateness at a fixed time per move, and the time to stop. The moves at 50 ms are those
  of whole games against itself. A client measures each, from `go` to `bestmove`. The environment variable
  `JUNQI_BENCH_MOVES` sets their number; 5,000 take about five minutes.
- `depth`: time to depth 6 in fixed positions: 20 openings, 20 middle games and 20 endings of each Junqi variant. The
  positions, in `positions.txt`, are from games between two versions of player 2.0, as the team to move sees
  them. Time counts from `go` to `bestmove`, so it includes drawing the worlds. The engine starts once for each phase.
- `signatures`: the protocol's `bench` command: speed and signature of every player in both variants. A signature is a
  hash of what a player did on fixed work. It changes only if the player's behaviour changes.
"""

import os
import re
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from junqi_engine.engines.client import EngineClient
from junqi_engine.engines.own_program import own_command
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen, start_view
from junqi_engine.notation.moves import parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.revisions import ROOT, Checkout
from junqi_referee.truth import Truth
from junqi_speed.report import Report

MOVES = int(os.environ.get("JUNQI_BENCH_MOVES", "400"))
MOVETIME_MS = 50
LATE_MS = 20
SPEED_MS = 2000
STOPS = 40
ENGINE = own_command()


def measure_search(report: Report) -> None:
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


DEPTH = 6
SEED = 1
PHASES = ("opening", "middle", "ending")
POSITIONS = Path(__file__).with_name("positions.txt")
"""A line has the variant, the phase and the `position` command."""
LONGEST_S = 600.0
"""A search that takes longer than this hangs."""
NODES = re.compile(rb"\bnodes (\d+)")


def measure_depth(report: Report) -> None:
    for variant, phase in suites():
        measure_suite(Checkout("this checkout", ROOT), variant, phase, report)


def suites() -> list[tuple[str, str]]:
    """Every variant with every phase."""
    return [(variant, phase) for variant in BOARDS for phase in PHASES]


def positions(variant: str, phase: str) -> list[str]:
    """The `position` commands of a suite."""
    lines, head = POSITIONS.read_text(encoding="ascii").splitlines(), f"{variant}, {phase}: "
    return [line.removeprefix(head) for line in lines if line.startswith(head)]


def view_of(variant: str, position: str) -> SeatView:
    """What the team to move sees, from a `position` command of a suite."""
    board = BOARDS[variant]
    start, _, moves = position.removeprefix("position ").partition(" moves ")
    kind, *words = start.split()
    if kind == "fen":
        view = parse_fen(board, " ".join(words))
    else:
        view = start_view(board, [word for word in words if ":" in word], words[words.index("viewer") + 1])
    for move in moves.split():
        view.observe(parse_move(board, move))
    return view


def measure_suite(checkout: Checkout, variant: str, phase: str, report: Report) -> None:
    """Measure the engine of any revision on one suite."""
    client = EngineClient(list(checkout.command))
    client.start()
    client.send(f"setoption name UCI_Variant value {variant}", f"setoption name Seed value {SEED}")
    client.ready(may_load=True)
    seconds, nodes = 0.0, 0
    for position in positions(variant, phase):
        client.send("ucinewgame", position)
        client.ready()
        started = time.perf_counter()
        nodes += _nodes_of(client, f"go depth {DEPTH}")
        seconds += time.perf_counter() - started
    client.close()
    name = f"{variant}, {phase}: time to depth {DEPTH}, {len(positions(variant, phase))} positions"
    report.figure(name, seconds, "s")
    report.figure("  positions made a second", nodes / seconds / 1e6, "million/s")


def _nodes_of(client: EngineClient, go: str) -> int:
    """The positions that the engine has made for a `go`, by its own count."""
    nodes = 0

    def is_last(line: bytes) -> bool:
        nonlocal nodes
        if found := NODES.search(line):
            nodes = int(found[1])
        return line.startswith(b"bestmove")

    client.send(go)
    client.wait_for(is_last, LONGEST_S, "bestmove")
    return nodes


RESULT = re.compile(r"info string bench nodes (\d+) nps (\d+) signature ([0-9A-F]+)")


@dataclass(frozen=True)
class Bench:
    """The answer to `bench`: nodes per second, and the signature with the number of nodes."""

    speed: int
    signature: str


def measure_signatures(report: Report) -> None:
    for variant, player in players():
        measure_player(Checkout("this checkout", ROOT), variant, player, report)


def players() -> list[tuple[str, str]]:
    """Every variant with every player."""
    return [(variant, player) for variant in BOARDS for player in VERSIONS]


def measure_player(checkout: Checkout, variant: str, player: str, report: Report) -> None:
    """Measure a player of any revision; nothing is reported if the revision does not have it."""
    bench = _bench(checkout, variant, player)
    if bench is not None:
        name = f"{variant}, player {player}, bench"
        report.figure(name, bench.speed / 1e6, "million nodes/s")
        report.signature(f"{name}, signature", bench.signature)


def _bench(checkout: Checkout, variant: str, player: str) -> Bench | None:
    """None if the revision does not know the variant or the player."""
    options = (f"setoption name UCI_Variant value {variant}", f"setoption name Player value {player}")
    printed = checkout.run("-m", "junqi_protocol", *options, "bench")
    match = RESULT.search(printed)
    if match is None or "info string error" in printed:
        return None
    return Bench(int(match[2]), f"{match[3]}, {match[1]} nodes")
