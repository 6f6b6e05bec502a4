"""The test of the difference of two engines' scores against a third: its ratio, its errors, its games, its settings."""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.playing.standings import Standings
from junqi_referee.settings.schedule import Book, Schedule
from junqi_referee.sprt import Difference, SprtVerdict, mean_difference
from tests.helpers.referee import refused, scripted, settings

NAMES = {"engine": "new", "than": "old", "against": "third"}


def difference(score0: float = 0.0, score1: float = 0.1, **rates: float) -> Difference:
    return Difference(**NAMES, score0=score0, score1=score1, **rates)


# The ratio


def test_two_values_by_hand():
    """Of values -1/2 and 1/2 only, the mean m fixes the chance of the higher one: 1/2 + m."""
    counts = [0, 0, 4, 0, 0, 0, 6, 0, 0]
    by_hand = 6 * math.log(0.6 / 0.5) + 4 * math.log(0.4 / 0.5)
    assert by_hand == pytest.approx(0.2014, abs=1e-4)
    assert difference().llr(counts) == pytest.approx(by_hand, abs=0.01)
    assert mean_difference(counts)[0] == pytest.approx(0.1)


def test_many_rounds_are_normal():
    counts = np.array([2, 10, 60, 150, 400, 190, 80, 30, 4])
    values = np.linspace(-1, 1, 9)
    mean = (counts * values).sum() / counts.sum()
    variance = (counts * (values - mean) ** 2).sum() / counts.sum()
    normal = counts.sum() * 0.02 * (mean - 0.01) / variance
    assert difference(0.0, 0.02).llr(counts.tolist()) == pytest.approx(normal, rel=0.03)
    found, low, high = mean_difference(counts.tolist())
    assert found == pytest.approx(mean)
    assert [low, high] == pytest.approx([mean + sign * 1.96 * math.sqrt(variance / 926) for sign in (-1, 1)], abs=1e-3)


def test_the_other_way_round_it_is_the_negative():
    counts = [1, 0, 3, 9, 20, 11, 4, 2, 0]
    assert difference(-0.1, 0.0).llr(counts[::-1]) == pytest.approx(-difference(0.0, 0.1).llr(counts))


def test_rounds_without_a_difference_decide_slowly():
    """With the variance of the counts alone the first round would decide."""
    assert difference().llr([0] * 9) == 0
    assert -0.2 < difference().llr([0, 0, 0, 0, 1, 0, 0, 0, 0]) < 0
    assert mean_difference([0] * 9) == (None, -1, 1)
    assert mean_difference([0, 0, 0, 0, 1, 0, 0, 0, 0]) == (0, -1, 1)


# The errors, by simulated matches

MATCHES = 2000
SPREAD = 1.5
"""How much better the line-ups of one side are, as a standard deviation, in logits."""
DRAWN = 0.1
"""The share of draws."""
LEVEL, GAP = 0.8, 1.0
"""How much better the engine is than the third, and than the engine that it is compared with, in logits."""


def chance(logit: np.ndarray | float) -> np.ndarray:
    return 1 / (1 + np.exp(-np.asarray(logit)))


