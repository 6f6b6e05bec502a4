"""Belief: chances from places and behaviour, and predictions better than the counts alone."""

import numpy as np
import pytest

from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.public_game import (
    ATTACKED,
    ATTACKED_HOME,
    ATTACKED_WINNER,
    MOVES,
    STILL,
    VENTURED,
)
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.pieces import COUNTS, KINDS
from tests.helpers.hidden import PARTNERS_VIEW, random_view


def observe(view: SeatView, *moves: str) -> SeatView:
    for move in moves:
        view.observe(parse_move(SIGUO, move))
    return view


def feature(view: SeatView, point: str, number: int) -> float:
    piece = view.piece_at(SIGUO.point_named[point])
    assert piece is not None
    return float(view.behaviour()[piece, number])


# Weights


ONCE = pytest.approx(np.log(2))


def test_moves_and_attacks_are_counted() -> None:
    view = SeatView.start(SIGUO, 0b0101)
    assert not view.behaviour().any()
    observe(view, "g6g7", "l7k7", "g12g11", "f9g9")
    assert feature(view, "g7", MOVES) == ONCE
    assert feature(view, "g7", VENTURED) == 1
    assert feature(view, "g7", STILL) == 0
    assert feature(view, "h6", STILL) == pytest.approx(np.log1p(1 / 8))
    attacker = view.piece_at(SIGUO.point_named["k13"])
    observe(view, "g7k7x", "l11k12x", "k13k12o", "g9g7")
    assert feature(view, "k7", ATTACKED) == ONCE
    assert view.behaviour()[attacker, ATTACKED_WINNER] == ONCE
    assert view.behaviour()[attacker, ATTACKED] == 0


def test_an_attack_on_an_unmoved_piece_in_the_back_rows_is_a_feature_of_its_own() -> None:
    view = observe(SeatView.start(SIGUO, 0b0101), "g6g7", "l7k7", "g12g11", "f9g9", "i6i7")
    attacker = view.piece_at(SIGUO.point_named["k7"])
    observe(view, "k7k6x", "i12i11", "g9f9", "i7i6", "k6k5x", "i11i12", "f9g9", "i6i7", "k5k4x", "i12i11", "g9f9")
    assert view.behaviour()[attacker, ATTACKED] == pytest.approx(np.log(4))
    observe(view, "i7i6", "k4k3x", "i11i12", "f9g9", "i6i7", "k3k2o")
    assert view.behaviour()[attacker, ATTACKED] == pytest.approx(np.log(5))
    assert view.behaviour()[attacker, ATTACKED_HOME] == ONCE


# Chances


@pytest.mark.parametrize("plies", [1, 60, 150])
def test_chances_obey_masks_and_counts(plies: int) -> None:
    _, view = random_view(11, PARTNERS_VIEW, plies)
    for seat in range(4):
        chances = belief(view)[seat]
        masks = view.masks[32 * seat : 32 * seat + 25].astype(int)
        assert chances.sum(axis=0) == pytest.approx(COUNTS, abs=1e-3)
        assert chances.sum(axis=1) == pytest.approx([1.0] * 25)
        assert ((chances > 0) <= (masks[:, None] >> np.arange(KINDS) & 1).astype(bool)).all()
