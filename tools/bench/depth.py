"""Time to depth 6 in fixed positions: 20 openings, 20 middle games and 20 endings of each Junqi variant.

The positions, in `positions/VARIANT.txt`, are from games between two versions of player 2.0, as the team to move sees
them. Time counts from `go` to `bestmove`, so it includes drawing the worlds. The engine starts once for each phase.
"""

import re
import time
from pathlib import Path

from junqi_engine.engines.client import EngineClient
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen, start_view
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS
from tools.bench.report import Report
from tools.revisions.cache import Checkout
from tools.revisions.repository import ROOT

DEPTH = 6
SEED = 1
PHASES = ("opening", "middle", "ending")
FOLDER = Path(__file__).with_name("positions")
LONGEST_S = 600.0
"""A search that takes longer than this hangs."""
NODES = re.compile(rb"\bnodes (\d+)")


def measure(report: Report) -> None:
    for variant, phase in suites():
        measure_suite(Checkout("this checkout", ROOT), variant, phase, report)


def suites() -> list[tuple[str, str]]:
    """Every variant with every phase."""
    return [(variant, phase) for variant in BOARDS for phase in PHASES]


def positions(variant: str, phase: str) -> list[str]:
    """The `position` commands of a suite."""
    lines = (FOLDER / f"{variant}.txt").read_text(encoding="ascii").splitlines()
    return [line.removeprefix(f"{phase}: ") for line in lines if line.startswith(f"{phase}: ")]


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
