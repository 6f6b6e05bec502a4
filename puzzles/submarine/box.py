"""Every set-up of the box: counting them all, and drawing one of a wanted difficulty.

The box allows 2,560 sets of eight tiles, by how each mine is turned. For each set one search backwards from all
positions in which the submarine may leave gives the fewest steps of every position: a slide can be taken back, and what
lies apart can be reached both ways. Small mines that are turned alike are told apart in the search, so what it counts
is divided by the ways to exchange them.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement, product
from math import factorial
from random import Random

import numpy as np

from puzzles.base import PuzzleError
from puzzles.submarine.slides import (
    FACTORIALS,
    NEXT,
    POSITIONS,
    SQUARES,
    UNSEEN,
    exits,
    search,
    tables_of,
    unpack,
)  # fmt: skip
from puzzles.submarine.tiles import (
    BIG,
    DIAGONAL_PAIR,
    HOLE,
    MIDDLE,
    SIDE_PAIR,
    SINGLE,
    SUBMARINE,
    SetUp,
    parse,
)  # fmt: skip

HARDEST_STEPS = 181
"""What `enumerate_box` finds."""


@dataclass(frozen=True)
class Level:
    """One level of the box. `is_original` is False where the box's own set-up is not known and one was generated."""

    number: int
    set_up: SetUp
    fewest: int
    is_original: bool


@dataclass
class BoxSurvey:
    """What there is in the box: `valid` set-ups, `solvable` ones, and how many need so many steps at the least."""

    tile_sets: int = 0
    valid: int = 0
    solvable: int = 0
    histogram: Counter[int] = field(default_factory=Counter)
    hardest: SetUp | None = None
    hardest_steps: int = 0
    hardest_count: int = 0


@dataclass(frozen=True)
class _TileSetSurvey:
    queue: np.ndarray
    layers: np.ndarray
    valid: int
    copies: int


@cache
def levels() -> dict[int, Level]:
    """The levels 1 to 60 by number."""
    entries = json.loads(files("puzzles.submarine").joinpath("levels.json").read_text(encoding="utf-8"))
    return {
        entry["level"]: Level(entry["level"], parse(entry["setup"]), entry["fewest"], entry["original"])
        for entry in entries
    }


def tile_sets() -> Iterator[tuple[str, ...]]:
    """Every way to turn the mines of the box, single small mines in no order."""
    for big, middle, singles, side, diagonal in product(
        BIG, MIDDLE, combinations_with_replacement(SINGLE, 3), SIDE_PAIR, DIAGONAL_PAIR
    ):
        yield (SUBMARINE, big, middle, *singles, side, diagonal)


def enumerate_box(
    threads: int = 2,
    progress: Callable[[int, int], None] = lambda done, total: None,
    stop_flag: np.ndarray | None = None,
) -> BoxSurvey:
    """Go through all set-ups of the box; `progress` gets the tile sets done and their number.

    Stopped by `stop_flag`, a byte, the answer is of the `tile_sets` done so far.
    """
    everything = list(tile_sets())
    survey = BoxSurvey()
    with ThreadPoolExecutor(threads) as pool:
        for tiles, found in zip(everything, pool.map(lambda tiles: _survey(tiles, stop_flag), everything), strict=True):
            if found is None:
                break
            _add(survey, tiles, found)
            progress(survey.tile_sets, len(everything))
    return survey


def generate(steps: int, seed: int) -> SetUp:
    """A valid set-up of the box's tiles that needs exactly `steps` steps at the least; the same for the same seed.

    A PuzzleError `bad-argument` if there is none.
    """
    random = Random(seed)
    everything = list(tile_sets())
    random.shuffle(everything)
    for tiles in everything if 0 < steps <= HARDEST_STEPS else ():
        found = _survey(tiles, None)
        if found is None or steps >= len(found.layers):
            continue
        begin, end = found.layers[steps - 1 : steps + 1]
        return _set_up(tiles, found.queue[random.randrange(begin, end)])
    raise PuzzleError("bad-argument", f"no set-up of the box needs {steps} steps")


def _survey(tiles: tuple[str, ...], stop_flag: np.ndarray | None) -> _TileSetSurvey | None:
    """All solvable positions of eight tiles: those of n steps are `queue[layers[n - 1] : layers[n]]`.

    None when stopped.
    """
    flag = np.zeros(1, np.uint8) if stop_flag is None else stop_flag
    if flag[0]:
        return None
    blocked, apart, exit_blocked = tables_of(tiles)
    queue = np.empty(POSITIONS, np.uint64)
    steps = np.full(POSITIONS, UNSEEN, np.uint16)
    valid = np.zeros(1, np.int64)
    submarine = tiles.index(SUBMARINE)
    count = exits(submarine, apart, exit_blocked, queue, valid)
    count, _ = search(queue, count, submarine, 0, UNSEEN - 1, NEXT, FACTORIALS, blocked, exit_blocked, steps, flag)
    if flag[0]:
        return None
    per_step = np.bincount(steps, minlength=UNSEEN + 1)[:UNSEEN]
    layers = np.concatenate([[0], np.cumsum(per_step[: int(np.flatnonzero(per_step).max(initial=-1)) + 1])])
    copies = 1
    for repeated in Counter(tiles).values():
        copies *= factorial(repeated)
    return _TileSetSurvey(queue[:count], layers, int(valid[0]), copies)


def _add(survey: BoxSurvey, tiles: tuple[str, ...], found: _TileSetSurvey) -> None:
    survey.tile_sets += 1
    survey.valid += found.valid // found.copies
    survey.solvable += len(found.queue) // found.copies
    for steps, number in enumerate(np.diff(found.layers).tolist(), start=1):
        survey.histogram[steps] += number // found.copies
    longest = len(found.layers) - 1
    if longest > survey.hardest_steps:
        survey.hardest_steps, survey.hardest = longest, _set_up(tiles, found.queue[-1])
    survey.hardest_count = survey.histogram[survey.hardest_steps]


def _set_up(tiles: tuple[str, ...], packed: int) -> SetUp:
    position = np.empty(SQUARES, np.uint8)
    unpack(packed, position)
    return SetUp(tuple((*tiles, HOLE)[number] for number in position))
