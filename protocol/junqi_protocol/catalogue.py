"""The catalogue: what is known of each variant without loading it, and every option, declared once.

To add a variant, add an entry here and a module with a `variant_game.VariantGame`. To add an option, add it to the
group of its variants, or to `COMMON` if all variants have it.
"""

from typing import NamedTuple

from junqi_engine.players.versions import NEWEST, VERSIONS
from junqi_engine.processors import processors
from junqi_protocol.free_memory import memory_mb
from junqi_protocol.options import Check, Combo, Option, Spin, String
from junqi_puzzles.metric import Metric


class Entry(NamedTuple):
    """A variant: the module whose `GAME` makes its game, the package with its kernels, and its own options."""

    variant: str
    module: str
    package: str
    options: tuple[Option, ...] = ()


COMMON: tuple[Option, ...] = (
    Spin("Seed", "the seed of everything random; -1 for a new one in each game, which is printed", -1, -1, 2**31 - 1),
    Spin("Threads", "threads of the search and of the solvers", 1, 1, processors()),
    Spin("Hash", "memory of the search and of the solvers in MB", min(256, memory_mb()), 1, memory_mb()),
    Spin("MultiPV", "how many moves or solutions to print", 1, 1, 500),
)
"""The options of every variant."""

JUNQI: tuple[Option, ...] = (
    Combo("Player", "the version that plays", NEWEST, VERSIONS),
    String("EvalFile", "a file with a network of one's own for the newest player; none for the packaged one"),
    Check("Ponder", "declares that the GUI may send `go ponder`; has no other effect", False),
    Spin("Move Overhead", "ms of a clock to keep for communication; at most a tenth of a fixed move time", 30, 0, 5000),
    Spin("Skill Level", "20 is full strength; lower levels search less deeply and blur the scores", 20, 0, 20),
    Check("UCI_ShowWDL", "print the chances of a win, a draw and a loss in permille after each score", False),
    Spin("NoContactLimit", "plies without a battle that end the game; 0 for no limit, -1 for the variant's", -1, -1,
         1000),
    Spin("MaxPlies", "plies after which the game is a draw; 0 for no limit", 0, 0, 100_000),
)  # fmt: skip

METRICS = tuple(metric.value for metric in Metric)
METHOD = Combo("Method", "the method of the solver", "best", ("best", "dfs", "warnsdorff", "backtracking"))

MATCH3: tuple[Option, ...] = (
    String("Scoring", "points of a run of 3, 4 and 5", "1/3/10"),
    Combo("LongRun", "a run longer than 5: `cap` scores it as 5, `ignore` neither scores nor removes it", "cap",
          ("cap", "ignore")),
    Check("EmptySwap", "a swap may move a piece to an empty square", False),
    Combo("StartWithRuns", "runs in the start position: `resolve` removes them unscored, `score` scores them, `leave` "
          "keeps them, `error` rejects them", "resolve", ("resolve", "leave", "score", "error")),
    METHOD,
)  # fmt: skip

KLOTSKI: tuple[Option, ...] = (
    Combo("Metric", "what counts as a step", METRICS[0], METRICS),
    Check("Axis Locked", "pieces move only along their length, as in Rush Hour", False),
    METHOD,
)

CATALOGUE: tuple[Entry, ...] = (
    Entry("siguo", "junqi_protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("luzhanqi", "junqi_protocol.games.junqi", "junqi_engine", JUNQI),
    Entry("klotski", "junqi_protocol.games.klotski", "junqi_puzzles.klotski", KLOTSKI),
    Entry("submarine", "junqi_protocol.games.submarine", "junqi_puzzles.submarine", (METHOD,)),
    Entry("match3", "junqi_protocol.games.match3", "junqi_puzzles.match3", MATCH3),
    Entry("knights-tour", "junqi_protocol.games.knights_tour", "junqi_puzzles.knights_tour", (METHOD,)),
)
JUNQI_VARIANTS = tuple(entry.variant for entry in CATALOGUE if entry.package == "junqi_engine")
"""The variants that are played on a board of Junqi."""


def declared_options(catalogue: tuple[Entry, ...] = CATALOGUE) -> list[Option]:
    """Every option of every variant, `UCI_Variant` first. Variants may share an option; ValueError for two different
    options with the same name.
    """
    variants = tuple(entry.variant for entry in catalogue)
    options: dict[str, Option] = {}
    choice = Combo("UCI_Variant", "the game", variants[0], variants)
    for group in ((choice,), COMMON, *(entry.options for entry in catalogue)):
        for option in group:
            if options.setdefault(option.name.lower(), option) is not option:
                raise ValueError(f"option {option.name} is declared twice")
    return list(options.values())
