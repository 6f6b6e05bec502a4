"""The board's game as a state machine: single inputs, inputs that are refused, faults; transcripts of whole games;
and what holds after any sequence of inputs.
"""

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junqi_board.game.game import BoardGame, Phase
from junqi_board.game.record import record_of
from junqi_board.game.seating import TimeOut
from junqi_engine.errors import Refused
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_referee.endings import Ending
from junqi_referee.records.replay import verify
from tests.helpers.board_game import (
    AGAINST_ENGINE,
    ENGINES,
    FIRST_MOVE,
    FOUR_PERSONS,
    PASSES,
    START,
    TWO_PERSONS,
    apply,
    assert_refused,
    follow,
    lineups,
    new_game,
    snapshot,
)

COMPUTER_PARTNER = {"S": "me", "E": "guest", "N": "engine", "W": "guest"}


def test_pass_does_not_count_as_ply_or_quiet_move() -> None:
    game = new_game(TWO_PERSONS, rules={"no_contact": 3}, **PASSES)
    follow(game, """
 0.0  SN lineups               | SN set
 0.0  EW lineups               | EW set; started
 1.0  SN move 0 i6i7           | S i6i7 1000 ms
21.0  tick                     | E pass:E 20000 ms
22.0  SN move 2 i12i11         | N i12i11 1000 ms
""")  # fmt: skip
    assert game.full is not None
    assert (game.full.ply, game.full.view("*").quiet) == (2, 2)
    record = record_of(game)
    assert record.moves == ["i6i7", "pass:E", "i12i11"] and record.times_ms == [1000, 20000, 1000]
    assert record.rules["version"] == 2
    follow(game, "23.0  EW move 3 f11e10 | W f11e10 1000 ms; end draw no-contact")
    assert verify(record_of(game)) is None


def test_eliminated_player_can_fast_forward() -> None:
    """A person who resigned in Siguo would watch the engines think for minutes."""
    game = new_game({"S": "me", "E": "engine", "N": "engine", "W": "engine"}, clock=None)
    follow(game, """
 0.0  S lineups   | S set
 0.0  EW starts   | EW ready
 0.0  N starts    | N ready; started
 1.0  S hurry     | refused too-early
 2.0  S resign    | S resign:S 0 ms; ask EW #1 go movetime 1000
 3.0  S hurry     | cancel EW; hurried; ask EW #2 go movetime 50
 4.0  #1 answers l7m8 after 700 |
 4.0  #2 answers l7m8 after 50  | E l7m8 50 ms; ask N #3 go movetime 50
""")  # fmt: skip
    assert game.show_next_move_at_s == 0.0


def test_clock_for_each_turn_has_no_increment() -> None:
    with pytest.raises(Refused, match="increment_s 0"):
        new_game(TWO_PERSONS, time_out="passes", clock={"base_s": 20, "increment_s": 1})


def test_inputs_that_do_not_fit_are_refused() -> None:
    game = new_game(AGAINST_ENGINE)
    for code, action in [
        ("bad-lineup", lambda: game.set_lineups("SN", lineups("S"), 0.0)),
        ("bad-lineup", lambda: game.set_lineups("SN", {"S": "a" * 25, "N": "a" * 25}, 0.0)),
        ("no-seat", lambda: game.set_lineups("", {}, 0.0)),
        ("too-early", lambda: game.resign("SN", 0.0)),
        ("too-early", lambda: game.offer_draw("SN", 0.0)),
        ("bad-setup", lambda: game.restart_engine("E")),
    ]:
        assert_refused(game, code, action)
    follow(game, START)
    for move in ("a1a2", "g6g6", "resign:E", "resign:S", "zzzz", "", "i6i7x", "l7m8"):
        assert_refused(game, "illegal-move", lambda move=move: game.move("SN", 0, move, 2.0))
    assert_refused(game, "stale", lambda: game.move("SN", 1, "i6i7", 2.0))


def test_guest_has_several_seats_only_if_the_host_has() -> None:
    """Two guests of a team were one person, so four friends could not be partners who see each other's pieces."""
    friends = new_game(dict.fromkeys("ENW", "guest") | {"S": "me"})
    assert [(player.party.seats, player.party.viewer) for player in friends.players] == [
        ("S", "SN"), ("N", "SN"), ("E", "EW"), ("W", "EW"),
    ]  # fmt: skip
    armies = new_game({"S": "me", "N": "me", "E": "guest", "W": "guest"})
    assert [player.party.seats for player in armies.players] == ["SN", "EW"]


