"""The search for the fewest steps: against known optima and against a slow twin."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from puzzles import klotski
from puzzles.klotski import narrow
from puzzles.klotski.frontier import frontier_search
from puzzles.klotski.search import Ending, Limits, States, Stepper
from puzzles.klotski.tables import tables_of
from tests.references.slow_sliding import SlowSliding, slow_survey
from tests.sliding_boards import random_puzzle

DATA = Path(__file__).parent / "data"
ROOM = Limits(bytes=1 << 30)
# These take millions of positions in some metric; the benchmark measures all of them.
HEAVY = {"Four Balls", "Solomon"}


def positions(name: str) -> list[dict]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))["positions"]


def check_position(position: dict) -> None:
    text, locked = f"{position['board']} goal {position['goal']}", position.get("axis_locked", False)
    board = klotski.parse(text, locked)
    tables = tables_of(board)
    slow = SlowSliding(text, locked)
    for metric in klotski.METRICS:
        if metric not in position or (position["name"] in HEAVY and metric != "move"):
            continue
        result = klotski.solve(board, metric, limits=ROOM, tables=tables)
        assert result.steps == position[metric], (position["name"], metric)
        if result.steps is None:
            assert result.ending is Ending.EXHAUSTED
            continue
        moves = result.solutions[0].moves
        assert len(moves) == result.steps
        assert slow.is_goal(slow.replay(moves, metric))


@pytest.mark.parametrize("part", range(4))
def test_known_optima_of_klotski(part):
    for position in positions("klotski.json")[part::4]:
        check_position(position)


@pytest.mark.parametrize("position", positions("sliding_blocks.json"), ids=lambda position: position["name"])
def test_known_optima_of_other_puzzles(position):
    if "published" not in position:
        check_position(position)


def test_component_sizes():
    assert klotski.survey(klotski.from_code(klotski.START)).states == 25_955
    century = klotski.parse("abcd/aeAA/feAA/fgg./iih. goal ..../..../..../.AA./.AA.")
    assert klotski.survey(century).states == 81_340


@pytest.mark.parametrize("part", range(4))
def test_agrees_with_slow_search(part):
    random = Random(part)
    compared = 0
    while compared < 75:
        text, locked = random_puzzle(random)
        slow = SlowSliding(text, locked)
        board = klotski.parse(text, locked)
        for metric in klotski.METRICS:
            expected = slow_survey(slow, metric, 700)
            if expected is None:
                break
            compared += 1
            check_against(board, slow, metric, expected)


def check_against(board, slow, metric, expected):
    found = klotski.survey(board, metric)
    assert found.is_complete
    assert (found.steps, found.solutions) == (expected.steps, expected.ways), (str(board), metric)
    assert (found.states, found.goals) == (expected.states, expected.goals), (str(board), metric)
    assert (found.farthest_steps, found.dead_ends) == (expected.farthest, expected.dead_ends), (str(board), metric)
    result = klotski.solve(board, metric, solutions=4)
    assert result.steps == expected.steps
    assert result.states <= expected.states
    if result.steps is not None:
        assert result.count == expected.ways
        assert len(result.solutions) == min(4, expected.ways)
        assert len({tuple(slow_positions(slow, solution)) for solution in result.solutions}) == len(result.solutions)
        for solution in result.solutions:
            assert slow.is_goal(slow.replay(solution.moves, metric))
    expected_moves = sorted(str(slow.canonical(after)) for _, after in slow.successors(slow.start, metric))
    moves = klotski.legal_moves(board, metric)
    assert sorted(str(slow.canonical(slow.replay((move,), metric))) for move in moves) == expected_moves
    tables = tables_of(board)
    outcome = frontier_search(tables, tables.key(board), metric, Limits(), None)
    assert (outcome.way is None) == (expected.steps is None)
    if outcome.way is not None:
        assert len(outcome.way) - 1 == expected.steps
    wide_stepper = Stepper(tables, metric)
    wide_stepper.is_narrow = False
    wide_states = States(wide_stepper, tables.key(board)[None, :], Limits())
    assert wide_states.run(narrow.EVERYTHING) is Ending.EXHAUSTED
    assert len(wide_states) == expected.states


def slow_positions(slow, solution):
    return [slow.canonical(slow.replay(solution.moves[:count], "move")) for count in range(len(solution.moves) + 1)]


@pytest.mark.parametrize(
    "text",
    [
        # More than 64 open cells, keys of one word and of two; a list of interchangeable pieces.
        "A......../........./........./....##.../....##.../.bb....../........./.......cc goal "
        "........./........./........./....##.../....##.../........./........./A........",
        "A........../.........../.........../......b.... goal .........../.........../.........../..........A",
        # All cells of the largest board, walls but for a corridor.
        "/".join(["A..bb.cc........", *["#" * 16] * 15]) + " goal " + "/".join([".......A........", *["." * 16] * 15]),
    ],
)
def test_large_boards(text):
    slow = SlowSliding(text)
    board = klotski.parse(text)
    for metric in klotski.METRICS:
        expected = slow_survey(slow, metric, 3000)
        result = klotski.solve(board, metric, solutions=3, limits=ROOM)
        if expected is not None:
            assert (result.steps, result.count or 0) == (expected.steps, expected.ways)
        for solution in result.solutions:
            assert slow.is_goal(slow.replay(solution.moves, metric))


def test_sixty_two_pieces_on_the_largest_board():
    names = klotski.board.NAMES
    rows = [names[start : start + 16].ljust(16, ".") for start in range(0, 64, 16)] + ["." * 16] * 12
    goal = ["." * 16] * 15 + ["." * 15 + names[-1]]
    board = klotski.parse(f"{'/'.join(rows)} goal {'/'.join(goal)}")
    result = klotski.solve(board)
    assert result.steps == 1
    assert result.solutions[0].boards[-1].is_solved


def test_frontier_on_disk_and_in_memory_agree(tmp_path):
    for text in (
        "##AA##/#.AAt#/z...tt/zz..../.zv.rr/.vv.r./##v.## goal ##rr##/#.rv.#/..vv../..zv../..zz../..tz../##tt##",
        "A======/.b.cc.#/.b..... goal ......A/......#/....... gates a3",
    ):
        board = klotski.parse(text)
        tables = tables_of(board)
        expected = klotski.solve(board)
        for disk in (None, str(tmp_path)):
            outcome = frontier_search(tables, tables.key(board), "move", Limits(), disk)
            assert outcome.ending is expected.ending
            assert len(outcome.way) - 1 == expected.steps
    assert not list(tmp_path.iterdir())


def test_frontier_with_keys_of_two_words(tmp_path):
    position = next(position for position in positions("sliding_blocks.json") if position["name"] == "Traffic Jam")
    board = klotski.parse(f"{position['board']} goal {position['goal']}")
    tables = tables_of(board)
    assert tables.words == 2
    outcome = frontier_search(tables, tables.key(board), "move", Limits(depth=20), str(tmp_path))
    states = States(Stepper(tables, "move"), tables.key(board)[None, :], Limits(depth=20))
    assert states.run(narrow.FIRST_GOAL) is outcome.ending is Ending.DEPTH
    assert outcome.states == len(states)


def test_full_hash_goes_on_by_frontier_search(tmp_path):
    position = next(position for position in positions("sliding_blocks.json") if position["name"] == "Four Balls")
    board = klotski.parse(f"{position['board']} goal {position['goal']}")
    notes: list[str] = []
    too_small = Limits(bytes=4 << 20)
    result = klotski.solve(board, limits=too_small, note=notes.append)
    assert result.ending is Ending.OUTGROWN and result.states > 100_000
    result = klotski.solve(board, limits=too_small, disk=str(tmp_path), note=notes.append)
    assert result.steps == 28
    slow = SlowSliding(f"{position['board']} goal {position['goal']}")
    assert slow.is_goal(slow.replay(result.solutions[0].moves, "move"))
    assert len(notes) == 2 and all("frontier search" in note for note in notes)


def test_limits():
    board = klotski.from_code(klotski.START)
    assert klotski.solve(board, limits=Limits(depth=80)).ending is Ending.DEPTH
    assert klotski.solve(board, limits=Limits(depth=81)).steps == 81
    assert klotski.solve(board, limits=Limits(states=1000)).ending is Ending.STATES
    stopped = Limits(stop_flag=np.ones(1, np.uint8))
    assert klotski.solve(board, limits=stopped).ending is Ending.STOPPED
