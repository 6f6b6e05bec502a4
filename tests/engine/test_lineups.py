"""Line-ups: the sensible ones, the population by worths and its fit, the styles of `go setup`."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junqi_engine.information.belief.styles import load
from junqi_engine.players import lineup_choice, lineup_population
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI
from junqi_training.selfplay.folder import read_folder
from junqi_training.value import lineups as worth
from junqi_training.value.lineups import Results
from tests.helpers.selfplay import played_folder

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


@VARIANTS
def test_a_lower_temperature_draws_better_lineups(variant: str) -> None:
    rng = random.Random(1)
    means = [
        np.mean([lineup_population.worth(lineup_population.draw_by_worths(rng, variant, factor), variant)
                 for _ in range(40)])
        for factor in (4, 1, 0.25)
    ]  # fmt: skip
    assert means == sorted(means) and means[2] > means[0] + 0.2


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


# The fit


@pytest.mark.long
def test_worths_are_fitted_to_results() -> None:
    """The team with more bombs in row 1 wins, and the fit gives bombs in row 1 the highest worth."""
    rng = random.Random(2)
    rows, won = [], []
    for _ in range(600):
        lineups = [lineup_choice.sensible(rng, DRAWN) for _ in range(2)]
        difference = lineups[0][5:8].count("k") - lineups[1][5:8].count("k")
        if difference:
            rows.append(worth.difference_of(lineups))
            won.append(float(difference > 0))
    results = Results(np.array(rows), np.array(won))
    table = np.array(worth.as_table(worth.fitted(results)))
    assert {divmod(int(index), 12)[0] for index in np.argsort(table.ravel())[-3:]} == {5, 6, 7}
    assert worth.held_out_loss(results) < 0.6 < np.log(2)
    assert not table[:5, 9:].any(), "no landmine, bomb or flag in the front row"


@pytest.mark.long
def test_the_command_fits_stored_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    worths = tmp_path / "worths.json"
    worths.write_bytes(lineup_population.WORTHS_FILE.read_bytes())
    monkeypatch.setattr(lineup_population, "WORTHS_FILE", worths)
    before = json.loads(worths.read_text())["variants"]
    folder = played_folder(tmp_path / "games", LUZHANQI.variant, 20)
    capsys.readouterr()
    assert worth.main([str(folder), "--write"]) == 0
    games = sum(len(worth.results_of([game]).won) for game in read_folder(folder))
    assert capsys.readouterr().out.startswith(f"luzhanqi: {games} decided games; log-loss in nats, cross-validated: ")
    written = json.loads(worths.read_text())
    assert written["variants"]["siguo"] == before["siguo"] and written["variants"]["luzhanqi"] != before["luzhanqi"]
    assert written["made by"]["luzhanqi"] == f"python -m junqi_training.value lineups {folder} --write"
    lineup.check(lineup_population.draw_by_worths(random.Random(1), "luzhanqi"))
    lineup_population.worths_of.cache_clear()
