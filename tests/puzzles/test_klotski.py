"""Sliding-block puzzles: the fewest steps, against known optima and against a slow twin; parity."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from junqi_engine.errors import Refused
from junqi_puzzles import klotski
from junqi_puzzles.base import Ending, Limits, Search
from junqi_puzzles.klotski import Metric
from junqi_puzzles.klotski import tables as klotski_tables
from junqi_puzzles.klotski.breadth_first import FIRST_GOAL
from junqi_puzzles.klotski.search import Expander, States
from junqi_puzzles.klotski.solver import is_excluded
from junqi_puzzles.klotski.tables import tables_of
from tests.helpers.marking import long_after
from tests.helpers.sliding_boards import random_puzzle
from tests.references.slow_sliding import SlowSliding, slow_survey

DATA = Path(__file__).parents[1] / "data"
ROOM = Limits(memory_bytes=1 << 30)
# These take millions of positions in some metric; the benchmark measures all of them.
HEAVY = {"Four Balls", "Solomon"}


def positions(name: str) -> list[dict]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))["positions"]


def check_position(position: dict) -> None:
    text, locked = f"{position['board']} goal {position['goal']}", position.get("axis_locked", False)
    board = klotski.parse(text, locked)
    slow = SlowSliding(text, locked)
    for metric in Metric:
        if metric.value not in position or (position["name"] in HEAVY and metric is not Metric.MOVE):
            continue
        result = klotski.solve(board, metric, limits=ROOM)
        assert result.steps == position[metric.value], (position["name"], metric)
        if result.steps is None:
            assert result.ending is Ending.UNSOLVABLE
            continue
        moves = result.solutions[0].moves
        assert len(moves) == result.steps
        assert slow.is_goal(slow.replay(moves, metric.value))


@pytest.mark.parametrize("part", long_after(1, range(4)))
def test_known_optima_of_klotski(part):
    for position in positions("klotski.json")[part::4]:
        check_position(position)


@pytest.mark.parametrize(
    "position", long_after(3, positions("sliding_blocks.json")), ids=lambda position: position["name"]
)
def test_known_optima_of_other_puzzles(position):
    if "published" not in position:
        check_position(position)


@pytest.mark.parametrize(
    ("text", "locked"),
    [("A#./.#B goal .#./.#A", False), ("A#C/.#. goal .#A/.#.", False), ("A./=./B#/B. goal ../B./B./A.", True)],
)
@pytest.mark.parametrize("solutions", [1, 4])
def test_unreachable_goal_is_unsolvable(text, locked, solutions):
    board = klotski.parse(text, locked)
    for metric in Metric:
        outcome = klotski.solve(board, metric, limits=Limits(solutions=solutions))
        assert outcome.ending is Ending.UNSOLVABLE
        assert outcome.solutions == ()


@pytest.fixture(params=["64", "128"])
def bits(request, monkeypatch):
    """The width of keys: of 128 bits also for boards that need fewer."""
    if request.param == "128":
        monkeypatch.setattr(klotski_tables, "NARROW_BITS", -1)


@pytest.mark.bounds
@pytest.mark.parametrize("part", long_after(2, range(4)))
def test_agrees_with_slow_search(part, bits):
    random = Random(part)
    compared = 0
    while compared < 75:
        text, locked = random_puzzle(random)
        slow = SlowSliding(text, locked)
        board = klotski.parse(text, locked)
        for metric in Metric:
            expected = slow_survey(slow, metric.value, 700)
            if expected is None:
                break
            compared += 1
            check_against(board, slow, metric, expected)


def check_against(board, slow, metric, expected):
    table = klotski.Klotski(metric, board.axis_locked).table(board, Search())
    assert table is not None and table.distance(board) == expected.steps, (str(board), metric)
    assert (table.states, sum(table.per_step[:1])) == (expected.states, expected.goals), (str(board), metric)
    assert table.states - sum(table.per_step) == expected.dead_ends, (str(board), metric)
    result = klotski.solve(board, metric, limits=Limits(solutions=4))
    assert result.steps == expected.steps
    assert result.statistics.nodes <= expected.states
    if result.steps is not None:
        assert result.statistics.solution_count == expected.ways
        assert len(result.solutions) == min(4, expected.ways)
        assert len({tuple(slow_positions(slow, solution)) for solution in result.solutions}) == len(result.solutions)
        for solution in result.solutions:
            assert slow.is_goal(slow.replay(solution.moves, metric.value))
    expected_moves = sorted(str(slow.canonical(after)) for _, after in slow.successors(slow.start, metric.value))
    hint = klotski.Klotski(metric, board.axis_locked).hint(board, Search())
    assert (hint.left, hint.is_proven, hint.is_complete) == (expected.steps, True, True)
    moves = klotski.Klotski(metric).legal_moves(board)
    assert set(hint.moves) <= set(moves)
    assert sorted(str(slow.canonical(slow.replay((move,), metric.value))) for move in moves) == expected_moves


def slow_positions(slow, solution):
    return [slow.canonical(slow.replay(solution.moves[:count], "move")) for count in range(len(solution.moves) + 1)]


@pytest.mark.parametrize(
    "text",
    [
        # More than 64 open cells; a list of interchangeable pieces.
        "A......../........./........./....##.../....##.../.bb....../........./.......cc goal "
        "........./........./........./....##.../....##.../........./........./A........",
        # 64 open cells; a list of interchangeable pieces.
        "A......./......../......../......../......../.bb...../......../......cc goal "
        "......../......../......../......../......../......../......../A.......",
        pytest.param(
            "A......../........./........./......b.. goal ........./........./........./........A",
            marks=pytest.mark.long,
        ),
        # All cells of the largest board, walls but for a corridor.
        "/".join(["A..bb.cc........", *["#" * 16] * 15]) + " goal " + "/".join([".......A........", *["." * 16] * 15]),
    ],
)
def test_large_boards(text):
    slow = SlowSliding(text)
    board = klotski.parse(text)
    for metric in Metric:
        expected = slow_survey(slow, metric.value, 3000)
        result = klotski.solve(board, metric, limits=replace(ROOM, solutions=3))
        if expected is not None:
            assert (result.steps, result.statistics.solution_count or 0) == (expected.steps, expected.ways)
        for solution in result.solutions:
            assert slow.is_goal(slow.replay(solution.moves, metric.value))


TWENTY_FOUR = "ABCDE/FGHIJ/KLMNO/PQRST/UVWX."
"""120 bits: 24 numbers of 5."""


def test_twenty_four_tiles_are_searched_within_memory():
    board = klotski.parse(f"{TWENTY_FOUR} goal {TWENTY_FOUR}")
    puzzle, random = klotski.Klotski(), Random(1)
    moves = []
    for _ in range(12):
        moves.append(random.choice(puzzle.legal_moves(board)))
        board = puzzle.play(board, moves[-1])
    outcome = puzzle.solve(board, limits=Limits(solutions=2))
    assert outcome.is_optimal and 0 < outcome.steps <= 12 and outcome.steps % 2 == 0
    assert outcome.solutions[0].boards[-1].is_solved and puzzle.format(puzzle.parse(puzzle.format(board)))
    hint = puzzle.hint(board, Search(Limits(memory_bytes=16 << 20)))
    assert hint.moves == outcome.solutions[0].moves[:1] and hint.left == outcome.steps and not hint.is_complete
    far = klotski.parse("XWVUT/SRQPO/NMLKJ/IHGFE/DCBA. goal ABCDE/FGHIJ/KLMNO/PQRST/UVWX.")
    outcome = klotski.solve(far, limits=Limits(memory_bytes=16 << 20))
    assert outcome.ending is Ending.MEMORY and outcome.statistics.nodes > 500_000
    assert outcome.statistics.memory_bytes <= 16 << 20
    assert klotski.solve(far, limits=Limits(nodes=1000)).ending is Ending.NODES
    assert klotski.solve(far, limits=Limits(depth=3)).ending is Ending.DEPTH
    assert klotski.solve(far, stop=bytearray(b"\1")).ending is Ending.STOPPED


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ("A" + "/".join(["." * 13] * 10)[1:], "the board has 130 cells without a wall; the limit is 128"),
        ("ABCDEF/GHIJKL/MNOPQR/STUVWX/YZabc.", "a position takes 145 bits; the limit is 128"),
    ],
)
def test_position_that_needs_more_than_128_bits(board, text):
    with pytest.raises(Refused, match=text) as error:
        klotski.Klotski().parse(f"{board} goal {board}")
    assert error.value.code == "too-large"
    with pytest.raises(Refused, match=text):
        klotski.solve(klotski.parse(f"{board} goal {board}"))


def test_full_hash_table_ends_the_search():
    position = next(position for position in positions("sliding_blocks.json") if position["name"] == "Four Balls")
    board = klotski.parse(f"{position['board']} goal {position['goal']}")
    result = klotski.solve(board, limits=Limits(memory_bytes=4 << 20))
    assert result.ending is Ending.MEMORY and result.statistics.nodes > 100_000 and not result.solutions


@pytest.mark.parametrize("goal", ["ABC/DE.", ".AB/CDE", "ABC/D..", "A.C/.ED", "AB#/CD.", "A#./BCD", "B#./AC."])
def test_parity_agrees_with_the_search(goal):
    """With walls, and with pieces that the goal does not name."""
    cells = [at for at, symbol in enumerate(goal) if symbol not in "#/"]
    orders = list(permutations("ABCDE"[: len(cells) - 1] + "."))
    for order in Random(1).sample(orders, 40):
        drawing = list(goal)
        for at, symbol in zip(cells, order, strict=True):
            drawing[at] = symbol
        board = klotski.parse(f"{''.join(drawing)} goal {goal}")
        tables = tables_of(board)
        states = States(Expander(tables, klotski.Metric.MOVE), np.array([tables.key(board)]), Search())
        is_unsolvable = states.run(FIRST_GOAL) is Ending.UNSOLVABLE
        assert is_excluded(board) == is_unsolvable if "#" not in goal else is_unsolvable >= is_excluded(board)
