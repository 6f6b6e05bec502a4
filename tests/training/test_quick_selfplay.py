"""Quick players: what they deduce, the line-ups they draw, and their games."""

import random

import numpy as np
import pytest

from junqi_engine.information.view import public_of
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import slice_of, team_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_training.games import team_view
from junqi_training.selfplay.folder import check_game
from junqi_training.selfplay.guess import draw_lineups, learn, new_guess, set_world
from junqi_training.selfplay.run import Generator
from junqi_training.selfplay.settings import Mixture, SelfPlaySettings

pytestmark = pytest.mark.long

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def start(board: Board, rng: random.Random) -> tuple[GameState, np.void]:
    game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
    kinds = [game.position["kind"][slice_of(seat, PIECES_PER_SEAT)] for seat in range(len(board.seats))]
    return game, new_guess(kinds, list(game.lineups.values()))


def play(game: GameState, guess: np.void, move: int) -> None:
    """Play a move of the game, and tell the guess."""
    position, undo = game.position.copy(), np.zeros(1, UNDO)[0]
    make(game.board.tables, position, np.uint16(move), undo)
    learn(game.board.tables, position, undo, guess)
    game.play(move)


@VARIANTS
def test_quick_deduction_never_excludes_what_exact_deduction_allows(board: Board) -> None:
    rng = random.Random(1)
    for _ in range(3):
        game, guess = start(board, rng)
        views = [team_view(game, team) for team in range(2)]
        while game.result == Result.ONGOING and game.ply < 300:
            play(game, guess, rng.choice(game.legal_moves()))
            for team, view in enumerate(views):
                view.observe(game.record[-1])
                for seat in range(len(board.seats)):
                    if team_of(seat) != team and game.is_alive(seat):
                        exact = view.masks[slice_of(seat, PIECES_PER_SEAT)]
                        assert not (exact & ~guess["masks"][team, slice_of(seat, PIECES_PER_SEAT)]).any()
        full = public_of(views[0]).classes
        for seat in range(len(board.seats)):
            for point in game.points_of(seat):
                piece = game.piece_at(point)
                assert guess["classes"][piece] == full[piece]


@VARIANTS
def test_drawn_lineups_fit_what_is_known_and_keep_the_counts(board: Board) -> None:
    rng = random.Random(2)
    game, guess = start(board, rng)
    for _ in range(60):
        play(game, guess, rng.choice(game.legal_moves()))
    state, seen = np.array([7], np.uint64), set()
    for _ in range(50):
        draw_lineups(guess, 0, len(board.seats), 200, state)
        world = game.position.copy()
        set_world(board.tables, game.position, guess, 0, world)
        seen.add(world["kind"].tobytes())
        for seat in range(len(board.seats)):
            pieces = slice_of(seat, PIECES_PER_SEAT)
            drawn, true = world["kind"][pieces], game.position["kind"][pieces]
            assert sorted(drawn) == sorted(true)
            if team_of(seat) == 0:
                assert (drawn == true).all()
            else:
                assert (guess["masks"][0, pieces] >> drawn & 1).all()
    assert len(seen) == 50


@VARIANTS
def test_quick_games_follow_the_rules_and_depend_on_their_number_alone(board: Board) -> None:
    settings = SelfPlaySettings(board.variant, "quick@200", max_plies=400)
    generator = Generator(settings)
    games = [generator.play(number) for number in (3, 4)]
    for game in games:
        check_game(game)
        assert all(score is None for score in game.scores[: settings.random_plies])
        assert all(score is not None for score in game.scores[settings.random_plies :])
    assert Generator(settings).play(4) == games[1]
    assert games[0].moves != games[1].moves


@pytest.mark.parametrize(
    ("mixture", "message"),
    [
        ("quick", "quick needs a limit of nodes"),
        ("quick@200,1.2", "quick plays only against itself; expected one entry, such as quick@500"),
        ("quicker@200", "'quicker' is not a version"),
    ],
)
def test_mixtures_that_are_refused(mixture: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Mixture.parse(mixture)
