"""Elo, normalised Elo, LOS and LLR against figures that fastchess and fishtest published for the same counts."""

import math

import pytest

from junqi_referee.playing.standings import PairingResults
from junqi_referee.sprt import Model, Sprt, SprtVerdict, central, quantile, score_interval, strength

# Counts of pairs by points, then the published Elo, its error, nElo, its error, LOS in percent; None if not published.
PUBLISHED = [
    # https://github.com/Disservin/fastchess app/tests/elo_test.cpp, "EloPentanomial 1" to "3"
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.00),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, None),
    # https://github.com/Disservin/fastchess/issues/807
    ((30, 6, 18, 0, 6), -168.40, 73.37, -170.08, 62.16, 0.00),
    # https://github.com/xu-shawn/Serendipity/pull/55, played with fastchess
    ((283, 1151, 2214, 1221, 281), 2.23, 4.50, 3.32, 6.71, 83.40),
    # https://github.com/lynx-chess/Lynx/pull/1899, played with fastchess
    ((235, 1384, 2521, 1341, 239), -1.06, 4.05, -1.67, 6.37, 30.33),
    # https://github.com/brunocodutra/cinder/pull/809, played with fastchess
    ((248, 2015, 3946, 2212, 273), 4.94, 3.11, 8.20, 5.16, 99.91),
]

# Counts, elo0, elo1, model, the published LLR.
PUBLISHED_LLR = [
    # https://github.com/Disservin/fastchess app/tests/sprt_test.cpp, whose figures come from fishtest
    ((365, 16618, 36229, 16974, 390), 0, 2, Model.NORMALIZED, 2.25),
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, Model.NORMALIZED, 3.01),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, Model.LOGISTIC, -3.07),
    ((871, 26175, 55983, 26678, 821), 0, 2, Model.LOGISTIC, -4.98),
    # https://github.com/Disservin/fastchess/pull/783, printed there as 2.94598
    ((379, 10170, 21828, 10640, 343), 0, 2, Model.NORMALIZED, 2.946),
    # https://github.com/Disservin/fastchess/pull/882, counts far from both hypotheses
    ((77, 1, 0, 0, 0), -1000, -500, Model.NORMALIZED, -2.95),
    ((72, 10, 0, 0, 0), -1000, -500, Model.NORMALIZED, -2.97),
    # fishtest, by way of https://github.com/official-stockfish/Stockfish/pull/3209, 6095 and 3679
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, Model.LOGISTIC, 2.94),
    ((2, 5241, 18082, 5568, 3), 0.5, 2.5, Model.NORMALIZED, 2.94),
    ((37, 34598, 116181, 35307, 26), 0, 2, Model.NORMALIZED, 2.94),
    ((117, 4287, 9664, 4481, 135), -0.5, 2.5, Model.NORMALIZED, 2.95),
    # Serendipity 55 and Lynx 1899, as above
    ((283, 1151, 2214, 1221, 281), -5, 3, Model.NORMALIZED, 2.95),
    ((235, 1384, 2521, 1341, 239), -5, 0, Model.LOGISTIC, 1.69),
]


@pytest.mark.parametrize(("counts", "elo", "elo_error", "nelo", "nelo_error", "los"), PUBLISHED)
def test_strength_equals_published_figures(counts, elo, elo_error, nelo, nelo_error, los):
    found = strength(counts)
    assert found.elo == pytest.approx(elo, abs=0.0051)
    assert found.elo_error == pytest.approx(elo_error, abs=0.0051)
    assert found.nelo == pytest.approx(nelo, abs=0.0051)
    assert found.nelo_error == pytest.approx(nelo_error, abs=0.0051)
    if los is not None:
        assert 100 * found.los == pytest.approx(los, abs=0.0051)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "llr"), PUBLISHED_LLR)
def test_llr_equals_published_figures(counts, elo0, elo1, model, llr):
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, abs=0.0051)


@pytest.mark.parametrize("counts", [(8, 12), (3, 1), (30, 2)])
def test_interval_ends_have_the_stated_probability(counts):
    """The interval of games without draws, by the likelihood of a binomial distribution."""
    games = sum(counts)
    for mean in score_interval(counts):
        shares = zip(counts, (1 - mean, mean), strict=True)
        ratio = sum(count * math.log(count / games / share) for count, share in shares)
        assert math.sqrt(2 * ratio) == pytest.approx(quantile(0.95, games - 1), rel=1e-3)


@pytest.mark.parametrize("pentanomial", [(0, 0, 2, 0, 0), (1, 0, 0, 0, 1), (0, 1, 0, 1, 0), (0, 0, 0, 2, 0)])
def test_two_pairs_exclude_no_elo(pentanomial):
    found = strength(pentanomial)
    assert (found.elo_low, found.elo_high, found.elo_error) == (-math.inf, math.inf, math.inf)


# Freedom, and the quantiles of 90% and 95%, from the table of Abramowitz and Stegun (26.10)
@pytest.mark.parametrize(
    ("freedom", "ninety", "ninety_five"),
    [(1, 6.314, 12.706), (2, 2.920, 4.303), (3, 2.353, 3.182), (10, 1.812, 2.228), (30, 1.697, 2.042)],
)
def test_student_quantiles_equal_tables(freedom, ninety, ninety_five):
    assert quantile(0.9, freedom) == pytest.approx(ninety, abs=6e-4)
    assert quantile(0.95, freedom) == pytest.approx(ninety_five, abs=6e-4)
    assert central(ninety_five, freedom) == pytest.approx(0.95, abs=1e-4)
    assert quantile(0.95, 10_000) == pytest.approx(1.95996, abs=1e-5)


@pytest.mark.parametrize(
    ("pentanomial", "draw_ratio", "pairs_ratio"),
    [((1, 1, 4, 2, 2), 0.4, 2.0), ((0, 0, 2, 1, 1), 0.5, math.inf), ((0, 0, 0, 0, 0), None, None)],
)
def test_ratios_equal_fastchess(pentanomial, draw_ratio, pairs_ratio):
    results = PairingResults(pentanomial=list(pentanomial))
    assert (results.draw_ratio, results.pairs_ratio) == (draw_ratio, pairs_ratio)


def test_verdict_changes_at_the_bounds():
    sprt = Sprt(0, 5, alpha=0.05, beta=0.1)
    # The bounds that fastchess prints for these rates: (-2.25, 2.89).
    assert (sprt.lower, sprt.upper) == (pytest.approx(-2.25, abs=0.005), pytest.approx(2.89, abs=0.005))
    assert sprt.verdict(sprt.upper) == SprtVerdict.H1
    assert sprt.verdict(sprt.lower) == SprtVerdict.H0
    assert sprt.verdict(0.0) == SprtVerdict.CONTINUE


def test_contradictory_sprt_is_refused():
    for rates, named in (
        ({"elo0": 5}, "elo0"), ({"alpha": 0}, "alpha"), ({"beta": 1.5}, "beta"),
        ({"alpha": 0.5, "beta": 0.5}, "alpha and beta"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=named):
            Sprt(**{"elo0": 0, "elo1": 5} | rates)
