"""The contest's dialect without a process: its words, the table of one game, the session and its clock."""

import random
import threading
import time
from collections.abc import Callable

import pytest

from junqi_engine.errors import Refused
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup
from junqi_protocol.catalogue import declared_options
from junqi_protocol.contest.notation import Report, parse_go, parse_result, square_of
from junqi_protocol.contest.table import ContestTable
from junqi_protocol.contest.translator import ContestSession
from junqi_protocol.dispatch import Dispatcher
from junqi_protocol.games.junqi import JunqiVariant
from junqi_protocol.options import Options
from junqi_protocol.variant_game import Control, GoRequest, VariantGame
from tests.helpers.engine import DEADLINE_S, SLACK
from tests.helpers.session import Conversation

OPENING = Report(None, None, None)


# Words


def test_each_side_sees_itself_at_the_bottom() -> None:
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
def test_the_report_of_a_go(text: str, report: Report) -> None:
    assert parse_go(text.split()) == report


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *((parse_go, text) for text in ("", "G0", "G0G0 3 00", "M0F0 3 00", "G5F0 3 00", "G0F0 4 00", "G0F0 3 0")),
        *((parse_result, text) for text in ("", "4 00", "3 0", "3 00 00", "G0F0 3")),
    ],
)
def test_a_report_that_is_rejected(parse: Callable[[list[str]], Report], text: str) -> None:
    with pytest.raises(ValueError, match=r"not a move|not an outcome|not a square|must follow"):
        parse(text.split())


# The table


def accepted(table: ContestTable) -> tuple[str, list[str], JunqiVariant]:
    """The first of a table's positions that the rules accept: its first word, its drawing, and the game."""
    game = JunqiVariant("luzhanqi", Options(declared_options()))
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


def table_of(letters: str = lineup.DEFAULT, is_first: bool = True) -> ContestTable:
    table = ContestTable(letters)
    if is_first:
        table.opponent_moved(OPENING)
    return table


def test_field_marshals_that_meet_reveal_both_flags() -> None:
    """The referee tells the opponent's flag. That ours is revealed too follows from our own Field Marshal."""
    table = table_of(lineup_with(a=0))
    table.we_moved("G0", "F0")
    assert table.lacks_result
    assert table.told(Report(None, "2", "A1"))
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


def test_a_missing_result_is_what_the_next_move_proves_or_a_loss() -> None:
    for following, outcome in (
        (Report(("F0", "E0"), "3", None), "0"),  # the defender moves away, so it remained
        (Report(("E0", "F0"), "3", None), "2"),  # another piece moves to the empty square
        (Report(("E0", "F0"), "0", None), "1"),  # another piece meets ours there
        (Report(("F4", "E3"), "3", None), "0"),
    ):
        table = table_of()
        table.we_moved("G0", "F0")
        table.opponent_moved(following)
        assert table.plies[0].outcome == outcome
        assert accepted(table)[0] in ("startpos", "fen")


def test_a_late_result_corrects_a_guess() -> None:
    table = table_of(lineup_with(b=0))
    table.we_moved("G0", "F0")
    table.opponent_moved(Report(("F4", "E3"), "3", None))
    assert ranks(accepted(table)[1], 7)[0].startswith(" 7 N?")
    assert table.told(Report(None, "1", None))
    assert ranks(accepted(table)[1], 7)[0].startswith(" 7 Sb")
    assert not table.told(Report(None, "1", None))


def test_a_repeated_go_and_an_impossible_one_are_recognised() -> None:
    table = table_of()
    assert table.is_impossible(Report(("L1", "K1"), "3", None))
    assert not table.is_repeated(OPENING)
    table.we_moved("G0", "H1")
    assert table.is_repeated(OPENING)
    assert table.is_impossible(Report(("G1", "F1"), "3", None))
    assert table.is_impossible(Report(("E1", "D0"), "3", None))
    move = Report(("F1", "E1"), "3", None)
    assert not table.is_impossible(move)
    table.opponent_moved(move)
    assert table.is_impossible(OPENING) is False
    table.we_moved("H1", "G0")
    assert table.is_repeated(move)
    assert table.is_impossible(OPENING)


# The session


class Stub(VariantGame):
    """A game that accepts every position; `go` calls the function `think`."""

    def __init__(self, think: Callable[[GoRequest, Control], str]) -> None:
        super().__init__("luzhanqi", {})
        self.think = think

    def set_position(self, words: list[str]) -> None:
        pass

    def legal(self) -> list[str]:
        return ["a6b5", "a6a7"]

    def go(self, request: GoRequest, control: Control) -> str:
        return self.think(request, control)

    def setup(self, seat: str | None, control: Control) -> str:
        return lineup_choice.sensible(random.Random(1))


class StubDispatcher(Dispatcher):
    def __init__(self, game: Stub) -> None:
        super().__init__()
        self._game = game

    def load(self, control: Control) -> None:
        pass

    def set_option(self, words: list[str], control: Control) -> str:
        return words[1]


