"""Flag safety by sets of points: the plain twin of `junqi_engine.evaluation.flag_safety`."""

from collections.abc import Mapping

from tests.references.slow_junqi import SlowBoard, SlowGame
from tests.references.slow_search import team_of

RANKS = "abcdefghi"


def neighbours(board: SlowBoard, point: str) -> set[str]:
    return board.road_neighbours[point] | board.rail_neighbours[point]


def flag_safety(game: SlowGame, parameters: Mapping[str, int]) -> dict[tuple[str, str, str], int]:
    """By seat, letter and point, the bonus of a piece there; points without one are missing."""
    bonuses: dict[tuple[str, str, str], int] = {}
    for flag, (seat, letter) in game.pieces.items():
        if letter != "l":
            continue
        first = neighbours(game.board, flag)
        second = {beyond for point in first for beyond in neighbours(game.board, point)} - first - {flag}
        mine = [own for owner, own in game.pieces.values() if owner == seat]
        late = 1 - len(mine) / 25
        enemies = [other for owner, other in game.pieces.values() if owner not in team_of(game, seat)]
        for own in set(mine):
            strong = strength(own, [other for other in enemies if other in RANKS])
            beside, beyond = parameters[f"guard.{own}"] + 0.0, 0.0
            if own in RANKS:
                beside += late * parameters["late_guard_rank"] * (strong - 0.5)
                beyond = late * parameters["late_ring_rank"] * strong**2
            elif own == "k":
                beside += late * parameters["late_guard_bomb"]
                beyond = late * parameters["late_ring_bomb"]
            bonuses |= {(seat, own, point): int(beside) for point in first}
            bonuses |= {(seat, own, point): int(beyond) for point in second}
    return bonuses


def strength(own: str, enemies: list[str]) -> float:
    """The share of the enemy's ranked pieces that a piece beats; an equal one counts 0.6."""
    return sum(1.0 if own < other else 0.6 if own == other else 0.0 for other in enemies) / max(1, len(enemies))
