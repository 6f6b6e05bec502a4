"""The puzzles behind the protocol: positions, `go`, `go hint`, `go generate`, `eval`, `export`, and docs/puzzles.md."""

import os
import re
import subprocess
import sys
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import numpy as np
import pytest

import junqi_puzzles.difficulty
from junqi_engine.protocol_words import NO_MOVE_TEXT
from junqi_protocol.catalogue import OPTIONS
from junqi_protocol.commands import parse_go
from junqi_protocol.variant_game import GoRequest
from junqi_puzzles import klotski
from junqi_puzzles.match3 import Match3
from tests.helpers.engine import SLACK, Engine
from tests.helpers.marking import long_after
from tests.helpers.pages import read
from tests.helpers.puzzle_table import Table, refusal
from tests.helpers.sliding_boards import random_puzzle
from tests.references.slow_knights import is_tour
from tests.references.slow_sliding import SlowSliding

TWO_STEPS = "fen ab/.. goal b./.."
GOAL = "..../..../..../.BB./.BB."
START = "ABBC/ABBC/DEEF/DGHF/I..J"
JAM = "fen ####A#/BE.FF#/#EGG.#/#.GGI#/#HH.ID/#C#### goal ####C#/D....#/#....#/#....#/#....B/#A####"


# Positions

BEFORE = {"match3": "startpos moves b4b3", "knights-tour": "fen 6x7 start b1 moves b1d2"}
BAD_POSITIONS = {
    "klotski": [
        (f"fen ABBC/ABB/DEEF/DGHF/I..J goal {GOAL}", "bad-position", "row 2 of the board has 3 cells, row 1 has 4"),
        (f"fen {START} goal ..../..../.BB./.BB.", "bad-position", "the goal is 4 x 4, the board 4 x 5"),
        (f"fen {START} goal ..../..../..../.ZZ./....", "bad-position", "the goal's piece Z is not on the board"),
        (f"fen {START} goal ..../..../..../.B../.BB.", "bad-position", "the piece B has another shape"),
        (f"fen {START} goal ..../..../..../..../....", "bad-position", "names no piece"),
        (f"fen A?BC/ABBC/DEEF/DGHF/I..J goal {GOAL}", "bad-position", "'?' in row 1, column 2 of the board"),
        (f"fen {START} goal {GOAL} gates z9", "bad-position", "z9 is not on the board"),
        (f"fen {START} goal {GOAL} gates b1", "bad-position", "there is no piece on b1"),
        (f"fen {START} goal {GOAL} gates 7", "bad-position", "'7' is not a square"),
        (f"fen {START} goal #.../..../..../.BB./.BB.", "bad-position", "the goal has a wall on a5"),
        ("fen A#/.. goal .A/..", "impossible-position", "stands in the wall on b2"),
        (f"fen {START} {GOAL}", "bad-position", "a position is"),
        ("", "bad-argument", "startpos or fen"),
        ("fen " + "/".join(["A" + "." * 16]) + " goal " + "." * 16 + "A", "too-large", "17 x 1"),
        ("fen " + "o" * 35, "bad-position", "a Rush Hour string has 36 cells, not 35"),
        ("fen " + "B.B" + "." * 9 + "AA" + "." * 22, "impossible-position", "B on a6, c6 is no car: a car is straight"),
        ("fen " + "BB....B.....AA" + "." * 22, "impossible-position", "B on a6, b6, a5 is no car"),
        (
            "fen " + "/".join(["A........."] * 13) + " goal " + "/".join(["A........."] * 13),
            "too-large",
            "130 cells without a wall; the limit is 128",
        ),
        ("startpos moves Z", "bad-move", "not a piece and its path"),
        ("startpos moves Zd", "illegal-move", "there is no piece Z"),
        ("startpos moves Bd", "illegal-move", "is taken"),
        ("startpos moves Gd Gdd", "illegal-move", "G may not go d"),
        ("startpos moves Gdu", "illegal-move", "ends where it began"),
    ],
    "submarine": [
        ("fen m:n,s:sw,s:nwse/T,b:sw,s:se", "bad-position", "3 rows with / between them, not 2"),
        ("fen m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.", "bad-position", "row 3 has 2 tiles"),
        ("fen m:n,s:sw,q:x/T,b:sw,s:se/s:w,.,s:ne", "bad-position", "'q:x' in row 1, column 3"),
        ("fen m:n,s:sw,./T,b:sw,s:se/s:w,.,s:ne", "impossible-position", "one hole, not 2"),
        ("fen m:n,s:sw,s:nwse/s:se,b:sw,s:se/s:w,.,s:ne", "impossible-position", "one submarine, not 0"),
        ("fen .,s:e,T/s:sw,s:n,s:se/s:w,m:n,b:se", "impossible-position", "s:e on b3 and T on c3 overlap"),
        ("startpos moves b2", "bad-move", "two squares"),
        ("startpos moves b2z9", "bad-move", "not on the board"),
        ("startpos moves a3a2", "illegal-move", "a2 is not the hole"),
        ("startpos moves a1b1", "illegal-move", "is blocked"),
        ("startpos moves a3b1", "illegal-move", "not beside the hole"),
        ("startpos moves b1b0", "illegal-move", "cannot leave"),
    ],
    "match3": [
        ("fen 12/1", "bad-position", "row 2 has 1 cells, row 1 has 2"),
        ("fen 1é/12", "bad-position", "row 1, column 2"),
        ("fen 12//12", "bad-position", "row 2 is empty"),
        ("fen", "bad-position", "no cells"),
        ("fen 12/.1", "impossible-position", "a2"),
        ("fen " + "1" * 17, "too-large", "17 columns"),
        ("startpos moves a1", "bad-move", ""),
        ("startpos moves a1a2", "illegal-move", ""),
    ],
    "knights-tour": [
        ("fen 8", "bad-position", ""),
        ("fen 0x8", "bad-position", "0 x 8"),
        ("fen 1000000x1000000", "too-large", "at most 100000000"),
        ("fen 8x8 start i1", "bad-position", "start: 'i1'"),
        ("fen 8x8 start a1 end a1", "bad-position", "same square a1"),
        ("fen 8x8 start a1 end b1 closed", "bad-position", "no end"),
        ("fen 8x8 open", "bad-position", "'open' is not start, end or closed"),
        ("fen 8x8 start", "bad-position", "'start' needs a square after it"),
        ("fen 8x8 closed closed", "bad-position", "'closed' is given twice"),
        ("fen 8x8 moves a1b2", "illegal-move", ""),
        ("fen 8x8 moves a1b3 b3a1", "illegal-move", ""),
        ("fen 8x8 moves a1b3 c1d3", "illegal-move", ""),
        ("fen 8x8 moves a1b3 b3", "bad-move", ""),
    ],
}


