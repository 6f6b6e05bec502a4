"""Quick players: what they deduce, the line-ups they draw, and their games."""

import random

import numpy as np
import pytest

from junqi_engine.information.view import public_info
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS, Board
from junqi_engine.rules.effects import UNDO, make
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import slice_of, team_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_training.games import team_view
from junqi_training.selfplay.guess import learn, new_guess

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
def test_quick_deduction_is_never_stricter_than_exact(board: Board) -> None:
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
        full = public_info(views[0]).classes
        for seat in range(len(board.seats)):
            for point in game.points_of(seat):
                piece = game.piece_at(point)
                assert guess["classes"][piece] == full[piece]
