"""A sliding-block puzzle as text: its board, its pieces and their goal.

    <board> goal <goal> [gates <squares>]

Rows from the top, separated by `/`. A letter or digit per cell names its piece. A piece may have any cells, also in
several parts. `.` is empty, `#` a wall, `=` an empty gate, which only a piece named in the goal may enter; `gates`
lists the gates that pieces stand on. The goal shows pieces where they must stand; its other cells may be `.`.

A *cell* is `width * row + column`, rows from the top, both from 0.
"""

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, replace

from junqi_engine.errors import Refused, quoted
from junqi_puzzles.base import parse_square, square_name
from junqi_puzzles.metric import Metric

NAMES = string.ascii_uppercase + string.ascii_lowercase + string.digits
MAX_SIDE = 16
EMPTY, WALL, GATE = ".", "#", "="
DIRECTIONS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

Cells = frozenset[int]


@dataclass(frozen=True)
class Board:
    """One position of a puzzle, with its goal.

    `pieces` and `goal` give the cells of a piece by its name; `goal` names some of the pieces, or all. With
    `axis_locked` a piece moves only along the longer side of its bounding box; one with a square box does not move.
    """

    width: int
    height: int
    walls: Cells
    gates: Cells
    pieces: Mapping[str, Cells]
    goal: Mapping[str, Cells]
    axis_locked: bool = False

    @property
    def is_solved(self) -> bool:
        return all(self.pieces[name] == cells for name, cells in self.goal.items())

    def square(self, cell: int) -> str:
        row, column = divmod(cell, self.width)
        return square_name(column, self.height - 1 - row)

    def shape(self, cells: Cells) -> tuple[tuple[int, int], ...]:
        """The (row, column) of each cell within the bounding box, in reading order."""
        places = sorted(divmod(cell, self.width) for cell in cells)
        top = min(row for row, _ in places)
        left = min(column for _, column in places)
        return tuple((row - top, column - left) for row, column in places)

    def slide(self, name: str, cells: Cells, direction: str) -> Cells | None:
        """The cells of a piece one cell further, regardless of other pieces; None if the board forbids it."""
        if direction not in self.axis(cells):
            return None
        down, right = DIRECTIONS[direction]
        moved = set()
        for cell in cells:
            row, column = divmod(cell, self.width)
            row, column = row + down, column + right
            if not (0 <= row < self.height and 0 <= column < self.width):
                return None
            moved.add(row * self.width + column)
        if moved & self.walls or (name not in self.goal and (moved - cells) & self.gates):
            return None
        return frozenset(moved)

    def axis(self, cells: Cells) -> str:
        """The directions in which a piece may go."""
        if not self.axis_locked:
            return "udlr"
        shape = self.shape(cells)
        height = max(row for row, _ in shape)
        width = max(column for _, column in shape)
        return "lr" if width > height else "ud" if height > width else ""

    def play(self, move: str, metric: Metric = Metric.MOVE) -> "Board":
        """The board after a move, a piece's name and its path.

        A `Refused` bad-move if it is not a move, illegal-move if the metric or the board forbids it.
        """
        name, path = move[:1], move[1:]
        if name not in NAMES or not re.fullmatch("[udlr]+", path):
            raise Refused("bad-move", f"{quoted(move)} is not a piece and its path of u, d, l and r, such as Ilu")
        if name not in self.pieces:
            raise Refused("illegal-move", f"{move}: there is no piece {name}")
        fault = metric.fault(path)
        if fault is not None:
            raise Refused("illegal-move", f"{move}: {fault}")
        others = frozenset().union(*(cells for other, cells in self.pieces.items() if other != name))
        cells = self.pieces[name]
        for count, direction in enumerate(path, start=1):
            moved = self.slide(name, cells, direction)
            if moved is None:
                raise Refused("illegal-move", f"{move}: {name} may not go {path[:count]}")
            if moved & others:
                square = self.square(min(moved & others))
                raise Refused("illegal-move", f"{move}: {name} cannot go {path[:count]}: {square} is taken")
            cells = moved
        if cells == self.pieces[name]:
            raise Refused("illegal-move", f"{move}: {name} ends where it began")
        return replace(self, pieces={**self.pieces, name: cells})

    def rows(self) -> list[str]:
        symbols = dict.fromkeys(self.walls, WALL) | dict.fromkeys(self.gates, GATE)
        return self._draw(symbols, self.pieces)

    def goal_rows(self) -> list[str]:
        """The goal as `rows`, without gates."""
        return self._draw(dict.fromkeys(self.walls, WALL), self.goal)

    def _draw(self, symbols: dict[int, str], pieces: Mapping[str, Cells]) -> list[str]:
        for name, cells in pieces.items():
            symbols |= dict.fromkeys(cells, name)
        cells_in_order = range(self.width * self.height)
        drawing = "".join(symbols.get(cell, EMPTY) for cell in cells_in_order)
        return [drawing[start : start + self.width] for start in range(0, len(drawing), self.width)]

    def __str__(self) -> str:
        taken = frozenset().union(*self.pieces.values()) & self.gates
        gates = f" gates {','.join(self.square(cell) for cell in sorted(taken))}" if taken else ""
        return f"{'/'.join(self.rows())} goal {'/'.join(self.goal_rows())}{gates}"