@pytest.mark.parametrize("variant", BAD_POSITIONS)
def test_bad_position_is_refused_and_the_old_one_stays(variant):
    table = Table(variant)
    table.position(BEFORE.get(variant, "startpos"))
    before = table.game.describe()
    for words, code, text in BAD_POSITIONS[variant]:
        error = refusal(table.position, words)
        assert error.code == code and text in str(error), words
        assert table.game.describe() == before, words


NEEDS_WIDE_KEYS = """
import sys
from tests.helpers.puzzle_table import Table
table = Table("klotski")
table.position("startpos")
assert "junqi_puzzles.klotski.wide" not in sys.modules
table.position("fen ABCDE/FGHIJ/KLMNO/PQRST/UVWX. goal ABCDE/FGHIJ/KLMNO/PQRST/UVW.X")
from junqi_puzzles.klotski import wide
assert all(each.is_ready() for each in (wide.expand, wide.search, wide.link, wide.fill, wide.look_up))
print(*table.go())
"""


def test_kernels_for_wide_keys_load_on_demand():
    said = subprocess.run([sys.executable, "-c", NEEDS_WIDE_KEYS], capture_output=True, text=True, check=True).stdout
    assert said.startswith("Xr ")


def test_moves_of_klotski_follow_the_metric():
    for metric, allowed in (
        ("move", ["Gd", "Gdr", "Irr", "Ir"]),
        ("line", ["Gd", "Irr", "Ir"]),
        ("unit", ["Gd", "Ir"]),
    ):
        table = Table("klotski", Metric=metric)
        for move in ("Gd", "Gdr", "Irr", "Ir"):
            if move in allowed:
                table.position(f"startpos moves {move}")
            else:
                assert refusal(table.position, f"startpos moves {move}").code == "illegal-move"


def test_axes_are_locked_by_an_option():
    table = Table("klotski", Axis_Locked=True)
    table.position("fen .B./.B./AA./... goal .../.../.AA/...")
    assert sorted(table.game.legal()) == ["Ar"]
    table.set("Axis_Locked", False)
    assert "Ad" in table.game.legal()


