"""The memory of an opponent: what it expects after games, what it may use, and the options that it has."""

import pickle
import random
from collections.abc import Mapping

import numpy as np
import pytest

from junqi_engine import Game
from junqi_engine.env import policy
from junqi_engine.information.belief import opponents
from junqi_engine.information.belief.learning import FEWEST_PLIES, KEPT, OpponentMemory
from junqi_engine.information.belief.move_reading import MoveReader
from junqi_engine.information.belief.opponents import Opponents, beliefs_about, load_opponents
from junqi_engine.information.view import SeatView, redact
from junqi_engine.notation.fen import format_fen, parse_fen
from junqi_engine.notation.moves import format_move
from junqi_engine.players import lineup_choice
from junqi_engine.players.lineup_population import draw_by_worths
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Result
from tests.helpers import engine as engine_process
from tests.helpers.engine import errors
from tests.helpers.hidden import random_move
from tests.helpers.leaks import allowed

VIEWERS = pytest.mark.parametrize(
    ("board", "seats"), [(SIGUO, (0, 2)), (SIGUO, (3,)), (LUZHANQI, (0,))], ids=["partner", "dark", "luzhanqi"]
)


def played(board: Board, seed: int, plies: int = 60, lineups: Mapping[str, str] | None = None) -> GameState:
    """A random game that comes to blows."""
    rng = random.Random(seed)
    drawn = {letter: lineup_choice.sensible(rng) for letter in board.seats}
    game = GameState.start(board, drawn | dict(lineups or {}))
    while game.result == Result.ONGOING and game.ply < plies:
        game.play(random_move(game, rng))
    return game


def said(chances: Mapping[int, np.ndarray]) -> list[bytes]:
    return [chances[seat].tobytes() for seat in sorted(chances)]


def posterior(view: SeatView, expected: Opponents, seat: int) -> np.ndarray:
    """The shares of the origins after a game, from the moves of one seat and its partner."""
    read = beliefs_about(view, [expected] * 2, view.follower(MoveReader))
    return expected.styles.of_origins(read[seat].shares)


@VIEWERS
def test_without_a_game_the_belief_is_what_it_was(board: Board, seats: tuple[int, ...]) -> None:
    for seed in range(3):
        view = redact(played(board, seed), seats)
        assert said(OpponentMemory().belief(view)) == said(opponents.belief(view))


@VIEWERS
def test_the_counts_of_the_games_are_what_is_expected_of_the_enemy(board: Board, seats: tuple[int, ...]) -> None:
    known, memory = load_opponents(board.variant), OpponentMemory()
    expected, counts = known, np.zeros(len(known.shares))
    next_view = redact(played(board, 9, 40), seats)
    team = team_of(seats[0])
    for seed in range(3):
        view = redact(played(board, seed), seats)
        memory.learn(view)
        counts = KEPT * counts + posterior(view, expected, next(s for s in range(4) if team_of(s) != team))
        expected = known.expecting((known.shares + counts) / (1 + counts.sum()))
        assert expected.shares == pytest.approx((known.shares + counts) / (1 + counts.sum()))
        chances = opponents.belief(next_view, expected)
        assert all(table == pytest.approx(chances[seat]) for seat, table in memory.belief(next_view).items())
    assert counts.sum() == pytest.approx(1 + KEPT + KEPT**2)
    changed = {seat for seat, chances in memory.belief(next_view).items()
               if chances.tobytes() != opponents.belief(next_view)[seat].tobytes()}  # fmt: skip
    assert changed == {seat for seat in range(len(board.seats)) if team_of(seat) != team}


def test_an_opponent_that_sets_up_in_one_way_is_expected_to_do_so() -> None:
    """Line-ups by their worths are a style of belief: their pieces are told better before the first move."""
    rng, memory = random.Random(5), OpponentMemory()

    def loss(lineup: str) -> float:
        chances = memory.belief(SeatView.start(LUZHANQI, 0b01))[1]
        return float(-np.log([chances[slot, LETTERS.index(letter)] for slot, letter in enumerate(lineup)]).mean())

    lineups = [draw_by_worths(rng, "luzhanqi") for _ in range(12)]
    before = np.mean([loss(lineup) for lineup in lineups])
    for seed, lineup in enumerate(lineups[:4]):
        memory.learn(redact(played(LUZHANQI, seed, 80, {"N": lineup}), (0,)))
    assert np.mean([loss(lineup) for lineup in lineups[4:]]) < before - 0.05


