"""The contest's dialect without a process: its words, and the table of one game."""

from collections.abc import Callable

import pytest

from junqi_engine.errors import Refused
from junqi_engine.rules import lineup
from junqi_protocol.catalogue import OPTIONS
from junqi_protocol.contest.notation import Report, parse_go, parse_result, square_of
from junqi_protocol.contest.table import ContestTable
from junqi_protocol.games.junqi import JunqiVariant
from junqi_protocol.options import Options

OPENING = Report(None, None, None)


# Words


def test_squares_are_seen_from_own_side() -> None:
    assert [square_of(point, "S") for point in ("a12", "e12", "a7", "a6", "b5", "e1")] == "A0 A4 F0 G0 H1 L4".split()
    assert [square_of(point, "N") for point in ("e1", "a1", "e6", "e7", "d8", "a12")] == "A0 A4 F0 G0 H1 L4".split()


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("0000 0 00", OPENING),
        ("0000", OPENING),
        ("G0F0 1 00", Report(("G0", "F0"), "1", None)),
        ("g0f0 2 a1", Report(("G0", "F0"), "2", "A1")),
        ("G0F0", Report(("G0", "F0"), None, None)),
        ("G0F0 3", Report(("G0", "F0"), "3", None)),
    ],
)
def test_report_of_go_is_parsed(text: str, report: Report) -> None:
    assert parse_go(text.split()) == report


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *((parse_go, text) for text in ("", "G0", "G0G0 3 00", "M0F0 3 00", "G5F0 3 00", "G0F0 4 00", "G0F0 3 0")),
        *((parse_result, text) for text in ("", "4 00", "3 0", "3 00 00", "G0F0 3")),
    ],
)
def test_malformed_report_is_rejected(parse: Callable[[list[str]], Report], text: str) -> None:
    with pytest.raises(ValueError, match=r"not a move|not an outcome|not a square|expected an? "):
        parse(text.split())


# The table


def accepted(table: ContestTable) -> tuple[str, list[str], JunqiVariant]:
    """The first of a table's positions that the rules accept: its first word, its drawing, and the game."""
    game = JunqiVariant("luzhanqi", Options(OPTIONS))
    for words in table.positions():
        try:
            game.set_position(words)
        except Refused:
            continue
        return words[0], game.describe(), game
    raise AssertionError("the rules accept no position")


def ranks(drawing: list[str], *numbers: int) -> list[str]:
    return [line for line in drawing if line[:2].strip() in map(str, numbers)]


def lineup_with(**places: int) -> str:
    """The built-in line-up with pieces exchanged such that each letter is at its place."""
    letters = list(lineup.DEFAULT)
    for letter, place in places.items():
        other = letters.index(letter)
        letters[place], letters[other] = letters[other], letters[place]
    lineup.check("".join(letters))
    return "".join(letters)


def after_an_attack(letters: str = lineup.DEFAULT) -> ContestTable:
    """We have moved first, from G0 to F0."""
    table = ContestTable(letters)
    table.opponent_moved(OPENING)
    table.we_moved("G0", "F0")
    return table


def test_equal_marshals_reveal_both_flags() -> None:
    """The referee tells the opponent's flag. That ours is revealed too follows from our own Field Marshal."""
    table = after_an_attack(lineup_with(a=0))
    assert table.add_result(Report(None, "2", "A1"))
    table.opponent_moved(Report(("F1", "E1"), "3", "A1"))
    kind, drawing, game = accepted(table)
    assert kind == "startpos"
    assert ranks(drawing, 12, 8, 7, 6) == [
        "12 N? Nl N? N? N?",
        " 8 N? N? N? () N?",
        " 7 .. .. N? N? N?",
        " 6 .. Sb Sf Sc Sh",
    ]
    assert game.belief("b12") == ["belief b12 l:1.00"]


def test_missing_result_counts_as_loss() -> None:
    table = after_an_attack(lineup_with(b=0))
    table.opponent_moved(Report(("F4", "E3"), "3", None))
    kind, drawing, _ = accepted(table)
    assert (kind, ranks(drawing, 7)[0][:5]) == ("startpos", " 7 N?")
    assert table.add_result(Report(None, "1", None))
    assert ranks(accepted(table)[1], 7)[0].startswith(" 7 Sb")
    assert not table.add_result(Report(None, "1", None))


def test_seat_follows_the_first_move() -> None:
    table = ContestTable(lineup.DEFAULT)
    assert table.seat == "S"
    table.opponent_moved(Report(("F1", "E1"), "3", None))
    assert table.seat == "N"
    assert ranks(accepted(table)[1], 5)[0].split()[4] == "S?"


@pytest.mark.parametrize(
    "reports",
    [
        [Report(("E1", "D1"), "3", None)],  # from a campsite, which is empty
        [Report(("F4", "E4"), "1", None)],  # onto a piece of its own
        [Report(("F0", "G4"), "1", None)],  # by no way
        [Report(("F1", "E1"), "3", "A1")],  # a flag that nothing has revealed
        [Report(("G1", "F1"), "1", None)],  # a piece of ours
        [Report(("F1", "E1"), "0", None)],  # a battle on an empty square
    ],
)
def test_contradicting_reports_make_a_snapshot(reports: list[Report]) -> None:
    table = after_an_attack()
    assert table.add_result(Report(None, "1", None))
    for report in reports:
        table.opponent_moved(report)
    kind, _, game = accepted(table)
    assert kind == "fen" and game.legal()
