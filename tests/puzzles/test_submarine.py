"""Submarine Adventure, against known levels and a slow twin on cells."""

import json
from collections import deque
from pathlib import Path
from random import Random

import pytest

from junqi_engine.errors import Refused
from junqi_puzzles import submarine
from junqi_puzzles.base import Limits
from junqi_puzzles.submarine import box

LEVELS = json.loads((Path(__file__).parents[1] / "data" / "submarine.json").read_text(encoding="utf-8"))["levels"]

# The slow twin's own table: (row, column, height, width) relative to the tile's upper left cell.
STICKING_OUT = {
    "T": [(0, -2, 2, 2), (0, 5, 2, 2), (4, 2, 1, 1)],
    "b:nw": [(-2, -2, 3, 3)], "b:ne": [(-2, 4, 3, 3)], "b:sw": [(4, -2, 3, 3)], "b:se": [(4, 4, 3, 3)],
    "m:w": [(1, -1, 3, 2)], "m:n": [(-1, 1, 2, 3)], "m:e": [(1, 4, 3, 2)], "m:s": [(4, 1, 2, 3)],
    "s:nw": [(0, 0, 2, 2)], "s:ne": [(0, 3, 2, 2)], "s:sw": [(3, 0, 2, 2)], "s:se": [(3, 3, 2, 2)],
    "s:n": [(0, 0, 2, 2), (0, 3, 2, 2)], "s:s": [(3, 0, 2, 2), (3, 3, 2, 2)],
    "s:w": [(0, 0, 2, 2), (3, 0, 2, 2)], "s:e": [(0, 3, 2, 2), (3, 3, 2, 2)],
    "s:nwse": [(0, 0, 2, 2), (3, 3, 2, 2)], "s:nesw": [(0, 3, 2, 2), (3, 0, 2, 2)], ".": [],
}  # fmt: skip
BESIDE = {"u": -3, "d": 3, "l": -1, "r": 1}


def cells(tile, top, left, count=3):
    return {
        (top + row + i, left + column + j)
        for row, column, height, width in STICKING_OUT[tile][:count]
        for i in range(height)
        for j in range(width)
    }


def slow_slides(tiles):
    """Every slide that is allowed, as (square from, tiles after)."""
    hole = tiles.index(".")
    for direction, step in BESIDE.items():
        square = hole - step
        if not 0 <= square < 9 or (direction in "lr" and square // 3 != hole // 3):
            continue
        others = set()
        for other, tile in enumerate(tiles):
            if other != square:
                others |= cells(tile, 2 + 5 * (other // 3), 2 + 5 * (other % 3))
        down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}[direction]
        free = True
        for place in range(1, 6):
            top, left = 2 + 5 * (square // 3) + down * place, 2 + 5 * (square % 3) + right * place
            here = cells(tiles[square], top, left)
            free = free and not here & others and all(0 <= i < 19 and 0 <= j < 19 for i, j in here)
        if free:
            after = list(tiles)
            after[hole], after[square] = after[square], "."
            yield square, tuple(after)


def slow_may_leave(tiles):
    if tiles[7] != "T":
        return False
    others = set()
    for other, tile in enumerate(tiles):
        if other != 7:
            others |= cells(tile, 2 + 5 * (other // 3), 2 + 5 * (other % 3))
    return not any(cells("T", 12 + down, 7, 2) & others for down in range(1, 8))


def slow_fewest(tiles):
    depth = {tiles: 0}
    waiting = deque([tiles])
    while waiting:
        here = waiting.popleft()
        if slow_may_leave(here):
            return depth[here] + 1
        for _, after in slow_slides(here):
            if after not in depth:
                depth[after] = depth[here] + 1
                waiting.append(after)
    return None


def replay(solution, start):
    """The independent checker: plays the moves on the slow twin and leaves at the end."""
    tiles = start
    for move in solution.moves[:-1]:
        square = (3 - int(move[1])) * 3 + "abc".index(move[0])
        target = (3 - int(move[3])) * 3 + "abc".index(move[2])
        assert tiles[target] == "."
        tiles = dict(slow_slides(tiles))[square]
    assert solution.moves[-1] == "b1b0"
    assert slow_may_leave(tiles)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: str(level["level"]))
def test_known_levels(level):
    board = submarine.parse(level["setup"])
    result = submarine.solve(board, limits=Limits(solutions=10))
    assert result.steps == level["fewest"]
    assert len(result.solutions) == min(10, result.statistics.solution_count)
    assert len({solution.boards for solution in result.solutions}) == len(result.solutions)
    for solution in result.solutions:
        replay(solution, board.tiles)


def test_levels_of_the_box():
    levels = submarine.levels()
    assert sorted(levels) == list(range(1, 61))
    known = {level["level"]: level for level in LEVELS}
    generated = []
    for number, level in levels.items():
        assert submarine.solve(level.board).steps == level.fewest
        assert level.is_original == (number in known)
        if level.is_original:
            assert str(level.board) == known[number]["setup"]
        else:
            generated.append(level.fewest)
    assert generated == sorted(generated)


@pytest.mark.bounds
def test_agrees_with_slow_search():
    random = Random(1)
    compared = 0
    kinds = [kind for kind in STICKING_OUT if kind not in "T."]
    small = [kind for kind in kinds if kind[0] == "s"]
    while compared < 30:
        tiles = ["T", ".", *random.choices(small if compared % 3 else kinds, k=7)]
        random.shuffle(tiles)
        try:
            board = submarine.parse(str(submarine.Board(tuple(tiles))))
        except Refused:
            continue
        compared += 1
        assert sorted(submarine.Submarine().legal_moves(board)) == sorted(
            [_move(square, board.hole) for square, _ in slow_slides(board.tiles)]
            + (["b1b0"] if slow_may_leave(board.tiles) else [])
        )
        if compared % 10:
            continue
        result = submarine.solve(board)
        assert result.steps == slow_fewest(board.tiles)
        assert result.is_optimal or result.is_unsolvable
        if result.steps:
            replay(result.solutions[0], board.tiles)


def _move(start, end):
    return "".join(f"{'abc'[square % 3]}{3 - square // 3}" for square in (start, end))


def test_generate():
    for steps, seed in ((1, 0), (12, 1), (40, 2), (90, 3)):
        board = submarine.generate(steps, seed)
        assert submarine.solve(board).steps == steps
        assert submarine.generate(steps, seed) == board
        assert submarine.parse(str(board)) == board
    for steps in (0, -1, box.MAX_STEPS + 1):
        with pytest.raises(Refused):
            submarine.generate(steps, 0)