@pytest.mark.parametrize("seed", long_after(2, range(5)))
def test_random_play_agrees_with_the_slow_twin(seed):
    """Replay equals state, what is written is read back, legal moves are the slow twin's."""
    random = Random(seed)
    text, locked = random_puzzle(random)
    table = Table("klotski", Axis_Locked=locked)
    slow = SlowSliding(text, locked)
    pieces, moves = slow.start, []
    for _ in range(20):
        table.position(" ".join(["fen", text, *(["moves", *moves] if moves else [])]))
        written = next(line for line in table.game.describe() if line.startswith("fen "))
        assert str(klotski.parse(written[4:], locked)) == written[4:]
        assert SlowSliding(written[4:], locked).start == pieces
        legal = table.game.legal()
        ends = sorted((move[0], sorted(after[move[0]])) for move, after in slow.successors(pieces, "move"))
        assert sorted((move[0], sorted(played(slow, pieces, move)[move[0]])) for move in legal) == ends
        if not legal:
            break
        moves.append(random.choice(legal))
        pieces = played(slow, pieces, moves[-1])


def played(slow, pieces, move):
    for direction in move[1:]:
        pieces = slow.shifted(pieces, move[0], direction)
    return pieces


def test_d_shows_the_waves_of_the_last_swap_before_the_board():
    table = Table("match3")
    table.position("startpos moves b3b4")
    lines = table.game.describe()
    assert lines[0] == "wave 1 of b3b4: 3 points"
    assert lines[9:11] == ["after b3b4", "...."]
    assert all(lines)


# `go`


@pytest.mark.parametrize(
    ("variant", "options", "position", "request_", "move", "said"),
    [
        ("klotski", {}, f"fen AEEC/AFGC/DHIK/DBBJ/.BB. goal {GOAL}", {}, "(none)", "score mate 0"),
        ("klotski", {}, "fen AB.. goal B...", {}, "(none)", "unsolvable proven by 6 states"),
        ("klotski", {}, "fen ABCD/EFGH/IJKL/MON. goal ABCD/EFGH/IJKL/MNO.", {}, "(none)",
         "unsolvable proven by parity: an odd number of pieces has been exchanged"),
        ("klotski", {}, "startpos", {"depth": 80}, "(none)", "no solution within 80 steps: depth limit, 23792 states"),
        ("klotski", {}, "startpos", {"depth": 81}, "Gd", "score mate 81"),
        ("klotski", {}, "startpos", {"nodes": 500}, "(none)", ""),
        ("submarine", {}, "startpos", {"depth": 5}, "(none)", ""),
        ("match3", {}, "startpos", {}, None, "info depth 3 score cp 15 "),
        ("match3", {"Scoring": "1/4/10"}, "startpos", {"depth": 2}, None, "score cp 9 "),
        ("match3", {}, "startpos", {"depth": 2, "searchmoves": ("c1d1",)}, "c1d1", ""),
        ("match3", {}, "fen 111/232/323", {"depth": 1}, None, "info string warning: the board had runs"),
        ("match3", {"StartWithRuns": "score"}, "fen 111/232/323", {"depth": 0}, "(none)", "score cp 1 "),
        ("knights-tour", {}, "fen 4x4", {}, "(none)", "unsolvable no tour of 4 x 4"),
    ],
)  # fmt: skip
def test_go_answers_with_bestmove_and_info(variant, options, position, request_, move, said):
    table = Table(variant, **options)
    table.position(position)
    found, lines = table.go(**request_)
    assert found == move if move else found in (*table.game.legal(), NO_MOVE_TEXT)
    assert any(said in line for line in lines)


@pytest.mark.parametrize(
    ("variant", "options", "position", "request_", "code"),
    [
        ("klotski", {}, "startpos", {"searchmoves": ("Gd",)}, "not-supported"),
        ("match3", {}, "startpos", {"searchmoves": ("a1b1",)}, "illegal-move"),
        ("match3", {"StartWithRuns": "error"}, "fen 111/232/323", {}, "impossible-position"),
    ],
)
def test_go_refuses_bad_requests(variant, options, position, request_, code):
    table = Table(variant)
    table.position(position)
    for name, value in options.items():
        table.set(name, value)
    assert refusal(table.go, **request_).code == code


