"""Player 1.1: answers events, and moves at random where there are none."""

from collections.abc import Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.players import v1_0
from junqi_engine.players.events import Answer, Finder, bomb, camp, capture, engineer, unknown

PRIORITY: tuple[Finder, ...] = (bomb, capture, camp, unknown, engineer)
"""Highest first."""


def choose(view: SeatView, seed: int, moves: Sequence[int]) -> Answer:
    """The answer to the highest event that has one among `moves`, else the choice of 1.0."""
    return answer_first(PRIORITY, view, seed, moves)


def answer_first(priority: Sequence[Finder], view: SeatView, seed: int, moves: Sequence[int]) -> Answer:
    """The answer of the first finder that has one."""
    for find in priority:
        answer = find(view, moves)
        if answer is not None:
            return answer
    return v1_0.choose(view, seed, moves)
