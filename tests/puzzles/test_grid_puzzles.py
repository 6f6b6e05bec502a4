"""Match-3 and knight's tours behind the protocol: what `Game` promises, and every class of bad input."""

import os
import re
import time
from pathlib import Path

import numpy as np
import pytest

from junqi_protocol.variant_game import Rejection
from tests.helpers.engine import Engine
from tests.helpers.puzzle_table import Table
from tests.references.slow_knights import is_tour


@pytest.fixture
def match3() -> Table:
    return Table("match3")


@pytest.fixture
def tours() -> Table:
    return Table("knights-tour")


@pytest.fixture
def submarine() -> Table:
    return Table("submarine")


def test_match3_finds_the_known_best(match3):
    move, lines = match3.go(depth=4)
    assert move == "a5b5"
    assert re.match(r"info depth 4 score cp 17 nodes \d+ time \d+ nps \d+ pv a5b5 b5b4 b3c3 a3b3$", lines[-2])
    assert lines[-1] == "info string optimal"
    assert match3.go()[1][-2].startswith("info depth 3 score cp 15 ")
    match3.set("Scoring", "1/4/10")
    assert "score cp 9 " in match3.go(depth=2)[1][-2]


def test_match3_says_when_it_is_not_sure(match3):
    match3.position("fen 44252113/22355255/14141135/35414542/25245211/21124544/12115235/45253153")
    move, lines = match3.go(depth=9, nodes=20_000)
    at_most = re.fullmatch(r"info string best so far, at most (\d+)", lines[-1])
    assert at_most and move in match3.game.legal()
    assert int(at_most[1]) >= 23
    match3.set("Hash", 1)
    assert re.search(r"info string (optimal|best so far, at most \d+)$", match3.go(depth=7, movetime_ms=3000)[1][-1])


def test_match3_several_lines(match3):
    match3.set("MultiPV", 4)
    _, lines = match3.go(depth=2)
    assert [line.split(" score ")[0] for line in lines[:-1]] == [f"info depth 2 multipv {n}" for n in (1, 2, 3, 4)]
    scores = [int(re.search(r"score cp (\d+)", line)[1]) for line in lines[:-1]]
    assert scores == sorted(scores, reverse=True)
    assert match3.go(depth=2, searchmoves=("c1d1",))[0] == "c1d1"
    with pytest.raises(Rejection) as rejection:
        match3.go(searchmoves=("a1b1",))
    assert rejection.value.code == "illegal-move"


def test_match3_perft(match3):
    match3.lines.clear()
    match3.game.perft(2, match3.control())
    counts = [int(line.split()[-1]) for line in match3.lines[:-1]]
    assert re.match(rf"info depth 2 nodes {sum(counts)} time", match3.lines[-1])
    assert len(counts) == len(match3.game.legal())


def test_match3_options_on_the_board(match3, tmp_path):
    match3.position("fen 111/232/323")
    assert match3.go(depth=1)[1][0].startswith("info string warning: the board had runs")
    match3.set("StartWithRuns", "score")
    assert "score cp 1 " in match3.go(depth=0)[1][1]
    match3.set("StartWithRuns", "error")
    with pytest.raises(Rejection) as rejection:
        match3.go()
    assert rejection.value.code == "impossible-position"
    match3.position("startpos")
    match3.go()
    match3.game.export(str(tmp_path / "line.txt"))
    assert (tmp_path / "line.txt").read_text().startswith("# 15 points in 3 swaps\n3343\n")
    with pytest.raises(Rejection) as rejection:
        match3.game.export(str(tmp_path / "no" / "line.txt"))
    assert rejection.value.code == "bad-file"


@pytest.mark.parametrize("name", ["submarine", "tours"])
@pytest.mark.parametrize("kind", ["pipe", "file", "link", "device", "folder"])
def test_an_export_replaces_nothing_and_waits_for_nobody(name, kind, request, tmp_path):
    """A pipe without a reader stopped every later `go`."""
    puzzle = request.getfixturevalue(name)
    puzzle.position("startpos")
    puzzle.go()
    path = tmp_path / "out"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "file":
        path.write_text("mine")
    elif kind == "link":
        path.symlink_to(tmp_path / "target")
    elif kind == "folder":
        path.mkdir()
    else:
        path = Path(os.devnull)
    with pytest.raises(Rejection) as rejection:
        puzzle.game.export(str(path))
    assert rejection.value.code == "bad-file" and str(rejection.value).endswith(": File exists")
    assert kind != "file" or path.read_text() == "mine"
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("fen 12/1", "bad-position"),
        ("fen 1?", "bad-position"),
        ("fen", "bad-position"),
        ("fen 12 21", "bad-position"),
        ("nonsense", "bad-argument"),
        ("", "bad-argument"),
        ("fen 12/.1", "impossible-position"),
        ("fen " + "1" * 17, "too-large"),
        ("startpos moves a1", "bad-move"),
        ("startpos moves a1a2", "illegal-move"),
        ("startpos moves b4b3 z1z2", "bad-move"),
    ],
)
def test_match3_rejects_and_keeps(match3, text, code):
    match3.position("startpos moves b4b3")
    before = match3.game.describe()
    with pytest.raises(Rejection) as rejection:
        match3.position(text)
    assert rejection.value.code == code
    assert "\n" not in str(rejection.value)
    assert match3.game.describe() == before


