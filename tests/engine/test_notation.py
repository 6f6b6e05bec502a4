"""FEN, moves, line-ups: read, written, refused with the place that is wrong."""

import random

import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen, parse_fen, start_view
from junqi_engine.notation.moves import format_move, parse_move
from junqi_engine.players import lineup_choice
from junqi_engine.rules.board import BOARDS, SIGUO
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.pieces import Outcome
from junqi_engine.rules.position import Result

START = format_fen(start_view(SIGUO))
BOARD, *FIELDS = START.split()
REST = " ".join(FIELDS)


def point(name: str) -> int:
    return SIGUO.point_named[name]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("g6g7", SeenMove(point("g6"), point("g7"))),
        ("o9o10", SeenMove(point("o9"), point("o10"))),
        ("o9o10o", SeenMove(point("o9"), point("o10"), Outcome.DEFENDER_WON)),
        ("h16h17x#N", SeenMove(point("h16"), point("h17"), Outcome.ATTACKER_WON, (), (2,))),
        (
            "g7k7=!h1!q10",
            SeenMove(point("g7"), point("k7"), Outcome.BOTH_REMOVED, (point("h1"), point("q10"))),
        ),
        ("l8l9x#E#N", SeenMove(point("l8"), point("l9"), Outcome.ATTACKER_WON, (), (1, 2))),
        ("resign:E", SeenMove(-1, -1, resigned=1)),
        ("resign:E#N", SeenMove(-1, -1, eliminated=(2,), resigned=1)),
    ],
)
def test_moves_round_trip(text: str, seen: SeenMove) -> None:
    assert parse_move(SIGUO, text) == seen
    assert format_move(SIGUO, seen) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "g6", "g6g", "g6g7y", "g6g77", "a1a2", "g6r3", "g6g7!h1", "g6g7=!h1!j1!h17", "g6g7#X", "g6g7#E#E"),
        *("resign:X", "resign", "G6G7", "0000", "g06g7", "g6 g7", "g6g7xo", "é6g7", "g6g7#Ex"),
    ],
)
def test_malformed_moves_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_move(SIGUO, text)
    assert refusal.value.code == "bad-move"
    assert str(refusal.value).isprintable()


def test_start_position_matches_protocol_page() -> None:
    south = format_fen(start_view(SIGUO, viewer="S"))
    assert south.split()[0].split("/")[0] == "6N?N?N?N?N?6"
    assert START.split()[0].split("/")[-1] == "6SgSjShSlSi6"
    assert START.split()[1:6] == ["S", "SENW", "SN", "0", "0"]


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("seed", range(2))
def test_views_round_trip_as_fen(variant: str, seed: int) -> None:
    board, rng = BOARDS[variant], random.Random(seed)
    game = GameState.start(board, {letter: lineup_choice.sensible(rng) for letter in board.seats})
    viewers = [1 << rng.randrange(len(board.seats)), 0b0101 & board.all_alive, board.all_alive]
    views = [SeatView.start(board, v, {s: t for s, t in game.lineups.items() if v >> s & 1}) for v in viewers]
    while game.result == Result.ONGOING:
        seen = game.play(rng.choice(game.legal_moves()))
        for view in views:
            view.observe(seen)
        if game.ply % 20 == 0 or game.result != Result.ONGOING:
            for view in views:
                assert format_fen(parse_fen(board, format_fen(view))) == format_fen(view)


