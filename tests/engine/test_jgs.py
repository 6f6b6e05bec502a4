"""`.jgs` game files: bytes made by hand, drawings, round trips, and what is wrong with damaged files."""

import random

import pytest

from junqi_engine.errors import Refused
from junqi_engine.information.view import redact
from junqi_engine.notation.jgs import (
    MAX_EVENTS,
    SEATS,
    Elimination,
    End,
    GameFile,
    JgsError,
    MoveEvent,
    Pass,
    Reason,
    format_jgs,
    parse_jgs,
)
from junqi_engine.notation.lineup_files import HEADER
from junqi_engine.notation.moves import format_code
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


def text_of(played: MoveEvent) -> str:
    return format_code(SIGUO, 256 * played.from_point + played.to_point)


# Reading bytes made by hand


def test_seats_and_lineups_are_read_by_slot_and_not_by_their_order():
    four = tuple(lineup_choice.sensible(random.Random(seed), 1) for seed in range(SEATS))
    for order in ("SENW", "WNES", "ESWN"):
        game = parse_jgs(game_file(event(*DRAW), lineups=four, order=order))
        assert game == GameFile(four, (End(is_draw=True),))


def test_a_file_with_a_move_of_every_seat_and_its_board():
    """East is mirrored; in the drawing, its column 0 is at rank 7."""
    lineups = (DEFAULT, MIRRORED, DEFAULT, DEFAULT)
    moves = [move("i6", "i7"), move("l9", "k9", seat="E"), move("i12", "i11", seat="N"), move("f9", "g9", seat="W")]
    game = parse_jgs(game_file(*moves, event(0xF5, 2, 0), event(0xF5, 3, 3, 4), event(*DRAW), lineups=lineups))
    assert [text_of(found) for found in game.events[:4] if isinstance(found, MoveEvent)] == [
        "i6i7",
        "l9k9",
        "i12i11",
        "f9g9",
    ]
    assert game.events[4:] == (Pass(0), Elimination(1, Reason.RESIGNED), End(is_draw=True))
    state = GameState.start(SIGUO, dict(zip(SIGUO.seats, game.lineups, strict=True)))
    for found in game.events[:4]:
        assert isinstance(found, MoveEvent)
        assert found.seat == state.turn
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
def test_outcome_and_seat_are_read_from_their_bits_only(code, outcome, rest):
    """The seat in the file is not believed, and the other bits are not read."""
    raw = bytearray(move("k6", "l7", code))
    raw[1] = code | rest
    assert parse_jgs(game_file(bytes(raw))).events == (MoveEvent(0, POINT["k6"], POINT["l7"], outcome),)


def test_revealed_flags_may_be_in_either_place():
    both = move("k6", "l7", 3, "h1", "q10")
    second = both[:6] + b"\0\0" + both[8:]
    for raw, flags in ((both, ("h1", "q10")), (second, ("q10",)), (move("k6", "l7", 3, "h1"), ("h1",))):
        (found,) = parse_jgs(game_file(raw)).events
        assert isinstance(found, MoveEvent)
        assert found.shown_flags == tuple(POINT[flag] for flag in flags)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_an_elimination_is_read(reason):
    assert parse_jgs(game_file(event(0xF5, 3, 1, reason))).events == (Elimination(3, reason),)


# Writing


def test_a_written_file_has_the_bytes_of_the_format():
    game = GameFile(
        (DEFAULT,) * 4,
        (
            MoveEvent(0, POINT["k6"], POINT["l7"], Outcome.BOTH_REMOVED, (POINT["h1"], POINT["q10"])),
            Elimination(1, Reason.FLAG),
            Pass(2),
            End(is_draw=False),
        ),
        names=("", "司令", "", ""),
    )
    data = format_jgs(game)
    assert len(data) == HEAD + 4 * 10
    assert data[:11] == b"QQGame JQS\0"
    assert data[0x1A:0x1C] == b"\4\0"
    assert [data[0x20 + SEAT * number] for number in range(4)] == [0, 1, 2, 3]
    east = data[0x20 + 3 * SEAT :][:SEAT]
    assert east[8:13] == "司令".encode("gb18030") + b"\0"
    assert east[28:38] == bytes((7, 6, 10, 5, 12, 8, 0, 9, 0, 12))
    assert data[HEAD:] == (
        bytes((0x5F, 3 | 3 << 3, 11, 6, 10, 5, 16, 9, 7, 0))
        + bytes((0xF5, 3, 3, 1)).ljust(10, b"\0")
        + bytes((0xF5, 2, 2)).ljust(10, b"\0")
        + bytes((0xF5, 5, 0, 4)).ljust(10, b"\0")
    )


