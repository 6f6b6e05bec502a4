"""Knight's tours: the theorems, exhaustive search on small boards, counts, and each construction checked by a plain
one.
"""

import itertools
import multiprocessing
import os
import random
import tracemalloc

import numpy as np
import pytest

from junqi_engine.errors import Refused
from junqi_puzzles.knights_tour import NoTour, complete, parse, solve, tour, verify
from tests.helpers.marking import long_after
from tests.references.slow_knights import is_tour, pairs_with_a_tour


def has_tour(rows: int, columns: int, closed: bool) -> bool:
    """As the theorems say."""
    less, more = sorted((rows, columns))
    if closed:
        return not (less * more % 2 or less in (1, 2, 4) or (less == 3 and more in (4, 6, 8)))
    return more == 1 or (less == 3 and (more == 4 or more >= 7)) or (less == 4 and more >= 5) or less >= 5


@pytest.mark.bounds
@pytest.mark.parametrize(
    ("most", "closed"),
    [(8, False), (8, True), *(pytest.param(12, closed, marks=pytest.mark.long) for closed in (False, True))],
)
def test_every_small_board(most, closed):
    for rows, columns in itertools.product(range(1, most + 1), repeat=2):
        if has_tour(rows, columns, closed):
            steps = tour(rows, columns, closed=closed)
            assert is_tour(steps.tolist(), closed), (rows, columns)
        else:
            with pytest.raises(NoTour):
                tour(rows, columns, closed=closed)


@pytest.mark.parametrize(
    ("rows", "columns"), long_after(2, [(3, 10), (5, 6), (10, 3), (6, 6), (3, 14), (6, 8), (7, 8)])
)
def test_closed_tour_may_start_on_any_square(rows, columns):
    for start in itertools.product(range(rows), range(columns)):
        steps = tour(rows, columns, start, closed=True)
        assert steps[start] == 0 and is_tour(steps.tolist(), closed=True), start


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forked_process_solves_too():
    board = parse(["20x20"])
    assert solve(board).solutions
    child = multiprocessing.get_context("fork").Process(target=solve, args=(board,))
    child.start()
    child.join(20)
    child.kill()
    assert child.exitcode == 0


@pytest.mark.parametrize(
    ("rows", "columns"), long_after(3, [(3, 4), (7, 3), (4, 4), (3, 5), (3, 6), (3, 7), (4, 5), (5, 4)])
)
def test_every_pair_of_ends_agrees_with_exhaustive_search(rows, columns):
    expected = pairs_with_a_tour(rows, columns)
    starts = {start for start, _ in expected}
    squares = list(itertools.product(range(rows), range(columns)))
    for start in squares:
        number = start[0] * columns + start[1]
        assert find(rows, columns, start, None) == (number in starts), start
        for end in squares:
            if start != end:
                assert find(rows, columns, start, end) == ((number, end[0] * columns + end[1]) in expected), (
                    start,
                    end,
                )


def find(rows: int, columns: int, start, end) -> bool:
    """True if there is a tour; it is checked."""
    try:
        steps = tour(rows, columns, start, end)
    except NoTour:
        return False
    assert is_tour(steps.tolist())
    assert steps[start] == 0
    assert end is None or steps[end] == rows * columns - 1
    return True


@pytest.mark.parametrize(("rows", "columns"), long_after(1, [(6, 6), (6, 7), (7, 7), (8, 8)]))
def test_pairs_of_the_right_colours(rows, columns):
    squares = list(itertools.product(range(rows), range(columns)))
    for start, end in itertools.permutations(squares, 2):
        odd = rows * columns % 2
        is_right = (sum(start) + sum(end)) % 2 != odd and not (odd and sum(start) % 2)
        if odd:
            is_right = sum(start) % 2 == 0 and sum(end) % 2 == 0
        assert find(rows, columns, start, end) == is_right, (start, end)


