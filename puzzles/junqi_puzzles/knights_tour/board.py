"""The board of a knight's tour: its size, the required ends of the tour, and the path so far.

    <rows>x<columns> [start SQUARE] [end SQUARE] [closed]

Squares are (row, column) from 0, rows from the top.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from junqi_engine.errors import Refused, quoted
from junqi_puzzles.base import parse_square, split_move, square_name

Place = tuple[int, int]

MAX_SQUARES = 100_000_000
KNIGHT_MOVES = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
"""Row and column steps; move 7 - i is move i back."""


@dataclass(frozen=True)
class Board:
    """`path` has the squares visited so far, the start first. A closed tour returns to its start, and has no `end`."""

    rows: int
    columns: int
    path: tuple[Place, ...] = ()
    end: Place | None = None
    closed: bool = False

    @property
    def start(self) -> Place | None:
        return self.path[0] if self.path else None

    @property
    def squares(self) -> int:
        return self.rows * self.columns

    def number(self, square: Place) -> int:
        """The number by which kernels know a square."""
        return square[0] * self.columns + square[1]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the squares of the path."""
        return [self.number(square) for square in self.path]

    @property
    def moves_left(self) -> int:
        """The number of moves that complete the tour; an empty path has as many as a path of one square."""
        return self.squares - max(len(self.path), 1) + self.closed

    @property
    def is_solved(self) -> bool:
        """Whether the path is a complete tour."""
        return self.moves_left <= 0 and (self.end is None or self.path[self.squares - 1 :] in ((), (self.end,)))

    def name(self, square: Place) -> str:
        return square_name(square[1], self.rows - 1 - square[0])

    def move(self, start: Place, end: Place) -> str:
        return self.name(start) + self.name(end)

    @property
    def moves(self) -> list[str]:
        """The moves of the path."""
        return [self.move(start, end) for start, end in itertools.pairwise(self.path)]

    def exits(self) -> list[Place]:
        """The squares that may continue the path; none for an empty path."""
        if not self.path:
            return []
        visited = set(self.path)
        (row, column), found = self.path[-1], []
        for down, right in KNIGHT_MOVES:
            to = row + down, column + right
            is_home = self.closed and to == self.path[0] and len(self.path) == self.squares
            if 0 <= to[0] < self.rows and 0 <= to[1] < self.columns and (to not in visited or is_home):
                found.append(to)
        return found

    def check(self) -> None:
        """Check the size, the ends and the path; errors as for `check_request` and `check_path`."""
        check_request(self.rows, self.columns, self.start, self.end, self.closed)
        check_path(self.rows, self.columns, self.path, self.closed)

    def __str__(self) -> str:
        """The board as text, without the moves of the path."""
        words = [f"{self.rows}x{self.columns}"]
        words += [f"start {self.name(self.start)}"] if self.start else []
        words += [f"end {self.name(self.end)}"] if self.end else []
        return " ".join(words + ["closed"] * self.closed)


def check_request(rows: int, columns: int, start: Place | None, end: Place | None, closed: bool) -> None:
    """Check the size of a board and the ends of a tour.

    `Refused` bad-position for a board without squares, ends off the board, equal ends, or an end of a closed tour;
    too-large for more than 100 million squares.
    """
    if rows < 1 or columns < 1:
        raise Refused("bad-position", f"{rows} x {columns}: a board has at least one row and one column")
    if rows * columns > MAX_SQUARES:
        raise Refused("too-large", f"{rows} x {columns}: at most {MAX_SQUARES} squares")
    for name, square in (("start", start), ("end", end)):
        if square is not None and not (0 <= square[0] < rows and 0 <= square[1] < columns):
            raise Refused("bad-position", f"{name} {_name(rows, square)} is off the board of {rows} x {columns}")
    if closed and end is not None:
        raise Refused("bad-position", "a closed tour has no end")
    if start is not None and start == end:
        raise Refused("bad-position", f"start and end are the same square {_name(rows, start)}")


def check_path(rows: int, columns: int, path: Sequence[Place], closed: bool) -> None:
    """Check the path so far; a closed tour may end with the move to its start.

    `Refused` bad-move if it leaves the board, illegal-move if a move is not a knight's or visits a square again.
    """
    visited: set[Place] = set()
    for number, square in enumerate(path):
        if not (0 <= square[0] < rows and 0 <= square[1] < columns):
            raise Refused("bad-move", f"move {number} leaves the board of {rows} x {columns}")
        name = square_name(square[1], rows - 1 - square[0])
        if number:
            before = path[number - 1]
            if abs(square[0] - before[0]) * abs(square[1] - before[1]) != 2:
                raise Refused("illegal-move", f"move {number}, to {name}, is not a knight's move")
        is_home = closed and number == rows * columns and square == path[0]
        if square in visited and not is_home:
            raise Refused("illegal-move", f"move {number} visits {name} a second time")
        visited.add(square)


def parse(words: Sequence[str], moves: Sequence[str] = ()) -> Board:
    """The board that words describe, after the moves; a `Refused` says what is wrong and where."""
    match = re.fullmatch(r"([0-9]{1,12})x([0-9]{1,12})", words[0]) if words else None
    if match is None:
        found = repr(words[0][:40]) if words else "nothing"
        raise Refused("bad-position", f"expected a board <rows>x<columns>, such as 8x8, not {found}")
    rows, columns = int(match[1]), int(match[2])
    squares: dict[str, Place] = {}
    closed = False
    index = 1
    while index < len(words):
        word = words[index]
        if word in ("start", "end") and word not in squares and index + 1 < len(words):
            squares[word] = _square(words[index + 1], rows, columns, word, "bad-position")
            index += 2
        elif word == "closed" and not closed:
            closed = True
            index += 1
        else:
            fault = "is given twice" if word in words[:index] else "needs a square after it"
            fault = fault if word in ("start", "end", "closed") else "is not start, end or closed"
            raise Refused("bad-position", f"{quoted(word)} {fault}")
    path = [squares["start"]] if "start" in squares else []
    for number, move in enumerate(moves, 1):
        where = f"move {number}"
        try:
            names = split_move(move, "a1b3")
        except Refused as error:
            raise Refused("bad-move", f"{where}: {error}") from None
        start, end = (_square(name, rows, columns, where, "bad-move") for name in names)
        if not path:
            path.append(start)
        if start != path[-1]:
            raise Refused("illegal-move", f"{where}: {quoted(move)} does not begin where the path ends")
        path.append(end)
    board = Board(rows, columns, tuple(path), squares.get("end"), closed)
    board.check()
    return board


def _square(text: str, rows: int, columns: int, where: str, code: str) -> Place:
    try:
        file, rank = parse_square(text)
    except Refused as error:
        raise Refused(code, f"{where}: {error}") from None
    if file >= columns or rank >= rows:
        raise Refused(code, f"{where}: {quoted(text)} is off the board of {rows} x {columns}")
    return rows - 1 - rank, file


def _name(rows: int, square: Place) -> str:
    row, column = square
    return square_name(column, rows - 1 - row) if row < rows and column >= 0 else f"(row {row}, column {column})"
