"""The catalogue of variants and options. Importing it loads no game.

To add a variant, add an entry here and a module with a `variant_game.VariantGame`. To add an option, add it to the
group of its variants, or to `COMMON` if all variants have it. docs/protocol.md says what each one means.
"""

from typing import NamedTuple

from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.processors import processors
from junqi_protocol.free_memory import memory_mb
from junqi_protocol.options import Check, Combo, Option, Spin, String
from junqi_puzzles.metric import Metric


class Entry(NamedTuple):
    """A variant: the module whose `GAME` is its class, the package of its kernels, and its own options."""

    variant: str
    module: str
    package: str
    options: tuple[Option, ...] = ()


COMMON: tuple[Option, ...] = (
    Spin("Seed", -1, -1, 2**31 - 1),
    Spin("Threads", 1, 1, processors()),
    Spin("Hash", min(256, memory_mb()), 1, memory_mb()),
    Spin("MultiPV", 1, 1, 500),
)
"""The options of every variant."""

JUNQI: tuple[Option, ...] = (
    Combo("Player", NEWEST, VERSIONS),
    String("EvalFile"),
    Check("Ponder", False),
    Spin("Move Overhead", 30, 0, 5000),
    Spin("Skill Level", 20, 0, 20),
    Check("UCI_ShowWDL", False),
    Spin("NoContactLimit", -1, -1, 1000),
    Spin("MaxPlies", 0, 0, 100_000),
)

METRICS = tuple(metric.value for metric in Metric)

MATCH3: tuple[Option, ...] = (
    String("Scoring", "1/3/10", "[0-9]{1,4}(/[0-9]{1,4}){2}", "three numbers such as 1/3/10"),
    Combo("LongRun", "cap", ("cap", "ignore")),
    Check("EmptySwap", False),
    Combo("StartWithRuns", "resolve", ("resolve", "leave", "score", "error")),
)

KLOTSKI: tuple[Option, ...] = (
    Combo("Metric", METRICS[0], METRICS),
    Check("Axis Locked", False),
)

CATALOGUE: tuple[Entry, ...] = (
    Entry("siguo", "junqi_protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("luzhanqi", "junqi_protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("klotski", "junqi_protocol.games.klotski", "junqi_puzzles.klotski", KLOTSKI),
    Entry("submarine", "junqi_protocol.games.submarine", "junqi_puzzles.submarine", ()),
    Entry("match3", "junqi_protocol.games.match3", "junqi_puzzles.match3", MATCH3),
    Entry("knights-tour", "junqi_protocol.games.knights_tour", "junqi_puzzles.knights_tour", ()),
)
JUNQI_VARIANTS = tuple(entry.variant for entry in CATALOGUE if entry.package == "junqi_engine")
"""The variants of Junqi; the others are puzzles."""


def declared_options(catalogue: tuple[Entry, ...]) -> list[Option]:
    """The options of all variants, `UCI_Variant` first. ValueError for two different options with the same name."""
    variants = tuple(entry.variant for entry in catalogue)
    options: dict[str, Option] = {}
    choice = Combo("UCI_Variant", variants[0], variants)
    for group in ((choice,), COMMON, *(entry.options for entry in catalogue)):
        for option in group:
            if options.setdefault(option.name.lower(), option) is not option:
                raise ValueError(f"option {option.name} is declared twice")
    return list(options.values())


OPTIONS = declared_options(CATALOGUE)