@cache
def true_difference() -> float:
    """The mean difference of a game between levels that are `GAP` apart, by quadrature over the line-ups."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    over = chance(LEVEL + SPREAD * points) - chance(LEVEL - GAP + SPREAD * points)
    return (1 - DRAWN) * float((weights * over).sum() / weights.sum())


def rounds_of(rng: np.random.Generator, matches: int, gap: float) -> np.ndarray:
    """A round of each match: both engines play a pair from the same line-ups, and the teams are exchanged."""
    lineups = rng.normal(0, SPREAD, matches)

    def half_points(level: float, sign: int) -> np.ndarray:
        is_won, is_drawn = (rng.random(matches) < share for share in (chance(level + sign * lineups), DRAWN))
        return np.where(is_drawn, 1, 2 * is_won)

    one, other = (half_points(level, 1) + half_points(level, -1) for level in (LEVEL, LEVEL - gap))
    return one - other + 4


def ratios(counts: np.ndarray, test: Difference) -> np.ndarray:
    """The twin of `Difference.llr` for many matches at once."""
    filled = np.where(counts == 0, 1e-3, counts)
    total = filled.sum(axis=1, keepdims=True)
    seen = filled / total
    likeliest = []
    for score in (test.score0, test.score1):
        values = np.linspace(0, 1, 9) - (1 + score) / 2
        low, high = np.full_like(total, -1 / values.max()), np.full_like(total, -1 / values.min())
        for _ in range(45):
            middle = (low + high) / 2
            is_below = (seen * values / (1 + middle * values)).sum(axis=1, keepdims=True) > 0
            low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
        likeliest.append(seen / (1 + low * values))
    return (total * seen * np.log(likeliest[1] / likeliest[0])).sum(axis=1)


def share_of_h1(gap: float, test: Difference, seed: int) -> tuple[float, float]:
    """The share of matches that accept H1, and the mean number of rounds until the test decides."""
    rng = np.random.default_rng(seed)
    counts, running, accepted = np.zeros((MATCHES, 9), int), np.arange(MATCHES), 0
    rounds = 0
    while len(running):
        counts[running, rounds_of(rng, len(running), gap)] += 1
        rounds += len(running)
        found = ratios(counts[running], test)
        ended = (found >= test.upper) | (found <= test.lower)
        accepted += (found >= test.upper).sum()
        for match in (0, *np.flatnonzero(ended)[:2]):  # the product decides as the twin does
            llr = test.llr(counts[running[match]].tolist())
            assert llr == pytest.approx(found[match], abs=1e-6)
            assert (test.verdict(llr) != SprtVerdict.CONTINUE) == ended[match]
        running = running[~ended]
    return accepted / MATCHES, rounds / MATCHES


def test_errors_are_as_rare_as_asked():
    """Not above alpha 5% and beta 10% by more than three standard errors, nor so far below that games are wasted."""
    test = difference(0.0, true_difference(), alpha=0.05, beta=0.1)
    wrong, rounds = share_of_h1(0.0, test, seed=1)
    right, rounds_of_right = share_of_h1(GAP, test, seed=2)
    assert 0.025 < wrong < 0.05 + 3 * math.sqrt(0.05 * 0.95 / MATCHES)
    assert 0.05 < 1 - right < 0.1 + 3 * math.sqrt(0.1 * 0.9 / MATCHES)
    assert max(rounds, rounds_of_right) < 50


def test_the_interval_holds_the_true_difference_as_often_as_it_says():
    rng = np.random.default_rng(3)
    matches, held = 1000, 0
    drawn = np.stack([rounds_of(rng, matches, GAP) for _ in range(30)], axis=1)
    for match in drawn:
        _, low, high = mean_difference(np.bincount(match, minlength=9).tolist())
        held += low <= true_difference() <= high
    assert held / matches == pytest.approx(0.95, abs=0.021)


# The games


def schedule(format: str, rounds: int = 3, **match: object) -> Schedule:
    engines = [{"name": name, "cmd": "x"} for name in ("third", "new", "old")]
    return Schedule(settings(*engines, rounds=rounds, format=format, **match), Book.read(None))


def test_both_play_from_the_same_lineups_and_seats_by_the_same_seeds():
    plans = list(schedule("gauntlet"))
    for number in range(3):
        new, old = plans[4 * number : 4 * number + 2], plans[4 * number + 2 : 4 * number + 4]
        assert [plan.pairing for plan in (*new, *old)] == [(0, 1), (0, 1), (0, 2), (0, 2)]
        assert [plan.teams.index(0) for plan in new] == [plan.teams.index(0) for plan in old] == [0, 1]
        assert len({(plan.lineups, plan.first, plan.seed_of(0)) for plan in (*new, *old)}) == 1
        assert {plan.seed_of(1) for plan in new} == {plan.seed_of(2) for plan in old}
    assert len({plan.seed_of(engine) for plan in plans for engine in (0, 1)}) == 6


def test_engines_that_meet_do_not_know_each_others_seeds():
    plans = list(schedule("round-robin"))
    assert len({plan.seed_of(engine) for plan in plans for engine in plan.pairing}) == 9


ROUND = {"third": 0, "new": 1, "old": 2}
WINNERS = [  # of the games of a round: the third against the new one twice, then against the old one
    ("new", "new", "third", "third", 8),
    ("new", "third", "third", "old", 4),
    ("third", "draw", "old", "draw", 2),
    ("draw", "draw", "third", "draw", 5),
]


def standings_of(format: str, rounds: list[tuple], test: Difference, failed: int = 0) -> Standings:
    """What the games amount to that `rounds` say who wins, in the order of their numbers backwards."""
    chosen = schedule(format, rounds=len(rounds))
    names = [engine.name for engine in chosen.settings.engines]
    found = Standings(names, chosen.pairings, test)
    order = {(0, 1): 0, (0, 2): 2, (1, 2): None}
    size = 2 * len(chosen.pairings)
    for plan in reversed(list(chosen)):
        first = order[plan.pairing]
        number = (plan.game - 1) // size
        winner = "draw" if first is None else rounds[number][first + plan.is_second]
        teams = [names[index] for index in plan.teams]
        if plan.game == failed:
            found.pass_over(failed)
        else:
            result = ("SN", "EW")[teams.index(winner)] if winner in teams else "draw"
            found.add(plan, result, Ending.FLAG, ("SN", "EW"))
    return found


@pytest.mark.parametrize("format", ["gauntlet", "round-robin"])
def test_the_value_of_a_round_is_the_difference_of_its_pairs(format):
    found = standings_of(format, WINNERS, difference())
    assert found.test.counts == [sum(value == wanted for *_, value in WINNERS) for wanted in range(9)]
    assert found.games == len(WINNERS) * (4 if format == "gauntlet" else 6)
    assert found.between("new", "third").test is found.test
    assert found.between("third", "new").test is found.between("old", "third").test is None
    assert (
        standings_of(format, WINNERS, Difference("old", "new", "third", 0, 0.1)).test.counts == found.test.counts[::-1]
    )


def test_rounds_count_in_their_order_up_to_the_deciding_one_and_one_without_a_result_is_passed_over():
    rounds = WINNERS[:1] * 100
    whole, without = (standings_of("gauntlet", rounds, difference(), failed) for failed in (0, 7))
    for found in (whole, without):
        assert found.test.verdict == SprtVerdict.H1 and found.is_decided
        assert found.games == 4 * sum(found.test.counts) < 400
    assert whole.test.counts == without.test.counts


# Settings and reports

SOUND, BROKEN = (" ".join(scripted(name)) for name in ("script", "dies_on_go"))


def difference_file(path: Path, test: str = "score0 = 0, score1 = 0.4", bound: str = 'sprt = "H1"') -> str:
    """The new engine draws against the third, the old one dies on its first `go`."""
    path.write_text(f"""
