"""Flag safety: one position by hand, and random ones against the plain twin."""

import random

import numpy as np
import pytest

from junqi_engine.evaluation.flag_safety import add_flag_safety
from junqi_engine.evaluation.parameters import numbers_of, packaged_parameters, parameters_of
from junqi_engine.evaluation.record import EVALUATION
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.pieces import LETTERS
from tests.helpers.drawing import view_of
from tests.helpers.marking import times
from tests.helpers.search_positions import random_fen
from tests.references.slow_flag_safety import flag_safety
from tests.references.slow_junqi import SlowGame

SOME = {
    **dict.fromkeys(numbers_of(packaged_parameters("siguo")), 0),
    "half_distance": 1,
    "second_flag": 1,
    **{f"guard.{kind}": 800 for kind in "abcdefghij"},
    "guard.k": 1000,
    "late_guard_rank": 700,
    "late_guard_bomb": 250,
    "late_ring_rank": 500,
    "late_ring_bomb": 350,
}
"""Parameters with flag safety alone."""


def bonuses(view: SeatView, numbers: dict[str, int]) -> dict[str, int]:
    """By point, the bonus of the piece that stands there."""
    record = np.zeros(1, EVALUATION)[0]
    add_flag_safety(view.board.tables, view.position, parameters_of(numbers), record)
    pieces = {point: view.piece_at(point) for point in view.board.points}
    return {
        view.board.names[point]: int(record["piece_square"][piece, point])
        for point, piece in pieces.items()
        if piece is not None
    }


def test_strong_pieces_and_bombs_near_the_flag_are_worth_more() -> None:
    view = view_of("""
            g  h  i  q
        10  .. .. .. El
         8  .. .. .. Ef
         7  Sk .. .. Eg
         3  .. Sb .. ..
         2  Sk .. .. ..
         1  .. Sl Sh ..
    """, viewer="*")  # fmt: skip
    # South has five of 25 pieces left: late is 0.8. Of its ranked pieces b beats both enemies, h neither.
    # East has three left: late is 0.88. Its piece on q8 beats h alone, one of two.
    assert bonuses(view, SOME) == {
        "h1": 0,
        "i1": round(800 - 0.8 * 700 / 2),
        "h3": round(0.8 * 500),
        "g2": round(0.8 * 350),
        "q8": round(0.88 * 500 / 4),
        **dict.fromkeys(("g7", "q10", "q7"), 0),
    }


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_flag_safety_equals_its_plain_twin(variant: str) -> None:
    rng, board = random.Random(5), BOARDS[variant]
    for _ in range(times(20)):
        fen = random_fen(board, rng)
        numbers = SOME | {name: rng.randrange(-900, 900) for name in SOME if name.startswith(("late", "guard"))}
        try:
            view, game = parse_fen(board, fen), SlowGame.from_fen(fen, variant)
        except ValueError:
            continue
        record = np.zeros(1, EVALUATION)[0]
        add_flag_safety(board.tables, view.position, parameters_of(numbers), record)
        expected = flag_safety(game, numbers)
        for name, (seat, letter) in game.pieces.items():
            piece = view.piece_at(board.point_named[name])
            assert piece is not None and LETTERS[int(view.position["kind"][piece])] == letter
            for point in board.points:
                found = int(record["piece_square"][piece, point])
                assert abs(found - expected.get((seat, letter, board.names[point]), 0)) <= 1, (fen, name)
