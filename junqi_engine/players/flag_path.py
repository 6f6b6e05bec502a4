"""The shortest way of a piece to an enemy flag: breadth-first search by moves.

A move of the way is any legal move of the piece, so a railway run is one move until it turns and an engineer's run is
one move however it turns. Layer by layer every point keeps the lowest first move that reaches it; a point is marked
by its layer, never by a run that passes over it, so that no way is lost.
"""

from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate_from
from junqi_engine.rules.pieces import ENGINEER, FLAG, KINDS
from junqi_engine.rules.position import POSITION_TYPE, enemy_bits

LIMIT = 4
POINTS_TYPE = types.Array(types.uint8, 1, "C")


@dataclass(frozen=True)
class Path:
    """The points of a way, the piece's own first and the flag's last."""

    points: tuple[int, ...]

    @property
    def length(self) -> int:
        """Moves."""
        return len(self.points) - 1

    @property
    def first_move(self) -> int:
        """As `256 * from + to`."""
        return self.points[0] << 8 | self.points[1]


@kernel(
    types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.boolean, POINTS_TYPE, types.intp, MOVES_TYPE, POINTS_TYPE)
)
def search(tables, position, start, is_engineer, targets, limit, moves, path):
    """Moves of the shortest way from `start` to a point with `targets[point]` set, an enemy's; 0 if none within
    `limit`.

    `path` receives its points after `start`; among the shortest the one whose first move goes to the lowest point. The
    board is changed while it runs and restored.
    """
    occupant = position.board[start]
    enemy = enemy_bits(np.uint8((occupant & np.uint8(127)) >> np.uint8(5)))
    position.board[start] = 0
    layer_of = np.full(tables.rail.shape[0], 255, np.uint8)
    first = np.full(tables.rail.shape[0], 255, np.uint8)
    parent = np.zeros(tables.rail.shape[0], np.uint8)
    queue = np.empty(tables.rail.shape[0], np.uint8)
    layer_of[start] = 0
    queue[0] = start
    head, tail = 0, 1
    goal = 255
    while head < tail:
        point = queue[head]
        head += 1
        layer = layer_of[point] + 1
        if layer > limit or (goal != 255 and layer > layer_of[goal]):
            break
        count = generate_from(tables, position, point, is_engineer, enemy, moves, 0)
        for i in range(count):
            step = np.uint8(moves[i] & 255)
            is_target = targets[step] != 0
            if not is_target and (position.board[step] != 0 or tables.headquarters[step] != 0):
                continue
            if layer_of[step] < layer:
                continue
            via = step if layer == 1 else first[point]
            if layer_of[step] == 255:
                layer_of[step] = layer
                if not is_target:
                    queue[tail] = step
                    tail += 1
            if via < first[step]:
                first[step] = via
                parent[step] = point
            if is_target and (goal == 255 or first[step] < first[goal]):
                goal = step
    position.board[start] = occupant
    if goal == 255:
        return 0
    length = np.intp(layer_of[goal])
    point = np.uint8(goal)
    for i in range(length):
        path[length - 1 - i] = point
        point = parent[point]
    return length


def shortest_path(view: SeatView, targets: list[int], kinds: int = (1 << KINDS) - 1) -> Path | None:
    """The shortest way of the seat to move to one of `targets`, points where enemies stand, or None within `LIMIT`
    moves.

    Only pieces whose kind is in the mask `kinds` go. Of equally short ways the lowest from-point, then to-point.
    """
    if not targets:
        return None
    position, tables = view.position.copy(), view.board.tables
    wanted = np.zeros(len(position["board"]), np.uint8)
    wanted[targets] = 1
    moves, path = np.empty(MAX_MOVES, np.uint16), np.empty(LIMIT, np.uint8)
    best: Path | None = None
    movable = int(position["movable"][view.turn])
    for point in view.points_of(view.turn):
        piece = int(position["board"][point]) & 127
        kind = int(position["kind"][piece])
        if not movable >> (piece & 31) & 1 or not kinds >> kind & 1:
            continue
        limit = LIMIT if best is None else best.length - 1
        length = search(tables, position, np.uint8(point), kind == ENGINEER, wanted, limit, moves, path)
        if length:
            best = Path((point, *path[:length].tolist()))
    return best


def known_flags(view: SeatView) -> list[int]:
    """Where flags of living enemies of the seat to move are shown or proven to stand."""
    return [
        point
        for seat in range(len(view.board.seats))
        if (seat ^ view.turn) & 1 and view.alive >> seat & 1
        for point in view.board.headquarters(seat)
        if _is_of(view, point, seat) and view.mask_at(point) == 1 << FLAG
    ]


def possible_flags(view: SeatView) -> list[int]:
    """Headquarters of living enemies of the seat to move where a hidden piece may, but need not, be the flag."""
    return [
        point
        for seat in range(len(view.board.seats))
        if (seat ^ view.turn) & 1 and view.alive >> seat & 1
        for point in view.board.headquarters(seat)
        if _is_of(view, point, seat) and view.mask_at(point) >> FLAG & 1 and view.mask_at(point) != 1 << FLAG
    ]


def _is_of(view: SeatView, point: int, seat: int) -> bool:
    piece = view.piece_at(point)
    return piece is not None and piece >> 5 == seat
