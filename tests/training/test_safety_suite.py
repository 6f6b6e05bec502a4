"""The safety suite: its lines, and the command."""

import pytest

from junqi_engine.errors import JunqiError
from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import format_code
from junqi_engine.players.versions import NEWEST
from junqi_engine.rules.board import BOARDS, LUZHANQI, SIGUO, Board
from junqi_engine.rules.layout import from_point_of
from junqi_training.measuring import safety
from junqi_training.measuring.safety import HAZARDS, SuiteError, parse_line, suite

pytestmark = pytest.mark.long

RAID = (
    "landmine: a10a11: position startpos lineup S:acdcghghhediibijefkjglfkj "
    "moves a6a7x b7b8 a7a8x b8b7 a8a9x b7b8 a9a10x b8b7"
)
"""South's Field Marshal takes four pieces of the file; then an unmoved piece of row 4 stands before it, a landmine."""


# Lines


def names(board: Board, moves: frozenset[int]) -> set[str]:
    return {format_code(board, move) for move in moves}


def test_a_line_says_which_moves_are_unsafe_as_its_team_sees_the_game() -> None:
    position = parse_line(LUZHANQI, RAID)
    assert position.hazard == "landmine" and names(LUZHANQI, position.unsafe) == {"a10a11"}
    assert position.view.ply == 8 and position.view.sees(0) and not position.view.sees(1)


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
        parse_line(LUZHANQI, RAID.replace(old, new, 1))
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
    monkeypatch.setattr(safety, "suite", lambda board: [parse_line(LUZHANQI, RAID)])
    assert safety.main(["--variant", "luzhanqi", "--nodes", "300", "--seeds", "3", "--each"]) == 0
    first, head, landmine, bomb, _flag, total = capsys.readouterr().out.splitlines()
    unsafe = first.count("!")
    assert first.startswith("line 1, landmine: ") and first.count(",") == 3
    assert head == f"player {NEWEST}, 300 nodes, 3 seeds: searches that chose a safe move"
    assert landmine.split()[:4] == ["landmine", str(3 - unsafe), "of", "3"]
    assert total.split()[:4] == ["all", str(3 - unsafe), "of", "3"]
    assert bomb.split()[:4] == ["bomb", "0", "of", "0"]


def test_the_command_names_what_it_cannot_use(monkeypatch, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(safety, "FOLDER", tmp_path)
    assert safety.main(["--variant", "siguo"]) == 2
    assert capsys.readouterr().err == "safety: siguo has no suite\n"
    (tmp_path / "safety_siguo.txt").write_text("swamp: a\n", encoding="ascii")
    assert safety.main(["--variant", "siguo"]) == 2
    assert "safety_siguo.txt: line 1: hazard 'swamp' is not one of" in capsys.readouterr().err
    assert safety.main(["--variant", "siguo", "--player", "1.2"]) == 2
    assert "line 1" in capsys.readouterr().err
