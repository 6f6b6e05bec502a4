"""Time controls as text, clocks, and the `go` command made of both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from junqi_referee.time_control import KEYS, Clock, TimeControl, go_command

WHOLE = st.integers(1, 10**9)
CONTROLS = st.builds(
    TimeControl,
    base_ms=st.none() | WHOLE,
    increment_ms=st.integers(0, 10**6),
    move_ms=st.none() | WHOLE,
    nodes=st.none() | WHOLE,
    depth=st.none() | WHOLE,
    margin_ms=st.integers(0, 10**6),
    patience_s=st.none() | st.integers(1, 10**6).map(lambda time_ms: time_ms / 1000),
    moves=st.none() | st.integers(1, 10**6 - 1),
).filter(
    lambda control: (
        (control.base_ms or not (control.increment_ms or control.moves)) and not (control.base_ms and control.move_ms)
    )
)


def control(**table: str) -> TimeControl:
    return TimeControl.parse(table)


def test_time_controls_are_parsed():
    def base(text: str) -> tuple[int | None, int]:
        read = control(tc=text)
        return read.base_ms, read.increment_ms

    assert base("10") == (10_000, 0)
    assert base("10+0.1") == (10_000, 100)
    assert base("1:30+0.5") == (90_000, 500)
    assert base("2:00") == (120_000, 0)
    assert base("inf") == (None, 0)
    assert base("0+0.1") == (0, 100) and Clock(control(tc="0+0.1")).allowed_ms == 150
    assert (base("40/60+0.6"), control(tc="40/60+0.6").moves) == ((60_000, 600), 40)


def test_clock_gets_base_again_after_its_moves():
    clock = Clock(control(tc="2/60+0.6"))
    told = []
    for _ in range(5):
        told.append(go_command(clock))
        clock.spend(10_000)
        clock.add_increment()
    assert told == [
        f"go time {left} inc 600 movestogo {moves}"
        for left, moves in ((60_000, 2), (50_600, 1), (101_200, 2), (91_800, 1), (142_400, 2))
    ]


@given(CONTROLS)
def test_time_control_round_trips_as_text(original: TimeControl):
    words = dict(word.split("=") for word in str(original).split())
    assert set(words) <= set(KEYS)
    assert TimeControl.parse(words) == original


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"tc": "soon"}, "tc: 'soon' does not have the form moves/minutes:seconds"),
        ({"tc": "0"}, "tc: '0' starts with an empty clock and has no increment"),
        ({"tc": "0/5"}, "tc: '0/5' has a period of 0 moves"),
        ({"tc": "1+" + "9" * 9}, "longer than 1000 hours"),
        ({"tc": "1", "st": "1"}, "tc and st exclude each other"),
        ({"tc": "10+0.0001"}, "tc: '10+0.0001' has less than a millisecond"),
        ({"tc": "١٠"}, "tc: '١٠' does not have the form"),
        ({"st": "1_0"}, "st: '1_0' is not a number of seconds"),
        ({"st": "0"}, "st: '0' is not a number of seconds from 0.001 to 1000000"),
        ({"depth": "0"}, "depth: '0' is not a whole number of at least 1"),
        ({"margin": "-1"}, "margin: '-1' is not a whole number of at least 0"),
    ],
)  # fmt: skip
def test_refusal_of_time_control_names_the_key(table: dict, named: str):
    with pytest.raises(ValueError) as refusal:
        TimeControl.parse(table)
    assert named in str(refusal.value)


def test_go_command_has_the_limits():
    clocks = [Clock(control(**table)) for table in ({"tc": "10+0.1"}, {"st": "0.25"}, {"nodes": "7", "depth": "3"})]
    assert go_command(clocks[0], (clocks[0], clocks[0])) == "go wtime 10000 btime 10000 winc 100 binc 100"
    assert go_command(clocks[0], (clocks[0], clocks[1])) == "go time 10000 inc 100"
    assert go_command(clocks[0]) == "go time 10000 inc 100"
    assert go_command(clocks[1]) == "go movetime 250"
    assert go_command(clocks[2]) == "go nodes 7 depth 3"
    assert [clock.allowed_ms for clock in clocks] == [10_050, 300, None]
    clocks[0].spend(400.0)
    clocks[0].add_increment()
    assert clocks[0].allowed_ms == 9_750
    clocks[0].spend(9_740.0)
    clocks[0].add_increment()
    assert clocks[0].remaining_ms == 100


def test_clock_runs_between_start_and_stop():
    clock = Clock(control(tc="10+0.5"))
    assert (clock.is_running, clock.elapsed_ms(7.0), clock.remaining_at_ms(7.0)) == (False, 0.0, 10_000)
    clock.start(1_000)
    clock.start(9_000)  # it runs already
    assert (clock.is_running, clock.elapsed_ms(4_000), clock.remaining_at_ms(4_000)) == (True, 3_000, 7_000)
    assert clock.stop(4_000) == 3_000
    assert (clock.is_running, clock.remaining_ms) == (False, 7_500)
    clock.start(5_000)
    clock.cancel()
    assert (clock.is_running, clock.remaining_ms) == (False, 7_500)
    clock.start(5_000)
    assert clock.remaining_at_ms(50_000) == 0
    assert clock.pause(50_000) == 45_000
    assert clock.remaining_ms == 0


def test_held_clock_stands_until_stop_or_cancel():
    clock = Clock(control(tc="1:00+1"))
    clock.start(0)
    clock.hold(100)
    assert not clock.is_running
    assert clock.remaining_at_ms(2000) == 59_900
    clock.cancel()
    assert clock.remaining_at_ms(2000) == 60_000
    clock.start(3000)
    assert clock.is_running and clock.remaining_at_ms(4000) == 59_000
    clock.hold(100)
    assert clock.stop(9000) == 100 and clock.remaining_ms == 60_900
