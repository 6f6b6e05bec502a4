"""What everybody knows about a position: which flags are revealed, and what each piece has shown of itself.

It is the same for all seats, so it says nothing about a piece that only its own team can know.
"""

from dataclasses import dataclass

import numpy as np

from junqi_engine.information.behaviour import PublicClass
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import PIECES, contains, seat_of
from junqi_engine.rules.pieces import IMMOBILE_MASK


@dataclass(frozen=True)
class Public:
    """`revealed` is the set of seats whose flag everybody knows; `classes` is (128,), by piece its `PublicClass`.

    The class of a piece that is no longer on the board means nothing.
    """

    revealed: int
    classes: np.ndarray


def public_of(view: SeatView) -> Public:
    """What everybody knows about the position of a view.

    Without a record from the start of the game, the classes are guessed from what is proven about the hidden pieces and
    from the places of the others.
    """
    game = view.public_game()
    if game is not None:
        return Public(view.revealed_seats, game.trace["classes"].copy())
    classes = [_guess(view, piece) for piece in range(PIECES)]
    return Public(view.revealed_seats, np.array(classes, np.uint8))


def _guess(view: SeatView, piece: int) -> PublicClass:
    seat, point = seat_of(piece), int(view.position["where"][piece])
    if contains(view.hidden_seats, seat):
        mask = int(view.masks[piece])
        if mask & mask - 1 == 0:
            return PublicClass.WINNER
        return PublicClass.UNMOVED if mask & IMMOBILE_MASK else PublicClass.MOVED
    at_home = view.board.owner(point) == seat and not view.board.is_campsite(point)
    return PublicClass.UNMOVED if at_home else PublicClass.MOVED
