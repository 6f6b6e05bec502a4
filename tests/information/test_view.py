"""Views: outcomes change masks, contradictions are refused, nothing is leaked."""

import random

import numpy as np
import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView, redact
from junqi_engine.notation.fen import format_fen, parse_fen
from junqi_engine.notation.moves import format_move, parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, SIGUO, Board
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import letters_of
from junqi_engine.rules.position import Result
from tests.helpers.drawing import view_of
from tests.helpers.marking import long_after, seeds


def point(name: str) -> int:
    return SIGUO.point_named[name]


def letters_at(view: SeatView, name: str) -> str:
    return letters_of(view.mask_at(point(name)))


def play(view: SeatView, *moves: str) -> None:
    for move in moves:
        view.observe(parse_move(SIGUO, move))


def viewers(board: Board) -> list[int]:
    """Two seats, both teams, all."""
    return sorted({1, 2, 0b0101 & board.all_alive, 0b1010 & board.all_alive, board.all_alive})


@pytest.mark.bounds
@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("seed", long_after(1, seeds(1)))
def test_views_follow_games_and_keep_true_kinds_possible(board: Board, seed: int) -> None:
    rng = random.Random(seed)
    game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
    views = [SeatView.start(board, v, {s: t for s, t in game.lineups.items() if v >> s & 1}) for v in viewers(board)]
    while game.result == Result.ONGOING:
        moves = game.legal_moves()
        for view in views:
            if view.sees(view.turn):
                assert view.legal_moves() == moves
        seen = game.play(rng.choice(moves))
        for view in views:
            assert view.observe(seen) == seen
            for place in board.points:
                piece, code = view.piece_at(place), int(game.position["board"][place])
                assert (piece is None) == (code == 0)
                assert piece is None or int(view.masks[piece]) >> int(game.position["kind"][code & 127]) & 1
            fields = ("turn", "alive", "quiet", "ply", "result")
            assert [view.position[field] for field in fields] == [game.position[field] for field in fields]
    for view in views:
        again = redact(game, [seat for seat in range(len(board.seats)) if view.viewer >> seat & 1])
        assert format_fen(again) == format_fen(view)


EAST_FRONT = """
        g  h  l  m  n  o  p  q
    10  .. .. E? .. .. .. E? E?
     9  .. .. E? .. .. E? E? E?
     8  .. .. E? .. .. .. E? E?
     7  Sd .. E? E? .. E? E? E?
     6  Sg .. .. .. .. .. .. ..
     1  .. Sl .. .. .. .. .. ..
"""


def test_battle_with_brigadier_narrows_masks() -> None:
    for outcome, expected in (("o", "abc"), ("x", "efghi"), ("=", "dk")):
        view = view_of(EAST_FRONT, viewer="S")
        met = view.piece_at(point("l7"))
        play(view, f"g7l7{outcome}")
        assert letters_of(int(view.masks[met])) == expected


def test_moved_piece_is_neither_landmine_nor_flag() -> None:
    view = view_of(EAST_FRONT, viewer="S", turn="E")
    assert "j" in letters_at(view, "p9")
    play(view, "p9o10")
    assert letters_at(view, "o10") == "abcdefghik"


IMPOSSIBLE = [
    # turn, masks, move, what the message says
    ("S", "-", "g7h5", "no road or railway leads from g7 to h5"),
    ("S", "-", "g7g9x", "g9 is empty"),
    ("S", "l7:e", "g7l7o", "no line-up is consistent"),
    ("S", "l7:a", "g7l7x", "no line-up is consistent"),
    ("S", "-", "g7l7o!q10", "no line-up is consistent"),
    ("S", "-", "g7l7=!q9", "it does not reveal these flags"),
    ("S", "-", "g7l7=!l8", "it does not reveal these flags"),
    ("S", "-", "g7l7=!h1", "no line-up is consistent"),
    ("S", "-", "g7g9#E", "it does not eliminate these seats"),
    ("S", "-", "g7g9#N", "it does not eliminate these seats"),
    ("E", "p9:j", "p9o10", "no line-up is consistent"),
    ("E", "l7:c", "l7i9", "no line-up is consistent"),
]