def parse(text: str, axis_locked: bool = False) -> Board:
    """The board of `<board> goal <goal> [gates <squares>]`; a `Refused` says what is wrong and where."""
    words = text.split()
    keywords = words[1::2]
    if len(words) not in (3, 5) or keywords != ["goal", "gates"][: len(keywords)]:
        raise Refused("bad-position", f"a position is <board> goal <goal> [gates <squares>], not {quoted(text)}")
    rows = _split(words[0], "board")
    goal_rows = _split(words[2], "goal")
    size, goal_size = (len(rows[0]), len(rows)), (len(goal_rows[0]), len(goal_rows))
    if size != goal_size:
        raise Refused("bad-position", f"the goal is {goal_size[0]} x {goal_size[1]}, the board {size[0]} x {size[1]}")
    symbols = _cells_by_symbol(rows)
    goal_symbols = _cells_by_symbol(goal_rows)
    board = Board(
        width=size[0],
        height=size[1],
        walls=symbols.get(WALL, frozenset()),
        gates=symbols.get(GATE, frozenset()),
        pieces={name: cells for name, cells in symbols.items() if name in NAMES},
        goal={name: cells for name, cells in goal_symbols.items() if name in NAMES},
        axis_locked=axis_locked,
    )
    if len(words) == 5:
        board = replace(board, gates=board.gates | _taken_gates(board, words[4]))
    _check_goal(board, goal_symbols)
    return board


def _split(text: str, what: str) -> list[str]:
    rows = text.split("/")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]) or not row:
            raise Refused("bad-position", f"row {number} of the {what} has {len(row)} cells, row 1 has {len(rows[0])}")
        for column, symbol in enumerate(row, start=1):
            if symbol not in NAMES + EMPTY + WALL + GATE:
                raise Refused(
                    "bad-position",
                    f"{symbol!r} in row {number}, column {column} of the {what} is not one of A-Z a-z 0-9 . # =",
                )
    if max(len(rows), len(rows[0])) > MAX_SIDE:
        raise Refused("too-large", f"the {what} is {len(rows[0])} x {len(rows)}; the limit is {MAX_SIDE} x {MAX_SIDE}")
    return rows


def _cells_by_symbol(rows: list[str]) -> dict[str, Cells]:
    cells: dict[str, set[int]] = {}
    for cell, symbol in enumerate("".join(rows)):
        cells.setdefault(symbol, set()).add(cell)
    return {symbol: frozenset(found) for symbol, found in cells.items()}


def _taken_gates(board: Board, text: str) -> Cells:
    taken = frozenset().union(*board.pieces.values())
    gates = set()
    for name in text.split(","):
        try:
            file, rank = parse_square(name)
        except ValueError:
            raise Refused("bad-position", f"gates: {name!r} is not a square, such as a1") from None
        cell = (board.height - 1 - rank) * board.width + file
        if file >= board.width or rank >= board.height:
            raise Refused("bad-position", f"gates: {name} is not on the board")
        if cell not in taken | board.gates:
            raise Refused("bad-position", f"gates: there is no piece on {name}; an empty gate is written =")
        gates.add(cell)
    return frozenset(gates)


def _check_goal(board: Board, goal_symbols: dict[str, Cells]) -> None:
    for symbol, cells, what in ((WALL, board.walls, "wall"), (GATE, board.gates, "gate")):
        stray = goal_symbols.get(symbol, frozenset()) - cells
        if stray:
            square = board.square(min(stray))
            raise Refused("bad-position", f"the goal has a {what} on {square}, but the board does not")
    if not board.goal:
        raise Refused("bad-position", "the goal names no piece")
    for name, cells in board.goal.items():
        if name not in board.pieces:
            raise Refused("bad-position", f"the goal's piece {name} is not on the board")
        if board.shape(cells) != board.shape(board.pieces[name]):
            raise Refused("bad-position", f"the piece {name} has another shape in the goal than on the board")
        if cells & board.walls:
            square = board.square(min(cells & board.walls))
            raise Refused("impossible-position", f"the goal's piece {name} stands in the wall on {square}")