@pytest.mark.parametrize("first", range(SEATS))
def test_the_first_seat_survives_and_the_board_looks_from_it(first):
    """Without the mark of the first seat, the same game is begun by South on the turned board."""
    start, target = {0: ("i6", "i7"), 1: ("l9", "k9"), 2: ("i12", "i11"), 3: ("f9", "g9")}[first]
    lineups = tuple(DEFAULT if seat == first else MIRRORED for seat in range(SEATS))
    game = GameFile(lineups, (MoveEvent(first, POINT[start], POINT[target]), Pass((first + 1) % 4)), first)
    data = format_jgs(game)
    assert parse_jgs(data) == game
    plain = parse_jgs(data[:0x180] + bytes(28) + data[HEAD:])
    assert plain.lineups == (DEFAULT, MIRRORED, MIRRORED, MIRRORED)
    assert plain.events == (MoveEvent(0, POINT["i6"], POINT["i7"]), Pass(1))
    assert (b"first seat" in data) == (first > 0)


def test_what_cannot_be_written():
    with pytest.raises(Refused, match=r"65536 events; a \.jgs file holds at most 65535"):
        format_jgs(GameFile((DEFAULT,) * 4, (Pass(0),) * (MAX_EVENTS + 1)))
    with pytest.raises(Refused, match="25 letters"):
        format_jgs(GameFile(("a",) * 4, ()))


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
        (HEADER + bytes(30), 50, "the file ends within its head"),
        (GOOD[: HEAD - 1], HEAD - 1, "the file ends within its head"),
        (GOOD[:HEAD], HEAD, "the file ends within event 1 of 2"),
        (GOOD[:-1], HEAD + 19, "the file ends within event 2 of 2"),
        (bytes(1000), 0x78, "slot 0; expected 0 to 3, each once"),
        (b"\x89PNG" * 300, 0x20, "slot 137; expected 0 to 3, each once"),
        (changed(GOOD, 0x20, 4), 0x20, "slot 4; expected 0 to 3"),
        (changed(GOOD, LINEUP_OF_E + 2, 14), LINEUP_OF_E, "the line-up of slot 3: byte 0x96 (index 2) is 14; expected"),
        (changed(GOOD, LINEUP_OF_E + 6, 5), LINEUP_OF_E, "byte 0x9a (index 6) is 5; expected 0, a campsite"),
        (changed(GOOD, LINEUP_OF_E, 5), LINEUP_OF_E, "2 pieces 'a'; expected 1"),
        (changed(GOOD, 0x180, *b"first seat X"), 0x18B, "the first seat is 'X'; expected one of S, E, N, W"),
        (changed(GOOD, 0x180, *b"first seat "), 0x18B, "the first seat is ''"),
        (game_file(move("i4", "i7")), HEAD, "event 1 of 1: no piece stands on its from-point i4"),
        (game_file(move("i7", "i9")), HEAD, "no piece stands on its from-point i7"),
        (game_file(move("i6", "i7")[:2] + bytes(8)), HEAD, "its from-point (0, 0) is not a point of the board"),
        (game_file(changed(move("i6", "i7"), 4, 200, 3)), HEAD, "its to-point (200, 3) is not a point"),
        (game_file(changed(move("i6", "l9", 3), 8, 0, 1)), HEAD, "its flag-point (0, 1) is not a point"),
        (game_file(move("i6", "i7", 4)), HEAD, "its outcome is 4; expected 0 to 3"),
        (game_file(move("i6", "i7", 1)), HEAD, "its outcome is 1, but no enemy stands on its to-point i7"),
        (game_file(move("i6", "i12", 3)), HEAD, "its outcome is 3, but no enemy stands on its to-point i12"),
        (game_file(move("i6", "l9")), HEAD, "its outcome is 0, no battle, but a piece stands on its to-point l9"),
        (game_file(move("i6", "i7", 0, "h1")), HEAD, "it reveals a flag without a battle"),
        (game_file(event(0xF5, 1)), HEAD, "its kind is 1; expected 2 to 5"),
        (game_file(event(0xF5, 2, 4)), HEAD, "its slot is 4; expected 0 to 3"),
        (game_file(event(0xF5, 3, 1, 5)), HEAD, "its reason is 5; expected one of 1, 2, 3, 4, 6"),
        (game_file(event(0xF5, 3, 1, 4), event(0xF5, 3, 1, 4)), HEAD + 10, "event 2 of 2: slot 1 is eliminated before"),
        (game_file(event(0xF5, 3, 1, 4), event(0xF5, 2, 1)), HEAD + 10, "slot 1 is eliminated before it"),
        (game_file(event(0xF5, 3, 1, 4), move("f9", "g9")), HEAD + 10, "no piece stands on its from-point f9"),
        (game_file(event(*DRAW), move("i6", "i7")), HEAD + 10, "the game has ended before it"),
    ],
)
def test_a_damaged_file_is_refused_with_the_byte(data, offset, named):
    with pytest.raises(JgsError) as refusal:
        parse_jgs(data)
    assert named in str(refusal.value)
    assert str(refusal.value).startswith(f"byte {offset:#x}: ")
    assert (refusal.value.offset, refusal.value.code) == (offset, "bad-file")