@pytest.mark.parametrize(("turn", "masks", "move", "message"), IMPOSSIBLE)
def test_contradictions_are_refused_and_change_nothing(turn: str, masks: str, move: str, message: str) -> None:
    view = view_of(EAST_FRONT, viewer="S", turn=turn, masks=masks)
    before = format_fen(view), view.masks.copy(), len(view.record)
    with pytest.raises(Refused, match=message) as refusal:
        play(view, move)
    assert refusal.value.code in ("impossible-outcome", "illegal-move", "bad-move")
    assert before[0] == format_fen(view)
    assert np.array_equal(before[1], view.masks)
    assert before[2] == len(view.record)


def test_battle_needs_outcome_suffix() -> None:
    bomb = """
            h  p  q
         9  .. Wg Eg
         8  .. Sk El
         1  Sl .. ..
    """
    hidden = view_of(EAST_FRONT, viewer="S")
    for view, move in ((hidden, "g7l7"), (hidden, "g7l7#E"), (view_of(bomb), "p8q8#E")):
        before = format_fen(view)
        with pytest.raises(Refused) as refusal:
            play(view, move)
        assert refusal.value.code == "missing-outcome"
        assert format_fen(view) == before


def test_changed_limits_are_applied_again() -> None:
    view = view_of(EAST_FRONT, viewer="S")
    view.change_rules(Rules(1, no_contact_loses=True))
    play(view, "g7i7")
    assert view.result == Result.TEAM_0
    view.change_rules(Rules(0))
    assert view.result == Result.ONGOING


def test_battle_of_known_pieces_needs_no_suffix() -> None:
    drawing = """
            g  h  l  q
        10  .. .. .. El
         8  .. .. Eh ..
         7  Sd .. Ea ..
         6  Sg .. .. ..
         1  .. Sl .. ..
    """
    view = view_of(drawing)
    assert format_move(SIGUO, view.observe(parse_move(SIGUO, "g7l7"))) == "g7l7o"
    for false in ("g7l7x", "g7l7=", "g7l7o!h1", "g7l7o#S"):
        with pytest.raises(Refused) as refusal:
            view_of(drawing).observe(parse_move(SIGUO, false))
        assert refusal.value.code == "impossible-outcome", false


@pytest.mark.parametrize("last", ["Eg", ".."])
def test_outcome_names_eliminated_seat(last: str) -> None:
    """All remaining pieces of East are shut in or immobile."""
    view = view_of(f"""
            g  h  p  q
        11  .. .. Ej {last}
        10  .. .. .. El
         7  Ef .. .. ..
         6  Sc .. .. ..
         1  .. Sl .. ..
    """)
    before = format_fen(view)
    with pytest.raises(Refused, match="g6g7: it does not eliminate these seats") as refusal:
        play(view, "g6g7x")
    assert (refusal.value.code, format_fen(view)) == ("impossible-outcome", before)
    play(view, "g6g7x#E")
    assert view.result == Result.TEAM_0


def test_lineup_of_foreign_seat_is_refused_as_leak() -> None:
    with pytest.raises(Refused) as refusal:
        SeatView.start(SIGUO, 0b0001, {1: lineup.DEFAULT})
    assert refusal.value.code == "leak"


def test_resignation_takes_the_revealed_flag_with_it() -> None:
    view = view_of("""
            g  h  k  l  q
        17  .. N? .. .. ..
        15  .. .. N? .. ..
        10  .. .. .. .. El
         7  .. .. .. E? ..
         6  Sg .. .. .. ..
         1  .. Sl .. .. ..
    """, viewer="S")  # fmt: skip
    assert view.revealed_flags[1] == point("q10")
    view.observe(parse_move(SIGUO, "resign:E"))
    assert view.revealed_flags[1] is None
    assert parse_fen(SIGUO, format_fen(view)).revealed_flags == view.revealed_flags
