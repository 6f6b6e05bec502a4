"""Checks the tours between all pairs of squares of a board."""

import itertools

from puzzles.base import Limits, Search
from puzzles.knights_tour import NoTour, search, tour, verify, why_impossible

LARGEST_PROVEN = 7
MOST_NODES = 100_000_000


def check(rows: int, columns: int) -> int:
    """Print a line for a board; returns how many answers were wrong."""
    squares = list(itertools.product(range(rows), range(columns)))
    tours = refused = confirmed = undecided = wrong = 0
    for start, end in itertools.permutations(squares, 2):
        # Mirror images of a board have the same answers.
        if start[0] > (rows - 1) // 2 or start[1] > (columns - 1) // 2:
            continue
        try:
            steps = tour(rows, columns, start, end)
        except NoTour:
            if why_impossible(rows, columns, start, end, False) is not None:
                continue
            refused += 1
            if columns > LARGEST_PROVEN:
                continue
            try:
                found = search(rows, columns, [start], end, False, "warnsdorff", Search(Limits(nodes=MOST_NODES)))
            except NoTour:
                confirmed += 1
            else:
                undecided += found.steps is None
                wrong += found.steps is not None
        else:
            tours += 1
            wrong += not (verify(steps) and steps[start] == 0 and steps[end] == steps.size - 1)
    print(
        f"{rows} x {columns}: {tours} pairs with a tour, {refused} without one (beside colours and outer rows)"
        f" ({confirmed} confirmed, {undecided} undecided), {wrong} wrong",
        flush=True,
    )
    return wrong
