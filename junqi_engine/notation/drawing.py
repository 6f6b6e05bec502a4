"""A position drawn in text, and as SVG."""

from collections.abc import Iterator, Sequence
from math import atan2, degrees, hypot

from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import HIDDEN, piece_text
from junqi_engine.notation.moves import result_text
from junqi_engine.rules.board import Board, points_seen_from
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import SEATS, seat_of
from junqi_engine.rules.pieces import NAMES, UNKNOWN
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


_SCALE = 40
_SEAT_COLOURS = ("#c8553d", "#2f6f9f", "#3c8d5a", "#8a5a9e")
_MARK, _ARROW = "#f2c14e", "#1d7a3a"

Points = tuple[int, int]
"""The from-point and the to-point of a move."""
Centres = Sequence[tuple[int, int]]
"""The centre of each point in the picture."""


def draw_svg(
    game: SeatView | GameState,
    size_px: int | None = None,
    last_move: Points | tuple[()] = (),
    arrows: Sequence[Points] = (),
    bottom: int = 0,
) -> str:
    """The board with its roads (thin), railways (thick), campsites (round), headquarters (dark) and pieces.

    `size_px` is the larger of width and height; None lets the picture fill its frame. The points of `last_move` are
    marked. `bottom` is the seat that sits at the bottom.
    """
    board = game.board
    width, height = (board.width + 1) * _SCALE, (board.height + 1) * _SCALE
    squares = [board.squares[point] for point in points_seen_from(board, bottom)]
    centres = [((file + 1) * _SCALE, (board.height - rank) * _SCALE) for file, rank in squares]
    scale = (size_px or 0) / max(width, height)
    size = "" if size_px is None else f'width="{width * scale:g}" height="{height * scale:g}" '
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#f4ecd8"/>',
        *_svg_edges(board, centres),
        *_svg_points(board, centres),
        *(f'<circle cx="{x}" cy="{y}" r="19" fill="{_MARK}"/>' for x, y in (centres[point] for point in last_move)),
        *_svg_pieces(game, centres),
        *(_svg_arrow(*centres[start], *centres[target]) for start, target in arrows),
        *_svg_labels(board, bottom * SEATS // len(board.seats)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _svg_edges(board: Board, centres: Centres) -> Iterator[str]:
    for edges, style in ((board.roads, 'stroke="#a08b64"'), (board.rails, 'stroke="#4d4334" stroke-width="4"')):
        for one, other in sorted(map(sorted, edges)):
            (x1, y1), (x2, y2) = centres[one], centres[other]
            yield f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>'


def _svg_points(board: Board, centres: Centres) -> Iterator[str]:
    for point in board.points:
        x, y = centres[point]
        if board.is_campsite(point):
            yield f'<circle cx="{x}" cy="{y}" r="14" fill="#fffaf0" stroke="#a08b64" stroke-width="2"/>'
        else:
            fill = "#b9a67e" if board.is_headquarters(point) else "#fffaf0"
            yield f'<rect x="{x - 13}" y="{y - 9}" width="26" height="18" rx="3" fill="{fill}" stroke="#a08b64"/>'


def _svg_pieces(game: SeatView | GameState, centres: Centres) -> Iterator[str]:
    board, position = game.board, game.position
    for point in board.points:
        piece = game.piece_at(point)
        if piece is None:
            continue
        x, y = centres[point]
        kind = int(position["kind"][piece])
        is_hidden = isinstance(game, SeatView) and not game.shows(piece)
        label = HIDDEN if is_hidden or kind == UNKNOWN else NAMES[kind].split()[-1]
        colour = _SEAT_COLOURS[seat_of(piece)]
        yield f'<rect x="{x - 17}" y="{y - 11}" width="34" height="22" rx="4" fill="{colour}" stroke="#222"/>'
        yield f'<text font-size="15" x="{x}" y="{y + 5}" text-anchor="middle" fill="#fff">{label}</text>'


def _svg_arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    """An arrow as one filled shape along the x-axis, turned; its tip is at (x2, y2)."""
    length, angle = hypot(x2 - x1, y2 - y1), degrees(atan2(y2 - y1, x2 - x1))
    shape = f"0,-3 {length - 14:.1f},-3 {length - 14:.1f},-9 {length:.1f},0 {length - 14:.1f},9 {length - 14:.1f},3 0,3"
    turn = f"translate({x1} {y1}) rotate({angle:.1f})"
    return f'<polygon points="{shape}" transform="{turn}" fill="{_ARROW}" opacity="0.75"/>'


def _svg_labels(board: Board, quarter_turns: int) -> Iterator[str]:
    files = [chr(ord("a") + file) for file in range(board.width)]
    ranks = [str(rank + 1) for rank in range(board.height)]
    for number, name in enumerate((files, ranks, files[::-1], ranks[::-1])[quarter_turns]):
        x, y = (number + 1) * _SCALE, board.height * _SCALE + 32
        yield f'<text font-size="15" x="{x}" y="{y}" text-anchor="middle" fill="#777">{name}</text>'
    for number, name in enumerate((ranks, files[::-1], ranks[::-1], files)[quarter_turns]):
        y = (board.height - number) * _SCALE + 5
        yield f'<text font-size="15" x="10" y="{y}" text-anchor="middle" fill="#777">{name}</text>'
