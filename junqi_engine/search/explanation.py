"""What `eval` prints: the terms of an evaluator, as means over worlds drawn from the belief."""

from dataclasses import dataclass

import numpy as np

from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.information.belief import worlds
from junqi_engine.information.belief.chances import Belief
from junqi_engine.information.belief.worlds import position_in_world
from junqi_engine.information.view import SeatView, public_of
from junqi_engine.rules.layout import team_of

WORLDS = 64


@dataclass(frozen=True)
class MeanTerm:
    """The mean of a term for the team to move and for the other team."""

    name: str
    ours: float
    theirs: float

    @property
    def value(self) -> float:
        return round(self.ours - self.theirs, 6) + 0.0


def mean_terms(view: SeatView, evaluator: Evaluator, belief: Belief) -> list[MeanTerm]:
    """The terms of the value of a view, of a finished game too. `belief` draws the worlds."""
    drawn = worlds.draw(view, 1 if view.is_open else WORLDS, 0, belief(view))
    public = public_of(view)
    sums: dict[str, np.ndarray] = {}
    for kinds in drawn:
        position = position_in_world(view, kinds)
        for term in evaluator.explain(view.board, position, public):
            sums[term.name] = sums.get(term.name, np.zeros(2)) + term.by_team
    ours = team_of(view.turn)
    return [
        MeanTerm(name, *(float(total[team]) / len(drawn) for team in (ours, 1 - ours))) for name, total in sums.items()
    ]
