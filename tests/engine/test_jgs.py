"""`.jgs` game files: bytes made by hand, drawings, and what is wrong with damaged files."""

import random

import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.view import redact
from junqi_engine.notation.jgs import SEATS, Elimination, End, MoveEvent, Pass, Reason, parse_jgs
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import move_of
from junqi_engine.rules.pieces import Outcome
from tests.helpers.drawing import assert_drawn
from tests.helpers.jgs import DRAW, HEAD, SEAT, event, game_file, move

DEFAULT = lineup.DEFAULT
MIRRORED = lineup.mirror(DEFAULT)
POINT = SIGUO.point_named


# Reading bytes made by hand


def test_seats_and_lineups_are_read_by_slot():
    four = tuple(lineup_choice.sensible(random.Random(seed)) for seed in range(SEATS))
    for order in ("SENW", "WNES", "ESWN"):
        game = parse_jgs(game_file(event(*DRAW), lineups=four, order=order))
        assert (game.lineups, game.events) == (four, (End(is_draw=True),))


def test_file_with_moves_of_every_seat_is_read():
    """East is mirrored; in the drawing, its column 0 is at rank 7."""
    lineups = (DEFAULT, MIRRORED, DEFAULT, DEFAULT)
    moves = [move("i6", "i7"), move("l9", "k9", seat="E"), move("i12", "i11", seat="N"), move("f9", "g9", seat="W")]
    game = parse_jgs(game_file(*moves, event(0xF5, 2, 0), event(0xF5, 3, 3, 4), event(*DRAW), lineups=lineups))
    assert game.events[4:] == (Pass(0), Elimination(1, Reason.RESIGNED), End(is_draw=True))
    state = GameState.start(SIGUO, dict(zip(SIGUO.seats, game.lineups, strict=True)))
    for found in game.events[:4]:
        assert isinstance(found, MoveEvent)
        state.play(move_of(found.from_point, found.to_point))
    drawing = """
    f  g  i  k  l
11  Wc .. Nf .. Ec
9   .. Wf .. Ef ..
7   Wh .. Sf .. Eh
"""
    assert_drawn(redact(state, range(4)), drawing)


@pytest.mark.parametrize(
    ("code", "outcome"), [(1, Outcome.ATTACKER_WON), (2, Outcome.DEFENDER_WON), (3, Outcome.BOTH_REMOVED)]
)
@pytest.mark.parametrize("rest", [0x00, 0x18, 0xC0, 0xF8])
def test_outcome_and_seat_ignore_other_bits(code, outcome, rest):
    """The seat in the file is not believed, and the other bits are not read."""
    raw = bytearray(move("k6", "l7", code))
    raw[1] = code | rest
    assert parse_jgs(game_file(bytes(raw))).events == (MoveEvent(POINT["k6"], POINT["l7"], outcome),)


def test_revealed_flags_may_be_in_either_place():
    both = move("k6", "l7", 3, "h1", "q10")
    second = both[:6] + b"\0\0" + both[8:]
    for raw, flags in ((both, ("h1", "q10")), (second, ("q10",)), (move("k6", "l7", 3, "h1"), ("h1",))):
        (found,) = parse_jgs(game_file(raw)).events
        assert isinstance(found, MoveEvent)
        assert found.revealed_flags == tuple(POINT[flag] for flag in flags)


@pytest.mark.parametrize("reason", Reason)
def test_all_elimination_reasons_are_read(reason):
    assert parse_jgs(game_file(event(0xF5, 3, 1, reason))).events == (Elimination(3, reason),)


@pytest.mark.parametrize(("first", "start", "target"), [(1, "l9", "k9"), (2, "i12", "i11"), (3, "f9", "g9")])
def test_board_is_seen_from_first_seat(first, start, target):
    """Without the mark of the first seat, South begins the same game on the turned board."""
    lineups = (DEFAULT, MIRRORED, MIRRORED, MIRRORED)
    data = game_file(move("i6", "i7"), event(0xF5, 2, 3), lineups=lineups)
    plain, game = parse_jgs(data), parse_jgs(changed(data, 0x180, *b"first seat " + SIGUO.seats[first].encode()))
    assert (plain.first, plain.lineups, plain.events[1]) == (0, lineups, Pass(1))
    assert (game.first, game.lineups.index(DEFAULT)) == (first, first)
    assert game.events == (MoveEvent(POINT[start], POINT[target]), Pass((first + 1) % 4))


# Damage


def changed(data: bytes, offset: int, *values: int) -> bytes:
    return data[:offset] + bytes(values) + data[offset + len(values) :]


GOOD = game_file(move("i6", "i7"), event(*DRAW))
LINEUP_OF_E = 0x20 + SEAT + 28


@pytest.mark.parametrize(
    ("data", "offset", "named"),
    [
        (b"", 0, "the file ends within its head"),
        (b"not a game file", 15, "not a .jgs file, or cut off"),
        (GOOD[: HEAD - 1], HEAD - 1, "the file ends within its head"),
        (GOOD[:HEAD], HEAD, "the file ends within event 1 of 2"),
        (GOOD[:-1], HEAD + 19, "the file ends within event 2 of 2"),
        (bytes(1000), 0x78, "slot 0; expected 0 to 3, each once"),
        (b"\x89PNG" * 300, 0x20, "slot 137; expected 0 to 3, each once"),
        (changed(GOOD, 0x20, 4), 0x20, "slot 4; expected 0 to 3"),
        (changed(GOOD, LINEUP_OF_E + 2, 14), LINEUP_OF_E, "the line-up of slot 3: "),
        (changed(GOOD, LINEUP_OF_E, 5), LINEUP_OF_E, "2 pieces 'a'; expected 1"),
        (changed(GOOD, 0x180, *b"first seat X"), 0x18B, "the first seat is 'X'; expected one of S, E, N, W"),
        (changed(GOOD, 0x180, *b"first seat "), 0x18B, "the first seat is ''"),
        (game_file(move("i6", "i7")[:2] + bytes(8)), HEAD, "(0, 0) is not a point of the board"),
        (game_file(changed(move("i6", "i7"), 4, 200, 3)), HEAD, "(200, 3) is not a point"),
        (game_file(changed(move("i6", "l9", 3), 8, 0, 1)), HEAD, "(0, 1) is not a point"),
        (game_file(move("i6", "i7", 4)), HEAD, "4 is not a valid Outcome"),
        (game_file(event(0xF5, 1)), HEAD, "its kind is 1"),
        (game_file(event(0xF5, 2, 4)), HEAD, "its slot 4"),
        (game_file(event(0xF5, 3, 1, 5)), HEAD, "5 is not a valid Reason"),
    ],
)
def test_refusal_of_damaged_file_names_the_byte(data, offset, named):
    with pytest.raises(Refused) as refusal:
        parse_jgs(data)
    assert named in str(refusal.value)
    assert str(refusal.value).startswith(f"byte {offset:#x}: ")
    assert refusal.value.code == "bad-file"
