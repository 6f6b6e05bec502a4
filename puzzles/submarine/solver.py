"""The fewest slides out of a set-up, proven; and a depth-first search under a limit of steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from puzzles.base import PuzzleError
from puzzles.submarine.slides import (
    FACTORIALS,
    HOLE_NUMBER,
    NEXT,
    POSITIONS,
    SQUARES,
    UNSEEN,
    may_leave,
    may_slide,
    rank,
    search,
    tables_of,
    unpack,
)  # fmt: skip
from puzzles.submarine.tiles import EXIT, HOLE, SUBMARINE, SetUp, parse_move, square_text

LEAVE = "b1b0"


@dataclass(frozen=True)
class Solution:
    """A way out: its moves, the last of which leaves the board, and the set-ups from the start to the last slide."""

    moves: tuple[str, ...]
    set_ups: tuple[SetUp, ...]

    def __len__(self) -> int:
        return len(self.moves)


@dataclass(frozen=True)
class Result:
    """`solutions` is empty when there is no way out (`is_complete`), or when the search was stopped or limited.

    `count`: all shortest solutions, None when they were not counted; `states`: positions seen.
    """

    solutions: tuple[Solution, ...]
    count: int | None
    states: int
    is_complete: bool

    @property
    def steps(self) -> int | None:
        """Steps of the first solution, leaving the board counted as one."""
        return len(self.solutions[0]) if self.solutions else None


class Puzzle:
    """The eight tiles of a set-up, numbered, and their tables."""

    def __init__(self, set_up: SetUp) -> None:
        self.tiles = tuple(tile for tile in set_up.tiles if tile != HOLE)
        self.blocked, self.apart, self.exit_blocked = tables_of(self.tiles)
        self.submarine = self.tiles.index(SUBMARINE)
        numbers = iter(range(HOLE_NUMBER))
        order = [HOLE_NUMBER if tile == HOLE else next(numbers) for tile in set_up.tiles]
        self.start = np.array(order, np.uint8)

    def set_up(self, position: np.ndarray) -> SetUp:
        return SetUp(tuple(HOLE if number == HOLE_NUMBER else self.tiles[number] for number in position))

    def slides(self, position: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        """Each slide that is allowed, and the position after it."""
        hole = int(np.flatnonzero(position == HOLE_NUMBER)[0])
        for direction in range(4):
            square = int(NEXT[hole, direction ^ 1])
            if square >= 0 and may_slide(position, square, direction, self.blocked):
                after = position.copy()
                after[hole], after[square] = after[square], HOLE_NUMBER
                yield square_text(square) + square_text(hole), after

    def is_exit(self, position: np.ndarray) -> bool:
        return bool(may_leave(position, self.submarine, self.exit_blocked))


def solve(set_up: SetUp, solutions: int = 1, stop_flag: np.ndarray | None = None, deepest: int | None = None) -> Result:
    """The fewest steps out of `set_up`, by breadth-first search.

    With `solutions` above 1 so many shortest ways are given, as far as there are, and all are counted. `deepest` is the
    most steps to look for; `stop_flag` a byte that another thread sets to 1.
    """
    puzzle = Puzzle(set_up)
    queue = np.empty(POSITIONS, np.uint64)
    queue[0] = pack(puzzle.start)
    steps = np.full(POSITIONS, UNSEEN, np.uint16)
    flag = np.zeros(1, np.uint8) if stop_flag is None else stop_flag
    most = UNSEEN - 1 if deepest is None else min(deepest - 1, UNSEEN - 1)
    if most < 0:
        return Result((), None, 1, False)
    count, exit_at = search(
        queue, 1, puzzle.submarine, 1, most, NEXT, FACTORIALS, puzzle.blocked, puzzle.exit_blocked, steps, flag
    )
    if exit_at < 0:
        return Result((), None, count, not flag[0] and deepest is None)
    position = np.empty(SQUARES, np.uint8)
    unpack(queue[exit_at], position)
    depth = int(steps[rank(position, FACTORIALS)])
    ways: dict[bytes, int] = {}
    for index in range(exit_at, count):
        unpack(queue[index], position)
        if steps[rank(position, FACTORIALS)] == depth and puzzle.is_exit(position):
            ways[position.tobytes()] = 1
        if solutions == 1:
            break
    following: dict[bytes, list[tuple[str, bytes]]] = {}
    for layer in range(depth - 1, -1, -1):
        before: dict[bytes, int] = {}
        for text, number in ways.items():
            child = np.frombuffer(text, np.uint8).copy()
            for move, parent in puzzle.slides(child):  # a slide can be taken back
                if steps[rank(parent, FACTORIALS)] == layer:
                    key = parent.tobytes()
                    before[key] = before.get(key, 0) + number
                    following.setdefault(key, []).append((move[2:] + move[:2], text))
        ways = before
    found = islice(_ways(puzzle, following, depth), solutions)
    total = sum(ways.values()) if depth else 1
    return Result(tuple(found), None if solutions == 1 else total, count, True)


def pack(position: np.ndarray) -> int:
    """A position in 36 bits, four a square."""
    return sum(int(number) << 4 * square for square, number in enumerate(position))


def _ways(puzzle: Puzzle, following: dict[bytes, list[tuple[str, bytes]]], depth: int) -> Iterator[Solution]:
    """Every way of `depth` slides from the start through `following`."""
    stack: list[tuple[list[str], list[bytes]]] = [([], [puzzle.start.tobytes()])]
    while stack:
        moves, positions = stack.pop()
        if len(moves) == depth:
            set_ups = tuple(puzzle.set_up(np.frombuffer(text, np.uint8)) for text in positions)
            yield Solution((*moves, LEAVE), set_ups)
            continue
        for move, after in reversed(following[positions[-1]]):
            stack.append(([*moves, move], [*positions, after]))


def depth_first(set_up: SetUp, max_steps: int, stop_flag: np.ndarray | None = None) -> Result:
    """The first way out of at most `max_steps` steps (0: any) that a depth-first search meets; often not the shortest.

    A position is gone into again only when it is met after fewer steps than before, so an empty answer is proof.
    """
    puzzle = Puzzle(set_up)
    limit = max_steps or POSITIONS
    fewest = {puzzle.start.tobytes(): 0}
    positions = [puzzle.start]
    moves: list[str] = []
    choices = [puzzle.slides(puzzle.start)]
    while choices:
        if stop_flag is not None and stop_flag[0]:
            return Result((), None, len(fewest), False)
        if len(positions) <= limit and puzzle.is_exit(positions[-1]):
            way = tuple(puzzle.set_up(position) for position in positions)
            return Result((Solution((*moves, LEAVE), way),), None, len(fewest), True)
        move, after = next(choices[-1], (None, None))
        if move is None or after is None:
            choices.pop()
            positions.pop()
            del moves[-1:]
            continue
        steps, key = len(positions), after.tobytes()
        if steps < limit and fewest.get(key, POSITIONS) > steps:
            fewest[key] = steps
            moves.append(move)
            positions.append(after)
            choices.append(puzzle.slides(after))
    return Result((), None, len(fewest), True)


def legal_moves(set_up: SetUp) -> list[str]:
    """Every slide that is allowed, and leaving the board where that is."""
    puzzle = Puzzle(set_up)
    moves = [move for move, _ in puzzle.slides(puzzle.start)]
    return [*moves, LEAVE] if puzzle.is_exit(puzzle.start) else moves


def play(set_up: SetUp, move: str) -> SetUp:
    """The set-up after a slide; a PuzzleError where it is blocked, or when the submarine leaves with it."""
    start, end = parse_move(move)
    puzzle = Puzzle(set_up)
    if end is None:
        if start == EXIT and puzzle.is_exit(puzzle.start):
            raise PuzzleError("not-supported", f"{move}: the submarine has left, nothing is to be solved")
        raise PuzzleError("illegal-move", f"{move}: the submarine can't leave")
    if end != set_up.hole:
        raise PuzzleError("illegal-move", f"{move}: {square_text(end)} is not the hole")
    if move not in legal_moves(set_up):
        beside = end in NEXT[start]
        raise PuzzleError("illegal-move", f"{move}: the tile {'is blocked' if beside else 'is not beside the hole'}")
    return set_up.slide(start)