BAD_FENS = [
    # code, what the message names, FEN
    ("bad-position", "6 or 7 fields", BOARD),
    ("bad-position", "field viewer is missing", f"{BOARD} S SENW"),
    ("bad-position", "16 ranks", f"{BOARD.partition('/')[2]} {REST}"),
    ("bad-position", "rank 17: 16 squares", f"{BOARD.replace('Ng6', 'Ng5', 1)} {REST}"),
    ("bad-position", "rank 17: 18 squares", f"{BOARD.replace('Ng6', 'Ng7', 1)} {REST}"),
    ("bad-position", "rank 17: 'Nz'", f"{BOARD.replace('Ni', 'Nz', 1)} {REST}"),
    ("bad-position", "rank 17: 'Xi'", f"{BOARD.replace('Ni', 'Xi', 1)} {REST}"),
    ("bad-position", "rank 17: f17, where Ni stands, is not a point", f"{BOARD.replace('6NiNl', '5NiNl1', 1)} {REST}"),
    ("bad-position", "rank 17: '0'", f"{BOARD.replace('6Ni', '06Ni', 1)} {REST}"),
    ("bad-position", "rank 17: '٦'", f"{BOARD.replace('6Ni', '٦Ni', 1)} {REST}"),
    ("bad-position", "field turn", f"{BOARD} X SENW SN 0 0 -"),
    ("bad-position", "field alive", f"{BOARD} S SENX SN 0 0 -"),
    ("bad-position", "field alive", f"{BOARD} S SSEN SN 0 0 -"),
    ("bad-position", "field viewer", f"{BOARD} S SENW SE 0 0 -"),
    ("bad-position", "field quiet", f"{BOARD} S SENW SN -1 0 -"),
    ("bad-position", "field ply", f"{BOARD} S SENW SN 0 99999999999999999999 -"),
    ("bad-position", "field masks: 'g6:a'", f"{BOARD} S SENW SN 0 0 g6:a"),
    ("bad-position", "field masks: 'l7:z'", f"{BOARD} S SENW SN 0 0 l7:z"),
    ("bad-position", "field masks: l7 appears twice", f"{BOARD} S SENW SN 0 0 l7:a,l7:b"),
    ("impossible-position", "S has 2 pieces 'l'", f"{BOARD.replace('SgSjSh', 'SgSlSh')} {REST}"),
    ("impossible-position", "2 pieces 'a'", f"{BOARD.replace('SgSjSh', 'SgSjSa')} {REST}"),
    ("impossible-position", "26 pieces", f"{BOARD.replace('Sd1Se1Sh', 'Sd1SeSgSh')} {REST}"),
    ("impossible-position", "Sj cannot stand on g6", f"{BOARD.replace('ScSbSfSaSh', 'SjSbSfSaSh')} {REST}"),
    ("impossible-position", "Sl cannot stand on i1", f"{BOARD.replace('ShSlSi', 'SlShSi')} {REST}"),
    ("impossible-position", "a piece of W on f11", f"{BOARD} S SEN SN 0 0 -"),
    ("impossible-position", "W is not in field alive", f"{BOARD} W SEN SN 0 0 -"),
    ("impossible-position", "the viewer knows S", f"{BOARD.replace('Sc', 'S?', 1)} {REST}"),
    ("impossible-position", "can stand on l7", f"{BOARD} S SENW SN 0 0 l7:j"),
    ("impossible-position", "no 25 pieces of E are consistent", f"{BOARD} S SENW SN 0 0 l7:a,l8:a"),
    ("leak", "Ea on l11", f"{BOARD.replace('E?', 'Ea', 1)} S SENW SN 0 0 -"),
]


@pytest.mark.parametrize(("code", "names", "fen"), BAD_FENS)
def test_bad_fen_errors_name_field_and_fault(code: str, names: str, fen: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_fen(SIGUO, fen)
    assert (refusal.value.code, names in str(refusal.value)) == (code, True), str(refusal.value)


def test_revealed_flag_implies_marshal_is_removed() -> None:
    lines = BOARD.split("/")
    lines[17 - 10] = lines[17 - 10].removesuffix("E?") + "El"
    lines[17 - 7] = lines[17 - 7].removesuffix("E?") + "1"
    view = parse_fen(SIGUO, f"{'/'.join(lines)} S SENW SN 0 0 -")
    assert view.revealed_flags[1] == point("q10")
    assert all(not view.mask_at(p) & 1 for p in view.points_of(1))


def test_finished_position_round_trips_as_fen() -> None:
    """East and West have no piece that can move, so both are eliminated; it was East's turn."""
    view = parse_fen(SIGUO, "17/17/17/17/17/17/17/11S?5/16S?/16El/15N?1/17/17/17/17/17/17 E SENW E 8 23 p7:abei")
    assert view.result == Result.TEAM_0 and view.turn != 1
    assert format_fen(parse_fen(SIGUO, format_fen(view))) == format_fen(view)
