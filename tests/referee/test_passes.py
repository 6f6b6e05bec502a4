"""Turns that passed because a clock ran out: `pass:S` in move lists, records and `replay`."""

from dataclasses import replace

import pytest

from junqi_engine.rules import lineup
from junqi_engine.rules.options import Rules
from junqi_referee.cli import run
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify
from junqi_referee.truth import IllegalMove, Truth

LINEUPS = dict.fromkeys("SENW", lineup.DEFAULT)


def record(*moves: str) -> GameRecord:
    """An interrupted game of Siguo with these moves."""
    return GameRecord(
        game=1,
        variant="siguo",
        visibility="partner",
        engines={"SN": {"name": "one"}, "EW": {"name": "two"}},
        seed=0,
        rules={"version": 2},
        lineups=LINEUPS,
        first="S",
        moves=list(moves),
        times_ms=[1] * len(moves),
        scores=[None] * len(moves),
    )


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


def test_verification_of_passes() -> None:
    game = record("i6i7", "pass:E", "i12i11", "pass:W", "pass:S")
    assert verify(game) is None
    assert verify(record("i6i7", "pass:N")) == "move 2: 'pass:N' is not legal: E is to move"
    assert verify(record("pass:S#E")) == "move 1: pass:S#E is recorded, pass:S was played"
    assert verify(replace(game, result="SN", ending=Ending.FLAG)) == "flag is recorded, but the game is not over"


def test_replay_prints_passes(tmp_path, capsys) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(record("i6i7", "pass:E", "i12i11").as_line() + "\n")
    assert run(["replay", str(path), "1"]) == ExitCode.DONE
    assert "    2 E pass:E " in capsys.readouterr().out
    path.write_text(record("i6i7", "pass:N").as_line() + "\n")
    assert run(["replay", str(path)]) == ExitCode.FAILED
    assert "WRONG: move 2: 'pass:N' is not legal: E is to move" in capsys.readouterr().out
