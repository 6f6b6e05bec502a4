"""Boards, moves, battles, elimination, results: drawings, counts, and the slow twin ply by ply."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.view import redact
from junqi_engine.notation.fen import format_fen, parse_game
from junqi_engine.notation.moves import format_code, format_move, parse_move, result_text
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.effects import UNDO, make, unmake
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.options import Rules
from junqi_engine.rules.perft import perft
from junqi_engine.rules.position import Result
from tests.helpers.drawing import view_of
from tests.references.slow_junqi import SlowBoard, SlowGame


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_board_equals_slow_twin(board: Board) -> None:
    slow = SlowBoard(board.variant)

    def named(edges: frozenset[frozenset[int]]) -> set[frozenset[str]]:
        return {frozenset(board.names[point] for point in edge) for edge in edges}

    assert list(board.names) == slow.points
    assert named(board.roads) == slow.roads
    assert named(board.rails) == slow.rails
    assert {board.names[point] for point in board.points if board.is_campsite(point)} == set(slow.campsites)
    lines = {min(line, line[::-1]) for line in (tuple(board.names[p] for p in line) for line in board.lines)}
    assert lines == {min(tuple(line), tuple(line)[::-1]) for line in slow.lines}


POSITIONS = json.loads((Path(__file__).parents[1] / "data" / "junqi_positions.json").read_text())
CASES = [(variant, entry["fen"], entry["perft"]) for variant, entries in POSITIONS.items() for entry in entries]


def count(board: Board, position: np.void, depth: int) -> int:
    moves, undos = np.empty(MAX_MOVES * (depth + 1), np.uint16), np.zeros(depth + 1, UNDO)
    return int(perft(board.tables, position, depth, moves, 0, undos, np.zeros(1, np.uint8)))


@pytest.mark.bounds
@pytest.mark.parametrize(("variant", "fen", "counts"), CASES)
def test_perft_numbers_of_known_positions(variant: str, fen: str, counts: list[int]) -> None:
    game = parse_game(BOARDS[variant], fen)
    assert [count(game.board, game.position, depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize(("variant", "fen", "counts"), CASES[::6])
def test_perft_equals_slow_twin(variant: str, fen: str, counts: list[int]) -> None:
    assert SlowGame.from_fen(fen, variant).perft(2) == counts[1]


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_equal_slow_twin(variant: str, seed: int) -> None:
    board, rng = BOARDS[variant], random.Random(seed)
    lineups = {letter: lineup_choice.sensible(rng) for letter in board.seats}
    game, slow = GameState.start(board, lineups), SlowGame.start(lineups, variant)
    while game.result == Result.ONGOING:
        moves = game.legal_moves()
        assert sorted(format_code(board, move) for move in moves) == slow.legal()
        if rng.random() < 0.002:
            seat = rng.choice([seat for seat in range(len(board.seats)) if game.alive >> seat & 1])
            assert format_move(board, game.resign(seat)) == slow.play(f"resign:{board.seats[seat]}")
        else:
            move = rng.choice(moves)
            assert format_move(board, game.play(move)) == slow.play(format_code(board, move))
        assert format_fen(game) == slow.fen()
    assert game.legal_moves() == []
    assert slow.result == result_text(board, game.result)


@pytest.mark.bounds
@pytest.mark.parametrize("variant", BOARDS)
def test_unmake_restores_every_position_of_a_game(variant: str) -> None:
    board, rng = BOARDS[variant], random.Random(5)
    game, undo = (
        GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats}),
        np.zeros(1, UNDO)[0],
    )
    while game.result == Result.ONGOING:
        fen = format_fen(game)
        for move in game.legal_moves():
            make(board.tables, game.position, np.uint16(move), undo)
            unmake(game.position, undo)
        assert format_fen(game) == fen
        game.play(rng.choice(game.legal_moves()))


DRAWN_PLIES = [
    # The text of the ply, the result, the next seat, the drawing, and what else the position has.
    ("p10q10x#E", Result.ONGOING, "W", """
            b  h  i  p  q
        11  .. .. .. Ea ..
        10  .. .. .. Si El
         8  Wa .. .. .. Ek
         1  .. Sl Sh .. ..
    """, {}),
    ("g7l7=!h1!q10", Result.ONGOING, "E", """
            g  h  l  n  q
        10  .. .. .. Eg El
         7  Sa .. Ea .. ..
         6  Sg .. .. .. ..
         1  .. Sl .. .. ..
    """, {}),
    ("g6g7#E", Result.ONGOING, "W", """
            g  h  n  p  q
        11  .. .. .. Ej Eg
        10  .. .. Wc .. El
         6  Sc .. .. .. ..
         1  .. Sl .. .. ..
    """, {}),
    *((f"c12b12{suffix}", Result.TEAM_0, "S", f"""
            a  b  c
        12  .. Nl S{letter}
        11  Na .. ..
         1  .. Sl ..
    """, {"board": LUZHANQI}) for letter, suffix in (("k", "=#N"), ("g", "x#N"))),
    ("c11d11#N", Result.TEAM_0, "S", """
            a  b  c
        12  Nj Nl ..
        11  .. .. Sg
         1  .. Sl ..
    """, {"board": LUZHANQI}),
    ("g7l7x#E", Result.TEAM_0, "S", """
            g  h  l  p  q
        10  .. .. .. Ej El
         7  Sc .. Ef .. ..
         6  Sg .. .. .. ..
         1  .. Sl .. .. ..
    """, {}),
    ("h2h1#S", Result.TEAM_1, "E", """
            h  l  q
        10  .. .. El
         7  .. Ef ..
         2  Sc .. ..
    """, {"alive": "SE"}),
    ("l7g7=#S#E", Result.TEAM_0, "N", """
            a  g  h  l  q
        17  .. .. Nl .. ..
        15  .. Ng .. .. ..
        10  Wl .. .. .. El
         8  We .. .. .. ..
         7  .. Sc .. Ec ..
         1  .. .. Sl .. ..
    """, {"turn": "E"}),
    ("g7l7=", Result.DRAW, "E", """
            g  h  l  q
        10  .. .. .. El
         7  Sc .. Ec ..
         1  .. Sl .. ..
    """, {}),
]  # fmt: skip
"""Flags taken, bombed and shown; seats without a move; seats all of whose pieces are immobile, and no seat left."""


@pytest.mark.parametrize(
    ("text", "result", "turn", "drawing", "options"), DRAWN_PLIES, ids=lambda value: str(value)[:9]
)
def test_ply_reports_its_effects(text: str, result: Result, turn: str, drawing: str, options: dict) -> None:
    view = view_of(drawing, **options)
    bare = re.match(r"[a-q]\d+[a-q]\d+", text)[0]
    seen = view.observe(parse_move(view.board, bare))
    assert format_move(view.board, seen) == text
    assert (view.result, view.board.seats[view.turn]) == (result, turn)
    gone = [view.board.seats[seat] for seat in seen.eliminated]
    assert not any(view.points_of(view.board.seats.index(seat)) for seat in gone)
    shown = {view.board.names[point] for point in view.revealed_flags if point is not None}
    assert set(re.findall(r"!(\w+)", text)) <= shown


def test_no_contact_limit_draws_and_battle_resets_it() -> None:
    drawing = """
            g  h  q
        10  .. .. El
         8  .. .. Ej
         7  .. .. Eg
         6  Sc .. ..
         1  .. Sl ..
    """
    view = view_of(drawing, quiet=69, rules=Rules(70))
    view.observe(parse_move(SIGUO, "g6g7"))
    assert view.result == Result.DRAW
    never = view_of(drawing, quiet=69, rules=Rules(0))
    never.observe(parse_move(SIGUO, "g6g7"))
    assert never.result == Result.ONGOING
    lost = view_of(drawing, quiet=69, rules=Rules(70, no_contact_loses=True))
    lost.observe(parse_move(SIGUO, "g6g7"))
    assert lost.result == Result.TEAM_0
    capped = view_of(drawing, rules=Rules(70, max_plies=1))
    capped.observe(parse_move(SIGUO, "g6g7"))
    assert capped.result == Result.DRAW


def test_only_own_pieces_may_move() -> None:
    """West has a flag and an engineer in a headquarters; that South's first piece could move is no help to it."""
    view = view_of(
        """
            a  h  k  p  q
        17  .. Nl .. .. ..
        16  .. .. Nh .. ..
        10  .. .. .. Ea Wi
         8  Wl .. .. .. El
         2  .. .. Sh .. ..
         1  .. Sl .. .. ..
    """,
        turn="N",
        rules=Rules(version=1),
    )
    assert format_move(SIGUO, view.observe(parse_move(SIGUO, "k16k15"))) == "k16k15#W"
    game = parse_game(SIGUO, format_fen(view))
    assert SIGUO.seats[game.turn] == "S"


