"""The targets of fuzzing, each a reader with samples of its input, and their runs on damaged samples."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from junqi_engine.notation import lineup_files
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from junqi_protocol.catalogue import CATALOGUE, JUNQI_VARIANTS
from tests.helpers.proof import fuzz_checks as checks
from tests.helpers.proof import fuzz_samples as samples
from tests.helpers.proof.fuzz_checks import Broken

NAMES = (
    *("grammar", "contest", "contest-record", "jql", "jgs", "games", "book", "record", "settings"),
    *("library-record", "engine-line", "message", "network"),
    *(f"position-{entry.variant}" for entry in CATALOGUE),
    *(f"{kind}-{variant}" for kind in ("fen", "moves") for variant in JUNQI_VARIANTS),
)
LONGEST_S = 5.0
"""Limit of processor time for one input. It is half of the time in which `isready` must be answered.

Wall time would count what other processes do.
"""
LONGEST_NOTE = 5000


@dataclass(frozen=True)
class Target:
    """`samples` are good inputs; `check` gets any bytes and raises an exception if the reader is at fault."""

    check: Callable[[bytes], None]
    samples: tuple[bytes, ...]


def attempt(target: Target, data: bytes) -> None:
    """Check one input, and how long that takes. What is raised has a note with the input."""
    started = time.process_time()
    try:
        target.check(data)
        seconds = time.process_time() - started
        if seconds > LONGEST_S:
            raise Broken(f"it took {seconds:.1f} s")
    except BaseException as error:
        error.add_note(f"the input: {data[:LONGEST_NOTE]!r}")
        raise


def run(name: str, seed: int, examples: int) -> None:
    """Run a target on `examples` damaged samples, which depend on `seed` alone."""
    target = targets()[name]
    rng = random.Random(seed)
    for _ in range(examples):
        attempt(target, samples.damaged(target.samples, rng))


@cache
def targets() -> Mapping[str, Target]:
    """All targets by name. Slow, since games are played to take samples from."""
    found = {
        "grammar": Target(checks.check_grammar, samples.GRAMMAR),
        "contest": Target(checks.check_contest, samples.CONTEST),
        "contest-record": Target(checks.check_contest_record, samples.CONTEST_RECORDS),
        "jql": Target(checks.check_jql, (lineup_files.format_jql(lineup.DEFAULT),)),
        "jgs": Target(checks.check_jgs, samples.game_files()),
        "games": Target(checks.check_games, samples.stored_games()),
        "book": Target(checks.check_book, (f"{lineup.DEFAULT} ; a name\n# a comment\n{lineup.DEFAULT}\n".encode(),)),
        "record": Target(checks.check_record, samples.records()),
        "settings": Target(checks.check_settings, samples.SETTINGS),
        "library-record": Target(checks.check_library_record, samples.records()),
        "engine-line": Target(checks.check_engine_line, samples.ENGINE_LINES),
        "message": Target(checks.check_message, samples.MESSAGES),
        "network": Target(checks.check_network, samples.networks()),
    }
    for entry in CATALOGUE:
        check = checks.position_check(entry.variant)
        found[f"position-{entry.variant}"] = Target(check, samples.positions(entry.variant))
    for board in BOARDS.values():
        found[f"fen-{board.variant}"] = Target(checks.fen_check(board.variant), samples.view_fens(board))
        found[f"moves-{board.variant}"] = Target(checks.moves_check(board.variant), samples.move_lists(board))
    return found