@pytest.mark.parametrize(("variant", "left", "length"), [("klotski", 81, 2), ("submarine", 6, 6)])
def test_repeated_go_approaches_the_goal(variant, left, length):
    table, moves = Table(variant, MultiPV=3 if variant == "submarine" else 1), []
    for number in range(length):
        table.position(" ".join(["startpos", "moves", *moves]))
        move, lines = table.go()
        assert any(f"score mate {left - number} " in line for line in lines)
        moves.append(move)
    if variant == "submarine":
        assert moves[-1] == "b1b0"


def test_several_solutions_differ_and_all_are_counted():
    table = Table("klotski", MultiPV=5)
    move, lines = table.go()
    pvs = [line.partition(" pv ")[2] for line in lines if " pv " in line]
    assert len(set(pvs)) == 5 and pvs[0].split()[0] == move
    assert "info string solutions 256" in lines
    slow = SlowSliding(f"{START} goal {GOAL}")
    ways = set()
    for pv in pvs:
        moves = pv.split()
        ways.add(tuple(slow.canonical(slow.replay(moves[:count], "move")) for count in range(len(moves) + 1)))
        assert slow.is_goal(slow.replay(moves, "move"))
    assert len(ways) == 5


def test_full_hash_is_refused_as_too_large():
    table = Table("klotski", Hash=2)
    table.position(JAM)
    error = refusal(table.go)
    assert error.code == "too-large" and "states" in str(error)


def test_match3_pv_has_the_swaps_in_playing_order():
    table = Table("match3")
    move, lines = table.go(depth=4)
    told = re.fullmatch(r"info depth 4 score cp (\d+) nodes \d+ time \d+ nps \d+ pv (.*)", lines[-2])
    swaps, puzzle = told[2].split(), Match3()
    assert swaps == ["a5b5", "b5b4", "b3c3", "a3b3"] and move == swaps[0] and lines[-1] == "info string optimal"
    assert puzzle.play_all(puzzle.parse(puzzle.start), swaps).points == int(told[1]) == 17


def test_several_lines_of_match3():
    table = Table("match3", MultiPV=4)
    _, lines = table.go(depth=2)
    assert [line.split(" score ")[0] for line in lines[:-1]] == [f"info depth 2 multipv {n}" for n in (1, 2, 3, 4)]
    scores = [int(re.search(r"score cp (\d+)", line)[1]) for line in lines[:-1]]
    assert scores == sorted(scores, reverse=True)
    _, lines = table.go(depth=8, nodes=1000)
    assert all(int(re.search(r"nodes (\d+)", line)[1]) <= 1040 for line in lines[:-1]), "of all lines together"


def steps_of(rows: int, columns: int, moves: list[str]) -> list[list[int]]:
    """The board of steps that a pv walks over."""
    steps = [[-1] * columns for _ in range(rows)]
    names = [re.fullmatch(r"([a-z]+)(\d+)([a-z]+)(\d+)", move) for move in moves]
    squares = [(names[0][1], names[0][2]), *((name[3], name[4]) for name in names)]
    for step, (file, rank) in enumerate(squares):
        steps[rows - int(rank)][ord(file) - ord("a")] = step
    return steps


@pytest.mark.parametrize(
    "text",
    [
        *("8x8 start c3 end d3", "3x10 closed", "12x5 end a1", "6x6 start a1 closed moves a1b3 b3c5"),
    ],
)
def test_pv_completes_the_tour(text):
    table, closed = Table("knights-tour"), "closed" in text
    rows, columns = map(int, text.split()[0].split("x"))
    table.position(f"fen {text}")
    move, lines = table.go()
    begun = text.partition(" moves ")[2].split()
    pv = lines[-1].partition(" pv ")[2].split()
    assert pv[0] == move
    moves = begun + pv
    assert len(moves) == rows * columns - 1 + closed
    if closed:
        assert moves[-1].endswith(moves[0][:2])
        moves = moves[:-1]
    assert is_tour(steps_of(rows, columns, moves), closed)
    start, end = (re.search(rf"{word} (\w+)", text) for word in ("start", "end"))
    assert start is None or moves[0].startswith(start[1])
    assert end is None or moves[-1].endswith(end[1])
    # All of it played: nothing is left to do.
    table.position(f"fen {text.partition(' moves ')[0]} moves {' '.join(begun + pv)}")
    move, (line,) = table.go()
    assert (move, line.partition(" time ")[0]) == ("(none)", "info depth 0 score mate 0 nodes 0")


