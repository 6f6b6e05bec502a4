"""What a loss is called, how accurate a player was, and which part of the game a step belongs to."""

import math
from collections.abc import Iterable
from enum import StrEnum

from junqi_engine.analysis.evaluation import Choice


class Verdict(StrEnum):
    """What is said about a move."""

    BRILLIANT = "brilliant"
    """The best move is a battle that looked poor at first glance."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Phase(StrEnum):
    """A part of a game, by the share of the pieces that remain."""

    OPENING = "opening"
    MIDDLE = "middle"
    ENDING = "ending"


SMALLEST_LOSS = {Verdict.BLUNDER: 0.15, Verdict.MISTAKE: 0.10, Verdict.INACCURACY: 0.05}
"""The loss from which a move has a verdict, highest first."""
BRILLIANT_MOST_LOSS = 0.005
BRILLIANT_GLANCE_LOSS = 0.05
"""A brilliant battle loses at most the first, and seems to lose at least the second."""
OPENING_SHARE, ENDING_SHARE = 0.85, 0.45
ACCURACY_SCALE = 0.1
"""A move with this loss has an accuracy of 1 / e."""


def verdict_of(loss: float, choice: Choice | None) -> Verdict | None:
    """The verdict on a step; None if there is nothing to say."""
    for verdict, smallest in SMALLEST_LOSS.items():
        if loss >= smallest:
            return verdict
    is_poor_at_first = choice is not None and choice.glance_loss >= BRILLIANT_GLANCE_LOSS
    return Verdict.BRILLIANT if is_poor_at_first and loss <= BRILLIANT_MOST_LOSS else None


def accuracy(losses: Iterable[float]) -> float | None:
    """From 0 to 100: the mean of 100 exp(-loss / ACCURACY_SCALE); None without a move."""
    each = [math.exp(-loss / ACCURACY_SCALE) for loss in losses]
    return 100 * sum(each) / len(each) if each else None


def phase_of(pieces: int, pieces_at_start: int) -> Phase:
    """The phase in which so many pieces remain."""
    share = pieces / pieces_at_start
    if share > OPENING_SHARE:
        return Phase.OPENING
    return Phase.MIDDLE if share > ENDING_SHARE else Phase.ENDING
