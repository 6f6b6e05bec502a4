"""A position drawn as SVG."""

from collections.abc import Iterator

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.rules.board import Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import seat_of
from junqi_engine.rules.pieces import NAMES, UNKNOWN

_SCALE = 40
_SEAT_COLOURS = ("#c8553d", "#2f6f9f", "#3c8d5a", "#8a5a9e")


def draw_svg(game: SeatView | GameState) -> str:
    """The board with its roads (thin), railways (thick), campsites (round), headquarters (dark) and pieces."""
    board = game.board
    width, height = (board.width + 1) * _SCALE, (board.height + 1) * _SCALE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#f4ecd8"/>',
        *_svg_edges(board),
        *_svg_points(board),
        *_svg_pieces(game),
        *_svg_labels(board),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _centre(board: Board, point: int) -> tuple[int, int]:
    file, rank = board.squares[point]
    return (file + 1) * _SCALE, (board.height - rank) * _SCALE


def _svg_edges(board: Board) -> Iterator[str]:
    for edges, style in ((board.roads, 'stroke="#a08b64"'), (board.rails, 'stroke="#4d4334" stroke-width="4"')):
        for one, other in sorted(map(sorted, edges)):
            (x1, y1), (x2, y2) = _centre(board, one), _centre(board, other)
            yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>'


def _svg_points(board: Board) -> Iterator[str]:
    for point in board.points:
        x, y = _centre(board, point)
        if board.is_campsite(point):
            yield f'<circle cx="{x}" cy="{y}" r="14" fill="#fffaf0" stroke="#a08b64" stroke-width="2"/>'
        else:
            fill = "#b9a67e" if board.is_headquarters(point) else "#fffaf0"
            yield f'<rect x="{x - 13}" y="{y - 9}" width="26" height="18" rx="3" fill="{fill}" stroke="#a08b64"/>'


def _svg_pieces(game: SeatView | GameState) -> Iterator[str]:
    board, position = game.board, game.position
    for point in board.points:
        piece = game.piece_at(point)
        if piece is None:
            continue
        x, y = _centre(board, point)
        kind = int(position["kind"][piece])
        is_hidden = isinstance(game, SeatView) and not game.shows(piece)
        label = HIDDEN if is_hidden or kind == UNKNOWN else NAMES[kind].split()[-1]
        colour = _SEAT_COLOURS[seat_of(piece)]
        yield f'<rect x="{x - 17}" y="{y - 11}" width="34" height="22" rx="4" fill="{colour}" stroke="#222"/>'
        yield f'<text font-size="15" x="{x}" y="{y + 5}" text-anchor="middle" fill="#fff">{label}</text>'


def _svg_labels(board: Board) -> Iterator[str]:
    for file in range(board.width):
        x, y = (file + 1) * _SCALE, board.height * _SCALE + 32
        yield f'<text font-size="15" x="{x}" y="{y}" text-anchor="middle" fill="#777">{chr(ord("a") + file)}</text>'
    for rank in range(board.height):
        y = (board.height - rank) * _SCALE + 5
        yield f'<text font-size="15" x="10" y="{y}" text-anchor="middle" fill="#777">{rank + 1}</text>'
