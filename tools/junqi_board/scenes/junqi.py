"""A Junqi board as data, and positions as the seats of a view see them.

A point is its number on the board. A piece is the public number that it keeps all game; it names the seat and the place
in the seat's line-up.
"""

from typing import Any

from junqi_board.messages import Targets
from junqi_board.messages.scenes import BoardData, BoardPoint, LastMove, Piece, Scene
from junqi_engine.information.view import SeatView, redact
from junqi_engine.notation.fen import HIDDEN
from junqi_engine.notation.moves import format_code, format_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, LINEUP_INDICES, Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import contains, from_point_of, piece_of, seat_of, to_point_of
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT, Outcome, letters_of
from junqi_engine.rules.position import Result, copied
from junqi_engine.rules.position_reader import legal_moves

MOST_NAMED, MOST_RANKS = 3, 8
"""Most kinds of a hidden piece that `proven` tells: any kinds, or a rank and all above."""
BORDER_GAP = 0.7
"""Additional distance between the halves of a board for two seats, for the mountains."""


def board_data(board: Board) -> BoardData:
    """The board: points with their name, position, kind and owner; roads and railway edges as pairs of points.

    `x` and `y` count from the upper left, with South at the bottom. A railway edge around a corner has a third entry,
    the control point [x, y] of the curve. `turns` are the quarter turns that bring a seat to the bottom. `signs` are
    what is written between the halves of a board for two seats: [x, y, `mountains` or `front`].
    """
    half, gap = (board.height // 2, BORDER_GAP) if len(board.seats) == 2 else (0, 0.0)
    points = []
    for point in board.points:
        kind = "campsite" if board.is_campsite(point) else "headquarters" if board.is_headquarters(point) else "station"
        owner = board.owner(point)
        column, row = board.squares[point]
        y = board.height - 1 - row + (gap if row < half else 0)
        points.append(BoardPoint(board.names[point], column, y, kind, None if owner is None else board.seats[owner]))
    return BoardData(
        variant=board.variant,
        width=board.width,
        height=board.height + gap,
        seats=board.seats,
        teams=list(board.teams),
        points=points,
        roads=sorted(sorted(edge) for edge in board.roads - board.rails),
        rails=[_rail(board, *sorted(edge)) for edge in sorted(board.rails, key=sorted)],
        signs=[[x, half - 0.5 + gap / 2, "mountains" if x % 2 else "front"] for x in range(board.width) if gap],
        turns={seat: number * 4 // len(board.seats) for number, seat in enumerate(board.seats)},
    )


def _rail(board: Board, one: int, other: int) -> list[Any]:
    (x1, y1), (x2, y2) = board.squares[one], board.squares[other]
    if x1 == x2 or y1 == y2:
        return [one, other]
    # The curve starts along the column of the first point's block: South and North have vertical columns.
    owner = board.owner(one) or 0
    x, y = (x1, y2) if owner % 2 == 0 else (x2, y1)
    return [one, other, [x, board.height - 1 - y]]


def lineup_points(board: Board, seat: str) -> list[int]:
    return [BLOCK_POINTS * board.seats.index(seat) + index for index in LINEUP_INDICES]


def allowed_places() -> dict[str, list[int]]:
    """By letter, the places of a line-up (0 to 24) where the rules allow it."""
    return {
        letter: [place for place, mask in enumerate(lineup.MASK_AT) if contains(mask, kind)]
        for kind, letter in enumerate(LETTERS)
    }


def hidden_scene(board: Board) -> Scene:
    """The scene before the line-ups are known: all pieces are hidden."""
    counts = dict.fromkeys(board.seats, PIECES_PER_SEAT)
    return Scene(
        variant=board.variant, pieces=hidden_pieces(board), proven={}, turn=board.seats[0], alive=board.seats,
        counts=counts, ply=0, quiet=0, last=None,
    )  # fmt: skip


def hidden_pieces(board: Board) -> list[Piece]:
    """All pieces before the first move, with hidden letters."""
    return [
        Piece(point, piece_of(number, place), seat, HIDDEN)
        for number, seat in enumerate(board.seats)
        for place, point in enumerate(lineup_points(board, seat))
    ]


def pieces(view: SeatView) -> list[Piece]:
    found = []
    for point in view.board.points:
        piece = view.piece_at(point)
        if piece is None:
            continue
        letter = LETTERS[int(view.position["kind"][piece])] if view.shows(piece) else HIDDEN
        found.append(Piece(point, piece, view.board.seats[seat_of(piece)], letter))
    return found


def proven(view: SeatView) -> dict[str, str]:
    """By point, what a hidden piece must be, where that can be said shortly: a few kinds, or a rank and those above."""
    found = {}
    for point in view.board.points:
        piece = view.piece_at(point)
        if piece is None or view.shows(piece):
            continue
        letters = letters_of(int(view.masks[piece]))
        if len(letters) <= MOST_NAMED or (len(letters) <= MOST_RANKS and LETTERS.startswith(letters)):
            found[str(point)] = letters
    return found


def targets(view: SeatView, mine: str) -> Targets:
    """By from-point, by to-point, the legal moves as text; empty unless it is the turn of one of the seats `mine`."""
    is_turn = view.result == Result.ONGOING and view.board.seats[view.turn] in mine
    return _by_points(view.board, view.legal_moves()) if is_turn else {}


def premoves(view: SeatView, mine: str) -> Targets:
    """As `targets`, what the next of the seats `mine` could play if it were its turn already; empty if it is.

    What others do meanwhile may make such a move impossible. It follows from the view, as all else that a page is sent.
    """
    order = [(view.turn + step) % len(view.board.seats) for step in range(1, len(view.board.seats))]
    own = next((seat for seat in order if view.board.seats[seat] in mine and view.is_alive(seat)), None)
    if view.result != Result.ONGOING or own is None or view.board.seats[view.turn] in mine:
        return {}
    positions = copied(view.positions)
    positions["turn"] = own
    return _by_points(view.board, legal_moves(view.board, positions))


def _by_points(board: Board, moves: list[int]) -> Targets:
    found: Targets = {}
    for move in moves:
        found.setdefault(str(from_point_of(move)), {})[str(to_point_of(move))] = format_code(board, move)
    return found


def last_move(view: SeatView) -> LastMove | None:
    """The last entry of the record, without the path and the pieces; None before the first."""
    if not view.record:
        return None
    seen: SeenMove = view.record[-1]
    seats = view.board.seats
    by_event = seen.passed if seen.resigned is None else seen.resigned
    return LastMove(
        text=format_move(view.board, seen),
        start=seen.from_point,
        target=seen.to_point,
        outcome=Outcome(seen.outcome).name.lower().replace("_", "-"),
        seat=seats[seen.seat if by_event is None else by_event],
        resigned=None if seen.resigned is None else seats[seen.resigned],
        passed=None if seen.passed is None else seats[seen.passed],
        flags=list(seen.revealed_flags),
        out="".join(seats[seat] for seat in seen.eliminated),
    )


def scene(view: SeatView) -> Scene:
    """The position of a view, without the removed pieces."""
    seats = view.board.seats
    counts = {seat: int(view.position["present"][number]).bit_count() for number, seat in enumerate(seats)}
    return Scene(
        variant=view.board.variant,
        pieces=pieces(view),
        proven=proven(view),
        turn=seats[view.turn],
        alive="".join(seat for number, seat in enumerate(seats) if contains(view.alive, number)),
        counts=counts,
        ply=view.ply,
        quiet=view.quiet,
        last=last_move(view),
    )


def warm_up() -> None:
    """Call the kernels that a game needs once, which loads them."""
    board = next(iter(BOARDS.values()))
    state = GameState.start(board)
    state.play(state.legal_moves()[0])
    view = redact(state, [1])
    scene(view)
    targets(view, board.seats[1])
