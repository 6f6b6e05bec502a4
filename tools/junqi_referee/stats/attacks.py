"""Who attacks what, and what it costs: attacks by the group of the attacker and by what its target has shown."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any

from junqi_engine.rules.pieces import (
    BOMB,
    BRIGADIER,
    ENGINEER,
    GENERAL,
    LIEUTENANT,
    MAJOR_GENERAL,
    MARSHAL,
    MINE,
    Outcome,
)
from junqi_referee.exits import one_line
from junqi_referee.stats.pieces import Piece

POINTS = (210, 190, 150, 100, 85, 50, 40, 30, 90, 100, 110, 0)
"""What a piece of each kind is worth here; the flag, which ends the game of a seat, counts nothing."""
FIRST_BACK_ROW = 4
"""The landmines start in this row and the one behind it."""


class Group(StrEnum):
    """Kinds that attack alike."""

    HIGH = "Marshal to Major General"
    MIDDLE = "Brigadier to Lieutenant"
    ENGINEER = "Engineer"
    BOMB = "Bomb"


class Target(StrEnum):
    """What everybody has seen of the piece that is attacked."""

    BACK = "unmoved, back rows"
    FRONT = "unmoved, front rows"
    MOVED = "moved"
    WINNER = "has won a battle"
    """Moved or not."""


GROUPS = {
    **dict.fromkeys((MARSHAL, GENERAL, MAJOR_GENERAL), Group.HIGH),
    **dict.fromkeys(range(BRIGADIER, LIEUTENANT + 1), Group.MIDDLE),
    ENGINEER: Group.ENGINEER,
    BOMB: Group.BOMB,
}


@dataclass
class Tally:
    """Attacks of one kind, with the points of the pieces that they removed and of those that they lost."""

    attacks: int = 0
    won: int = 0
    lost: int = 0


class AttackCounts:
    """The attacks of each engine, by its name. A game counts once for each team that the engine plays in."""

    def __init__(self) -> None:
        self.games: Counter[str] = Counter()
        self.landmines: Counter[str] = Counter()
        """How often an attacker was lost to a landmine."""
        self.tallies: defaultdict[tuple[str, Group, Target], Tally] = defaultdict(Tally)

    def add_game(self, players: Iterable[tuple[str, str]]) -> None:
        """Count a game by its different pairs of a team and an engine's name."""
        self.games.update(name for _, name in players)

    def add(self, engine: str, attacker: Piece, target: Piece, outcome: Outcome) -> None:
        """Count a battle; both pieces as they were before it."""
        tally = self.tallies[engine, GROUPS[attacker.kind], _target(target)]
        tally.attacks += 1
        if outcome != Outcome.DEFENDER_WON:
            tally.won += POINTS[target.kind]
        if outcome != Outcome.ATTACKER_WON:
            tally.lost += POINTS[attacker.kind]
        self.landmines[engine] += target.kind == MINE and outcome == Outcome.DEFENDER_WON


def _target(piece: Piece) -> Target:
    if piece.has_won:
        return Target.WINNER
    if piece.has_moved:
        return Target.MOVED
    return Target.BACK if piece.row >= FIRST_BACK_ROW else Target.FRONT


def attacks_json(counts: AttackCounts) -> dict[str, Any]:
    """By engine; all figures are per game but `games` and `net`, the points that one attack gains, None without any."""
    return {
        name: {
            "games": games,
            "attacks": round(sum(tally.attacks for key, tally in counts.tallies.items() if key[0] == name) / games, 4),
            "lost_to_landmines": round(counts.landmines[name] / games, 4),
            "groups": {
                group.name.lower(): {
                    target.name.lower(): _tally_json(counts.tallies.get((name, group, target), Tally()), games)
                    for target in Target
                }
                for group in Group
            },
        }
        for name, games in sorted(counts.games.items())
    }


def _tally_json(tally: Tally, games: int) -> dict[str, float | None]:
    per_game = {name: round(value / games, 4) for name, value in vars(tally).items()}
    return {**per_game, "net": round((tally.won - tally.lost) / tally.attacks, 1) if tally.attacks else None}


def attacks_text(table: Mapping[str, Any]) -> list[list[str]]:
    """Of what `attacks_json` returns, for each engine a block of lines."""
    return [_block(name, found) for name, found in table.items()]


def _block(name: str, found: Mapping[str, Any]) -> list[str]:
    heads = "".join(f"{head:>12}" for head in ("attacks", "won", "lost", "net of one"))
    title = f"attacks a game of {name}, in points: games {found['games']}, attacks {found['attacks']:.1f}, "
    lines = [
        one_line(f"{title}pieces lost to landmines {found['lost_to_landmines']:.2f}"),
        f"{'attacker':<26}{'target':<22}{heads}",
    ]
    for group, target in product(Group, Target):
        cell = found["groups"][group.name.lower()][target.name.lower()]
        net = "-" if cell["net"] is None else f"{cell['net']:+.0f}"
        figures = f"{cell['attacks']:>12.1f}{cell['won']:>12.0f}{cell['lost']:>12.0f}{net:>12}"
        lines.append(f"{group:<26}{target:<22}{figures}")
    return lines
