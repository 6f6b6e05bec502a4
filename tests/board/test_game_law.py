"""What holds of the board's game after any sequence of inputs."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from junqi_board.errors import RequestError
from junqi_board.game.parts import (
    EngineFailed,
    EngineToMove,
    Event,
    Events,
    Happened,
    MovePlayed,
    Phase,
    SearchCancelled,
)
from junqi_board.game.record import record_of
from junqi_board.game.seating import TimeOut
from junqi_board.game.state import BoardGame
from junqi_referee.endings import Ending
from junqi_referee.records.replay import verify
from tests.helpers.board_game import (
    AGAINST_ENGINE,
    ENGINES,
    FOUR_PERSONS,
    PASSES,
    TWO_PERSONS,
    apply,
    new_game,
    snapshot,
)

INPUTS = (
    "lineups",
    "starts",
    "cannot start",
    *("move",) * 6,
    *("answer",) * 6,
    "bad answer",
    "fails",
    "timeout",
    "replaced",
    "resign",
    "offer",
    "accept",
    "decline",
    "take back",
    "pause",
    "resume",
    "tick",
)
SETUPS: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
    (AGAINST_ENGINE, {}),
    (TWO_PERSONS, {}),
    (FOUR_PERSONS, {"visibility": "dark", "clock": None}),
    (ENGINES, {"clock": None, "max_plies": 12}),
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
        self.moves: list[str] = []
        self.asked: EngineToMove | None = None
        self.last_question = 0
        self.is_over = False

    def step(self, kind: str, seats: str, number: int, now_s: float) -> None:
        before = snapshot(self.game)
        try:
            events = self._input(kind, seats, number, now_s)
        except RequestError:
            assert snapshot(self.game) == before
            return
        if not events:
            assert snapshot(self.game) == before
        if kind in ("answer", "bad answer") and events:
            self.asked = None
        for event in events:
            self._take(event)
        self._check()

    def _input(self, kind: str, seats: str, number: int, now_s: float) -> Events:
        game = self.game
        legal = game.truth.legal() if game.truth is not None and game.result is None else ["a1a2"]
        move = legal[number % len(legal)]
        # The last question, or one before it.
        question = f"#{self.last_question - number % 5 // 4}"
        words = {
            "move": f"{seats} move {len(self.moves)} {move}",
            "answer": f"{question} answers {move} after {number} cp {number % 7 - 3}",
            "bad answer": f"{question} answers {('a1a2', 'resign:S', 'resign:E', '?')[number % 4]} after 5",
            "fails": f"{question} fails disconnect",
            "timeout": f"{question} fails timeout",
            "cannot start": f"{seats} cannot start no-start",
        }.get(kind, f"{seats} {kind}")
        if kind in ("pause", "resume", "tick"):
            words = kind
        player = game.find_player(seats)
        assert player is not None
        # These come from an engine only, and line-ups from a person.
        if kind in ("starts", "cannot start") and (not player.party.is_engine or player.has_engine):
            return ()
        if kind == "lineups" and player.party.is_engine:
            return ()
        return apply(game, words.split(), now_s)

    def _take(self, event: Event) -> None:
        match event:
            case MovePlayed(seat, move, _):
                assert not self.is_over
                self.moves.append(move)
                if move.startswith("pass:"):
                    assert self.game.seating.time_out == TimeOut.PASSES
                    # A late answer of an engine is an answer.
                    if self.asked is not None and seat in self.asked.seats:
                        self.asked = None
            case Happened(text) if text.startswith("back to "):
                self.is_over = False
                del self.moves[int(text.split()[-1]) :]
            case EngineToMove(_, question, _, _, _):
                assert question > self.last_question
                self.asked, self.last_question = event, question
            case SearchCancelled(seats) | EngineFailed(seats, _):
                if self.asked is not None and self.asked.seats == seats:
                    self.asked = None
            case Happened(text) if text.startswith("end "):
                assert text == f"end {self.game.result} {self.game.ending}"
                assert verify(record_of(self.game)) is None
                self.is_over = True

    def _check(self) -> None:
        game = self.game
        assert self.is_over == (game.phase == Phase.OVER)
        assert len(game.history) == len(self.moves) == (len(game.truth.moves) if game.truth else 0)
        if game.truth is not None:
            assert game.truth.moves == self.moves
            assert (game.ending == Ending.INTERRUPTED) == (game.phase == Phase.PLAYING)
        thinking = None if game.thinking is None else game.thinking.party.seats
        assert thinking == (None if self.asked is None else self.asked.seats)
        running = [player for player in game.players if player.clock.is_running]
        is_waiting = game.phase != Phase.PLAYING or game.is_paused or game.fault is not None
        assert len(running) <= (0 if is_waiting else 1)
        for player in running:
            assert game.truth is not None and game.truth.turn in player.party.seats
        base_ms, increment_ms = game.seating.time_control.base_ms or 0, game.seating.time_control.increment_ms
        for player in game.players:
            assert 0 <= player.clock.remaining_ms <= base_ms + increment_ms * len(self.moves)


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
def test_what_holds_after_any_inputs(
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
        if kind == "move" and game.truth is not None and number % 8:
            seats_given = next(party.seats for party in parties if game.truth.turn in party.seats)
        driver.step(kind, seats_given, number, now_s)
    assert game.truth is None or verify(record_of(game)) is None