@VIEWERS
def test_games_that_look_the_same_leave_the_same_memory(board: Board, seats: tuple[int, ...]) -> None:
    """Whatever the hidden line-ups are, if the public record allows them."""
    game = played(board, 7, FEWEST_PLIES)
    view = redact(played(board, 8, 30), seats)
    found, hidden = set(), set()
    own = {letter: game.lineups[seat] for seat, letter in enumerate(board.seats)}
    for lineups in [own, *allowed(game, seats, 5)]:
        other = GameState.start(board, lineups)
        for seen in game.record:
            other.play(seen.from_point << 8 | seen.to_point)
        assert other.record == game.record
        memory = OpponentMemory()
        memory.learn(redact(other, seats))
        found.add(tuple(said(memory.belief(view))))
        hidden.add(tuple(sorted(lineups.items())))
    assert len(hidden) > 1
    assert len(found) == 1
    assert found != {tuple(said(opponents.belief(view)))}


def test_opponents_are_remembered_by_name_and_variant() -> None:
    memory = OpponentMemory("Ada")
    view, other = redact(played(SIGUO, 1), (0, 2)), redact(played(LUZHANQI, 1), (0,))
    plain = said(opponents.belief(view))
    memory.learn(redact(played(SIGUO, 2), (0, 2)))
    of_ada = said(memory.belief(view))
    assert of_ada != plain and said(memory.belief(other)) == said(opponents.belief(other))
    memory.name = "Bob"
    assert said(memory.belief(view)) == plain
    memory.learn(redact(played(SIGUO, 3), (0, 2)))
    assert said(memory.belief(view)) not in (plain, of_ada)
    memory.name = "Ada"
    assert said(memory.belief(view)) == of_ada == said(pickle.loads(pickle.dumps(memory)).belief(view))
    memory.forget()
    assert said(memory.belief(view)) == plain


def test_what_tells_nothing() -> None:
    """A short game, one from the middle of a game, and one in which nothing is hidden or all is."""
    game = played(SIGUO, 4)
    view, plain = redact(game, (0, 2)), said(opponents.belief(redact(game, (0, 2))))
    memory = OpponentMemory()
    for nothing in (
        redact(played(SIGUO, 4, FEWEST_PLIES - 1), (0, 2)),
        parse_fen(SIGUO, format_fen(view)),
        redact(game, (0, 1, 2, 3)),
        redact(game, ()),
    ):
        memory.learn(nothing)
        assert said(memory.belief(view)) == plain


# Behind the protocol and in the library

ON = "setoption name LearnOpponent value true"


def position(seed: int, plies: int = 60) -> str:
    """A game of luzhanqi as `S` sees it."""
    game = played(LUZHANQI, seed, plies)
    moves = " ".join(format_move(LUZHANQI, seen) for seen in game.record)
    return f"position startpos lineup S:{game.lineups[0]} viewer S moves {moves}"


NEXT = (position(11, FEWEST_PLIES - 1), "belief")
"""The next game, which is too short to tell anything by itself."""


@pytest.fixture
def engine(engine: engine_process.Engine) -> engine_process.Engine:
    engine.ask("setoption name UCI_Variant value luzhanqi", "setoption name Seed value 1")
    return engine


def test_the_option_changes_belief_from_game_to_game_until_it_is_off(engine: engine_process.Engine) -> None:
    plain = engine.ask(*NEXT)
    assert engine.ask(position(1), "ucinewgame", *NEXT) == plain
    assert engine.ask(ON, *NEXT) == plain
    learned = engine.ask(position(1), "ucinewgame", *NEXT)
    assert learned != plain and errors(learned) == []
    # A second `ucinewgame`, and the option once more, tell nothing new.
    assert engine.ask(position(1), ON, *NEXT) == learned
    assert engine.ask("setoption name LearnOpponent value false", *NEXT) == plain
    assert engine.ask(ON, *NEXT) == plain
    assert engine.ask(position(1), "ucinewgame", "ucinewgame", ON, *NEXT) == learned


def test_a_player_without_this_belief_learns_nothing(engine: engine_process.Engine) -> None:
    plain = engine.ask("setoption name Player value 2.0", ON, *NEXT)
    assert engine.ask(position(1), "ucinewgame", *NEXT) == plain


@pytest.mark.parametrize("variant", BOARDS)
def test_a_policy_learns_from_the_games_that_it_is_given(variant: str) -> None:
    game = Game(variant, seed=3)
    team = game.teams[0]
    rng = random.Random(3)
    while not game.is_game_over() and game.ply() < 60:
        game.push(rng.choice(game.legal_moves))
    chosen, other = policy(NEWEST, nodes=200, learns=True), policy(NEWEST, nodes=200, learns=True)
    plain = said(chosen.memory.belief(game.view(team).state))
    chosen.learn(game.view(team))
    copy = pickle.loads(pickle.dumps(chosen))
    assert said(copy.memory.belief(game.view(team).state)) == said(chosen.memory.belief(game.view(team).state)) != plain
    copy.learn(game.view(team))
    other.learn(game.view(team))
    start = Game(variant, seed=4).view(team)
    assert chosen.move(start) == other.move(start)
