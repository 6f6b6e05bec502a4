"""Short codes of two well-known kinds of puzzle.

**36-bit codes** of 4 x 5 positions are nine hexadecimal digits. The first four bits are the place of the only 2 x 2
block, 4 x row + column of its upper left cell. Then two bits follow for each cell in reading order, except those of
the block and of pieces already read: 00 empty, 01 a horizontal 1 x 2 piece, 10 a vertical one, 11 a single cell. The
rest is zeros. The goal is the block at the middle of the bottom. 横刀立马 is 1A9BF0C00.

**Rush Hour strings**: the 36 cells of a 6 x 6 board in reading order, `o` or `.` empty, `x` a wall, `A` the car that
must leave on the right. Cars are straight, have two cells or more, and move only along their long side.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from junqi_engine.errors import Refused
from junqi_puzzles.arguments import checked
from junqi_puzzles.base import square_name
from junqi_puzzles.klotski.board import EMPTY, NAMES, WALL, Board, Cells, parse

WIDTH, HEIGHT = 4, 5
DIGITS = 9
SIDE = 6
BLOCK = ((0, 0), (0, 1), (1, 0), (1, 1))
SHAPES = {1: ((0, 0), (0, 1)), 2: ((0, 0), (1, 0)), 3: ((0, 0),)}
GOAL_CELLS = frozenset((13, 14, 17, 18))


@checked
def from_code(code: str, axis_locked: bool = False) -> Board:
    """The board of a 36-bit code, its pieces named A, B, ... in reading order; a `Refused` if it is not a code."""
    if not re.fullmatch(rf"[0-9A-Fa-f]{{{DIGITS}}}", code):
        count = "" if len(code) == DIGITS else f", not {len(code)}"
        raise Refused("bad-position", f"a code has {DIGITS} hexadecimal digits{count}: {code[:40]!r}")
    bits = f"{int(code, 16):036b}"
    row, column = divmod(int(bits[:4], 2), WIDTH)
    if row > HEIGHT - 2 or column > WIDTH - 2:
        raise Refused("impossible-position", f"code {code}: the 2 x 2 block does not fit on the board")
    symbols = iter(int(bits[place : place + 2], 2) for place in range(4, 36, 2))
    block = _cells(row, column, BLOCK)
    found: list[Cells] = [block]
    taken = set(block)
    for cell in range(WIDTH * HEIGHT):
        if cell in taken:
            continue
        symbol = next(symbols)
        if symbol == 0:
            continue
        row, column = divmod(cell, WIDTH)
        cells = _cells(row, column, SHAPES[symbol])
        last_row = row + SHAPES[symbol][-1][0]
        last_column = column + SHAPES[symbol][-1][1]
        if last_row >= HEIGHT or last_column >= WIDTH or cells & taken:
            raise Refused("impossible-position", f"code {code}: the piece in row {row + 1}, column {column + 1}"
                              " does not fit")  # fmt: skip
        found.append(cells)
        taken |= cells
    if any(symbols):
        raise Refused("impossible-position", f"code {code}: it describes more cells than the board has")
    found.sort(key=min)
    pieces = dict(zip(NAMES, found, strict=False))
    name = next(name for name, cells in pieces.items() if cells == block)
    return Board(WIDTH, HEIGHT, frozenset(), frozenset(), pieces, {name: GOAL_CELLS}, axis_locked)


@checked
def to_code(board: Board) -> str:
    """The 36-bit code of a position, whatever its goal; a `Refused` not-supported if it has none."""
    blocks = [cells for cells in board.pieces.values() if board.shape(cells) == BLOCK]
    symbol_of = {shape: symbol for symbol, shape in SHAPES.items()}
    if (board.width, board.height) != (WIDTH, HEIGHT) or len(blocks) != 1 or board.walls or board.gates:
        raise Refused("not-supported", "only 4 x 5 boards with one 2 x 2 block, without walls and gates, have a code")
    piece_at = {cell: cells for cells in board.pieces.values() for cell in cells}
    bits = f"{min(blocks[0]):04b}"
    for cell in range(WIDTH * HEIGHT):
        cells = piece_at.get(cell)
        if cells is None:
            bits += "00"
        elif cells != blocks[0] and cell == min(cells):
            if board.shape(cells) not in symbol_of:
                raise Refused(
                    "not-supported", f"no code: the piece on {board.square(cell)} is not 1 x 1, 1 x 2 or 2 x 1"
                )
            bits += f"{symbol_of[board.shape(cells)]:02b}"
    return f"{int(bits.ljust(4 * DIGITS, '0'), 2):0{DIGITS}X}"


@dataclass(frozen=True)
class Card:
    """A card of the boxed game Rush Hour: its number, its Rush Hour string, and the published least number of `moves`.

    In one move a car goes any number of cells.
    """

    number: int
    board: str
    moves: int


@cache
def rush_hour_cards() -> tuple[Card, ...]:
    """The forty cards, ten for each of the classes beginner, intermediate, advanced and expert."""
    entries = json.loads(files("junqi_puzzles.klotski").joinpath("rush_hour.json").read_text(encoding="utf-8"))
    return tuple(Card(number, entry["board"], entry["moves"]) for number, entry in enumerate(entries, 1))


@checked
def from_rush_hour(text: str, car: str = "A") -> Board:
    """The board of a Rush Hour string; a `Refused` if it is not one.

    `car` is the one that must leave; in many collections it is X.
    """
    if len(text) != SIDE * SIDE:
        raise Refused("bad-position", f"a Rush Hour string has {SIDE * SIDE} cells, not {len(text)}")
    drawing = text.replace("o", EMPTY).replace("x", WALL)
    rows = [drawing[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
    for name in sorted(set(drawing) & set(NAMES)):
        _check_car(name, [cell for cell, symbol in enumerate(drawing) if symbol == name])
    where = [number for number, row in enumerate(rows) if car in row]
    if len(where) != 1:
        raise Refused("impossible-position", f"the car {car} must be in one row, not in {len(where)}")
    length = rows[where[0]].count(car)
    goal = [EMPTY * SIDE] * SIDE
    goal[where[0]] = EMPTY * (SIDE - length) + car * length
    if "=" in text:
        raise Refused("bad-position", "a Rush Hour string has no gates (=)")
    return parse(f"{'/'.join(rows)} goal {'/'.join(goal)}", axis_locked=True)


@checked
def to_rush_hour(board: Board) -> str:
    """The Rush Hour string of a 6 x 6 position, `o` for empty; a `Refused` not-supported if it has none."""
    if (board.width, board.height) != (SIDE, SIDE) or board.gates or set("ox") & set(board.pieces):
        raise Refused(
            "not-supported", "only 6 x 6 boards without gates and without pieces o and x have a Rush Hour string"
        )
    return "".join(board.rows()).replace(EMPTY, "o").replace(WALL, "x")


def _check_car(name: str, cells: list[int]) -> None:
    """Raise a `Refused` if the cells of a 6 x 6 board are not in one line, next to each other."""
    step = cells[1] - cells[0] if len(cells) > 1 else 0
    is_in_line = step == SIDE or (step == 1 and cells[0] // SIDE == cells[-1] // SIDE)
    if not is_in_line or cells != list(range(cells[0], cells[-1] + 1, step)):
        squares = ", ".join(square_name(cell % SIDE, SIDE - 1 - cell // SIDE) for cell in cells)
        text = f"{name} on {squares} is no car: a car is straight and has two cells or more"
        raise Refused("impossible-position", text)


def _cells(row: int, column: int, shape: tuple[tuple[int, int], ...]) -> Cells:
    return frozenset(WIDTH * (row + down) + column + right for down, right in shape)
