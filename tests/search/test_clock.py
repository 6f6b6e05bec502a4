"""Time management: the division of a clock among the moves of a game of any length."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from junqi_engine.search.clock import UNLIMITED_MS, Clock, Pace
from junqi_protocol.variant_game import GoRequest

HALF_AN_HOUR_MS = 1_800_000
OVERHEAD_MS = 30


def remaining_after(moves: int, seats: int, clock_ms: float = HALF_AN_HOUR_MS) -> float:
    """The rest of a clock after moves that each used all their time."""
    remaining_ms = clock_ms
    for number in range(moves):
        clock = Clock(remaining_ms=int(remaining_ms), overhead_ms=OVERHEAD_MS)
        remaining_ms -= clock.pace(2 * number, seats).target_ms + OVERHEAD_MS
        assert remaining_ms > 0
    return remaining_ms


@pytest.mark.parametrize(
    ("seats", "moves", "used"),
    [(4, 20, 0.2), (4, 60, 0.5), (4, 90, 0.74), (4, 200, 0.9), (2, 20, 0.35), (2, 50, 0.74), (2, 100, 0.9)],
)
def test_usual_game_uses_most_of_its_clock(seats: int, moves: int, used: float) -> None:
    assert 1 - remaining_after(moves, seats) / HALF_AN_HOUR_MS > used


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (GoRequest(), UNLIMITED_MS),
        (GoRequest(infinite=True, time_ms=1000), None),
        (GoRequest(depth=3), None),
        (GoRequest(nodes=3), None),
        (GoRequest(ponder=True), None),
        (GoRequest(movetime_ms=500), 470.0),
        (GoRequest(movetime_ms=10), 9.0),
        (GoRequest(movetime_ms=500, time_ms=9), 470.0),
        (GoRequest(clocks_ms=(9000, 18_000)), 170.0),
        (GoRequest(clocks_ms=(9000, 18_000), time_ms=90_000), 970.0),
        (GoRequest(clocks_ms=(9000, None)), UNLIMITED_MS),
        (GoRequest(time_ms=9000, movestogo=9), 970.0),
        (GoRequest(time_ms=9000, movestogo=1), 4470.0),
        (GoRequest(time_ms=9000, inc_ms=1000), 820.0),
        (GoRequest(time_ms=0), 1.0),
    ],
)
def test_go_arguments_become_limits(request_: GoRequest, expected: float | None) -> None:
    clock = request_.clock(1, OVERHEAD_MS)
    found = None if clock is None else clock.pace(0, 4).target_ms
    assert found == (pytest.approx(expected) if expected is not None else None)


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 10**12), st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 1000), st.integers(0, 5000))
def test_no_move_takes_the_whole_clock(time_ms: int, inc_ms: int, ply: int, movestogo: int, overhead_ms: int) -> None:
    pace = Clock(None, time_ms, inc_ms, movestogo or None, overhead_ms).pace(ply, 4)
    assert 1.0 <= pace.target_ms <= pace.limit_ms <= max(1.0, 0.5 * time_ms - overhead_ms)


@pytest.mark.parametrize("clock", [Clock(500), Clock(500, 90_000), Clock()])
def test_fixed_time_is_its_own_limit(clock: Clock) -> None:
    pace = clock.pace(0, 4)
    assert pace.limit_ms == pace.target_ms
    assert not pace.is_fixed or pace.may_deepen(pace.target_ms, 1, 0, 1000)


def starts(pace: Pace, *iterations: tuple[float, int, int, int]) -> list[bool]:
    """True if another iteration starts after each of those that ended at (elapsed_ms, move, score, lead)."""
    return [pace.may_deepen(*iteration) for iteration in iterations]


def test_clear_choice_ends_early() -> None:
    """The same move leads by 200 in four iterations: at 35% of the target it is played. A small lead goes on."""
    clear = [(5.0, 1, 0, 200), (10.0, 1, 0, 200), (20.0, 1, 0, 200), (35.0, 1, 0, 200)]
    assert starts(Pace(100.0, 250.0), *clear) == [True, True, True, False]
    close = [(elapsed_ms, move, score, 10) for elapsed_ms, move, score, _ in clear]
    assert starts(Pace(100.0, 250.0), *close) == [True, True, True, True]


def test_new_choice_and_falling_score_extend_time() -> None:
    """At 80% of the target no iteration starts, unless the last one changed the move or lost a piece."""
    before = (40.0, 1, 0, 10)
    assert starts(Pace(100.0, 250.0), before, (80.0, 1, 0, 10))[1] is False
    assert starts(Pace(100.0, 250.0), before, (80.0, 2, 0, 10))[1] is True
    assert starts(Pace(100.0, 250.0), before, (80.0, 1, -200, 10))[1] is True


def test_iteration_without_time_does_not_start() -> None:
    """The iterations take 1, 6 and 36 ms: the next one is expected to take 216, and 207 remain."""
    assert starts(Pace(100.0, 250.0), (1.0, 1, 0, 10), (7.0, 1, 0, 10), (43.0, 1, 0, 10)) == [True, True, False]
    assert starts(Pace(100.0, 300.0), (1.0, 1, 0, 10), (7.0, 1, 0, 10), (43.0, 1, 0, 10)) == [True, True, True]
