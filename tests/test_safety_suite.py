"""The safety suite: its rules of what is unsafe, its lines, and the command."""

import pytest

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code, parse_move
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import from_point_of
from junqi_engine.rules.pieces import MARSHAL
from junqi_engine.rules.record import SeenMove
from tests.drawing import view_of
from tools.training import lost_games, safety, safety_suite
from tools.training.games import team_view
from tools.training.safety_suite import HAZARDS, SuiteError, format_line, parse_line, suite
from tools.training.unsafe_moves import RULES, mean_gain

SOUTH = """
    a c d c g
    h   g   h
    h e   d i
    i   b   i
    j e f k j
    g l f k j
"""
NORTH = SOUTH.replace("a", "x").replace("h   g   h", "h   a   h").replace("x", "g")
"""The same with the Field Marshal in the second row, behind its front row of g c d c g."""
RAID = "a6a7 b7b8 a7a8 b8b7 a8a9 b7b8 a9a10 b8b7"
"""South's Field Marshal takes four pieces of the file; then an unmoved piece of row 4 stands before it, a landmine."""


def raid(moves: str) -> tuple[GameState, SeatView]:
    """The truth and South's view after some moves."""
    lineups = {"S": "".join(SOUTH.split()), "N": "".join(NORTH.split())}
    truth = GameState.start(LUZHANQI, lineups)
    view = team_view(truth, 0)
    for move in moves.split():
        view.observe(truth.play(parse_move(LUZHANQI, move).move))
    return truth, view


def names(board: Board, moves: frozenset[int]) -> set[str]:
    return {format_code(board, move) for move in moves}


# Rules


def test_a_high_piece_must_not_attack_what_never_moved_in_the_back_rows() -> None:
    truth, view = raid(RAID)
    assert names(LUZHANQI, RULES["landmine"](view, truth)) == {"a10a11"}
    mine = view.piece_at(LUZHANQI.point_named["a11"])
    assert mine is not None and mean_gain(view, MARSHAL, mine) < -1


def test_an_attack_on_the_front_rows_is_not_called_unsafe() -> None:
    for plies in (0, 2, 4, 6):
        truth, view = raid(" ".join(RAID.split()[:plies]))
        assert RULES["landmine"](view, truth) == frozenset()


BOMB = """
        g  h  i  j  k  q
    8   .. .. .. .. .. {flag}
    6   .. .. Sg .. .. ..
    2   Sa .. .. .. {bomb} ..
    1   .. Sl .. .. .. ..
"""


def test_the_field_marshal_must_leave_the_railway_of_a_possible_bomb() -> None:
    view = view_of(BOMB.format(bomb="E?", flag="E?"), viewer="S", masks="k2:bk,q8:l")
    truth = game_of(BOMB.format(bomb="Ek", flag="El"))
    unsafe = names(SIGUO, RULES["bomb"](view, truth))
    assert {"i6i7", "i6h6"} < unsafe
    assert "g2h3" not in unsafe, "a campsite is safe"
    harmless = view_of(BOMB.format(bomb="E?", flag="E?"), viewer="S", masks="k2:bc,q8:l")
    assert not RULES["bomb"](harmless, truth)


FLAG = """
        g  h  i  j  k  q
    8   .. .. .. .. .. {flag}
    5   Sg .. .. .. .. ..
    2   .. .. Sd {raider} .. ..
    1   .. .. .. Sl .. ..
"""


def test_a_raider_beside_the_flag_must_be_taken() -> None:
    view = view_of(FLAG.format(raider="E?", flag="E?"), viewer="S", masks="j2:abcdefghi,q8:l")
    truth = game_of(FLAG.format(raider="Eh", flag="El"))
    safe = set(view.legal_moves()) - RULES["flag"](view, truth)
    assert names(SIGUO, frozenset(safe)) == {"i2j2"}


def game_of(drawing: str) -> GameState:
    view = view_of(drawing)
    return GameState(SIGUO, view.rules, view.position)


