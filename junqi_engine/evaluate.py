"""The static value of a position, in hundredths of a Lieutenant, from the view of the team to move.

Terms: *material*, each piece at its worth, a hidden one at the mean over what it may be; *mobility*, the moves of
each seat that is seen; *seats*, for each seat still in; *flags*, for each flag that is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from junqi_engine.belief import marginals
from junqi_engine.movegen import MAX_MOVES, generate
from junqi_engine.pieces import PIECES_PER_SEAT
from junqi_engine.view import SeatView

PIECE_WORTH = np.array([900, 750, 560, 430, 320, 240, 160, 100, 180, 120, 330, 0], float)
"""By kind, set by hand; the flag counts as its seat."""
SEAT_WORTH = 1500.0
SHOWN_FLAG_WORTH = -200.0
MOVE_WORTH = 2.0


@dataclass(frozen=True)
class Term:
    """A part of the evaluation: its worth for the team to move and for the other."""

    name: str
    ours: float
    theirs: float

    @property
    def value(self) -> float:
        return round(self.ours - self.theirs, 6) + 0.0


def terms(view: SeatView) -> list[Term]:
    """The parts of the evaluation; a finished game has them as well."""
    return [
        _term("material", view, _material),
        _term("mobility", view, _mobility),
        _term("seats", view, lambda view, seat: SEAT_WORTH * (view.alive >> seat & 1)),
        _term("flags", view, lambda view, seat: SHOWN_FLAG_WORTH * (view.shown_flags[seat] is not None)),
    ]


def evaluate(view: SeatView) -> int:
    """The sum of the terms."""
    return round(sum(term.value for term in terms(view)))


def _term(name: str, view: SeatView, worth: Callable[[SeatView, int], float]) -> Term:
    sides = [0.0, 0.0]
    for seat in range(len(view.board.seats)):
        sides[(seat ^ view.turn) & 1] += worth(view, seat)
    return Term(name, *sides)


def _material(view: SeatView, seat: int) -> float:
    present = [slot for slot in range(PIECES_PER_SEAT) if int(view.position["present"][seat]) >> slot & 1]
    return float((marginals(view, seat)[present] @ PIECE_WORTH).sum())


def _mobility(view: SeatView, seat: int) -> float:
    if not view.sees(seat) or not view.alive >> seat & 1:
        return 0.0
    position = view.position.copy()
    position["turn"] = seat
    return MOVE_WORTH * generate(view.board.tables, position, np.empty(MAX_MOVES, np.uint16), 0)
