"""Set-ups of the box, by their number of steps.

The box has 2,560 sets of eight tiles, one for each way to turn the mines. For each set, one search backwards from all
positions in which the submarine may leave gives the fewest steps of every position, since slides are reversible.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement, product
from random import Random

import numpy as np

from junqi_engine.errors import Refused
from junqi_puzzles.base import Search
from junqi_puzzles.submarine.slides import (
    POSITIONS,
    SLIDE_SEARCH,
    SQUARES,
    UNSEEN,
    breadth_first_search,
    exits,
    tables_of,
    unpack,
)
from junqi_puzzles.submarine.tiles import BIG, DIAGONAL_PAIR, HOLE, MIDDLE, SIDE_PAIR, SINGLE, SUBMARINE, Board, parse

MAX_STEPS = 181
"""The length of the longest solution of the box, by a survey of revision a5a312e6."""


@dataclass(frozen=True)
class Level:
    """A level of the box. `is_original`: False if the box's own set-up is unknown and this one was generated."""

    number: int
    board: Board
    fewest: int
    is_original: bool


@cache
def levels() -> dict[int, Level]:
    """The levels by number, from 1 to 60."""
    entries = json.loads(files("junqi_puzzles.submarine").joinpath("levels.json").read_text(encoding="utf-8"))
    return {
        entry["level"]: Level(entry["level"], parse(entry["setup"]), entry["fewest"], entry["original"])
        for entry in entries
    }


def tile_sets() -> Iterator[tuple[str, ...]]:
    """Yield the tiles for every way to turn the mines of the box; the order of single small mines does not matter."""
    for big, middle, singles, side, diagonal in product(
        BIG, MIDDLE, combinations_with_replacement(SINGLE, 3), SIDE_PAIR, DIAGONAL_PAIR
    ):
        yield (SUBMARINE, big, middle, *singles, side, diagonal)


def generate(steps: int, seed: int) -> Board:
    """A set-up of the box's tiles with a shortest solution of `steps` steps, the same one for the same seed.

    A `Refused` bad-argument if there is none.
    """
    return next(filter(None, random_set_ups(Random(int(seed)), steps, steps, Search().stop_flag)))


def random_set_ups(random: Random, min_steps: int, max_steps: int | None, flag: np.ndarray) -> Iterator[Board | None]:
    """Yield set-ups of the box's tiles that need `min_steps` to `max_steps` steps (None: or more), until `flag` is set.

    None stands for tiles without a set-up of this kind. A `Refused` bad-argument if no tiles have one.
    """
    everything = list(tile_sets())
    is_found = False
    while True:
        random.shuffle(everything)
        for tiles in everything if 0 < min_steps <= MAX_STEPS else ():
            found = _survey(tiles, flag)
            if found is None:
                return
            queue, layers = found
            longest = len(layers) - 1
            if min_steps > longest:
                yield None
            else:
                steps = random.randint(min_steps, longest if max_steps is None else min(max_steps, longest))
                begin, end = layers[steps - 1 : steps + 1]
                is_found = True
                yield _board(tiles, queue[random.randrange(begin, end)])
        if not is_found:
            raise Refused("bad-argument", f"no set-up of the box needs {min_steps} steps")


def _survey(tiles: tuple[str, ...], flag: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The solvable positions of eight tiles, `queue`, and their `layers`; None if stopped.

    The positions of n steps are `queue[layers[n - 1] : layers[n]]`.
    """
    if flag[0]:
        return None
    queue, slides = search_back(tiles, flag)
    if flag[0]:
        return None
    per_step = np.bincount(slides, minlength=UNSEEN + 1)[:UNSEEN]
    layers = np.concatenate([[0], np.cumsum(per_step[: int(np.flatnonzero(per_step).max(initial=-1)) + 1])])
    return queue, layers


def search_back(tiles: tuple[str, ...], flag: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Search from all positions of eight tiles in which the submarine may leave.

    Returns the positions with a way out, in the order of their distance, and by rank the distance of each in slides,
    or `UNSEEN`.
    """
    tables = tables_of(tiles)
    queue = np.empty(POSITIONS, np.uint64)
    slides = np.full(POSITIONS, UNSEEN, np.uint16)
    search = np.zeros(1, SLIDE_SEARCH)[0]
    search["submarine"], search["max_depth"], search["max_count"] = tiles.index(SUBMARINE), UNSEEN - 1, POSITIONS
    search["count"] = exits(tiles.index(SUBMARINE), tables, queue)
    breadth_first_search(queue, slides, tables, search, flag)
    return queue[: search["count"]], slides


def _board(tiles: tuple[str, ...], packed: int) -> Board:
    position = np.empty(SQUARES, np.uint8)
    unpack(packed, position)
    return Board(tuple((*tiles, HOLE)[number] for number in position))