# Finding


def after_raid(*moves: str) -> str:
    """What punishes South's move, the first of `moves`, after the raid."""
    truth, _ = raid(RAID)
    game = truth.copy()
    seen: list[SeenMove] = [game.play(parse_move(LUZHANQI, move).move) for move in moves]
    return lost_games.punished(seen, truth)


def test_an_attack_is_punished_if_the_attacker_is_removed() -> None:
    assert after_raid("a10a11", "b7b8") == "landmine"
    assert after_raid("b6b5", "b7b8", "a10a11") == "", "its seat has moved before"


# Lines


def line_of_raid() -> str:
    truth, view = raid(RAID)
    unsafe = RULES["landmine"](view, truth)
    return format_line(LUZHANQI, "landmine", unsafe, {"S": "".join(SOUTH.split())}, truth.record)


def test_a_line_is_read_as_it_was_written() -> None:
    line = line_of_raid()
    assert line.startswith("landmine: a10a11: position startpos lineup S:acdcghgh")
    position = parse_line(LUZHANQI, line)
    assert position.hazard == "landmine" and names(LUZHANQI, position.unsafe) == {"a10a11"}
    assert (position.view.masks == raid(RAID)[1].masks).all()


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("landmine", "swamp", "hazard 'swamp' is not one of landmine, bomb, flag"),
        (": position", " position", "expected HAZARD: MOVES: position startpos lineup"),
        ("a10a11", "a10a12", "unsafe moves a10a12: they are not a part of the legal moves"),
        ("a10a11", "", "is not a move"),
        (" a6a7x", " a6a8x", "a6a8"),
        ("S:a", "S:l", "S's line-up"),
    ],
)
def test_a_wrong_line_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises((SuiteError, JunqiError)) as refused:
        parse_line(LUZHANQI, line_of_raid().replace(old, new, 1))
    assert said in str(refused.value)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_position_of_the_suites_offers_a_safe_move(board: Board) -> None:
    for position in suite(board):
        assert position.unsafe < set(position.view.legal_moves())
        if position.hazard == "landmine":
            assert {position.view.turn} == {seat_at(position.view, move) for move in position.unsafe}


def seat_at(view: SeatView, move: int) -> int:
    piece = view.piece_at(from_point_of(move))
    assert piece is not None
    return piece // 32


def test_every_hazard_has_positions_in_siguo() -> None:
    assert {position.hazard for position in suite(SIGUO)} == set(HAZARDS)


# The command


def test_the_command_counts_safe_searches(monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(safety_suite, "suite", lambda board: [parse_line(LUZHANQI, line_of_raid())])
    assert safety.main(["--variant", "luzhanqi", "--nodes", "300", "--seeds", "3", "--each"]) == 0
    first, head, landmine, bomb, _flag, total = capsys.readouterr().out.splitlines()
    unsafe = first.count("!")
    assert first.startswith("line 1, landmine: ") and first.count(",") == 3
    assert head == f"player {NEWEST}, 300 nodes, 3 seeds: searches that chose a safe move"
    assert landmine.split()[:4] == ["landmine", str(3 - unsafe), "of", "3"]
    assert total.split()[:4] == ["all", str(3 - unsafe), "of", "3"]
    assert bomb.split()[:4] == ["bomb", "0", "of", "0"]


def test_the_command_names_what_it_cannot_use(monkeypatch, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(safety_suite, "FOLDER", tmp_path)
    assert safety.main(["--variant", "siguo"]) == 2
    assert capsys.readouterr().err == "safety: siguo has no suite\n"
    (tmp_path / "safety_siguo.txt").write_text("swamp: a\n", encoding="ascii")
    assert safety.main(["--variant", "siguo"]) == 2
    assert "safety_siguo.txt: line 1: hazard 'swamp' is not one of" in capsys.readouterr().err
    assert safety.main(["--variant", "siguo", "--player", "1.2"]) == 2
    assert "line 1" in capsys.readouterr().err
