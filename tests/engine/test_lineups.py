"""Line-ups: the sensible ones, the population by worths and its fit, the styles of `go setup`."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junqi_engine.information.belief.styles import load
from junqi_engine.players import lineup_choice, lineup_population
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS

DRAWN = 1
"""One candidate: a line-up that is not chosen by its worth."""
VARIANTS = pytest.mark.parametrize("variant", BOARDS)


# Sensible line-ups


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 2**31 - 1))
def test_a_mirrored_lineup_is_legal_and_has_the_same_score(seed: int) -> None:
    letters = lineup_choice.sensible(random.Random(seed), DRAWN)
    lineup.check(letters)
    lineup.check(lineup.mirror(letters))
    assert lineup.mirror(lineup.mirror(letters)) == letters
    assert lineup_choice.score(lineup.mirror(letters)) == lineup_choice.score(letters)


def test_a_lineup_by_hand() -> None:
    """The Field Marshal at the front with both bombs behind, the General beside the flag, a mine in its corner."""
    letters = """
        a d d c f
        k   e   k
        i h   i e
        c   h   i
        j f h g g
        b l j j g
    """.replace(" ", "").replace("\n", "")
    lineup.check(letters)
    rows = (13 - 7 - 7 - 2 - 2) + (13 - 3 + 13) + (3 - 2 + 3 - 1) + (5 - 4 - 1) + (1 - 1 - 3 - 3) + (-2 + 11)
    beside_flag = 3 - 8
    mines = 20 + 0 + 0
    assert lineup_choice.score(letters) == rows + beside_flag + mines


def test_chosen_lineups_are_better_than_drawn_ones_and_differ() -> None:
    rng = random.Random(1)
    drawn = [lineup_choice.sensible(rng, DRAWN) for _ in range(100)]
    chosen = [lineup_choice.sensible(rng) for _ in range(100)]
    assert np.mean([*map(lineup_choice.score, chosen)]) > max(50, np.quantile([*map(lineup_choice.score, drawn)], 0.9))
    assert len(set(chosen)) == 100


# The population


@VARIANTS
@pytest.mark.parametrize(
    "draw", [lineup_population.draw_by_worths, lineup_population.draw], ids=["population", "go setup"]
)
def test_line_ups_are_legal_and_keep_no_place_the_same(draw: Callable[[random.Random, str], str], variant: str) -> None:
    rng = random.Random(1)
    drawn = [draw(rng, variant) for _ in range(200)]
    for letters in drawn:
        lineup.check(letters)
    assert len(set(drawn)) == 200
    for place in range(25):
        assert len({letters[place] for letters in drawn}) > 2, "a place that always has the same piece is no secret"
    left = sum(letters.index("l") == drawn[0].index("l") for letters in drawn)
    assert 70 < left < 130, "both headquarters hold the flag equally often"


# The mixture of `go setup`


def test_a_style_puts_its_kinds_where_its_table_says() -> None:
    """Of 300 line-ups of people in Siguo, mirrored so that the flag is on the left."""
    rng, styles = random.Random(5), load("siguo")
    counts = np.zeros((25, 12))
    for _ in range(300):
        letters = lineup_population.draw_style(rng, "siguo", "people")
        left = letters if letters[21] == "l" else lineup.mirror(letters)
        counts[np.arange(25), ["abcdefghijkl".index(letter) for letter in left]] += 1
    table = styles.tables[styles.names.index("people"), :25]
    assert np.corrcoef(counts.ravel(), table.ravel())[0, 1] > 0.95
