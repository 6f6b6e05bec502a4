"""The tiles of Submarine Adventure, their attachments, and set-ups of the board as text.

Nine squares of 5 x 5 cells lie in a plane of 19 x 19 cells with a margin of 2. A *square* is the number `3 * row +
column`, rows from the top. Attachments are rectangles (row, column, height, width) relative to the upper left cell of
their tile. Importing this module loads no kernels.

A set-up is written row by row from the top, with `/` between rows, `,` between tiles and `.` for the hole:
`m:n,s:sw,s:nwse/T,b:sw,s:se/s:w,.,s:ne`.
"""

from dataclasses import dataclass

from junqi_engine.errors import Refused, quoted
from junqi_puzzles.base import parse_square, split_move, square_name

SIDE = 3
SQUARES = SIDE * SIDE
TILE = 5
MARGIN = 2
PLANE = 2 * MARGIN + SIDE * TILE
HOLE = "."
SUBMARINE = "T"
EXIT = 7
"""The square at the middle of the bottom, from which the submarine leaves the board downwards."""
LEAVE = "b1b0"
"""The move with which the submarine leaves."""

Rectangle = tuple[int, int, int, int]

PROPELLERS: tuple[Rectangle, ...] = ((0, -2, 2, 2), (0, 5, 2, 2))
CLIP: Rectangle = (4, 2, 1, 1)
_SMALL: dict[str, Rectangle] = {"nw": (0, 0, 2, 2), "ne": (0, 3, 2, 2), "sw": (3, 0, 2, 2), "se": (3, 3, 2, 2)}
_BIG: dict[str, Rectangle] = {"nw": (-2, -2, 3, 3), "ne": (-2, 4, 3, 3), "sw": (4, -2, 3, 3), "se": (4, 4, 3, 3)}
_MIDDLE: dict[str, Rectangle] = {"w": (1, -1, 3, 2), "n": (-1, 1, 2, 3), "e": (1, 4, 3, 2), "s": (4, 1, 2, 3)}
_PAIRS = {
    "n": ("nw", "ne"), "e": ("ne", "se"), "s": ("sw", "se"), "w": ("nw", "sw"), "nwse": ("nw", "se"),
    "nesw": ("ne", "sw"),
}  # fmt: skip

ATTACHMENTS: dict[str, tuple[Rectangle, ...]] = {
    SUBMARINE: (*PROPELLERS, CLIP),
    **{f"b:{corner}": (rectangle,) for corner, rectangle in _BIG.items()},
    **{f"m:{side}": (rectangle,) for side, rectangle in _MIDDLE.items()},
    **{f"s:{corner}": (rectangle,) for corner, rectangle in _SMALL.items()},
    **{f"s:{where}": (_SMALL[one], _SMALL[two]) for where, (one, two) in _PAIRS.items()},
}
KINDS = tuple(ATTACHMENTS)

BIG = tuple(f"b:{corner}" for corner in _BIG)
MIDDLE = tuple(f"m:{side}" for side in _MIDDLE)
SINGLE = tuple(f"s:{corner}" for corner in _SMALL)
SIDE_PAIR = ("s:n", "s:e", "s:s", "s:w")
DIAGONAL_PAIR = ("s:nwse", "s:nesw")
_EAST_WEST = str.maketrans("ew", "we")


@dataclass(frozen=True)
class Board:
    """A set-up: nine tiles in reading order, one of them the hole."""

    tiles: tuple[str, ...]
    is_solved: bool = False
    """Whether the submarine has left; its tile stays on the exit."""

    def __str__(self) -> str:
        return "/".join(",".join(self.tiles[row : row + SIDE]) for row in range(0, SQUARES, SIDE))

    @property
    def hole(self) -> int:
        return self.tiles.index(HOLE)

    def slide(self, square: int) -> "Board":
        """The board after an exchange of the tile on a square and the hole, legal or not."""
        tiles = list(self.tiles)
        tiles[self.hole], tiles[square] = tiles[square], HOLE
        return Board(tuple(tiles))


def attachments(tile: str) -> tuple[Rectangle, ...]:
    """The attachments of a tile: rectangles (row, column, height, width) from its upper left cell.

    A `Refused` bad-position if the tile does not exist.
    """
    if tile not in ATTACHMENTS:
        raise Refused("bad-position", f"{quoted(tile)} is not a tile, such as s:nw")
    return ATTACHMENTS[tile]


def cells_of(rectangles: tuple[Rectangle, ...], top: int, left: int) -> int:
    """The cells of attachments, one bit each, of a tile with this upper left cell; -1 if any is outside the plane."""
    cells = 0
    for row, column, height, width in rectangles:
        row, column = row + top, column + left
        if min(row, column) < 0 or max(row + height, column + width) > PLANE:
            return -1
        for line in range(row, row + height):
            cells |= ((1 << width) - 1) << (line * PLANE + column)
    return cells


def corner(square: int) -> tuple[int, int]:
    """The upper left cell of a square."""
    row, column = divmod(square, SIDE)
    return MARGIN + TILE * row, MARGIN + TILE * column


def square_text(square: int) -> str:
    row, column = divmod(square, SIDE)
    return square_name(column, SIDE - 1 - row)


def parse(text: str) -> Board:
    """The board that a text describes; a `Refused` says what is wrong and where."""
    rows = text.split("/")
    if len(rows) != SIDE:
        raise Refused("bad-position", f"a set-up has {SIDE} rows with / between them, not {len(rows)}")
    tiles: list[str] = []
    for number, row in enumerate(rows, start=1):
        names = row.split(",")
        if len(names) != SIDE:
            raise Refused("bad-position", f"row {number} has {len(names)} tiles with , between them, not {SIDE}")
        for column, name in enumerate(names, start=1):
            if name != HOLE and name not in ATTACHMENTS:
                raise Refused("bad-position", f"{quoted(name)} in row {number}, column {column} is not a tile")
        tiles += names
    for name, what in ((HOLE, "hole"), (SUBMARINE, "submarine")):
        if tiles.count(name) != 1:
            raise Refused("impossible-position", f"there must be one {what}, not {tiles.count(name)}")
    board = Board(tuple(tiles))
    check(board)
    return board


def check(board: Board) -> None:
    """Raise a `Refused` that names both tiles if two attachments overlap."""
    cells = [cells_of(ATTACHMENTS.get(tile, ()), *corner(square)) for square, tile in enumerate(board.tiles)]
    for one in range(SQUARES):
        for two in range(one):
            if cells[one] & cells[two]:
                raise Refused(
                    "impossible-position",
                    f"{board.tiles[two]} on {square_text(two)} and {board.tiles[one]} on {square_text(one)} overlap",
                )


def parse_move(text: str) -> tuple[int, int | None]:
    """The squares of a move such as b1c1, from and to; None as the second for `LEAVE`."""
    if text == LEAVE:
        return EXIT, None
    start, end = split_move(text, "b1c1")
    squares = []
    for name in (start, end):
        try:
            file, rank = parse_square(name)
        except ValueError:
            raise Refused("bad-move", f"{quoted(text)}: {quoted(name)} is not a square") from None
        if file >= SIDE or rank >= SIDE:
            raise Refused("bad-move", f"{quoted(text)}: {quoted(name)} is not on the board")
        squares.append((SIDE - 1 - rank) * SIDE + file)
    return squares[0], squares[1]


def mirrored(tile: str) -> str:
    """The mirror image of a tile, left and right exchanged. The submarine is its own."""
    return tile.translate(_EAST_WEST)
