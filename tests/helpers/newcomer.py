"""A newcomer as an engine: he advances, takes what looks weak, and sees no threat.

    junqi-referee match --engine name=newcomer cmd="python -m tests.helpers.newcomer" \
        --engine name=level cmd=junqi-engine option.Player=1.1 --each nodes=1000 --rounds 20 --seed 1

The weakest level of the board is to lose most games to him (docs/players.md, *Limited strength*). He remembers what
each piece may still be, but not how likely that is; he looks neither at the answer nor at his own Flag.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "examples"))

import own_engine
from own_engine import BOMB, ENGINEER, FLAG, LANDMINE

import junqi_engine as junqi

COUNTS = dict(zip("abcdefghijkl", (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1), strict=True))
STRONG = "abcd"
"""The worth of a Bomb."""
PATIENCE_PLIES = 20
"""Plies without a battle after which he attacks at even chances too."""


def looks_weak(mine: str, possible: str, quiet_plies: int) -> float:
    """The value of an attack to him; above 0, he prefers it to a quiet move."""
    if mine == BOMB:
        return 1.5 if set(possible) <= set(STRONG) else -1.0
    falls = [kind for kind in possible if (kind > mine and kind not in (LANDMINE, BOMB)) or kind == FLAG]
    falls += [LANDMINE] if mine == ENGINEER and LANDMINE in possible else []
    share = sum(COUNTS[kind] for kind in falls) / sum(COUNTS[kind] for kind in possible)
    return share - (0.5 if quiet_plies < PATIENCE_PLIES else 0.0)


def choose(view: junqi.View, moves: list[junqi.Move]) -> tuple[junqi.Move, float]:
    """The move that attracts him most, and its value."""
    rng = random.Random(view.fen())
    [ours] = [team for team in view.teams if view.turn in team]
    pieces = view.piece_map()
    flags = [point for point, piece in pieces.items() if piece.seat not in ours and FLAG in view.possible(point)]

    def attraction(move: junqi.Move) -> float:
        mine = view.possible(move.from_point)
        if move.to_point in pieces:
            return looks_weak(mine, view.possible(move.to_point), view.quiet)
        near, now = (
            min(own_engine.distance(point, flag) for flag in flags) for point in (move.to_point, move.from_point)
        )
        return (now - near) / 50 if mine != BOMB else -0.5

    return max(((move, attraction(move) + rng.random() / 10) for move in moves), key=lambda found: found[1])


if __name__ == "__main__":
    own_engine.main("Newcomer", choose)