@pytest.mark.parametrize("position", ["fen 199x199 moves cv100cw102 cw102cx104", "fen 4x400001 start a1"])
def test_movetime_ends_the_search_for_a_tour(position):
    table = Table("knights-tour")
    table.position(position)
    table.go(movetime_ms=1)  # loads the kernels
    began = time.monotonic()
    move, lines = table.go(movetime_ms=100)
    assert time.monotonic() - began < 0.1 + 0.05 * SLACK
    assert move == NO_MOVE_TEXT and "stopped" in lines[-1]


# `go hint`, `go generate`


@pytest.mark.parametrize(
    ("variant", "position", "request_", "move", "said"),
    [
        ("klotski", TWO_STEPS, {}, "ad", ["hint left 2 moves ad adr"]),
        ("klotski", f"{TWO_STEPS} moves bd", {}, "ar", ["hint left 2 moves ar ad"]),
        ("klotski", "fen b./.. goal b./..", {}, "(none)", ["hint left 0"]),
        ("klotski", "fen ab/cd goal ba/cd", {}, "(none)", ["unsolvable from here"]),
        ("submarine", "startpos moves b2b1 b1b2", {}, "b2b1", ["hint left 6 moves b2b1"]),
        ("match3", "startpos moves b4b3", {"depth": 2}, "b7b6", ["hint left 6 moves b7b6 c7c6 c5d5"]),
        ("match3", "startpos moves b4b3", {"depth": 7}, "a4a3", None),
        ("knights-tour", "fen 3x4 start a1 moves a1b3", {}, "(none)", ["unsolvable from here"]),
        ("knights-tour", "fen 3x4 start a1 moves a1c2", {}, "c2a3", ["hint left 10 moves c2a3"]),
    ],
)
def test_hint(variant, position, request_, move, said):
    table = Table(variant)
    table.position(position)
    assert table.ask(table.game.hint, **request_) == move
    if said is None:
        assert len(table.lines) == 1, "8 swaps are too many to compare"
    else:
        assert table.lines == [f"info string {line}" for line in said]


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
def test_generate_refuses_impossible_requests(variant, request_, code):
    table = Table(variant)
    assert refusal(table.ask, table.game.generate, generate=True, **request_).code == code


@pytest.mark.parametrize(
    ("variant", "position", "said"),
    [
        ("klotski", "fen AB/CD goal BA/CD", "no cell is empty"),
        ("klotski", "fen AA/.. goal AA/..", None),
        ("klotski", "fen A#B/#.. goal A#./#..", "no piece of the goal can move"),
        ("match3", "fen 12/21", "no swap can make a run on a board of 2 x 2"),
        ("match3", "fen 123", "no swap can make a run"),
        ("match3", "fen 123/312", "3 swaps take at least 9 pieces"),
    ],
)
def test_board_without_any_puzzle_is_refused_immediately(monkeypatch, variant, position, said):
    monkeypatch.setattr(junqi_puzzles.difficulty, "MAX_SEARCH_S", 1)
    table = Table(variant)
    table.position(position)
    if said is None:
        assert table.ask(table.game.generate, generate=True) is None
    else:
        error = refusal(table.ask, table.game.generate, generate=True)
        assert error.code == "bad-position" and said in str(error)


def test_generate_reports_progress():
    with Engine() as engine:
        engine.ask("setoption name UCI_Variant value klotski", "position fen A../... goal .../..A")
        engine.send("go generate hard")
        engine.lines_until("info string generating: 0 of 1 puzzles", deadline_s=SLACK)
        assert engine.ask("stop")[-2:] == ["bestmove (none)", "readyok"]


@pytest.mark.parametrize("text", ["1x1", "1x1 start a1", "1x1 end a1"])
def test_tour_of_one_square_is_solved(text):
    table = Table("knights-tour")
    table.position(f"fen {text}")
    assert table.game.puzzle.is_solved(table.game.board)
    assert table.go()[1][0].startswith("info depth 0 score mate 0 ")
    assert table.ask(table.game.hint) == NO_MOVE_TEXT and table.lines == ["info string hint left 0"]
    assert table.game.evaluate(table.control())[0].startswith("difficulty easy steps 0 ")


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (b"hint depth 3", {"hint": True, "depth": 3}),
        (b"generate", {"generate": True}),
        (b"movetime 9 generate easy depth 2", {"generate": True, "level": "easy", "depth": 2, "movetime_ms": 9}),
        (b"generate depth 2", {"generate": True, "depth": 2}),
    ],
)
def test_parse_go_reads_hint_and_generate(words, fields):
    assert parse_go(words) == GoRequest(**fields)


