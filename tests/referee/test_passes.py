"""Turns that passed because a clock ran out: `pass:S` in move lists, records and `replay`."""

import pytest

from junqi_engine.rules import lineup
from junqi_engine.rules.options import Rules
from junqi_referee.truth import IllegalMove, Truth

LINEUPS = dict.fromkeys("SENW", lineup.DEFAULT)


def test_a_pass_gives_the_turn_to_the_next_seat_and_is_not_a_ply() -> None:
    truth = Truth("siguo", LINEUPS, "S", Rules())
    assert truth.play("pass:S") == "pass:S"
    assert (truth.turn, truth.ply, truth.result) == ("E", 0, None)
    truth.play("l7m8", "EW")
    assert truth.position_line("SN").endswith(" viewer SN moves pass:S l7m8")
    assert [truth.view(viewer).ply for viewer in ("SN", "EW", "*")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "seats", "message"),
    [
        ("pass:E", None, "'pass:E' is not legal: S is to move"),
        ("pass:S", "SN", "'pass:S': a player cannot pass"),
        ("pass:X", None, "X is not a seat"),
        ("pass:S#E", None, "has a suffix, which only the referee may add"),
    ],
)
def test_a_pass_that_is_refused_changes_nothing(text: str, seats: str | None, message: str) -> None:
    truth = Truth("siguo", LINEUPS, "S", Rules())
    with pytest.raises(IllegalMove, match=message):
        truth.play(text, seats)
    assert (truth.turn, truth.moves) == ("S", [])
