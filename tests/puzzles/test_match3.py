"""Match-3: the known answers, the plain twin on random boards under all options, and the search's own promises."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from junqi_puzzles.base import Ending, Search
from junqi_puzzles.match3 import (
    START_BOARD,
    Board,
    Limits,
    Match3,
    Outcome,
    Rules,
    Solution,
    Swap,
    draw_wave,
    parse,
    solve,
)
from tests.helpers.marking import times
from tests.references.slow_match3 import SlowMatch3

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "match3.json").read_text())["positions"]
SHAPES = ((4, 4), (5, 5), (3, 7), (4, 5), (6, 3), (7, 2), (5, 9), (1, 8), (8, 1))
LARGE_SHAPES = ((8, 8), (9, 9), (16, 16), (12, 5), (5, 12), (16, 3), (3, 16), (8, 4))


def cells_of(swap: Swap) -> tuple[tuple[int, int], tuple[int, int]]:
    return (swap.row, swap.column), (swap.row + swap.is_down, swap.column + (not swap.is_down))


def best(board: Board, swaps: int, **limits) -> Solution:
    """The only solution of an outcome."""
    outcome: Outcome = solve(board, limits=Limits(depth=swaps, **limits))
    (solution,) = outcome.solutions
    assert outcome.is_optimal == solution.is_optimal
    return solution


def random_case(rng: random.Random, shapes=SHAPES):
    """A settled board as rows, and options as both programs take them."""
    rows, columns = rng.choice(shapes)
    kinds = rng.choice((2, 3, 4, 5, 8, 35))
    cells = [[rng.randint(1, kinds) for _ in range(columns)] for _ in range(rows)]
    for column in range(columns):
        for row in range(rng.randint(0, rows - 1) if rng.random() < 0.4 else 0):
            cells[row][column] = 0
    options = {
        "points": rng.choice([(1, 3, 10), (1, 4, 10), (0, 2, 3), (5, 0, 1)]),
        "ignores_long_runs": rng.random() < 0.4,
        "allows_empty_swap": rng.random() < 0.5,
    }
    return cells, options


def board_of(cells, options) -> Board:
    return Board(np.array(cells), Rules(**options, starts_with_runs="leave"))


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: f"{known['board'][:20]}-{known['swaps']}")
def test_known_answers(known):
    rules = known["rules"]
    board = parse(
        known["board"],
        Rules(tuple(rules["scores"].values()), rules["long_run"] == "ignore", rules["empty_swap"], rules["initial"]),
    )
    points, board = board.start()
    solution = best(board, known["swaps"])
    assert solution.is_optimal
    assert points + solution.score == known["score"]
    assert len(solution.line) == known["fewest_swaps"]
    assert [board.format_swap(swap) for swap in solution.line] == known["swaps_played"]


@pytest.mark.bounds
def test_every_swap_agrees_with_the_slow_twin():
    rng = random.Random(1)
    played = 0
    for _ in range(times(60)):
        cells, options = random_case(rng, SHAPES + LARGE_SHAPES)
        slow, board = SlowMatch3(**options), board_of(cells, options)
        points, settled = board.settle()
        assert (points, settled.cells.tolist()) == slow.cascade(cells)
        expected = list(slow.swaps(cells))
        actual = []
        for swap in board.swaps():
            points, after = board.play(swap)
            actual.append((*cells_of(swap), points, after.cells.tolist()))
        assert actual == expected, (options, str(board))
        played += len(expected)
    assert played > times(360)


@pytest.mark.bounds
def test_best_lines_agree_with_the_slow_twin():
    rng = random.Random(2)
    for _ in range(times(50)):
        cells, options = random_case(rng)
        slow, board, swaps = SlowMatch3(**options), board_of(cells, options), rng.randint(0, 3)
        score, line = slow.best(cells, swaps)
        solution = best(board, swaps)
        assert solution.is_optimal
        assert (solution.score, tuple(map(cells_of, solution.line))) == (score, line), (options, str(board), swaps)


@pytest.mark.parametrize(
    ("rows", "move", "points", "after"),
    [
        ("241/112/333", "c3c2", [2], ".../.../242"),  # the run of the swap, and the row of threes that was left
        ("434/133/432/411", "a4a3", [2, 1], ".../..4/..3/..2"),  # what falls makes the second wave
        (".112/1232/1122", "a3b3", [2], "..1./.23./.12."),  # a swap with an empty square, and the column of twos
    ],
)
def test_first_wave_takes_every_run_of_the_board(rows, move, points, after):
    board = parse(rows, Rules(starts_with_runs="leave", allows_empty_swap="." in rows))
    waves = board.waves(board.parse_swap(move))
    assert ([wave.points for _, wave in waves], str(waves[-1][1].after)) == (points, after)
    total, end = board.play(board.parse_swap(move))
    assert (total, str(end)) == (sum(points), after)
    hint = Match3(board.rules).hint(board, Search(Limits(depth=1)))
    assert hint.left == max(board.play(swap)[0] for swap in board.swaps()) >= total


def test_swap_needs_a_run_of_its_own():
    board = parse("241/112/333", Rules(starts_with_runs="leave"))
    assert [board.format_swap(swap) for swap in board.swaps()] == ["c3c2"]


@pytest.mark.parametrize("memory", [1 << 14, 1 << 17, 1 << 28])
def test_little_memory_gives_a_valid_upper_bound(memory):
    for number in range(6):
        rng = np.random.default_rng(number)
        board = Board(rng.integers(1, 5, (6, 6)), Rules())
        _, board = board.start()
        exact = best(board, 4)
        solution = best(board, 4, memory_bytes=memory)
        assert solution.score <= exact.score <= solution.upper_bound
        if solution.is_optimal:
            assert solution.score == exact.score
        assert replay(board, solution.line) == solution.score
        if memory == 1 << 28:
            assert solution.line == exact.line


def replay(board: Board, line) -> int:
    """The points of a line, by the plain rules."""
    rules = board.rules
    slow = SlowMatch3(rules.points, rules.ignores_long_runs, rules.allows_empty_swap)
    cells, total = board.cells.tolist(), 0
    for swap in line:
        points, cells = slow.play(cells, *cells_of(swap))
        total += points
    return total


def test_bound_holds_on_small_boards():
    rng = random.Random(4)
    for _ in range(60):
        cells, options = random_case(rng, ((3, 3), (4, 3), (3, 5)))
        board = board_of(cells, options)
        outcome = solve(board, limits=Limits(depth=9), stop=bytearray(b"\1"))
        assert outcome.ending in (Ending.STOPPED, Ending.OPTIMAL)
        (stopped,) = outcome.solutions
        assert not stopped.line
        assert SlowMatch3(**options).best(cells, 4)[0] <= stopped.upper_bound


def test_best_first_swaps():
    _, board = parse(START_BOARD, Rules()).start()
    ranked = solve(board, limits=Limits(depth=3, solutions=100)).solutions
    assert len(ranked) == len(board.swaps())
    assert (ranked[0].score, ranked[0].line) == (best(board, 3).score, best(board, 3).line)
    chosen = solve(board, limits=Limits(depth=3), first_swaps=[ranked[1].line[0]])
    assert [solution.line for solution in chosen.solutions] == [ranked[1].line]
    assert [solution.score for solution in ranked] == sorted((s.score for s in ranked), reverse=True)
    assert all(replay(board, solution.line) == solution.score for solution in ranked)


def test_waves_of_a_swap():
    board = parse("....../..1.../..2.../..2.../113111/452454/543545", Rules(starts_with_runs="leave"))
    waves = board.waves(board.parse_swap("c3c2"))
    assert [wave.points for _, wave in waves] == [2, 1]
    assert draw_wave(*waves[0]) == [
        " .  .  .  .  .  .   |  . . . . . .",
        " .  .  1  .  .  .   |  . . . . . .",
        " .  . [2] .  .  .   |  . . . . . .",
        " .  . [2] .  .  .   |  . . . . . .",
        " 1  1 [2][1][1][1]  |  1 1 1 . . .",
        " 4  5  3  4  5  4   |  4 5 3 4 5 4",
        " 5  4  3  5  4  5   |  5 4 3 5 4 5",
    ]