def test_next_move_is_shown_after_the_pace() -> None:
    game = new_game(AGAINST_ENGINE)
    follow(game, START + FIRST_MOVE)
    assert game.show_next_move_at_s == pytest.approx(3.4)


def test_engine_is_sent_its_seats_knowledge_only() -> None:
    game = new_game(AGAINST_ENGINE)
    follow(game, START)
    game.move("SN", 0, "i6i7", 2.0)
    question = game.search
    assert question is not None and question.allowed_ms == 60_050
    head = f"position startpos lineup E:{lineup.DEFAULT} W:{lineup.DEFAULT} viewer EW"
    assert question.position == f"{head} moves i6i7"


TRANSCRIPTS: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "a person and an engine, each on its clock": (AGAINST_ENGINE, {}, START + """
 3.0  SN move 0 i6i7           | S i6i7 2000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
 3.5  SN move 1 i7i6           | refused not-your-turn
 4.0  #1 answers l7m8 after 700 cp 20 | E l7m8 700 ms
 4.5  #1 answers l7m8 after 700 |
 5.0  SN move 2 i12i11         | N i12i11 1000 ms; ask EW #2 go time 60300 inc 1000 movetime 1000
 6.0  #2 answers f11e10 after 300 | W f11e10 300 ms
"""),
    "without clocks an engine has a time per move": (AGAINST_ENGINE, {"clock": None}, START + """
 9.0  SN move 0 i6i7           | S i6i7 8000 ms; ask EW #1 go movetime 1000
99.0  tick                     |
99.0  #1 answers l7m8 after 9000 | E l7m8 9000 ms
"""),
    "a person's clock runs out": (AGAINST_ENGINE, {}, START + """
 60.9  tick                    |
 61.0  tick                    | end EW timeout
 62.0  tick                    |
 62.0  SN move 0 i6i7          | refused game-over
"""),
    "an engine's clock runs out": (AGAINST_ENGINE, {}, START + """
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
99.0  tick                     |
99.0  #1 fails timeout         | end SN timeout
"""),
    "the turn of a person passes, and each turn has the full time": (AGAINST_ENGINE, PASSES, START + """
20.9  tick                     |
21.0  tick                     | S pass:S 20000 ms; ask EW #1 go time 20000 inc 0 movetime 1000
22.0  tick                     |
22.0  SN move 1 i6i7           | refused not-your-turn
22.0  #1 answers l7m8 after 900 | E l7m8 900 ms
33.0  SN move 2 i12i11         | N i12i11 11000 ms; ask EW #2 go time 20000 inc 0 movetime 1000
34.0  #2 answers pass:W after 10 | EW failed illegal-move
34.0  EW restarted              | EW restarts
35.0  EW starts                | EW ready; ask EW #3 go time 20000 inc 0 movetime 1000
36.0  #3 answers f11e10 after 300 | W f11e10 300 ms
55.9  tick                     |
56.0  tick                     | S pass:S 20000 ms; ask EW #4 go time 20000 inc 0 movetime 1000
101.0 SN take back             | cancel EW; back to 4
102.0 SN move 4 pass:S         | refused illegal-move
102.0 SN move 4 i6i7           | S i6i7 1000 ms; ask EW #5 go time 20000 inc 0 movetime 1000
"""),
    "the turn of an engine passes when its late answer arrives": (AGAINST_ENGINE, PASSES, START + """
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go time 20000 inc 0 movetime 1000
22.9  tick                     |
23.0  #1 fails timeout         | E pass:E 21000 ms
24.0  SN move 2 i12i11         | N i12i11 1000 ms; ask EW #2 go time 20000 inc 0 movetime 1000
60.0  #2 fails stall           | EW failed stall
"""),
    "a passed turn ends a draw offer of another party": (TWO_PERSONS, PASSES, """
 0.0  SN lineups               | SN set
 0.0  EW lineups               | EW set; started
 1.0  EW offer                 | EW offer
20.0  tick                     | S pass:S 20000 ms
21.0  SN accept                | refused no-offer
40.0  tick                     | E pass:E 20000 ms
60.0  tick                     | N pass:N 20000 ms
80.0  tick                     | W pass:W 20000 ms
80.0  SN resign                | S resign:S 0 ms; N resign:N 0 ms; end EW resigned
"""),
    "a late engine without clocks has failed": (AGAINST_ENGINE, {"clock": None}, START + """
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go movetime 1000
 9.0  #1 fails timeout         | EW failed timeout
"""),
    "an engine fails and is started again": (AGAINST_ENGINE, {}, START + """
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
 5.0  #1 fails disconnect      | EW failed disconnect
 5.0  #1 answers l7m8 after 10 |
 9.0  SN restarted             | refused bad-setup
 9.0  EW resign                | refused no-seat
 9.0  EW restarted              | EW restarts
12.0  EW starts                | EW ready; ask EW #2 go time 60000 inc 1000 movetime 1000
13.0  #2 answers a1a2 after 10 | EW failed illegal-move
14.0  EW restarted              | EW restarts
15.0  EW cannot start no-start | EW failed no-start
16.0  EW restarted              | EW restarts
17.0  EW starts                | EW ready; ask EW #3 go time 60000 inc 1000 movetime 1000
18.0  #3 answers resign:S after 10 | EW failed illegal-move
"""),
    "two engines fail, and both are started again": (ENGINES, {"clock": None}, """
 0.0  EW cannot start no-start | EW failed no-start
 0.0  SN cannot start no-start | SN failed no-start
 1.0  EW restarted              | EW restarts
 2.0  EW starts                | EW ready
 3.0  SN restarted              | SN restarts
 4.0  SN starts                | SN ready; started; ask SN #1 go movetime 1000
"""),
    "an engine fails before the game": (AGAINST_ENGINE, {}, """
 0.0  EW cannot start bad-lineup | EW failed bad-lineup
 1.0  SN lineups               | SN set
 1.0  SN lineups               | SN set
 2.0  SN move 0 i6i7           | refused too-early
 3.0  EW restarted              | EW restarts
 4.0  EW starts                | EW ready; started
 5.0  SN lineups               | refused too-late
"""),
    "moves are taken back, and the time with them": (AGAINST_ENGINE, {}, START + """
 1.0  SN take back             | refused no-take-back
11.0  SN move 0 i6i7           | S i6i7 10000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
12.0  #1 answers l7m8 after 900 | E l7m8 900 ms
13.0  SN move 2 i12i11         | N i12i11 1000 ms; ask EW #2 go time 60100 inc 1000 movetime 1000
14.0  SN take back             | cancel EW; back to 2
14.0  #2 answers f11e10 after 900 |
15.0  SN take back             | back to 0
74.9  tick                     |
75.0  tick                     | end EW timeout
75.0  SN take back             | refused no-take-back
"""),
    "a finished game can be taken back": (AGAINST_ENGINE, {}, START + """
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
 3.0  SN resign                | cancel EW; S resign:S 0 ms; N resign:N 0 ms; end EW resigned
 4.0  SN resign                | refused game-over
 5.0  SN take back             | back to 0
 6.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #2 go time 60000 inc 1000 movetime 1000
"""),
    "two persons agree to a draw": (TWO_PERSONS, {}, """
 0.0  SN lineups               | SN set
 0.0  EW lineups               | EW set; started
 1.0  SN take back             | refused no-take-back
 1.0  EW accept                | refused no-offer
 2.0  SN offer                 | SN offer
 3.0  SN accept                | refused no-offer
 3.0  EW decline               | EW decline SN
 4.0  SN offer                 | SN offer
 5.0  SN move 0 i6i7           | S i6i7 5000 ms
 6.0  EW move 1 l7m8           | E l7m8 1000 ms
 7.0  EW accept                | refused no-offer
 8.0  EW offer                 | EW offer
 9.0  SN accept                | SN accept EW; end draw agreed
"""),
    "everyone must accept; a seat that is out has no say": (FOUR_PERSONS, {"visibility": "dark"}, """
 0.0  S lineups                | S set
 0.0  E lineups                | E set
 0.0  N lineups                | N set
 0.0  W lineups                | W set; started
 1.0  W resign                 | W resign:W 0 ms
 2.0  W resign                 | refused not-your-turn
 2.0  W offer                  | refused not-your-turn
 2.0  S offer                  | S offer
 3.0  E accept                 | E accept S
 4.0  N accept                 | N accept S; end draw agreed
"""),
    "an offer ends with its player and waits for nobody who is out": (FOUR_PERSONS, {"visibility": "dark"}, """
 0.0  S lineups                | S set
 0.0  E lineups                | E set
 0.0  N lineups                | N set
 0.0  W lineups                | W set; started
 1.0  E offer                  | E offer
 2.0  E resign                 | E resign:E 0 ms
 3.0  S accept                 | refused no-offer
 4.0  S offer                  | S offer
 5.0  W accept                 | W accept S
 6.0  N resign                 | N resign:N 0 ms; end draw agreed
"""),
    "an engine accepts unless it is ahead": (AGAINST_ENGINE, {}, START + """
 1.0  SN offer                 | refused draw-declined
 2.0  SN move 0 i6i7           | S i6i7 1000 ms; ask EW #1 go time 60000 inc 1000 movetime 1000
 3.0  #1 answers l7m8 after 10 cp 30 | E l7m8 10 ms
 4.0  SN offer                 | refused draw-declined
 5.0  SN move 2 i12i11         | N i12i11 2000 ms; ask EW #2 go time 60990 inc 1000 movetime 1000
 6.0  #2 answers f11e10 after 10 mate -3 | W f11e10 10 ms
 7.0  SN offer                 | SN offer; end draw agreed
"""),
    "a partner accepts unless it is clearly better": (COMPUTER_PARTNER, {"clock": None}, """
 0.0  S lineups                | S set
 0.0  E lineups                | E set
 0.0  W lineups                | W set
 0.0  N starts                 | N ready; started
 1.0  S move 0 i6i7            | S i6i7 1000 ms
 2.0  E move 1 l7m8            | E l7m8 1000 ms; ask N #1 go movetime 1000
 3.0  #1 answers i12i11 after 10 chance 0.61 | N i12i11 10 ms
 4.0  S offer                  | refused partner-declined
 5.0  W move 3 f11e10          | W f11e10 2000 ms
 6.0  S move 4 i7i6            | S i7i6 1000 ms
 7.0  E move 5 m8l7            | E m8l7 1000 ms; ask N #2 go movetime 1000
 8.0  #2 answers i11i12 after 10 chance 0.6 | N i11i12 10 ms
 9.0  S offer                  | S offer
"""),
    "engines alone, up to the move limit": (ENGINES, {"clock": None, "rules": {"max_plies": 3}}, """
 0.0  SN starts                | SN ready
 0.0  EW starts                | EW ready; started; ask SN #1 go movetime 1000
 1.0  #1 answers g6h5 after 10 | S g6h5 10 ms; ask EW #2 go movetime 1000
 2.0  #2 answers l7m8 after 10 | E l7m8 10 ms; ask SN #3 go movetime 1000
 2.0  #2 answers l7m8 after 10 |
 3.0  #3 answers k12j13 after 10 | N k12j13 10 ms; end draw max-plies
 4.0  #3 answers k12j13 after 10 |
"""),
    "an engine resigns one seat": (ENGINES, {"clock": None}, """
 0.0  SN starts                | SN ready
 0.0  EW starts                | EW ready; started; ask SN #1 go movetime 1000
 1.0  #1 answers resign:N after 10 | N resign:N 10 ms; ask SN #2 go movetime 1000
 2.0  #2 answers resign:S after 10 | S resign:S 10 ms; end EW resigned
"""),
}  # fmt: skip


