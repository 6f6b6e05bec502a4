"""Player 1.2: as 1.1, and knows the shortest way to a flag."""

from collections.abc import Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.players.events import Answer, Finder, bomb, camp, capture, engineer, false_flag, flag, unknown
from junqi_engine.players.v1_1 import answer_first

PRIORITY: tuple[Finder, ...] = (bomb, flag, capture, unknown, engineer, false_flag, camp)
"""Highest first: a bomb goes before a flag."""


def choose(view: SeatView, seed: int, moves: Sequence[int]) -> Answer:
    """The answer to the highest event that has one among `moves`, else the choice of 1.0."""
    return answer_first(PRIORITY, view, seed, moves)