def test_no_contact_for_31_plies_loses_in_luzhanqi() -> None:
    view = view_of(
        """
            a  b  d  e
        12  .. Nl .. ..
        11  .. .. .. Ng
         2  Sg .. .. ..
         1  .. .. Sl ..
    """,
        quiet=29,
        board=LUZHANQI,
    )
    view.observe(parse_move(LUZHANQI, "a2a3"))
    assert view.result == Result.ONGOING
    view.observe(parse_move(LUZHANQI, "e11e10"))
    assert (view.quiet, view.result) == (31, Result.TEAM_1)


def test_resignation_does_not_count_as_ply() -> None:
    game = parse_game(
        SIGUO,
        format_fen(
            view_of(
                """
            b  g  h  p  q
        17  .. .. Nl .. ..
        12  .. Nc .. .. ..
        11  .. .. .. Ej Eg
        10  .. .. .. .. El
         8  Wc .. .. .. ..
         6  .. Sc .. .. ..
         1  .. .. Sl .. ..
    """,
                quiet=4,
            )
        ),
    )
    assert format_move(SIGUO, game.resign(0)) == "resign:S#E"
    assert (SIGUO.seats[game.turn], game.quiet, game.ply) == ("N", 4, 0)
    with pytest.raises(Refused, match="already eliminated"):
        game.resign(0)
    game.resign(2)
    assert game.result == Result.TEAM_1
    with pytest.raises(Refused, match="ended"):
        game.resign(3)


