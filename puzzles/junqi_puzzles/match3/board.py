"""Boards of match-3, their rules, and the effect of a swap."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from junqi_engine.errors import Refused, expect_one_of
from junqi_puzzles.base import parse_square, split_move, square_name
from junqi_puzzles.match3.game import LARGE, SMALL
from junqi_puzzles.match3.waves import ALL_WAVES, NOT_LEGAL, ONLY_SETTLE, find_swaps, play

START_BOARD = "3343/3233/2434/1343/3311/3433/1443/1232"
MAX_SIDE = 16
LETTERS = ".123456789abcdefghijklmnopqrstuvwxyz"
MAX_POINTS = 10_000


@dataclass(frozen=True)
class Rules:
    """The options of the game. `points` are those of a run of 3, of 4, of 5.

    `ignores_long_runs`: a run of 6 or more neither scores nor is removed, nor does it make a swap legal; otherwise it
    counts as 5. `starts_with_runs`: the treatment of runs on the board at the start: `resolve` (removed unscored),
    `leave` (they remain), `score` (removed and scored) or `error`.
    """

    points: tuple[int, int, int] = (1, 3, 10)
    ignores_long_runs: bool = False
    allows_empty_swap: bool = False
    starts_with_runs: str = "resolve"

    def __post_init__(self) -> None:
        if len(self.points) != 3 or not all(0 <= points <= MAX_POINTS for points in self.points):
            raise Refused("bad-value", f"points {self.points}: expected three numbers from 0 to {MAX_POINTS}")
        expect_one_of("starts_with_runs:", self.starts_with_runs, ("resolve", "leave", "score", "error"), "bad-value")


@dataclass(frozen=True, order=True)
class Swap:
    """Two neighbouring cells: `row` (from the top) and `column` of the upper or left one, and the one below or right.

    The order of swaps is the order of lines of equal points.
    """

    row: int
    column: int
    is_down: bool


@dataclass(frozen=True, eq=False)
class Wave:
    """A stage of a cascade: its `points`, the cells `removed` (rows x columns, bool), and the board `after` it."""

    points: int
    removed: np.ndarray
    after: "Board"


class Board:
    """A settled board under its rules: `cells` (rows x columns of uint8, top row first, 0 empty, kinds 1..35).

    `points` are those of the game so far; solvers ignore them.
    """

    points = 0

    def __init__(self, cells: np.ndarray, rules: Rules) -> None:
        """A `Refused` bad-position, impossible-position or too-large if the cells are no board. Runs are allowed."""
        cells = np.array(cells, dtype=np.uint8)
        if cells.ndim != 2 or cells.size == 0:
            raise Refused("bad-position", "the board has no cells")
        if max(cells.shape) > MAX_SIDE:
            raise Refused(
                "too-large",
                f"{cells.shape[0]} rows x {cells.shape[1]} columns: the limit is {MAX_SIDE} x {MAX_SIDE},"
                " and / is between rows",
            )
        if cells.max() >= len(LETTERS):
            raise Refused("bad-position", f"kind {cells.max()}: the largest is {len(LETTERS) - 1}")
        above_holes = np.argwhere((cells[:-1] != 0) & (cells[1:] == 0))
        if len(above_holes):
            row, column = above_holes[0]
            at = square_name(int(column), cells.shape[0] - 1 - int(row))
            raise Refused("impossible-position", f"the piece at {at} is above an empty cell")
        self.cells = cells
        self.rules = rules

    @property
    def rows(self) -> int:
        return int(self.cells.shape[0])

    @property
    def columns(self) -> int:
        return int(self.cells.shape[1])

    @property
    def is_solved(self) -> bool:
        return not self.swaps()

    @cached_property
    def kinds(self) -> np.ndarray:
        """The kinds on the board, ascending; the kernels number them from 1."""
        return np.unique(self.cells[self.cells > 0])

    @cached_property
    def game(self) -> np.ndarray:
        """The kernels' record of this board and its rules (0-d array of `SMALL` or `LARGE`)."""
        stride = 1 << (self.columns - 1).bit_length()
        rows_a_word = 64 // stride
        planes = max(len(self.kinds).bit_length(), 1)
        words = -(-self.rows // rows_a_word)
        game = np.zeros((), SMALL if planes <= 3 and words == 1 else LARGE)
        game["planes"] = planes
        game["words"] = words
        game["kinds"] = len(self.kinds)
        game["stride"] = stride
        game["points"] = self.rules.points
        game["ignores_long"] = self.rules.ignores_long_runs
        game["empty_swap"] = self.rules.allows_empty_swap
        column = sum(1 << (row * stride) for row in range(rows_a_word))
        game["is_plain"] = game.dtype == SMALL and not (self.rules.ignores_long_runs or self.rules.allows_empty_swap)
        game["column"] = column
        game["inner"] = column * ((1 << (self.columns - 1)) - 1)
        game["area"] = self._mask(np.ones_like(self.cells), game)
        numbers = np.searchsorted(self.kinds, self.cells) + 1
        numbers[self.cells == 0] = 0
        for i, plane in enumerate(game["board"]):
            plane[:] = self._mask(numbers >> i & 1, game)
        return game

    def board_of(self, game: np.ndarray) -> "Board":
        """The board in the kernels' record `game`, which began as this one."""
        numbers = sum(self._bits(plane).astype(np.int64) << i for i, plane in enumerate(game["board"]))
        return Board(np.concatenate([[0], self.kinds])[numbers], self.rules)

    def with_points(self, points: int) -> "Board":
        """The same board in a game with this many points."""
        board = copy(self)
        board.points = points
        return board

    def swaps(self) -> list[Swap]:
        """The legal swaps, in their order."""
        game = self.game.copy()
        find_swaps(game[()])
        right, down = self._bits(game["right"]), self._bits(game["down"])
        candidates = [
            Swap(row, column, is_down)
            for row in range(self.rows)
            for column in range(self.columns)
            for is_down, mask in ((False, right), (True, down))
            if mask[row, column]
        ]
        return [swap for swap in candidates if self._play(self.number(swap))[0] != NOT_LEGAL]

    def play(self, swap: Swap) -> tuple[int, "Board"]:
        """The points of a swap and the board after it; `Refused` illegal-move if it is not legal."""
        self._check(swap)
        points, game = self._play(self.number(swap))
        after = self.board_of(game)
        # The kernel for small boards assumes that the swap is legal.
        if points == NOT_LEGAL or np.count_nonzero(after.cells) == np.count_nonzero(self.cells):
            raise Refused("illegal-move", f"{self.format_swap(swap)} makes no run")
        return points, after

    def waves(self, swap: Swap) -> list[tuple["Board", Wave]]:
        """The waves of a swap, each with the board before it; errors as for `play`."""
        self.play(swap)
        before = self.board_of(self._play(self.number(swap), 0)[1])
        waves: list[tuple[Board, Wave]] = []
        points_before = 0
        while True:
            points, game = self._play(self.number(swap), len(waves) + 1)
            if not game["removed"].any():
                return waves
            after = self.board_of(game)
            waves.append((before, Wave(points - points_before, self._bits(game["removed"]), after)))
            points_before, before = points, after

    def settle(self) -> tuple[int, "Board"]:
        """The points of the runs on the board and of the waves that follow, and the board after them."""
        points, game = self._play(ONLY_SETTLE)
        return points, self.board_of(game)

    def start(self) -> tuple[int, "Board"]:
        """The points and the board with which play begins, by `rules.starts_with_runs`; `Refused`
        impossible-position if that is `error` and the board has runs.
        """
        if self.rules.starts_with_runs == "leave":
            return 0, self
        _, game = self._play(ONLY_SETTLE, 1)
        if not game["removed"].any():
            return 0, self
        if self.rules.starts_with_runs == "error":
            row, column = np.argwhere(self._bits(game["removed"]))[0]
            at = square_name(int(column), self.rows - 1 - int(row))
            raise Refused("impossible-position", f"the board has a run through {at} at the start")
        points, board = self.settle()
        return (points if self.rules.starts_with_runs == "score" else 0), board

    def number(self, swap: Swap) -> int:
        """The kernels' number of a swap."""
        return 2 * (swap.row * int(self.game["stride"]) + swap.column) + swap.is_down

    def swap_of(self, number: int) -> Swap:
        """The swap with this number."""
        row, column = divmod(number >> 1, int(self.game["stride"]))
        return Swap(row, column, bool(number & 1))

    def format_swap(self, swap: Swap) -> str:
        """The two squares of a swap, the upper or left one first: `b4b3`."""
        rank = self.rows - 1 - swap.row
        first = square_name(swap.column, rank)
        return first + (square_name(swap.column, rank - 1) if swap.is_down else square_name(swap.column + 1, rank))

    def parse_swap(self, text: str) -> Swap:
        """The swap of two squares, in either order; `Refused` bad-move, or illegal-move if they don't touch."""
        cells = []
        for name in split_move(text, "b4b3"):
            file, rank = parse_square(name)
            if file >= self.columns or rank >= self.rows:
                raise Refused("bad-move", f"{text[:40]}: {name[:20]} is off the board")
            cells.append((self.rows - 1 - rank, file))
        first, second = sorted(cells)
        if (second[0] - first[0]) + abs(second[1] - first[1]) != 1:
            raise Refused("illegal-move", f"{text}: the squares are not neighbours")
        return Swap(*first, is_down=second[0] > first[0])

    def __str__(self) -> str:
        return "/".join("".join(LETTERS[kind] for kind in row) for row in self.cells)

    def _check(self, swap: Swap) -> None:
        other = (swap.row + swap.is_down, swap.column + (not swap.is_down))
        if not (swap.row >= 0 and swap.column >= 0 and other[0] < self.rows and other[1] < self.columns):
            raise Refused("bad-move", f"{swap}: off the board")
        first, second = int(self.cells[swap.row, swap.column]), int(self.cells[other])
        if first == second:
            what = "both cells hold the same kind" if first else "both cells are empty"
            raise Refused("illegal-move", f"{self.format_swap(swap)}: {what}")
        if not (first and second) and not self.rules.allows_empty_swap:
            raise Refused("illegal-move", f"{self.format_swap(swap)}: one of the cells is empty")

    def _play(self, number: int, max_waves: int = ALL_WAVES) -> tuple[int, np.ndarray]:
        game = self.game.copy()
        return play(game[()], number, max_waves), game

    def _mask(self, bits: np.ndarray, game: np.ndarray) -> np.ndarray:
        """The words of rows x columns of 0 and 1."""
        stride = int(game["stride"])
        padded = np.zeros((64 * len(game["area"]) // stride, stride), np.uint8)
        padded[: self.rows, : self.columns] = bits
        return np.packbits(padded.ravel(), bitorder="little").view("<u8").astype(np.uint64)

    def _bits(self, mask: np.ndarray) -> np.ndarray:
        """Rows x columns of bool from words."""
        flat = np.unpackbits(mask.astype("<u8").view(np.uint8), bitorder="little")
        return flat.reshape(-1, int(self.game["stride"]))[: self.rows, : self.columns].astype(bool)


def parse(text: str, rules: Rules) -> Board:
    """The board of rows from the top with `/` between, `1`..`9` and `a`..`z` for kinds, `.` for empty cells.

    A `Refused` names the wrong row.
    """
    rows = text.split("/")
    if not all(rows):
        raise Refused(
            "bad-position", "the board has no cells" if not any(rows) else f"row {rows.index('') + 1} is empty"
        )
    for number, row in enumerate(rows, 1):
        for column, letter in enumerate(row, 1):
            if letter not in LETTERS:
                raise Refused("bad-position", f"row {number}, column {column}: {letter!r} is not 1..9, a..z or '.'")
        if len(row) != len(rows[0]):
            raise Refused("bad-position", f"row {number} has {len(row)} cells, row 1 has {len(rows[0])}")
    return Board(np.array([[LETTERS.index(letter) for letter in row] for row in rows], np.uint8), rules)


def draw_wave(before: Board, wave: Wave) -> list[str]:
    """The board before a wave, removed pieces in brackets, beside the board after it; one line for each row."""
    lines = []
    for row in range(before.rows):
        marked = "".join(
            f"[{LETTERS[kind]}]" if is_removed else f" {LETTERS[kind]} "
            for kind, is_removed in zip(before.cells[row], wave.removed[row], strict=True)
        )
        lines.append(f"{marked}  |  {' '.join(LETTERS[kind] for kind in wave.after.cells[row])}")
    return lines
