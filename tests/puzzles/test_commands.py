"""`go hint`, `go generate`, `eval` and `export` of the puzzles, and docs/puzzles.md."""

import re
from contextlib import redirect_stdout
from io import StringIO
from threading import Timer
from xml.etree import ElementTree

import pytest

from junqi_protocol.commands import parse_go
from junqi_protocol.variant_game import GoRequest, Rejection
from junqi_puzzles.match3 import Match3
from tests.helpers.pages import read
from tests.helpers.puzzle_table import Table

TWO_STEPS = "fen ab/.. goal b./.."
CARD = "fen BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo"


@pytest.mark.parametrize(
    ("variant", "position", "request_", "move", "said"),
    [
        ("klotski", TWO_STEPS, {}, "ad", ["hint left 2 moves ad adr", "lost 0"]),
        ("klotski", f"{TWO_STEPS} moves bd", {}, "ar", ["hint left 2 moves ar ad", "lost 1"]),
        ("klotski", "fen b./.. goal b./..", {}, "(none)", ["hint left 0", "lost 0"]),
        ("klotski", "fen ab/cd goal ba/cd", {}, "(none)", ["unsolvable from here", "lost 0"]),
        ("submarine", "startpos moves b2b1 b1b2", {}, "b2b1", ["hint left 6 moves b2b1", "lost 2"]),
        ("match3", "startpos moves b4b3", {"depth": 2}, "b7b6", ["hint left 6 moves b7b6 c7c6 c5d5", "lost 6"]),
        ("match3", "startpos moves b4b3", {"depth": 7}, "a4a3", None),
        ("knights-tour", "fen 3x4 start a1 moves a1b3", {}, "(none)", ["unsolvable from here", "lost 1"]),
        ("knights-tour", "fen 3x4 start a1 moves a1c2", {}, "c2a3", ["hint left 10 moves c2a3", "lost 0"]),
    ],
)
def test_a_hint_and_what_was_lost(variant, position, request_, move, said):
    table = Table(variant)
    table.position(position)
    assert table.ask(table.game.hint, **request_) == move
    if said is None:
        assert len(table.lines) == 1, "8 swaps are too many to compare"
    else:
        assert table.lines == [f"info string {line}" for line in said]


def test_d_shows_the_waves_of_the_last_swap_and_then_the_board():
    table = Table("match3")
    table.position("startpos moves b3b4")
    lines = table.game.describe()
    assert lines[0] == "wave 1 of b3b4: 3 points"
    assert lines[9:11] == ["after b3b4", "...."]
    assert all(lines)


def test_a_stopped_hint_says_that_it_knows_nothing():
    table = Table("klotski")
    control = table.control()
    control.stop()
    table.lines.clear()
    assert table.game.hint(GoRequest(), control) == "(none)"
    assert table.lines[0] == "info string hint unknown: the search has ended early"


@pytest.mark.parametrize(
    ("variant", "position", "request_"),
    [
        ("klotski", CARD, {"level": "easy"}),
        ("klotski", "fen ABB/.CC/.D. goal ..A/.../...", {"depth": 3}),
        ("submarine", "startpos", {"depth": 5}),
        ("match3", "fen 12312/23123/31231/12321", {"depth": 1}),
        ("knights-tour", "fen 6x6 end c3", {"level": "easy"}),
        ("knights-tour", "fen 9x9 start a1", {"level": "medium"}),
    ],
)
def test_new_puzzles_are_solvable_and_repeat_with_the_seed(variant, position, request_):
    table = Table(variant)
    table.set("MultiPV", 2)
    table.set("Seed", 5)
    table.position(position)
    before = table.game.describe()
    table.ask(table.game.generate, generate=True, **request_)
    lines = list(table.lines)
    table.ask(table.game.generate, generate=True, **request_)
    assert lines == table.lines and len(lines) == 4 and table.game.describe() == before
    for new, rated in zip(lines[::2], lines[1::2], strict=True):
        table.position(new.removeprefix("info string generated "))
        assert table.game.evaluate(table.control())[-1] == rated.removeprefix("info string ") or variant == "match3"
        level, steps = re.match(r"info string difficulty (\w+) steps (\d+) ", rated).groups()
        assert level == request_.get("level", level) and int(steps) == request_.get("depth", int(steps))


