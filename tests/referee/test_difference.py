"""The test of the difference of two engines' scores against a third: its ratio, its errors, its games, its settings."""

import json
import math
from pathlib import Path

import pytest

from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.playing.standings import Standings
from junqi_referee.settings.schedule import Book, Schedule
from junqi_referee.sprt import Difference, SprtVerdict, mean_difference
from tests.helpers.referee import scripted, settings

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
