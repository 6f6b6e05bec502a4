"""The geometry of a board, for programs that draw one."""

from dataclasses import dataclass

from junqi_engine.library.reading import board_of
from junqi_engine.rules.board import Board


@dataclass(frozen=True)
class Point:
    """A point of a board: its name and square, counted from 0 at the lower left, and the seat whose block it is in,
    which is empty in the centre.

    `roads` and `rails` are the points one step away by road and by railway; a step on the edge of a block may be both.
    On a small board a closed point has no steps.

    >>> from junqi_engine import board_points
    >>> points = board_points("luzhanqi")
    >>> points["b1"].file, points["b1"].rank, points["b1"].seat, points["b1"].is_headquarters
    (1, 0, 'S', True)
    >>> points["c6"].rails, points["b3"].is_campsite, len(points["b3"].roads)
    (('b6', 'd6', 'c7'), True, 8)
    """

    name: str
    file: int
    rank: int
    seat: str
    is_campsite: bool
    is_headquarters: bool
    roads: tuple[str, ...]
    rails: tuple[str, ...]


def board_points(variant: str = "siguo") -> dict[str, Point]:
    """The points of a board by name, in board order. `JunqiError` if there is no such variant.

    >>> from junqi_engine import board_points
    >>> len(board_points()), len(board_points("luzhanqi"))
    (129, 60)
    """
    board = board_of(variant)
    return {board.names[point]: _point(board, point) for point in board.points}


def _point(board: Board, point: int) -> Point:
    (file, rank), owner = board.squares[point], board.owner(point)
    roads = sorted(board.road_steps[point])
    rails = [to for to in board.points if frozenset((point, to)) in board.rails]
    return Point(
        board.names[point], file, rank, "" if owner is None else board.seats[owner], board.is_campsite(point),
        board.is_headquarters(point), tuple(board.names[to] for to in roads), tuple(board.names[to] for to in rails),
    )  # fmt: skip