def test_generating_ends_when_it_is_stopped():
    table = Table("klotski")
    table.position("fen A. goal .A")  # nothing is expert here
    control = table.control()
    Timer(0.2, control.stop).start()
    table.lines.clear()
    table.game.generate(GoRequest(generate=True, level="expert"), control)
    assert table.lines[-1] == "info string the search has ended early: 0 of 1 puzzles"
    assert [line for line in table.lines[:-1] if "seed" not in line] == []


@pytest.mark.parametrize(
    ("variant", "request_", "code"),
    [
        ("klotski", {"level": "silly"}, "bad-argument"),
        ("submarine", {"depth": 182}, "bad-argument"),
        ("match3", {"depth": 0}, "bad-argument"),
        ("knights-tour", {"depth": 21}, "bad-argument"),
        ("luzhanqi", {}, "not-supported"),
    ],
)
def test_what_cannot_be_generated_is_refused(variant, request_, code):
    table = Table(variant)
    with pytest.raises(Rejection) as rejection:
        table.ask(table.game.generate, generate=True, **request_)
    assert rejection.value.code == code


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (b"hint depth 3", {"hint": True, "depth": 3}),
        (b"generate", {"generate": True}),
        (b"movetime 9 generate easy depth 2", {"generate": True, "level": "easy", "depth": 2, "movetime_ms": 9}),
        (b"generate depth 2", {"generate": True, "depth": 2}),
    ],
)
def test_the_words_of_go(words, fields):
    assert parse_go(words) == GoRequest(**fields)


@pytest.mark.parametrize(
    "words",
    [b"hint generate", b"hint searchmoves a1", b"perft 1 hint", b"generate setup S", b"hint hint", b"generate a b"],
)
def test_words_of_go_that_exclude_each_other(words):
    with pytest.raises(Rejection) as rejection:
        parse_go(words)
    assert rejection.value.code == "bad-argument"


@pytest.mark.parametrize("variant", ["klotski", "submarine", "match3"])
def test_a_solution_is_written_as_an_animation_a_strip_and_text(variant, tmp_path):
    table = Table(variant)
    table.position(TWO_STEPS if variant == "klotski" else "startpos")
    table.go()
    moves = table.game.solution.moves
    table.position("startpos moves Gd" if variant == "klotski" else "startpos")  # the solution is still of the first
    for name in ("way.svg", "way.strip.SVG", "way"):
        table.game.export(str(tmp_path / name))
    assert "<animate" in (tmp_path / "way.svg").read_text()
    strip = (tmp_path / "way.strip.SVG").read_text()
    assert ElementTree.fromstring(strip) is not None and all(f">{move}<" in strip for move in moves)
    text = (tmp_path / "way").read_text().splitlines()
    assert text[0].startswith("# ") and [line for line in text if line in moves] == list(moves)


def test_swaps_are_told_in_the_order_in_which_they_are_played():
    table = Table("match3")
    move, lines = table.go(depth=3)
    told = re.search(r"score cp (\d+) .* pv (.*)", [line for line in lines if " pv " in line][-1])
    swaps, puzzle = told[2].split(), Match3()
    assert move == swaps[0] and len(swaps) == 3
    assert puzzle.play_all(puzzle.parse(puzzle.start), swaps).points == int(told[1])


def test_the_programs_of_the_page_run():
    names: dict = {}
    with redirect_stdout(StringIO()) as said:
        for program in re.findall(r"```python\n(.*?)```", read("docs/puzzles.md"), flags=re.DOTALL):
            exec(program, names)
    assert names["hint"].left == 80 and said.getvalue().count("easy steps") == 2
    assert names["puzzle"].lost(names["puzzle"].parse(names["puzzle"].start), ["Gd", "Gu"], names["Search"]()) == 2
