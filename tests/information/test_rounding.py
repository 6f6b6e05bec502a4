"""Line-ups drawn by the chances of a seat: with the counts, as often as the chances say."""

import numpy as np
import pytest

from junqi_engine.information.belief.marginals import normalise_to_counts
from junqi_engine.information.belief.rounding import MAX_MISS, draw_lineups
from junqi_engine.kernels import NEVER_STOP
from junqi_engine.rules import lineup
from junqi_engine.rules.pieces import COUNTS, KINDS, PIECES_PER_SEAT

ALLOWED = (np.array(lineup.MASK_AT)[:, None] >> np.arange(KINDS) & 1).astype(float)


def table(seed: int, spread: float = 2.0) -> np.ndarray:
    """The chances of a start at which some kinds of each piece are much likelier than others."""
    return normalise_to_counts(ALLOWED * np.exp(spread * np.random.default_rng(seed).normal(size=ALLOWED.shape)))


def draw(chances: np.ndarray, count: int, seed: int) -> np.ndarray:
    lineups = np.zeros((count, PIECES_PER_SEAT), np.uint8)
    assert draw_lineups(chances, np.uint64(seed), NEVER_STOP, lineups) == count
    return lineups


@pytest.mark.bounds
@pytest.mark.parametrize("miss", [0.0, 1e-6, MAX_MISS])
def test_lineups_obey_counts_and_masks(miss: float) -> None:
    """Though the columns of the table miss them."""
    rng = np.random.default_rng(1)
    for seed in range(20):
        chances = table(seed) * (1 + miss * rng.uniform(-0.05, 0.05, KINDS))
        chances /= chances.sum(axis=1, keepdims=True)
        assert np.abs(chances.sum(axis=0) - COUNTS).sum() <= MAX_MISS
        for kinds in draw(chances, 50, seed):
            assert (np.bincount(kinds, minlength=KINDS) == COUNTS).all()
            assert ALLOWED[np.arange(PIECES_PER_SEAT), kinds].all()


def test_pair_probabilities_follow_from_counts() -> None:
    """Three pieces are a Field Marshal, a General and a Major General, in some order."""
    chances = np.eye(KINDS)[[kind for kind, number in enumerate(COUNTS) for _ in range(number)]]
    chances[:3, :3] = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    lineups = draw(chances, 20_000, 3)[:, :3]
    assert (np.sort(lineups) == [0, 1, 2]).all()
    assert (lineups == np.arange(3)).mean(axis=0) == pytest.approx([0.7, 0.5, 0.6], abs=0.015)


@pytest.mark.parametrize("count", [2, 3, 4, 8, 13])
def test_few_lineups_match_chances_up_to_rounding(count: int) -> None:
    """All of them, and each half."""
    for seed in range(20):
        chances = table(seed)
        lineups = draw(chances, count, seed)
        half = count // 2
        for part, slack in ((lineups, 1), (lineups[:half], 1.5), (lineups[half:], 1.5)):
            frequencies = np.stack([(part == kind).sum(axis=0) for kind in range(KINDS)], axis=1)
            assert (np.abs(frequencies - len(part) * chances) < slack).all()


def test_drawing_depends_on_seed_and_obeys_stop() -> None:
    chances = table(1)
    assert (draw(chances, 20, 5) == draw(chances, 20, 5)).all()
    assert (draw(chances, 20, 5) != draw(chances, 20, 6)).any()
    lineups = np.zeros((9, PIECES_PER_SEAT), np.uint8)
    assert draw_lineups(chances, np.uint64(1), np.ones(1, np.uint8), lineups) == 1
    assert (np.bincount(lineups[0], minlength=KINDS) == COUNTS).all() and not lineups[1:].any()
