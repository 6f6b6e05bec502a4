"""Line-ups of `go setup`, and the tool that fits the worth of their places."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import LUZHANQI, SIGUO
from tools.training import lineup_fit, lineup_worth
from tools.training.lineup_fit import DecidedGame

DRAWN = 1
"""One candidate: a line-up that is not chosen by its worth."""


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 2**31 - 1))
def test_the_worth_is_the_sum_of_the_tables_from_either_side(seed: int) -> None:
    letters = lineup_choice.sensible(random.Random(seed), DRAWN)
    assert lineup_choice.score(letters) == lineup_fit.features(letters) @ lineup_fit.worths_in_use()
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
    for place in range(25):
        assert len({letters[place] for letters in chosen}) > 2, "a place that always has the same piece is no secret"


@pytest.mark.parametrize("board", [SIGUO, LUZHANQI], ids=lambda board: board.variant)
def test_a_worth_is_fitted_to_results(board) -> None:
    """The team with more bombs in row 1 wins, and the fit gives bombs in row 1 the highest worth."""
    rng = random.Random(2)
    samples = []
    for _ in range(600):
        lineups = tuple(lineup_choice.sensible(rng, DRAWN) for _ in board.seats)
        bombs = [letters[5:8].count("k") for letters in lineups]
        difference = sum(bombs[::2]) - sum(bombs[1::2])
        if difference:
            samples.append(DecidedGame(board.variant, lineups, difference > 0))
    design, won = lineup_fit.matrix(samples)
    found = lineup_fit.fitted(design, won)
    row = list(lineup_choice.ROW_WORTH).index("k")
    assert np.argmax(found) == 6 * row + 1
    assert lineup_fit.held_out_loss(design, won) < 0.6 < np.log(2)


def test_the_command_plays_and_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert lineup_worth.main(["--games", "12", "--nodes", "200"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "decided games; log-loss in nats: cross-validation" in printed[0]
    assert [line.partition(":")[0] for line in printed[1:]] == [
        *(f"row worth of {letter}" for letter in "abcdefghik"),
        *("beside the flag, abcdefghik", "mines"),
    ]
    assert lineup_worth.main(["--games", "1", "--nodes", "50"]) == 1
    assert "too few for a fit" in capsys.readouterr().err
