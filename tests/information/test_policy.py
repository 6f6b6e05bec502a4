"""Policies: the rows of a move, the choices of games, the fit, and the command."""

from pathlib import Path

import numpy as np
import pytest

from junqi_engine.information.belief.policy import (
    AFTER,
    AGAIN,
    BACK,
    BEFORE,
    ENTERS,
    LEAVES,
    MAX_ACTIVE_ROWS,
    MEETS,
    POLICIES,
    ROWS,
    active_rows,
    load_policies,
)
from junqi_engine.information.public_record import PublicRecord
from junqi_engine.information.public_state import PublicClass
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import BOARDS, MAX_POINTS, SIGUO, Board
from junqi_engine.rules.pieces import KINDS
from junqi_training.__main__ import main
from junqi_training.games import RecordedGame
from tests.helpers.training import play_games, write_record

VARIANTS = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
UNMOVED, MOVED, WINNER = PublicClass


def games(count: int) -> list[RecordedGame]:
    return list(play_games(count, "1.2", "1.1", 1))


def rows_of(moves: str, move: str, board: Board = SIGUO) -> set[int]:
    """The rows of a move, after some moves from the built-in line-ups; points as South sees them."""
    truth, public = SeatView.start(board, board.all_alive), PublicRecord(board)
    for text in (*moves.split(), move):
        seen = parse_move(board, text)
        public.set_turn(seen)
        if text != move:
            public.append(truth.observe(seen))
    rows = np.zeros(MAX_ACTIVE_ROWS, np.uint16)
    points = np.uint8(seen.from_point), np.uint8(seen.to_point)
    count = active_rows(board.tables, public.positions[0], public.states[0], *points, rows)
    return set(rows[:count].tolist())


def at(name: str, board: Board = SIGUO) -> int:
    return board.point_named[name]


# Rows


def test_quiet_move_has_a_row_for_each_of_its_points() -> None:
    """South's first move, far from everybody, from the middle of its front row to the centre."""
    assert rows_of("", "i6i7") == {LEAVES + at("i6"), ENTERS + at("i7")}


def test_piece_that_moved_last_is_known() -> None:
    """g7 has moved: its seat moves it again, or takes it back."""
    moves = "g6g7 l7k7 g12g11 f9g9"
    assert rows_of(moves, "g7i7") >= {LEAVES + MAX_POINTS + at("g7"), AGAIN}
    assert BACK not in rows_of(moves, "g7i7")
    assert rows_of(moves, "g7g6") >= {AGAIN, BACK}
    assert not rows_of(moves, "k6k7") & {AGAIN, BACK}


def test_battle_rows_depend_on_shown_strength() -> None:
    """South's piece has gone up to g9 and is about to attack f9, which has never moved.

       e  f  g  h
    9  .. W? S? ..
    """
    rows = rows_of("g6g9 l9k9 i12i11 f11g11", "g9f9")
    assert rows >= {MEETS + UNMOVED, ENTERS + MAX_POINTS + at("f9"), BEFORE + UNMOVED}
    assert not rows & {MEETS + MOVED, MEETS + WINNER, AFTER + WINNER}


# The command


@VARIANTS
def test_policies_of_the_package_tell_pieces_apart(board: Board) -> None:
    """They have numbers for every mobile kind, and none for landmines and flags."""
    found = load_policies(board.variant).tables
    assert found.shape == (len(POLICIES), ROWS, KINDS)
    mobile = [kind for kind in range(KINDS) if found[:, :, kind].any()]
    assert len(mobile) == KINDS - 2


def test_unknown_policy_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write_record(tmp_path / "games.jsonl", games(1))
    assert main(["policy", str(record), "--player", "engines=SN"]) == 2
    assert "--player 'engines=SN': expected one of 'engine 3.3', " in capsys.readouterr().err
