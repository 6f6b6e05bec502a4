"""A position drawn in text."""

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import piece_text
from junqi_engine.notation.seats import result_text
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.position import Result


def draw_text(game: SeatView | GameState) -> list[str]:
    """The board, one line per rank from the top. Pieces are as in a FEN; an empty campsite is `()`, an empty
    headquarters `[]`, any other empty point `..`.
    """
    board = game.board
    lines = []
    for rank in reversed(range(board.height)):
        cells = []
        for file in range(board.width):
            point = board.point_at.get((file, rank))
            cells.append("  " if point is None else _cell(game, point))
        lines.append(f"{rank + 1:>2} {' '.join(cells).rstrip()}")
    lines.append("   " + " ".join(f"{chr(ord('a') + file)} " for file in range(board.width)).rstrip())
    return lines


def status(game: SeatView | GameState) -> str:
    """The seat to move, or the result."""
    if game.result == Result.ONGOING:
        return f"{game.board.seats[game.turn]} to move"
    if game.result == Result.DRAW:
        return "result draw"
    return f"result {result_text(game.board, game.result)} wins"


def _cell(game: SeatView | GameState, point: int) -> str:
    piece = game.piece_at(point)
    if piece is None:
        board = game.board
        return "()" if board.is_campsite(point) else "[]" if board.is_headquarters(point) else ".."
    return piece_text(game, piece)
