"""A position as text and as SVG."""

from junqi_engine.information.view import SeatView
from junqi_engine.notation.moves import HIDDEN, result_text
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Result


def draw_text(view: SeatView) -> list[str]:
    """The board, a line a rank from the top: pieces as in the FEN, `()` an empty campsite, `[]` headquarters, `..`
    else.
    """
    board = view.board
    lines = []
    for rank in reversed(range(board.height)):
        cells = []
        for file in range(board.width):
            point = board.point_at.get((file, rank))
            cells.append("  " if point is None else _cell(view, point))
        lines.append(f"{rank + 1:>2} {' '.join(cells).rstrip()}")
    lines.append("   " + " ".join(f"{chr(ord('a') + file)} " for file in range(board.width)).rstrip())
    return lines


def status(view: SeatView) -> str:
    """Who is to move, or how the game has ended."""
    if view.result == Result.ONGOING:
        return f"{view.board.seats[view.turn]} to move"
    if view.result == Result.DRAW:
        return "result draw"
    return f"result {result_text(view.board, view.result)} wins"


def _cell(view: SeatView, point: int) -> str:
    piece = view.piece_at(point)
    if piece is None:
        board = view.board
        return "()" if board.is_campsite(point) else "[]" if board.is_headquarters(point) else ".."
    seat = piece >> 5
    is_known = view.sees(seat) or view.shown_flags[seat] == point
    return view.board.seats[seat] + (LETTERS[int(view.position["kind"][piece])] if is_known else HIDDEN)
