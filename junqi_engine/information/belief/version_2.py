"""The belief of player 2.0: the masks weighted by where each piece started and what it has done.

The weight of a line-up is `exp` of a sum over its pieces: one term for the kind on its starting point, one for each of
its features (`public_game`). This log-linear model of whole line-ups obeys counts and masks exactly, and what one piece
is changes what the others may be.

`places.json` holds the weights: for each starting point and kind, and for each feature and `GROUPS` of kinds.
They were fitted to games of players 1.1 and 1.2, and stay as they are.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from junqi_engine.information.belief.chances import Chances, chances_by_seat, equal_chances
from junqi_engine.information.public_game import FEATURES
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import slice_of
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT

GROUPS = ("ab", "cd", "ef", "gh", "i", "j", "k", "l")
BY_GROUP = np.array([[letter in group for letter in LETTERS] for group in GROUPS], float)
"""(8, 12): 1 for the kinds of a group."""
WEIGHTS_FILE = Path(__file__).with_name("places.json")


def belief(view: SeatView) -> Chances:
    """See `chances.Belief`. All kinds are alike for a view from a snapshot in the middle of a game: where its pieces
    started and what they did is not known.
    """
    if not view.is_followed:
        return equal_chances(view)
    places, features = tables()
    deeds = view.behaviour() @ features
    return chances_by_seat(view, lambda seat: np.exp(places + deeds[slice_of(seat, PIECES_PER_SEAT)]))


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """The weights of kinds by place, (25, 12), and by feature, (8, 12)."""
    table = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return np.array(table["places"]), np.array([table["behaviour"][name] for name in FEATURES]) @ BY_GROUP
