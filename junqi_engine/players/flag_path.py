"""The shortest path of a piece to an enemy flag: breadth-first search by moves.

Each step of a path is a legal move of the piece: a railway run is one move until it turns, an engineer's run is one
move however often it turns. In every layer, each point keeps the lowest first move that reaches it. A point is marked
with its layer, not by runs that pass over it, so no path is lost.
"""

from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_PIECE,
    are_enemies,
    contains,
    enemy_field,
    move_of,
    piece_in,
    seat_of,
    slot_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate_from
from junqi_engine.rules.pieces import ENGINEER, FLAG, KINDS
from junqi_engine.rules.position import POSITION_TYPE

LIMIT = 4
POINTS_TYPE = types.Array(types.uint8, 1, "C")
_search_scratch = scratch_record(
    np.dtype([(field, np.uint8, MAX_POINTS) for field in ("layer_of", "first", "parent", "queue")], align=True)
)


@dataclass(frozen=True)
class Path:
    """The points of a path, from the piece's own to the flag's."""

    points: tuple[int, ...]

    @property
    def length(self) -> int:
        """The number of moves."""
        return len(self.points) - 1

    @property
    def first_move(self) -> int:
        """As a number (`layout.move_of`)."""
        return move_of(self.points[0], self.points[1])


@kernel(
    types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, types.boolean, POINTS_TYPE, types.intp, MOVES_TYPE, POINTS_TYPE)
)
def search(tables, position, start, is_engineer, targets, limit, moves, path):
    """The length in moves of the shortest path from `start` to an enemy on a point with `targets[point]` set; 0 if
    there is none within `limit` moves.

    Writes the points after `start` into `path`. Of several shortest paths it takes the one whose first move goes to the
    lowest point. Changes the board while it runs and restores it.
    """
    occupant = position.board[start]
    enemy = enemy_field(seat_of(piece_in(occupant)))
    position.board[start] = NO_PIECE
    scratch = _search_scratch()
    layer_of, first, parent, queue = scratch.layer_of, scratch.first, scratch.parent, scratch.queue
    for point in range(MAX_POINTS):
        layer_of[point] = 255
        first[point] = 255
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
            step = np.uint8(to_point_of(moves[i]))
            is_target = targets[step] != 0
            if not is_target and (position.board[step] != NO_PIECE or tables.headquarters[step] != 0):
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
    """The shortest path of the seat to move to one of `targets`, points of enemy pieces; None if there is none within
    `LIMIT` moves.

    Only pieces whose kind is in the mask `kinds` are considered. Of equally short paths, the one with the lowest
    from-point, then the lowest to-point.
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
        piece = piece_in(int(position["board"][point]))
        kind = int(position["kind"][piece])
        if not contains(movable, slot_of(piece)) or not contains(kinds, kind):
            continue
        limit = LIMIT if best is None else best.length - 1
        length = search(tables, position, np.uint8(point), kind == ENGINEER, wanted, limit, moves, path)
        if length:
            best = Path((point, *path[:length].tolist()))
    return best


def known_flags(view: SeatView) -> list[int]:
    """The points of revealed or proven flags of the mover's enemies."""
    return [point for point in _enemy_headquarters(view) if view.mask_at(point) == 1 << FLAG]


def possible_flags(view: SeatView) -> list[int]:
    """The headquarters of the mover's enemies in which a hidden piece may, but need not, be the flag."""
    masks = {point: view.mask_at(point) for point in _enemy_headquarters(view)}
    return [point for point, mask in masks.items() if contains(mask, FLAG) and mask != 1 << FLAG]


def _enemy_headquarters(view: SeatView) -> list[int]:
    """The headquarters of the mover's enemies in which a piece of their owner stands."""
    return [
        point
        for seat in range(len(view.board.seats))
        if are_enemies(seat, view.turn) and view.is_alive(seat)
        for point in view.board.headquarters(seat)
        if (piece := view.piece_at(point)) is not None and seat_of(piece) == seat
    ]
