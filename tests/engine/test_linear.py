"""The evaluator with fitted linear: against its twin, its symmetries, and its use in the search."""

import random
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.evaluation.linear import feature_count, read_linear
from junqi_engine.information.public_state import PublicClass
from junqi_engine.information.view import SeatView, public_info
from junqi_engine.notation.fen import parse_fen
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import LUZHANQI, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import new_positions, place_lineup


def start(board: Board, rng: random.Random) -> GameState:
    return GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})


def view_of_all(game: GameState) -> SeatView:
    """A view of all seats that follows the game from its start."""
    view = SeatView.start(game.board, game.board.all_alive, game.lineups)
    for seen in game.record:
        view.observe(seen)
    return view


def test_piece_classes_follow_the_record() -> None:
    """South's pieces of rows 4 to 6 stand still; one moved, and one won a battle."""
    rng = random.Random(6)
    game = start(LUZHANQI, rng)
    while not any(seen.outcome == 1 for seen in game.record):
        game.play(rng.choice(game.legal_moves()))
    classes = public_info(view_of_all(game)).classes
    last = game.record[-1]
    winner = game.piece_at(last.to_point)
    assert winner is not None
    assert classes[winner] == PublicClass.WINNER
    moved = {seen.seat for seen in game.record}
    assert moved <= {0, 1}
    still = [piece for piece in range(PIECES) if classes[piece] == PublicClass.UNMOVED]
    for seat in (0, 1):
        for point in game.points_of(seat):
            piece = game.piece_at(point)
            if piece in still:
                assert LETTERS[int(game.position["kind"][piece])] == _letter_at_start(game, seat, point)


def _letter_at_start(game: GameState, seat: int, point: int) -> str:
    position = new_positions(game.board, game.rules, game.board.all_alive, 0)[0]
    place_lineup(game.board, position, seat, [LETTERS.index(letter) for letter in game.lineups[seat]])
    return LETTERS[int(position["kind"][int(position["board"][point]) & 0x7F])]


def test_piece_classes_are_guessed_without_record() -> None:
    """North's piece on c7 may be a landmine, the one on c6 may not; South's c5 left its block."""
    view = parse_fen(LUZHANQI, "N?3N?/5/5/5/5/2N?2/2N?2/2Sc2/5/5/5/1Sl3 S SN S 0 0 c6:abc")
    classes = public_info(view).classes
    at = {name: view.piece_at(LUZHANQI.point_named[name]) for name in ("c7", "c6", "c5", "b1", "a12")}
    shown = {name: PublicClass(int(classes[piece])) for name, piece in at.items() if piece is not None}
    assert shown["c6"] == PublicClass.MOVED
    assert shown["a12"] == PublicClass.UNMOVED
    assert shown["b1"] == PublicClass.UNMOVED


def test_file_of_another_board_is_refused(tmp_path: Path) -> None:
    rows = feature_count(SIGUO)
    path = tmp_path / "linear.npz"
    np.savez(path, worth=np.zeros(rows, np.int16))
    assert read_linear(SIGUO, path)["features"]["seats"] == 4
    with pytest.raises(ValueError, match=r"worth: expected int16 of shape \(4320,\), not int16 of \(18576,\)"):
        read_linear(LUZHANQI, path)