class Talk(Conversation):
    """One in the dialect, and what the session has reported on stderr (`complaints`)."""

    def __init__(self, think: Callable[[GoRequest, Control], str], clock: Callable[[], float] = time.monotonic) -> None:
        self.game = Stub(think)
        self.complaints: list[str] = []
        super().__init__(
            lambda write: ContestSession(
                write, complain=self.complaints.append, dispatcher=StubDispatcher(self.game), clock=clock
            )
        )


def endless(request: GoRequest, control: Control) -> str:
    while not control.stopped:
        time.sleep(0.005)
    return "a6a7"


def dance(number: int) -> str:
    """A piece of the opponent that moves out and back."""
    return ("GO F0E1 3 00", "GO E1F0 3 00")[number % 2]


def test_half_an_hour_is_used_but_never_exceeded() -> None:
    """A player uses all the time that it gets, for 300 moves of its own. The clock is simulated."""
    now = [0.0]
    moves = iter(["a6b5", "b5a6"] * 151)
    plies = iter(range(0, 1000, 2))

    def think(request: GoRequest, control: Control) -> str:
        clock = request.clock(0, 30)
        now[0] += (0 if clock is None else clock.pace(next(plies), 2).target_ms) / 1000 + 0.01
        return next(moves)

    talk = Talk(think, clock=lambda: now[0])
    talk.say("START 0 1800 31")
    talk.wait_for(1, "ARRAY")
    used = {}
    for number in range(300):
        talk.say("GO 0000 0 00" if number == 0 else dance(number - 1))
        talk.wait_for(number + 1, "BESTMOVE")
        used[number + 1] = now[0]
        assert now[0] < 1800
    assert used[60] > 0.5 * 1800
    assert used[120] > 0.8 * 1800
    assert talk.complaints == []
    assert talk.end_input() == 0


def test_an_endless_search_is_stopped_and_for_one_that_hangs_the_fallback_is_played() -> None:
    hangs = threading.Event()
    for think, answer in ((endless, "BESTMOVE G0F0"), (lambda *_: str(hangs.wait(DEADLINE_S)), "BESTMOVE G0H1")):
        talk = Talk(think)
        talk.say("START 0 0.5 31")
        talk.wait_for(1, "ARRAY")
        asked = time.monotonic()
        talk.say("GO 0000 0 00")
        assert talk.wait_for(1, "BESTMOVE") == [answer]
        assert time.monotonic() - asked < 0.5 * SLACK
        assert talk.end_input() == 0
    hangs.set()


def test_a_go_waits_for_the_result_that_should_have_come_first() -> None:
    talk = Talk(lambda request, control: "a6a7")
    talk.say("START 0 1800 31", "GO 0000 0 00")
    talk.wait_for(1, "BESTMOVE")
    talk.say("GO F1E1 3 00", "RESULT 1 00")
    talk.wait_for(2, "BESTMOVE")
    assert talk.complaints == []
    talk.say("GO E1F1 3 00")
    talk.wait_for(3, "BESTMOVE")
    assert talk.end_input() == 0


def test_a_game_that_is_broken_off_and_the_next_one() -> None:
    talk = Talk(endless)
    talk.say("START 1 1800 31", "GO F0E0 3 00")
    talk.wait_for(1, "ARRAY")
    talk.say("END 2", "GO E0F0 3 00", "END 2", "INFORMATION 1.0", "START 0 1 31", "GO 0000 0 00")
    talk.wait_for(2, "ARRAY")
    assert [line.split()[0] for line in talk.wait_for(4)] == ["ARRAY", "NAME", "ARRAY", "BESTMOVE"]
    assert [text.split(":")[0] for text in talk.complaints] == ["GO", "END"]
    assert talk.end_input() == 0


def test_lines_out_of_order_are_rejected_and_a_repeated_go_gets_the_last_answer_again() -> None:
    moves = iter(["a6b5", "a6a7"])
    talk = Talk(lambda request, control: next(moves))
    talk.say("GO 0000 0 00", "RESULT 3 00", "END 1", "ARRAY abc", "START 2 1800 31", "START 0 long 31", "NAME x", "?")
    talk.say("", "START 0 1800 31", "RESULT 1 00", "GO banana", "GO", "GO 0000 0 00")
    talk.wait_for(1, "BESTMOVE")
    talk.say("GO 0000 0 00", "GO A0A0 0 00", "GO G1F1 3 00", "GO E0D0 3 00", "RESULT 3 00", "RESULT 3 00")
    talk.wait_for(3, "BESTMOVE")
    talk.say("GO 0000 0 00", "GO E0D0 3 00")
    assert talk.wait_for(4, "BESTMOVE") == ["BESTMOVE G0H1"] * 2 + ["BESTMOVE G0F0"] * 2
    assert len(talk.lines) == 5 and len(talk.complaints) == 15
    assert talk.end_input() == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("setoption name Player value 9", "bad-value"),
        ("setoption name Nothing value 9", "no-such-option"),
        ("setoption name UCI_Variant value siguo", "bad-argument"),
        ("setoption name Seed", "bad-argument"),
        ("isready", "bad-argument"),
        ("", "bad-argument"),
    ],
)
def test_settings_that_are_rejected(line: str, code: str) -> None:
    with pytest.raises(Refused) as rejection:
        ContestSession(lambda line: None, [line])
    assert rejection.value.code == code