@pytest.fixture
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that reads a clock fails. The first use of the kernels, which reads one, comes before."""
    GameState.start(SIGUO).legal_moves()

    def refuse() -> float:
        raise AssertionError("the game has read a clock")

    for name in ("monotonic", "time", "perf_counter", "monotonic_ns", "time_ns"):
        monkeypatch.setattr(time, name, refuse)


@pytest.mark.usefixtures("_no_clock")
@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name: str) -> None:
    seats, changes, transcript = TRANSCRIPTS[name]
    game = new_game(seats, **changes)
    follow(game, transcript)
    if game.full is not None:
        assert verify(record_of(game)) is None


INPUTS = (
    *"lineups starts fails timeout restarted resign offer accept decline tick".split(),
    *("cannot start", "bad answer", "take back"),
    *("move", "answer") * 6,
)
SETUPS: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    (AGAINST_ENGINE, {}),
    (TWO_PERSONS, {}),
    (FOUR_PERSONS, {"visibility": "dark", "clock": None}),
    (ENGINES, {"clock": None, "rules": {"max_plies": 12}}),
    ({"S": "me", "E": "engine", "N": "guest", "W": "engine"}, {"visibility": "dark"}),
    ({"S": "me", "N": "engine"}, {"variant": "luzhanqi"}),
    (TWO_PERSONS, PASSES),
    (AGAINST_ENGINE, PASSES),
    ({"S": "me", "N": "engine"}, {"variant": "luzhanqi", **PASSES}),
)


class Driver:
    """Feeds a game with any inputs, and checks after each what must always hold."""

    def __init__(self, game: BoardGame) -> None:
        self.game = game
        self.last_question = 0

    def step(self, kind: str, seats: str, number: int, now_s: float) -> None:
        before = snapshot(self.game)
        try:
            self._input(kind, seats, number, now_s)
        except Refused:
            assert snapshot(self.game) == before
            return
        self._check(before, kind)

    def _input(self, kind: str, seats: str, number: int, now_s: float) -> None:
        game = self.game
        legal = game.full.legal() if game.full is not None and game.result is None else ["a1a2"]
        move = legal[number % len(legal)]
        # The last question, or one before it.
        question = f"#{self.last_question - number % 5 // 4}"
        words = {
            "move": f"{seats} move {len(game.history)} {move}",
            "answer": f"{question} answers {move} after {number} cp {number % 7 - 3}",
            "bad answer": f"{question} answers {('a1a2', 'resign:S', 'resign:E', '?')[number % 4]} after 5",
            "fails": f"{question} fails disconnect",
            "timeout": f"{question} fails timeout",
            "cannot start": f"{seats} cannot start no-start",
        }.get(kind, f"{seats} {kind}")
        if kind == "tick":
            words = kind
        player = game.find_player(seats)
        assert player is not None
        # These come from an engine only, and line-ups from a person.
        if kind in ("starts", "cannot start") and (not player.party.is_engine or player.has_engine):
            return
        if kind == "lineups" and player.party.is_engine:
            return
        apply(game, words.split(), now_s)

    def _check(self, before: dict[str, Any], kind: str) -> None:
        game = self.game
        old, moves = before["moves"][0] if before["moves"] else (), tuple(game.full.moves if game.full else ())
        shorter, longer = sorted((old, moves), key=len)
        assert longer[: len(shorter)] == shorter and (len(moves) >= len(old) or kind == "take back")
        assert len(game.history) == len(moves)
        assert before["result"] is None or len(moves) <= len(old), "nothing is played after the end"
        if any(move.startswith("pass:") for move in moves):
            assert game.seating.time_out == TimeOut.PASSES
        if game.search is not None and game.search != before["search"]:
            assert game.search.question > self.last_question
            self.last_question = game.search.question
        if game.full is not None:
            assert (game.verdict.ending == Ending.INTERRUPTED) == (game.phase == Phase.PLAYING)
            assert game.phase == Phase.PLAYING or verify(record_of(game)) is None
        running = [player for player in game.players if player.clock.is_running]
        is_waiting = game.phase != Phase.PLAYING or game.fault is not None
        assert len(running) <= (0 if is_waiting else 1) and (game.search is None or not is_waiting)
        for player in running:
            assert game.full is not None and game.full.turn in player.party.seats
        base_ms, increment_ms = game.seating.time_control.base_ms or 0, game.seating.time_control.increment_ms
        for player in game.players:
            assert 0 <= player.clock.remaining_ms <= base_ms + increment_ms * len(moves)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(SETUPS),
    st.sampled_from((True, True, True, False)),
    st.lists(
        st.tuples(st.sampled_from(INPUTS), st.integers(0, 3), st.integers(0, 400), st.sampled_from((0.0, 0.5, 7.0))),
        min_size=25,
        max_size=100,
    ),
)
def test_invariants_hold_after_any_inputs(
    setup: tuple[dict[str, str], dict[str, Any]], is_started: bool, inputs: list[tuple[str, int, int, float]]
) -> None:
    seats, changes = setup
    game = new_game(seats, **changes)
    driver = Driver(game)
    parties = [player.party for player in game.players]
    for party in parties if is_started else ():
        driver.step("starts" if party.is_engine else "lineups", party.seats, 0, 0.0)
    now_s = 1.0
    for kind, place, number, passed_s in inputs:
        now_s += passed_s
        seats_given = parties[place % len(parties)].seats
        # Most moves come from the person whose turn it is, or the game would not get far.
        if kind == "move" and game.full is not None and number % 8:
            seats_given = next(party.seats for party in parties if game.full.turn in party.seats)
        driver.step(kind, seats_given, number, now_s)
    assert game.full is None or verify(record_of(game)) is None
