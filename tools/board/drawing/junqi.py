"""What a page draws of Junqi: a board as data, and a position as the seats of a view see it.

A point is its number on the board, a piece the number that it has all game, which is public: `32 * seat + slot`, slot
k being the k-th place of the seat's line-up. A page knows no rules: it is told where a piece may go.
"""

from typing import Any

from junqi_engine.information.view import SeatView, redact
from junqi_engine.notation.moves import HIDDEN, format_code, format_move
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, LINEUP_INDICES, Board
from junqi_engine.rules.game import GameState
from junqi_engine.rules.pieces import LETTERS
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove


def board_data(board: Board) -> dict[str, Any]:
    """The board: points with names, places and kinds, roads and railway edges as pairs of points.

    `x` and `y` count from the upper left, South at the bottom. A railway edge round a corner has a third entry, the
    place that the curve bends towards.
    """
    points = []
    for point in board.points:
        kind = "campsite" if board.is_campsite(point) else "headquarters" if board.is_headquarters(point) else "station"
        owner = board.owner(point)
        points.append(
            {
                "name": board.names[point],
                "x": board.squares[point][0],
                "y": board.height - 1 - board.squares[point][1],
                "kind": kind,
                "seat": None if owner is None else board.seats[owner],
            }
        )
    return {
        "variant": board.variant,
        "width": board.width,
        "height": board.height,
        "seats": board.seats,
        "teams": list(board.teams),
        "points": points,
        "roads": sorted(sorted(edge) for edge in board.roads - board.rails),
        "rails": [_rail(board, *sorted(edge)) for edge in sorted(board.rails, key=sorted)],
        "turns": {seat: number * 4 // len(board.seats) for number, seat in enumerate(board.seats)},
    }


def _rail(board: Board, one: int, other: int) -> list[Any]:
    (x1, y1), (x2, y2) = board.squares[one], board.squares[other]
    if x1 == x2 or y1 == y2:
        return [one, other]
    # The line leaves each point in the direction in which it came: along the column of the block that the point is in.
    owner = board.owner(one) or 0
    x, y = (x1, y2) if owner % 2 == 0 else (x2, y1)
    return [one, other, [x, board.height - 1 - y]]


def places(board: Board, seat: str) -> list[int]:
    """The points of a seat's line-up, in its order."""
    return [BLOCK_POINTS * board.seats.index(seat) + index for index in LINEUP_INDICES]


def backs(board: Board) -> list[list[Any]]:
    """All pieces where they stand before the first move, seen from outside."""
    return [
        [point, 32 * number + slot, seat, HIDDEN]
        for number, seat in enumerate(board.seats)
        for slot, point in enumerate(places(board, seat))
    ]


def pieces(view: SeatView) -> list[list[Any]]:
    """Each piece on the board as [point, piece, seat, letter], `?` for the letter of a hidden one."""
    found = []
    for point in view.board.points:
        piece = view.piece_at(point)
        if piece is None:
            continue
        seat = piece >> 5
        is_known = view.sees(seat) or view.shown_flags[seat] == point
        letter = LETTERS[int(view.position["kind"][piece])] if is_known else HIDDEN
        found.append([point, piece, view.board.seats[seat], letter])
    return found


def targets(view: SeatView, mine: str) -> dict[str, dict[str, str]]:
    """By from-point, by to-point, the legal moves as text; none when it is not for the seats `mine` to move."""
    found: dict[str, dict[str, str]] = {}
    if view.result == Result.ONGOING and view.board.seats[view.turn] in mine:
        for move in view.legal_moves():
            found.setdefault(str(move >> 8), {})[str(move & 255)] = format_code(view.board, move)
    return found


def last_move(view: SeatView) -> dict[str, Any] | None:
    """What everyone saw of the last move or resignation."""
    if not view.record:
        return None
    seen: SeenMove = view.record[-1]
    seats = view.board.seats
    return {
        "text": format_move(view.board, seen),
        "from": seen.from_point,
        "to": seen.to_point,
        "outcome": seen.outcome.name.lower().replace("_", "-"),
        "seat": seats[seen.seat if seen.resigned is None else seen.resigned],
        "resigned": None if seen.resigned is None else seats[seen.resigned],
        "flags": list(seen.shown_flags),
        "out": "".join(seats[seat] for seat in seen.eliminated),
    }


def scene(view: SeatView) -> dict[str, Any]:
    """The position of a view."""
    seats = view.board.seats
    counts = {seat: int(view.position["present"][number]).bit_count() for number, seat in enumerate(seats)}
    return {
        "pieces": pieces(view),
        "turn": seats[view.turn],
        "alive": "".join(seat for number, seat in enumerate(seats) if view.alive >> number & 1),
        "counts": counts,
        "ply": view.ply,
        "quiet": view.quiet,
        "last": last_move(view),
    }


def warm_up() -> None:
    """Have the kernels loaded that a game needs."""
    board = next(iter(BOARDS.values()))
    state = GameState.start(board)
    state.play(state.legal_moves()[0])
    view = redact(state, [1])
    scene(view)
    targets(view, board.seats[1])
