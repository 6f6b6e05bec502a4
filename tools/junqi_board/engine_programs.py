"""The engine programs that a player can choose, and their levels from the weakest (`UCI_Elo`) to full strength."""

from dataclasses import dataclass

from junqi_engine.client.line_process import split_command
from junqi_referee.revisions import build, find

REVISION = "rev="


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND` or `NAME=rev=REVISION`; the command is split as a shell splits it.

    A revision is unpacked; it compiles its kernels when it is chosen for the first time. ValueError for any other form,
    `RevisionError` for a revision that cannot be unpacked.
    """
    name, _, command = text.partition("=")
    words = split_command(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    if len(words) == 1 and words[0].startswith(REVISION):
        return Program(name.strip(), build(find(words[0].removeprefix(REVISION))).command)
    return Program(name.strip(), tuple(words))


LEVELS = ("beginner", "novice", "casual", "regular", "strong", "expert")
"""The names of the limited levels: their Elo lies at equal distances from the least to the largest `UCI_Elo`."""
FULL = "master"
"""The name of full strength, which has no Elo."""


def elo_of_levels(least: int, most: int) -> dict[str, int | None]:
    """By the name of a level, its Elo; None for full strength."""
    step = (most - least) / (len(LEVELS) - 1)
    limited: dict[str, int | None] = {name: round(least + number * step) for number, name in enumerate(LEVELS)}
    return limited | {FULL: None}


def options_of(elo: int | None) -> dict[str, str]:
    """The options of the protocol that limit an engine to an Elo; none for full strength."""
    return {} if elo is None else {"UCI_LimitStrength": "true", "UCI_Elo": str(elo)}
