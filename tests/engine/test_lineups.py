"""Line-ups: those of `go setup`, and the styles that they are drawn in."""

import random

import numpy as np
import pytest

from junqi_engine.information.belief.styles import load_styles
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup


def test_lineups_are_legal_and_vary_in_every_place() -> None:
    rng = random.Random(1)
    drawn = [lineup_choice.draw(rng) for _ in range(200)]
    for letters in drawn:
        lineup.check(letters)
        lineup.check(lineup.mirror(letters))
        assert lineup.mirror(lineup.mirror(letters)) == letters
    assert len(set(drawn)) == 200
    for place in range(25):
        assert len({letters[place] for letters in drawn}) > 2, "a place that always has the same piece is no secret"
    left = sum(letters.index("l") == drawn[0].index("l") for letters in drawn)
    assert 70 < left < 130, "both headquarters hold the flag equally often"


@pytest.mark.bounds
@pytest.mark.parametrize("style", ["engine 3.3", lineup_choice.SENSIBLE, "people", "any"])
def test_style_places_kinds_as_in_its_table(style: str) -> None:
    """The shares are those of 600 line-ups in Siguo, mirrored so that the flag is on the left."""
    rng, styles = random.Random(5), load_styles("siguo")
    counts = np.zeros((25, 12))
    for _ in range(600):
        left = lineup.with_flag_left(lineup_choice.draw_style(rng, style, "siguo"))
        counts[np.arange(25), ["abcdefghijkl".index(letter) for letter in left]] += 1
    table = styles.tables[styles.names.index(style), :25]
    assert np.corrcoef(counts.ravel(), table.ravel())[0, 1] > 0.95


def test_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="no style 'x'"):
        lineup_choice.draw_style(random.Random(1), "x")