# `export`


@pytest.mark.parametrize("variant", ["klotski", "submarine", "match3"])
def test_solution_is_written_as_text(variant, tmp_path):
    table = Table(variant)
    table.position(TWO_STEPS if variant == "klotski" else "startpos")
    table.go()
    moves = table.game.solution.moves
    table.position("startpos moves Gd" if variant == "klotski" else "startpos")  # the solution is still of the first
    table.game.export(str(tmp_path / "way"))
    text = (tmp_path / "way").read_text().splitlines()
    assert text[0].startswith("# ") and [line for line in text if line in moves] == list(moves)
    assert refusal(table.game.export, str(tmp_path / "no" / "way")).code == "bad-file"


OWN_OPTIONS = [
    ("klotski", {"Metric": "unit", "Axis_Locked": "true"}),
    ("match3", {"Scoring": "3/2/1", "LongRun": "ignore", "EmptySwap": "true", "StartWithRuns": "error"}),
]
"""The options on which a board depends."""


@pytest.mark.parametrize(("variant", "options"), OWN_OPTIONS)
def test_export_writes_the_solution_under_the_options_of_its_go(variant, options, tmp_path):
    table = Table(variant)
    table.position("fen AA../.... goal ..AA/...." if variant == "klotski" else "startpos")
    table.go()
    table.game.export(str(tmp_path / "before"))
    for name, value in options.items():
        table.set(name, value)
        table.game.export(str(tmp_path / name))
        assert (tmp_path / name).read_text() == (tmp_path / "before").read_text()


@pytest.mark.parametrize("variant", ["klotski", "submarine", "match3", "knights-tour"])
def test_option_that_a_board_does_not_depend_on_keeps_its_tables(variant):
    table = Table(variant)
    kept, own = table.game.puzzle, dict(OWN_OPTIONS).get(variant, {})
    for option in OPTIONS:
        if option.name.replace(" ", "_") not in (*own, "UCI_Variant"):
            table.dispatcher.set_option(["name", option.name, "value", str(option.default)], table.control())
    assert table.game.puzzle is kept
    for name, value in own.items():
        table.set(name, value)
        assert table.game.puzzle is not kept


def test_generate_says_that_hash_is_too_small():
    table = Table("klotski", Hash=1, Seed=1)
    table.position("fen ABC./DE../FGH./.... goal ..../..../..../...A")
    error = refusal(table.ask, table.game.generate, generate=True)
    assert error.code == "too-large" and "Hash" in str(error)
    table.set("Hash", 16)
    table.ask(table.game.generate, generate=True)
    assert any(line.startswith("info string generated fen ") for line in table.lines)


def test_tour_is_written_as_an_array_or_as_text(tmp_path):
    table = Table("knights-tour")
    table.position("fen 6x8 start a6")
    table.go()
    for name in ("tour.npy", "tour.txt"):
        table.game.export(str(tmp_path / name))
    text = (tmp_path / "tour.txt").read_text().splitlines()
    steps = np.load(tmp_path / "tour.npy").tolist()
    assert is_tour(steps) and [[int(word) for word in line.split()] for line in text] == steps
    assert len({len(line) for line in text}) == 1


@pytest.mark.parametrize("variant", ["submarine", "knights-tour"])
def test_export_replaces_nothing_and_waits_for_nobody(variant, tmp_path):
    """A pipe without a reader stopped every later `go`."""
    table = Table(variant)
    table.position("startpos")
    table.go()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "folder").mkdir()
    for path in (Path(os.devnull), *tmp_path.iterdir()):
        error = refusal(table.game.export, str(path))
        assert error.code == "bad-file" and str(error).endswith(": File exists")
    assert (tmp_path / "file").read_text() == "mine" and not (tmp_path / "target").exists()


def test_programs_of_the_page_run():
    names: dict = {}
    with redirect_stdout(StringIO()) as said:
        for program in re.findall(r"```python\n(.*?)```", read("docs/puzzles.md"), flags=re.DOTALL):
            exec(program, names)
    assert names["hint"].left == 80 and said.getvalue().count("easy steps") == 2