@pytest.mark.parametrize(
    ("rows", "columns"),
    long_after(4, [(5, 7), (7, 7), (3, 9), (8, 8), (5, 5), (5, 9), (9, 9), (3, 11), (15, 15)]),
)
def test_boards_from_every_square(rows, columns):
    for start in itertools.product(range(rows), range(columns)):
        assert find(rows, columns, start, None) == (rows * columns % 2 == 0 or sum(start) % 2 == 0), start


@pytest.mark.parametrize(
    ("shape", "start", "end", "closed"),
    [
        ((3, 1000), None, None, True),
        ((3, 501), (0, 0), None, False),
        ((3, 500), (1, 250), (1, 261), False),
        ((501, 4), (0, 0), (500, 3), False),
        ((5, 1000), None, None, True),
        ((5, 1001), (2, 500), (4, 1000), False),
        ((7, 999), (3, 501), None, False),
        ((5, 22), (3, 8), None, False),
        ((101, 103), (0, 0), (100, 102), False),
        ((200, 300), (17, 20), (180, 282), False),
        ((150, 151), None, (3, 3), False),
    ],
)
def test_long_and_large_boards(shape, start, end, closed):
    steps = tour(*shape, start, end, closed)
    assert is_tour(steps.tolist(), closed)
    assert start is None or steps[start] == 0
    assert end is None or steps[end] == steps.size - 1


@pytest.mark.parametrize("rows", [3, 5])
def test_memory_grows_by_few_bytes_a_square(rows):
    peaks = []
    for columns in (20_001, 60_001):
        tracemalloc.start()
        tour(rows, columns)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 16 * rows * 40_000


def test_verify_finds_every_exchange_of_two_steps():
    steps = tour(8, 8, closed=True)
    assert verify(steps, closed=True)
    rng = random.Random(6)
    for _ in range(200):
        (a, b), (c, d) = (rng.randrange(8), rng.randrange(8)), (rng.randrange(8), rng.randrange(8))
        broken = steps.copy()
        broken[a, b], broken[c, d] = steps[c, d], steps[a, b]
        assert verify(broken, closed=True) == is_tour(broken.tolist(), closed=True)
        broken[a, b] = rng.choice([-1, 64, 10**9, int(steps[c, d])])
        assert verify(broken) == is_tour(broken.tolist())
    opened = tour(8, 8, (0, 0), (7, 0))
    assert verify(opened) and not verify(opened, closed=True)
    assert not verify(np.zeros((0, 5), np.int32))
    assert verify(tour(30, 30).astype(np.int64), closed=True)


def test_beginning_of_a_tour_is_completed():
    rng = random.Random(1)
    for _ in range(20):
        rows, columns, length = rng.randint(6, 12), rng.randint(6, 12), rng.randint(2, 8)
        squares = [(r, c) for r in range(rows) for c in range(columns) if rows * columns % 2 == 0 or (r + c) % 2 == 0]
        order = np.argsort(tour(rows, columns, rng.choice(squares)), axis=None)
        begun = [divmod(int(at), columns) for at in order[:length]]
        steps = complete(rows, columns, begun).steps
        assert steps is not None and is_tour(steps.tolist())
        assert [int(steps[square]) for square in begun] == list(range(length))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((5, -1), "bad-position", "5 x -1"),
        ((8, 8, (8, 0)), "bad-position", "start"),
        ((8, 8, (0, 0), (0, 8)), "bad-position", "end"),
        ((8, 8, (0, 0), (0, 2)), "impossible-position", "opposite colours"),
        ((7, 7, (0, 1)), "impossible-position", "colour of the corners"),
        ((4, 8, (1, 0)), "impossible-position", "outer rows"),
        ((3, 8, None, None, True), "impossible-position", "Schwenk"),
        ((4, 9, None, None, True), "impossible-position", "Schwenk"),
        ((7, 9, None, None, True), "impossible-position", "odd"),
        ((3, 7, (1, 3)), "impossible-position", "no path through"),
    ],
)
def test_refusals(arguments, code, message):
    with pytest.raises(Refused, match=message) as error:
        tour(*arguments)
    assert error.value.code == code
    assert isinstance(error.value, NoTour) == (code == "impossible-position")
