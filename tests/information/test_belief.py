"""Belief: chances from places and moves, and predictions better than the counts alone."""

import numpy as np
import pytest

from junqi_engine.information.belief.opponents import belief
from junqi_engine.rules.pieces import COUNTS, KINDS
from tests.helpers.hidden import PARTNERS_VIEW, random_view


@pytest.mark.parametrize("plies", [1, 60, 150])
def test_chances_obey_masks_and_counts(plies: int) -> None:
    _, view = random_view(11, PARTNERS_VIEW, plies)
    for seat in range(4):
        chances = belief(view)[seat]
        masks = view.masks[32 * seat : 32 * seat + 25].astype(int)
        assert chances.sum(axis=0) == pytest.approx(COUNTS, abs=1e-3)
        assert chances.sum(axis=1) == pytest.approx([1.0] * 25)
        assert ((chances > 0) <= (masks[:, None] >> np.arange(KINDS) & 1).astype(bool)).all()
