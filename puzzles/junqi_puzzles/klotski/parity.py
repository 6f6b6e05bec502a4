"""The parity of puzzles with one hole, by which a 15-puzzle with two tiles exchanged is known to have no solution.

A step exchanges a piece of one cell and the hole. So it changes the parity of the permutation, and the colour of the
hole's cell as on a chessboard: the sum of both never changes (Johnson and Story, "Notes on the 15 puzzle", 1879).
"""

from collections.abc import Mapping

from junqi_puzzles.klotski.board import Board


def is_excluded(board: Board) -> bool:
    """Whether parity proves that no steps lead to the goal.

    It can where all pieces have one cell, one cell is empty, and the goal names all pieces, or all but one.
    """
    places = {name: min(cells) for name, cells in board.pieces.items()}
    cells = set(range(board.width * board.height)) - board.walls
    holes, others = cells - set(places.values()), places.keys() - board.goal.keys()
    if len(holes) != 1 or len(others) > 1 or any(len(piece) > 1 for piece in board.pieces.values()):
        return False
    named = {places[name]: min(piece) for name, piece in board.goal.items()}
    free = cells - set(named.values())
    ends = ([end, *(free - {end})] for end in free)
    from_cells = [*holes, *(places[name] for name in others)]
    return all(_is_odd(board.width, from_cells[0], named | dict(zip(from_cells, end, strict=True))) for end in ends)


def _is_odd(width: int, hole: int, moved: Mapping[int, int]) -> bool:
    """Whether the parity of a permutation of cells differs from that of the hole's way."""
    cycles, seen = 0, set[int]()
    for cell in moved:
        cycles += cell not in seen
        while cell not in seen:
            seen.add(cell)
            cell = moved[cell]
    return (len(moved) - cycles + sum(divmod(hole, width)) + sum(divmod(moved[hole], width))) % 2 == 1
