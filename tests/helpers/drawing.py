"""Positions as drawings: a header of files, then a line a rank; all other points are empty.

   g  h  i  j  k
6  .. .. Ed .. ..
5  .. () Se () ..
"""

import re

from junqi_engine.information.view import SeatView
from junqi_engine.notation.drawing import draw_text
from junqi_engine.notation.fen import parse_fen
from junqi_engine.rules.board import SIGUO, Board
from junqi_engine.rules.options import Rules


def view_of(
    drawing: str,
    turn: str = "S",
    alive: str | None = None,
    viewer: str = "*",
    quiet: int = 0,
    masks: str = "-",
    rules: Rules | None = None,
    board: Board = SIGUO,
) -> SeatView:
    """The position that is drawn. Without `alive`, the seats that have a piece."""
    pieces = {}
    files, *ranks = [line.split() for line in drawing.splitlines() if line.strip()]
    for rank, *cells in ranks:
        for file, cell in zip(files, cells, strict=True):
            if cell[0].isalpha():
                pieces[ord(file) - ord("a"), int(rank) - 1] = cell
    alive = alive or "".join(seat for seat in board.seats if any(cell[0] == seat for cell in pieces.values()))
    return parse_fen(board, f"{board_field(pieces, board)} {turn} {alive} {viewer} {quiet} 0 {masks}", rules)


def board_field(pieces: dict[tuple[int, int], str], board: Board = SIGUO) -> str:
    """The first field of a FEN from the pieces by (file, rank), both from 0."""
    ranks = []
    for rank in reversed(range(board.height)):
        cells = "".join(pieces.get((file, rank), ".") for file in range(board.width))
        ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), cells))
    return "/".join(ranks)


def drawing_of(view: SeatView, like: str) -> list[list[str]]:
    """The same part of the board as another drawing, cell by cell."""
    files, *ranks = cells_of(like)
    lines = {line[:2].strip(): line for line in draw_text(view)}
    return [files] + [
        [rank, *(lines[rank].ljust(60)[3 + 3 * (ord(file) - ord("a")) :][:2] for file in files)] for rank, *_ in ranks
    ]


def cells_of(drawing: str) -> list[list[str]]:
    return [line.split() for line in drawing.splitlines() if line.strip()]


def assert_drawn(view: SeatView, drawing: str) -> None:
    assert drawing_of(view, drawing) == cells_of(drawing)