def steps_of(rows: int, columns: int, moves: list[str]) -> list[list[int]]:
    """The board of steps that a pv walks over."""
    steps = [[-1] * columns for _ in range(rows)]
    names = [re.fullmatch(r"([a-z]+)(\d+)([a-z]+)(\d+)", move) for move in moves]
    squares = [(names[0][1], names[0][2]), *((name[3], name[4]) for name in names)]
    for step, (file, rank) in enumerate(squares):
        steps[rows - int(rank)][ord(file) - ord("a")] = step
    return steps


@pytest.mark.parametrize(
    ("text", "rows", "columns", "closed"),
    [
        ("8x8 start a1", 8, 8, False),
        ("8x8 start c3 end d3", 8, 8, False),
        ("3x10 closed", 3, 10, True),
        ("12x5 end a1", 12, 5, False),
        ("20x26", 20, 26, False),
        ("6x6 start a1 closed moves a1b3 b3c5", 6, 6, True),
    ],
)
def test_tours_are_shown_whole(tours, text, rows, columns, closed):
    tours.position(f"fen {text}")
    move, lines = tours.go()
    begun = text.partition(" moves ")[2].split()
    pv = lines[-1].partition(" pv ")[2].split()
    assert pv[0] == move
    moves = begun + pv
    assert len(moves) == rows * columns - 1 + closed
    if closed:
        assert moves[-1].endswith(moves[0][:2])
        moves = moves[:-1]
    assert is_tour(steps_of(rows, columns, moves), closed)
    start = re.search(r"start (\w+)", text)
    end = re.search(r"end (\w+)", text)
    assert start is None or moves[0].startswith(start[1])
    assert end is None or moves[-1].endswith(end[1])
    # All of it played: nothing is left to do.
    tours.position(f"fen {text.partition(' moves ')[0]} moves {' '.join(begun + pv)}")
    move, (line,) = tours.go()
    assert (move, line.partition(" time ")[0]) == ("(none)", "info depth 0 score mate 0 nodes 0")


def test_large_tours_go_to_a_file(tours, tmp_path):
    tours.position("fen 100x100 closed")
    move, lines = tours.go()
    assert " pv " not in lines[0] and "export FILE" in lines[1]
    assert re.fullmatch(r"[a-z]+\d+[a-z]+\d+", move)
    tours.game.export(str(tmp_path / "tour.npy"))
    assert is_tour(np.load(tmp_path / "tour.npy").tolist(), closed=True)
    with pytest.raises(Rejection) as rejection:
        tours.game.export(str(tmp_path / "tour.svg"))
    assert rejection.value.code == "too-large"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4x4", "no tour of 4 x 4"),
        ("7x7 start a2", "corners"),
        ("5x5 closed", "odd"),
        ("8x8 start a1 end h8", "colours"),
    ],
)
def test_impossible_tours_say_why(tours, text, reason):
    tours.position(f"fen {text}")
    move, lines = tours.go()
    assert move == "(none)"
    assert lines[-1].startswith("info string unsolvable") and reason in lines[-1]


def test_tours_textbook_methods(tours):
    tours.set("Method", "warnsdorff")
    assert tours.go(nodes=100_000)[0] != "(none)"
    tours.set("Method", "dfs")
    move, lines = tours.go(nodes=5000)
    assert move == "(none)" and "within 5000 nodes" in lines[-1]
    tours.set("Method", "backtracking")
    with pytest.raises(Rejection) as rejection:
        tours.go()
    assert rejection.value.code == "not-supported"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("fen", "bad-position"),
        ("fen 8", "bad-position"),
        ("fen 0x8", "bad-position"),
        ("fen 1000000x1000000", "too-large"),
        ("fen 8x8 start i1", "bad-position"),
        ("fen 8x8 start a9", "bad-position"),
        ("fen 8x8 start a0", "bad-position"),
        ("fen 8x8 start", "bad-position"),
        ("fen 8x8 start a1 end a1", "bad-position"),
        ("fen 8x8 start a1 end b1 closed", "bad-position"),
        ("fen 8x8 sideways", "bad-position"),
        ("fen 8x8 closed closed", "bad-position"),
        ("8x8", "bad-argument"),
        ("fen 8x8 moves a1b2", "illegal-move"),
        ("fen 8x8 moves a1b3 b3a1", "illegal-move"),
        ("fen 8x8 moves a1b3 c1d3", "illegal-move"),
        ("fen 8x8 moves a1b3 b3", "bad-move"),
        ("fen 8x8 moves a1i9", "bad-move"),
    ],
)
def test_tours_reject_and_keep(tours, text, code):
    tours.position("fen 6x7 start b1 moves b1d2")
    before = tours.game.describe()
    with pytest.raises(Rejection) as rejection:
        tours.position(text)
    assert rejection.value.code == code
    assert "\n" not in str(rejection.value)
    assert tours.game.describe() == before


def test_stop_does_not_wait_for_a_giant_tour():
    with Engine() as engine:
        engine.ask("setoption name UCI_Variant value knights-tour", "position fen 7001x7001 start a1 end c1")
        engine.send("go infinite")
        engine.ask()
        asked = time.monotonic()
        engine.send("stop")
        engine.until("bestmove")
        assert engine.times[-1] - asked < 0.1 * 10
