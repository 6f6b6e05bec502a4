"""The protocol's `bench` command: speed and signature of every player in both Junqi variants.

A signature is a hash of what a player did on fixed work. It changes only if the player's behaviour changes.
"""

import re
from dataclasses import dataclass

from junqi_engine.players.versions import VERSIONS
from junqi_engine.rules.board import BOARDS
from tools.bench.report import Report
from tools.revisions.cache import Checkout
from tools.revisions.repository import ROOT

RESULT = re.compile(r"info string bench nodes (\d+) nps (\d+) signature ([0-9A-F]+)")


@dataclass(frozen=True)
class Bench:
    """The answer to `bench`: nodes per second, and the signature with the number of nodes."""

    speed: int
    signature: str


def measure(report: Report) -> None:
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
    printed = checkout.run("-m", "protocol", *options, "bench")
    match = RESULT.search(printed)
    if match is None or "info string error" in printed:
        return None
    return Bench(int(match[2]), f"{match[3]}, {match[1]} nodes")
