"""The catalogue of variants: what can be known of each without loading it.

A new variant is an entry here and a module with a `protocol.game.Game`; nothing else of the protocol changes.
"""

import os
from typing import NamedTuple

from protocol.options import Check, Combo, Option, Spin, String, free_memory_mb, memory_mb
from puzzles.metric import Metric


class Entry(NamedTuple):
    """A variant: the module whose `GAME` class makes its game, the package with its kernels, the options beside
    `COMMON`.
    """

    variant: str
    module: str
    package: str
    options: tuple[Option, ...] = ()


COMMON: tuple[Option, ...] = (
    Spin("Seed", 0, 0, 2**31 - 1),
    Spin("Threads", 1, 1, os.cpu_count() or 1),
    Spin("Hash", min(256, memory_mb()), 1, memory_mb(), free_memory_mb),
    Spin("MultiPV", 1, 1, 500),
    String("Log File"),
)

PLAYERS = ("1.0", "1.1", "1.2", "2.0")

JUNQI: tuple[Option, ...] = (
    Combo("Player", PLAYERS[-1], PLAYERS),
    Check("Ponder", False),
    Spin("Move Overhead", 30, 0, 5000),
    Spin("Skill Level", 20, 0, 20),
    Spin("NoContactLimit", -1, -1, 1000),
    Combo("NoContactResult", "variant", ("variant", "draw", "loss")),
    Spin("MaxPlies", 0, 0, 100_000),
)

METRICS = tuple(metric.value for metric in Metric)

METHOD = Combo("Method", "best", ("best", "dfs", "warnsdorff", "backtracking"))

MATCH3: tuple[Option, ...] = (
    String("Scoring", "1/3/10", "[0-9]{1,4}/[0-9]{1,4}/[0-9]{1,4}", "points of a run of 3, 4 and 5, such as 1/3/10"),
    Combo("LongRun", "cap", ("cap", "ignore")),
    Check("EmptySwap", False),
    Combo("StartWithRuns", "resolve", ("resolve", "leave", "score", "error")),
    METHOD,
)

KLOTSKI: tuple[Option, ...] = (
    Combo("Metric", METRICS[0], METRICS),
    Check("Axis Locked", False),
    String("Disk"),
    METHOD,
)

SUBMARINE: tuple[Option, ...] = (METHOD, Spin("MaxSteps", 0, 0, 10_000))

CATALOGUE: tuple[Entry, ...] = (
    Entry("siguo", "protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("luzhanqi", "protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("klotski", "protocol.games.klotski", "puzzles.klotski", KLOTSKI),
    Entry("submarine", "protocol.games.submarine", "puzzles.submarine", SUBMARINE),
    Entry("match3", "protocol.games.match3", "puzzles.match3", MATCH3),
    Entry("knights-tour", "protocol.games.knights_tour", "puzzles.knights_tour", (METHOD,)),
)


def declared_options(catalogue: tuple[Entry, ...] = CATALOGUE) -> list[Option]:
    """Every option of every variant, each once, `UCI_Variant` first."""
    variants = tuple(entry.variant for entry in catalogue)
    options: dict[str, Option] = {"UCI_Variant": Combo("UCI_Variant", variants[0], variants)}
    for group in (COMMON, *(entry.options for entry in catalogue)):
        for option in group:
            options.setdefault(option.name, option)
    return list(options.values())
