"""The board's game as a state machine: single inputs, inputs that are refused, faults."""

import ast
from pathlib import Path

import pytest

from junqi_board import game as game_package
from junqi_board.errors import RequestError
from junqi_board.game.parts import EngineToMove, Happened
from junqi_board.game.record import record_of
from junqi_board.session.game_session import Checkpoint
from junqi_engine.rules import lineup
from junqi_referee.records.replay import verify
from tests.helpers.board_game import (
    AGAINST_ENGINE,
    PASSES,
    PROGRAMS,
    START,
    TWO_PERSONS,
    assert_refused,
    follow,
    lineups,
    new_game,
    snapshot,
)


def test_a_passed_turn_is_no_ply_and_not_quiet() -> None:
    game = new_game(TWO_PERSONS, **PASSES, no_contact=3)
    follow(game, """
 0.0  SN lineups               | SN set
 0.0  EW lineups               | EW set; started
 1.0  SN move 0 i6i7           | S i6i7 1000 ms
21.0  tick                     | E pass:E 20000 ms
22.0  SN move 2 i12i11         | N i12i11 1000 ms
""")  # fmt: skip
    assert game.truth is not None
    assert (game.truth.ply, game.truth.view("*").quiet) == (2, 2)
    record = record_of(game)
    assert record.moves == ["i6i7", "pass:E", "i12i11"] and record.times_ms == [1000, 20000, 1000]
    assert record.rules["version"] == 2
    follow(game, "23.0  EW move 3 f11e10 | W f11e10 1000 ms; end draw no-contact")
    assert verify(record_of(game)) is None


def test_a_clock_for_each_turn_has_no_increment() -> None:
    with pytest.raises(RequestError, match="increment_s 0"):
        new_game(TWO_PERSONS, time_out="passes", clock={"base_s": 20, "increment_s": 1})


def test_inputs_that_do_not_fit_are_refused() -> None:
    game = new_game(AGAINST_ENGINE)
    for code, action in [
        ("bad-lineup", lambda: game.set_lineups("SN", lineups("S"), 0.0)),
        ("bad-lineup", lambda: game.set_lineups("SN", {"S": "a" * 25, "N": "a" * 25}, 0.0)),
        ("no-seat", lambda: game.set_lineups("", {}, 0.0)),
        ("too-early", lambda: game.resign("SN", 0.0)),
        ("too-early", lambda: game.offer_draw("SN", 0.0)),
        ("bad-setup", lambda: game.replace_engine("E", PROGRAMS[1], "", 0.0)),
    ]:
        assert_refused(game, code, action)
    follow(game, START)
    for move in ("a1a2", "g6g6", "resign:E", "resign:S", "zzzz", "", "i6i7x", "l7m8"):
        assert_refused(game, "illegal-move", lambda move=move: game.move("SN", 0, move, 2.0))
    assert_refused(game, "stale", lambda: game.move("SN", 1, "i6i7", 2.0))


def test_a_guest_has_several_seats_only_if_the_host_has() -> None:
    """Two guests of a team were one person, so four friends could not be partners who see each other's pieces."""
    friends = new_game(dict.fromkeys("ENW", "guest") | {"S": "me"})
    assert [(player.party.seats, player.party.viewer) for player in friends.players] == [
        ("S", "SN"), ("N", "SN"), ("E", "EW"), ("W", "EW"),
    ]  # fmt: skip
    armies = new_game({"S": "me", "N": "me", "E": "guest", "W": "guest"})
    assert [player.party.seats for player in armies.players] == ["SN", "EW"]


def test_the_next_move_is_shown_after_the_pace() -> None:
    game = new_game(AGAINST_ENGINE)
    follow(game, START + " 3.0  SN move 0 i6i7 | S i6i7 2000 ms; ask EW #1 go time 60000 inc 1000 movetime 500")
    assert game.show_next_move_at_s == pytest.approx(3.4)
    assert game.set_pace(1000) == (Happened("pace 1000"),)
    assert game.show_next_move_at_s == pytest.approx(4.0)


def test_an_engine_is_told_what_its_seats_see_and_no_more() -> None:
    game = new_game(AGAINST_ENGINE)
    follow(game, START)
    *_, question = game.move("SN", 0, "i6i7", 2.0)
    assert isinstance(question, EngineToMove)
    assert question.allowed_ms == 60_050
    head = f"position startpos lineup E:{lineup.DEFAULT} W:{lineup.DEFAULT} viewer EW"
    assert question.position == f"{head} moves i6i7"


def test_the_state_machine_uses_no_sockets_files_processes_or_clocks() -> None:
    forbidden = {"asyncio", "os", "pathlib", "select", "socket", "subprocess", "threading", "time", "starlette"}
    above = ("junqi_board.session", "junqi_board.views", "junqi_board.engines", "junqi_board.engine_pool")
    for path in Path(game_package.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not forbidden & {name.partition(".")[0] for name in names}, path.name
            for name in names:
                assert not name.startswith(above), path.name


@pytest.mark.parametrize("at", ["_finish_turn", "_continue", "_add_ply"])
def test_an_internal_error_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    """The position was changed, the rest was not."""
    game = new_game(AGAINST_ENGINE)
    follow(game, START + " 3.0  SN move 0 i6i7 | S i6i7 2000 ms; ask EW #1 go time 60000 inc 1000 movetime 500")
    before, checkpoint = snapshot(game), Checkpoint.of(game)
    with monkeypatch.context() as patch:
        patch.setattr(game, at, lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            game.engine_answered(1, "l7m8", 700.0, "cp 20", 4.0)
    vars(game).pop(at, None)
    assert snapshot(game) != before
    checkpoint.restore(game)
    assert snapshot(game) == before
    follow(game, " 4.0  #1 answers l7m8 after 700 | E l7m8 700 ms")
