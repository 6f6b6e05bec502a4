"""The evaluator with fitted worths: against its twin, its symmetries, and its use in the search."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.evaluation import evaluator as kernels
from junqi_engine.evaluation.evaluator import HAND_WRITTEN, TUNED
from junqi_engine.evaluation.worths import FEATURES, feature_count, no_worths, read_worths
from junqi_engine.information.belief import version_2
from junqi_engine.information.public_game import PublicClass
from junqi_engine.information.view import Public, SeatView, public_of
from junqi_engine.notation.fen import parse_fen
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import PIECES
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Result, new_position, place_lineup
from tests.references.slow_worths import score

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def random_worths(board: Board, seed: int) -> np.void:
    rng, worths = np.random.default_rng(seed), no_worths(board)
    worths["worth"] = rng.integers(-60, 61, FEATURES)
    return worths


def start(board: Board, rng: random.Random) -> GameState:
    return GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})


def view_of_all(game: GameState) -> SeatView:
    """A view of all seats that follows the game from its start."""
    view = SeatView.start(game.board, game.board.all_alive, game.lineups)
    for seen in game.record:
        view.observe(seen)
    return view


def total_of(worths: np.void, view: SeatView) -> int:
    """The score for team 0 by the evaluator, without the hand-written terms."""
    evaluator = replace(TUNED, worths_of=lambda variant: worths)
    terms = {term.name: term for term in evaluator.mean_terms(view, version_2.belief)}
    sign = 1 if view.turn % 2 == 0 else -1
    return round(sign * terms["worths"].value)


@pytest.mark.bounds
@VARIANTS
def test_the_worths_equal_their_twin(board: Board) -> None:
    rng, worths = random.Random(1), random_worths(board, 1)
    for _ in range(6):
        game = start(board, rng)
        while game.result == Result.ONGOING and game.ply < 240:
            if game.ply % 40 == 0:
                view = view_of_all(game)
                expected = score(board, worths, game.position, public_of(view).classes)
                assert total_of(worths, view) == expected
            game.play(rng.choice(game.legal_moves()))


@pytest.mark.bounds
@VARIANTS
def test_a_quiet_move_of_a_single_piece_is_exact(board: Board) -> None:
    rng, worths = random.Random(2), random_worths(board, 2)
    evaluator = replace(TUNED, worths_of=lambda variant: worths)
    for _ in range(5):
        game = start(board, rng)
        for _ in range(rng.randrange(30)):
            if game.result == Result.ONGOING:
                game.play(rng.choice(game.legal_moves()))
        public, record = public_of(view_of_all(game)), evaluator.new(1)[0]
        plain = HAND_WRITTEN.new(1)[0]
        evaluator.refresh(board, game.position, public, record)
        HAND_WRITTEN.refresh(board, game.position, public, plain)
        undo = np.zeros(1, UNDO)[0]
        for move in game.legal_moves():
            position, target = game.position.copy(), move & 0xFF
            if position["board"][target]:
                continue
            piece = int(position["board"][move >> 8]) & 0x7F
            make(board.tables, position, np.uint16(move), undo)
            if position["result"] != Result.ONGOING or position["alive"] != undo["alive"]:
                continue
            classes = public.classes.copy()
            classes[piece] = max(classes[piece], PublicClass.MOVED)
            kernels.after_make(position, undo, record)
            kernels.after_make(position, undo, plain)
            gained = int(record["scores"][record["height"]]) - int(plain["scores"][plain["height"]])
            expected = score(board, worths, position, classes)
            assert gained == expected
            kernels.after_unmake(record)
            kernels.after_unmake(plain)
            unmake(position, undo)


def test_the_classes_follow_the_record() -> None:
    """South's pieces of rows 4 to 6 stand still; one moved, and one won a battle."""
    rng = random.Random(6)
    game = start(LUZHANQI, rng)
    while not any(seen.outcome == 1 for seen in game.record):
        game.play(rng.choice(game.legal_moves()))
    classes = public_of(view_of_all(game)).classes
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
    position = new_position(game.board, game.rules, game.board.all_alive, 0)
    place_lineup(game.board, position, seat, [LETTERS.index(letter) for letter in game.lineups[seat]])
    return LETTERS[int(position["kind"][int(position["board"][point]) & 0x7F])]


def test_without_a_record_the_classes_are_guessed() -> None:
    """North's piece on c7 may be a landmine, the one on c6 may not; South's c5 left its block."""
    view = parse_fen(LUZHANQI, "N?3N?/5/5/5/5/2N?2/2N?2/2Sc2/5/5/5/1Sl3 S SN S 0 0 c6:abc")
    classes = public_of(view).classes
    at = {name: view.piece_at(LUZHANQI.point_named[name]) for name in ("c7", "c6", "c5", "b1", "a12")}
    shown = {name: PublicClass(int(classes[piece])) for name, piece in at.items() if piece is not None}
    assert shown["c6"] == PublicClass.MOVED
    assert shown["a12"] == PublicClass.UNMOVED
    assert shown["b1"] == PublicClass.UNMOVED


@VARIANTS
def test_the_package_has_worths_for_each_variant(board: Board) -> None:
    game = start(board, random.Random(7))
    record, plain = TUNED.new(1)[0], HAND_WRITTEN.new(1)[0]
    for evaluator, filled in ((TUNED, record), (HAND_WRITTEN, plain)):
        evaluator.refresh(board, game.position, Public(0, np.zeros(PIECES, np.uint8)), filled)
    assert (record["values"] != plain["values"]).any()


def test_a_file_of_another_board_is_refused(tmp_path: Path) -> None:
    rows = feature_count(SIGUO)
    path = tmp_path / "worths.npz"
    np.savez(path, worth=np.zeros(rows, np.int16))
    assert read_worths(SIGUO, path)["seats"] == 4
    with pytest.raises(ValueError, match=r"worth has the shape \(18576,\); expected \(4320,\)"):
        read_worths(LUZHANQI, path)