def test_only_engineers_turn_corners() -> None:
    drawing = """
            g  h  i  k
        11  .. .. .. ..
         7  .. .. .. Eg
         6  S? .. .. ..
         1  .. Sl .. ..
    """
    engineer = {format_code(SIGUO, m) for m in view_of(drawing.replace("S?", "Si"), alive="SE").legal_moves()}
    captain = {format_code(SIGUO, m) for m in view_of(drawing.replace("S?", "Sg"), alive="SE").legal_moves()}
    assert {"g6i9", "g6k7", "g6p7"} <= engineer
    assert not {"g6i9", "g6k7", "g6p7"} & captain
    assert captain <= engineer


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("cbfahdehgegidcfkjkijgjhl", "25 letters"),
        ("zbfahdehgegidcfkjkijgjhli", "letter 1 is .z."),
        ("cbfahdehgegidcfkjkijgjhla", "2 pieces 'a'"),
        ("jbfahdehgegidcfkckijgjhli", "the two back rows"),
        ("kbfahdehgegidcfcjkijgjhli", "the front row"),
        ("cbfahdehgegidcfkjkijgjhil", "headquarters"),
    ],
)
def test_bad_lineup_errors_name_the_fault(bad: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason) as refusal:
        lineup.check(bad)
    assert refusal.value.code == "bad-lineup"


# Immobile seats


def test_fen_with_immobile_seat_eliminates_it() -> None:
    drawing = """
            g  h  l  n  q
        11  .. .. .. .. Ej
        10  .. .. .. .. El
         8  .. .. .. Wc ..
         1  .. Sl .. .. ..
         6  Sg .. .. .. ..
    """
    view = view_of(drawing, turn="E")
    assert (view.alive, SIGUO.seats[view.turn]) == (0b1001, "W")
    assert view_of(drawing, turn="E", rules=Rules(version=1)).alive == 0b1001  # East has no move on its turn
    assert view_of(drawing, turn="S", rules=Rules(version=1)).alive == 0b1011


def test_blocked_seats_and_luzhanqi_seats_are_not_immobile() -> None:
    view = view_of("""
            g  h  l  p  q
        11  .. .. .. Ej Eg
        10  .. .. .. .. El
         7  Sc .. Ef .. ..
         6  Sg .. .. .. ..
         1  .. Sl .. .. ..
    """, alive="SEW")  # fmt: skip
    view.observe(parse_move(SIGUO, "g7l7"))
    assert not view.is_alive(1)  # on its turn, for want of a legal move
    view = view_of(
        """
            a  b  d  e
        12  .. Nl .. ..
         7  Nc .. .. ..
         6  Sb .. .. Nh
         1  .. .. Sl ..
    """,
        board=LUZHANQI,
    )
    view.observe(parse_move(LUZHANQI, "a6a7x"))
    assert view.result == Result.ONGOING


# A turn that passes


def test_pass_does_not_count_as_ply() -> None:
    game = GameState.start(SIGUO)
    seen = game.time_out(0)
    assert format_move(SIGUO, seen) == "pass:S"
    assert (SIGUO.seats[game.turn], game.ply, game.quiet) == ("E", 0, 0)
    view = redact(game, [0, 2])
    assert SIGUO.seats[view.turn] == "E"
    for refused in (game.time_out, lambda seat: view.observe(parse_move(SIGUO, f"pass:{SIGUO.seats[seat]}"))):
        with pytest.raises(Refused, match="pass:S: E is to move"):
            refused(0)
    assert parse_move(SIGUO, format_move(SIGUO, seen)) == seen
