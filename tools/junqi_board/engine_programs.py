"""The engine programs that a player can choose, and their levels from the weakest to full strength."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from junqi_engine.client.line_process import split_command


@dataclass(frozen=True)
class Program:
    """An engine program: the name that the page shows, and its command line."""

    name: str
    command: tuple[str, ...]


def parse_program(text: str) -> Program:
    """Read `NAME=COMMAND`; the command is split as a shell splits it. ValueError for any other form."""
    name, _, command = text.partition("=")
    words = split_command(command)
    if not name.strip() or not words:
        raise ValueError(f"{text!r} does not have the form NAME=COMMAND")
    return Program(name.strip(), tuple(words))


FULL = "master"
"""The name of full strength, which has no Elo."""


class Level(NamedTuple):
    """A limited strength: its Elo, and the `Skill Level` of each variant that was measured to have about this Elo."""

    elo: int
    siguo: int
    luzhanqi: int


LEVELS = {
    "beginner": Level(936, 0, 0),
    "novice": Level(1102, 1, 2),
    "casual": Level(1268, 3, 5),
    "regular": Level(1434, 4, 8),
    "strong": Level(1600, 6, 12),
    "expert": Level(1766, 8, 12),
}
"""By name, from the weakest; on a scale on which player 1.2 has 1000."""
ELO_OF_LEVELS: Mapping[str, int | None] = {name: level.elo for name, level in LEVELS.items()} | {FULL: None}
ELO_OF_FULL = 2 * LEVELS["expert"].elo - LEVELS["strong"].elo
"""One level above the last."""
SKILL = "Skill Level"


def options_of(elo: int | None, variant: str) -> dict[str, str]:
    """The options that limit an engine to the level whose Elo is next; none for full strength."""
    if elo is None:
        return {}
    level = min(LEVELS.values(), key=lambda level: abs(level.elo - elo))
    return {SKILL: str(getattr(level, variant))}