[match]
format = "gauntlet"
rounds = 50
max_plies = 4
difference = {{ engine = "new", than = "old", against = "third", {test} }}
[each]
st = 5
cmd = "{SOUND}"
[[engine]]
name = "third"
[[engine]]
name = "new"
[[engine]]
name = "old"
cmd = "{BROKEN}"
[[bound]]
engine = "new"
against = "third"
{bound}
""")
    return str(path)


def test_a_regression_ends_when_the_difference_is_decided(tmp_path, capsys):
    path = difference_file(tmp_path / "third.toml", bound='sprt = "H1"\nscore_min = 0.5')
    assert run(["regress", path, "--json"]) == ExitCode.DONE
    captured = capsys.readouterr()
    found = json.loads(captured.out)["difference"]
    assert (found["mean"], found["verdict"], found["counts"][6]) == (0.5, "H1", found["rounds"])
    assert 0 < found["interval"][0] < 0.5 < found["interval"][1] < 1
    assert NAMES.items() <= found.items() and found["rounds"] < 50
    line = "new less old against third: +50.00 % (95%: +"
    assert f"\n{line}" in captured.err and f"holds  new against third: {line}" in captured.err
    assert "[0 %, 40 %]: H1 accepted; it must end with H1\n" in captured.err
    assert all(pairing["sprt"] is None for pairing in json.loads(captured.out)["pairings"])


def test_the_command_line_sets_the_last_engine_and_an_undecided_test_fails(tmp_path, capsys):
    """Here the old engine is as good as the new one."""
    path = difference_file(tmp_path / "third.toml")
    assert run(["regress", path, "--rounds", "1", "--engine", f"cmd={SOUND}"]) == ExitCode.FAILED
    assert "FAILS  new against third: new less old against third: +0.00 % (95%: -100.0" in capsys.readouterr().out


def test_fail_on_a_decision(capsys):
    engines = [("third", SOUND), ("new", BROKEN), ("old", SOUND)]
    words = [word for name, command in engines for word in ("--engine", f"name={name}", f"cmd={command}")]
    words = ["tournament", "--format", "gauntlet", *words, "--each", "st=5", "--max-plies", "4", "--rounds", "60"]
    test = ["--difference", *(f"{key}={name}" for key, name in NAMES.items()), "score0=-0.4", "score1=0"]
    assert run([*words, *test, "--fail-on", "H0"]) == ExitCode.FAILED
    assert ": H0 accepted; it must end with H1 or undecided\n" in capsys.readouterr().out
    assert refused(capsys, *words, "--fail-on", "H0").endswith(
        "only --sprt decides, in a tournament --difference; add it, or name faults alone"
    )


@pytest.mark.parametrize(
    ("test", "named"),
    [
        ("score1 = 0.1", "score0 is missing"),
        ("score0 = 0.1, score1 = 0.1", "score0 (0.1) must be below score1 (0.1)"),
        ("score0 = -1, score1 = 0.1", "score0 (-1) must be between -1 and 1"),
        ("score0 = 0, score1 = 0.1, beta = 1", "beta (1) must be between 0 and 1"),
        ("score0 = 0, elo1 = 5", "unknown key 'elo1'"),
        ("score0 = 'a', score1 = 1", "score0=a is not a number"),
    ],
)
def test_bad_tests(tmp_path, capsys, test, named):
    path = difference_file(tmp_path / "third.toml", test)
    line = refused(capsys, "regress", path)
    assert line.startswith(f"junqi-referee: {path}, match, difference: ") and named in line


@pytest.mark.parametrize(
    ("one", "other", "named"),
    [
        (
            'than = "old"',
            'than = "nobody"',
            "match, difference: than='nobody' is not one of the engines third, new, old",
        ),
        ('than = "old"', 'than = "new"', "match, difference: engine, than, against must be three engines"),
        (
            '"old", against = "third"',
            '"third", against = "old"',
            "all play against the first engine, 'third', not 'old'",
        ),
        ('\nengine = "new"', '\nengine = "old"', "bound 1: the test is of 'new' against 'third', not of 'old'"),
        ("difference = ", "sprt = {elo0 = 0, elo1 = 5}\ndifference = ", "sprt needs two engines, there are 3"),
    ],
)
def test_a_test_of_games_that_are_not_played(tmp_path, capsys, one, other, named):
    path = difference_file(tmp_path / "third.toml")
    text = Path(path).read_text()
    assert one in text
    Path(path).write_text(text.replace(one, other))
    assert named in refused(capsys, "regress", path)
