"""The placements of the pieces of a board and the steps between them.

Sets of cells are numbers here, bit `cell` for each cell, since a number is shifted and compared in one operation.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from junqi_puzzles.klotski.board import DIRECTIONS, Board, Cells

NOWHERE = -1


@dataclass(frozen=True)
class Placements:
    """The placements of the pieces of one class.

    `cells` are the cells of each placement, in reading order. `step` has for each placement the placements one cell
    further, in the order of `DIRECTIONS`, as indices in `cells`, or `NOWHERE`.
    """

    cells: list[int]
    step: list[list[int]]


def to_bits(cells: Iterable[int]) -> int:
    """A set of cells as a number."""
    number = 0
    for cell in cells:
        number |= 1 << cell
    return number


def from_bits(number: int) -> Iterator[int]:
    """The cells of a set in ascending order: the inverse of `to_bits`."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class Grid:
    """A board without pieces: its walls, gates and edges as sets of cells."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.walls = to_bits(board.walls)
        self.gates = to_bits(board.gates)
        everywhere = (1 << board.width * board.height) - 1
        self._left = sum(1 << row * board.width for row in range(board.height))
        edges = {
            "u": (1 << board.width) - 1,
            "d": everywhere ^ everywhere >> board.width,
            "l": self._left,
            "r": self._left << board.width - 1,
        }
        self._edges = [(letter, edges[letter]) for letter in DIRECTIONS]

    def shape(self, cells: int) -> int:
        """The cells moved to the upper left corner: equal for pieces of one shape."""
        width = self.board.width
        cells >>= ((cells & -cells).bit_length() - 1) // width * width
        while not cells & self._left:
            cells >>= 1
        return cells

    def placements(self, pieces: list[Cells], may_enter_gates: bool) -> Placements:
        """The placements that pieces of one shape, now on the cells `pieces`, could reach alone."""
        width, forbidden = self.board.width, self.walls if may_enter_gates else self.walls | self.gates
        axis = self.board.axis(pieces[0])
        blocked_at = [edge if letter in axis else -1 for letter, edge in self._edges]
        up, down, left, right = blocked_at
        found = {to_bits(cells): [NOWHERE] * 4 for cells in pieces}
        waiting = list(found)
        for cells in waiting:
            # A piece may leave a gate, and keep standing on one while another part of it moves.
            closed = forbidden & ~cells | self.walls
            steps = found[cells]
            for direction, moved in enumerate(
                (
                    NOWHERE if cells & up else cells >> width,
                    NOWHERE if cells & down else cells << width,
                    NOWHERE if cells & left else cells >> 1,
                    NOWHERE if cells & right else cells << 1,
                )
            ):
                if moved != NOWHERE and not moved & closed:
                    steps[direction] = moved
                    if moved not in found:
                        found[moved] = [NOWHERE] * 4
                        waiting.append(moved)
        # Placements differ by a shift alone, so their order as numbers is the reading order.
        cells_in_order = sorted(found)
        index_of = {cells: index for index, cells in enumerate(cells_in_order)}
        index_of[NOWHERE] = NOWHERE
        return Placements(cells_in_order, [[index_of[moved] for moved in found[cells]] for cells in cells_in_order])
