"""Submarine Adventure by the contract of base.py; the solver finds the fewest slides, proven."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from junqi_engine.errors import Refused, quoted
from junqi_puzzles import base
from junqi_puzzles.base import Ending, Limits, ProgressListener, Puzzle, Search, Statistics
from junqi_puzzles.submarine import box
from junqi_puzzles.submarine.slides import (
    HOLE_NUMBER,
    NEXT,
    POSITIONS,
    SLIDE_SEARCH,
    SQUARES,
    UNSEEN,
    breadth_first_search,
    may_leave,
    may_slide,
    rank,
    tables_of,
    unpack,
)  # fmt: skip
from junqi_puzzles.submarine.tiles import (
    EXIT,
    HOLE,
    LEAVE,
    SIDE,
    SUBMARINE,
    Board,
    mirrored,
    parse,
    parse_move,
    square_text,
)


@dataclass(frozen=True)
class Solution:
    """A way out: its moves, with leaving the board as the last one, and the boards from the start to the last slide."""

    moves: tuple[str, ...]
    boards: tuple[Board, ...]

    def __len__(self) -> int:
        return len(self.moves)


Outcome = base.Outcome[Solution]


class IndexedTiles:
    """The eight tiles of a board by number, and their tables."""

    def __init__(self, board: Board) -> None:
        self.tiles = tuple(tile for tile in board.tiles if tile != HOLE)
        self.tables = tables_of(self.tiles)
        self.submarine = self.tiles.index(SUBMARINE)
        numbers = iter(range(HOLE_NUMBER))
        order = [HOLE_NUMBER if tile == HOLE else next(numbers) for tile in board.tiles]
        self.start = np.array(order, np.uint8)

    def board(self, position: np.ndarray) -> Board:
        return Board(tuple(HOLE if number == HOLE_NUMBER else self.tiles[number] for number in position))

    def slides(self, position: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        """Yield each legal slide with the position after it."""
        hole = int(np.flatnonzero(position == HOLE_NUMBER)[0])
        for direction in range(4):
            square = int(NEXT[hole, direction ^ 1])
            if square >= 0 and may_slide(position, square, direction, self.tables.blocked):
                after = position.copy()
                after[hole], after[square] = after[square], HOLE_NUMBER
                yield square_text(square) + square_text(hole), after

    def is_exit(self, position: np.ndarray) -> bool:
        return bool(may_leave(position, self.submarine, self.tables.exit_blocked))


def pack(position: np.ndarray) -> int:
    """The 36 bits of a position, four for each square."""
    return sum(int(number) << 4 * square for square, number in enumerate(position))


Links = dict[bytes, list[tuple[str, bytes]]]
"""The moves of shortest solutions from each position, each with the position after it."""


def _nearest_exits(indexed: IndexedTiles, packed: np.ndarray, steps: np.ndarray) -> tuple[dict[bytes, int], int]:
    """The exits among packed positions that are as near as the first one, with one path to each, and their depth."""
    position = np.empty(SQUARES, np.uint8)
    exits: dict[bytes, int] = {}
    depth = UNSEEN
    for number in packed:
        unpack(number, position)
        distance = int(steps[rank(position)])
        if distance <= depth and indexed.is_exit(position):
            depth = distance
            exits[position.tobytes()] = 1
    return exits, depth


def _links_back(indexed: IndexedTiles, steps: np.ndarray, exits: dict[bytes, int], depth: int) -> tuple[Links, int]:
    """The links from the start to the positions `exits`, which are `depth` slides away, and the number of paths."""
    following: Links = {}
    paths = exits
    for layer in range(depth - 1, -1, -1):
        before: dict[bytes, int] = {}
        for text, number in paths.items():
            child = np.frombuffer(text, np.uint8).copy()
            for move, parent in indexed.slides(child):  # a slide can be taken back
                if steps[rank(parent)] == layer:
                    key = parent.tobytes()
                    before[key] = before.get(key, 0) + number
                    following.setdefault(key, []).append((move[2:] + move[:2], text))
        paths = before
    return following, sum(paths.values()) if depth else 1


def _paths(indexed: IndexedTiles, following: Links, depth: int) -> Iterator[Solution]:
    """Yield every path of `depth` slides from the start through `following`."""
    stack: list[tuple[list[str], list[bytes]]] = [([], [indexed.start.tobytes()])]
    while stack:
        moves, positions = stack.pop()
        if len(moves) == depth:
            boards = tuple(indexed.board(np.frombuffer(text, np.uint8)) for text in positions)
            yield Solution((*moves, LEAVE), boards)
            continue
        for move, after in reversed(following[positions[-1]]):
            stack.append(([*moves, move], [*positions, after]))


def _unsolved(ending: Ending, states: int) -> Outcome:
    proof, unproven = f"proven by {states} states", f"no solution found: {ending.value}, {states} states seen"
    return Outcome((), ending, Statistics(states), proof if ending is Ending.UNSOLVABLE else unproven)


class Distances:
    """The table of eight tiles by the contract `Table` of `junqi_puzzles.base`.

    `states` counts the positions with a way out, so there are no dead ends among them.
    """

    def __init__(self, board: Board, flag: np.ndarray) -> None:
        self.tiles = tuple(tile for tile in board.tiles if tile != HOLE)
        queue, self._slides = box.search_back(self.tiles, flag)
        self.states = len(queue)
        seen = self._slides[self._slides != UNSEEN]
        self.per_step = [0, *np.bincount(seen).tolist()]

    def distance(self, board: Board) -> int | None:
        if board.is_solved:
            return 0
        places = list(board.tiles)
        position = np.empty(SQUARES, np.uint8)
        for number, tile in enumerate((*self.tiles, HOLE)):
            square = places.index(tile)
            position[square] = number
            places[square] = ""  # the next tile of this kind is another one
        slides = int(self._slides[rank(position)])
        return None if slides == UNSEEN else slides + 1


class Submarine(Puzzle[Board]):
    """Set-ups as `parse` of tiles.py reads them. The table of the last eight tiles is kept."""

    variant = "submarine"
    start = "m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne"

    def __init__(self) -> None:
        self._distances: Distances | None = None

    def parse(self, text: str) -> Board:
        return parse(text)

    def legal_moves(self, board: Board) -> list[str]:
        """Every legal slide, and leaving the board if that is legal."""
        if board.is_solved:
            return []
        indexed = IndexedTiles(board)
        moves = [move for move, _ in indexed.slides(indexed.start)]
        return [*moves, LEAVE] if indexed.is_exit(indexed.start) else moves

    def play(self, board: Board, move: str) -> Board:
        """The board after a move; a `Refused` if it is not legal, game-over once the submarine has left."""
        if board.is_solved:
            raise Refused("game-over", f"{quoted(move)}: the submarine has left")
        start, end = parse_move(move)
        if end is None:
            indexed = IndexedTiles(board)
            if start == EXIT and indexed.is_exit(indexed.start):
                return replace(board, is_solved=True)
            raise Refused("illegal-move", f"{move}: the submarine cannot leave")
        if end != board.hole:
            raise Refused("illegal-move", f"{move}: {square_text(end)} is not the hole")
        if move not in self.legal_moves(board):
            beside = end in NEXT[start]
            raise Refused("illegal-move", f"{move}: the tile {'is blocked' if beside else 'is not beside the hole'}")
        return board.slide(start)

    def rows(self, board: Board) -> list[str]:
        rows = (board.tiles[first : first + SIDE] for first in range(0, SQUARES, SIDE))
        return [" ".join(f"{tile:<6}" for tile in row).rstrip() for row in rows]

    def search(self, board: Board, search: Search) -> Outcome:
        """Breadth-first search. With `limits.solutions` above 1, all shortest solutions are counted.

        It takes milliseconds: it reports no progress and has no memory limit.
        """
        if board.is_solved:
            return Outcome((Solution((), (board,)),), Ending.OPTIMAL, Statistics())
        max_steps, max_nodes, wanted = search.limits.depth, search.limits.nodes, search.limits.solutions
        if max_steps == 0:
            return _unsolved(Ending.DEPTH, 1)
        indexed = IndexedTiles(board)
        queue = np.empty(POSITIONS, np.uint64)
        queue[0] = pack(indexed.start)
        steps = np.full(POSITIONS, UNSEEN, np.uint16)
        slides = np.zeros(1, SLIDE_SEARCH)[0]
        slides["submarine"], slides["find_exit"], slides["count"] = indexed.submarine, 1, 1
        slides["max_depth"] = UNSEEN - 1 if max_steps is None else min(max_steps - 1, UNSEEN - 1)
        slides["max_count"] = POSITIONS if max_nodes is None else max_nodes
        breadth_first_search(queue, steps, indexed.tables, slides, search.stop_flag)
        count, exit_at = int(slides["count"]), int(slides["exit_at"])
        is_cut = count >= slides["max_count"]
        if exit_at < 0 or (is_cut and wanted > 1):
            ending = Ending.NODES if is_cut else Ending.UNSOLVABLE if max_steps is None else Ending.DEPTH
            return _unsolved(Ending.STOPPED if search.is_stopped else ending, count)
        exits, depth = _nearest_exits(indexed, queue[exit_at : count if wanted > 1 else exit_at + 1], steps)
        following, total = _links_back(indexed, steps, exits, depth)
        solutions = tuple(islice(_paths(indexed, following, depth), max(wanted, 1)))
        memory_bytes = queue.nbytes + steps.nbytes
        statistics = Statistics(count, depth + 1, memory_bytes, None if wanted <= 1 else total)
        return Outcome(solutions, Ending.OPTIMAL, statistics)

    def table(self, board: Board, search: Search) -> Distances | None:
        """The table of the tiles: the last one if it fits. It takes 4 MB and milliseconds, and ignores the limits."""
        known = self._distances
        if known is None or sorted((*known.tiles, HOLE)) != sorted(board.tiles):
            known = Distances(board, search.stop_flag)
            if search.is_stopped:
                return None
            self._distances = known
        return known

    def candidates(
        self, like: Board, random: Random, min_steps: int, max_steps: int | None, search: Search
    ) -> Iterator[Board | None]:
        return box.random_set_ups(random, min_steps, max_steps, search.stop_flag)

    def canonical(self, board: Board) -> str:
        rows = [board.tiles[first : first + SIDE] for first in range(0, SQUARES, SIDE)]
        mirror_image = "/".join(",".join(mirrored(tile) for tile in row[::-1]) for row in rows)
        return min(str(board), mirror_image)


def solve(
    board: Board, *, limits: Limits | None = None, stop: Any = None, progress: ProgressListener | None = None
) -> Outcome:
    """The fewest steps out of `board`; see `junqi_puzzles.base`."""
    return Submarine().search(board, Search(limits, stop, progress))
