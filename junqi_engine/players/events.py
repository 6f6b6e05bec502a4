"""The players 1.0 to 1.2, which answer events and otherwise move at random.

An event is a situation with a fixed answer:

| event | answer |
|---|---|
| camp | an enemy moved next to an empty campsite of the mover's own block: move in first |
| engineer | an engineer attacks a piece that may be a landmine: one in its two back rows that never moved |
| unknown | a ranked piece attacks one of unknown rank that cannot be a landmine: it is in its front rows or has moved |
| capture | a ranked piece attacks a piece that is proven to have a lower rank |
| bomb | a bomb attacks a piece that is proven to be a Brigadier or higher |
| flag | the first move of a path to a revealed or proven flag |
| false flag | the first move of a path to a possible flag, if no known flag can be reached; not by high pieces |

Before each move the events are detected from the view. Among equal answers a player takes the lowest from-point, then
the lowest to-point, in board order.

A path is found by breadth-first search. Each step is a legal move of the piece: a straight railway run is one move, an
engineer's run is one move with any number of turns. In each layer, every point keeps the lowest first move that reaches
it. A run that passes over a point does not mark it, so no path is lost.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.information.deduction import MASKS_TYPE
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import BLOCK_POINTS, FIRST_BACK_ROW, MAX_POINTS, ROW_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_MOVE,
    NO_PIECE,
    NO_POINT,
    are_enemies,
    contains,
    enemy_field,
    from_point_of,
    move_of,
    piece_in,
    seat_of,
    slot_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate_from
from junqi_engine.rules.pieces import ALL_MASK, BOMB, BRIGADIER, ENGINEER, FLAG, MINE, RANKED_MASK
from junqi_engine.rules.position import POSITION_TYPE, copied


class Event(IntEnum):
    BOMB = 1
    CAPTURE = 2
    CAMP = 3
    UNKNOWN = 4
    ENGINEER = 5
    FLAG = 6
    FALSE_FLAG = 7


PRIORITIES = {
    "1.0": (),
    "1.1": (Event.BOMB, Event.CAPTURE, Event.CAMP, Event.UNKNOWN, Event.ENGINEER),
    "1.2": (Event.BOMB, Event.FLAG, Event.CAPTURE, Event.UNKNOWN, Event.ENGINEER, Event.FALSE_FLAG, Event.CAMP),
}
"""The events of each player that does not search, in the order of priority."""
LIMIT = 4
"""The maximal length of a path, in moves."""
MINE_OR_FLAG_MASK = 1 << MINE | 1 << FLAG
HIGH_MASK = (1 << BRIGADIER + 1) - 1
BELOW_BRIGADIER_MASK = RANKED_MASK & ~HIGH_MASK
_FLAG_MASK = 1 << FLAG
_BOMB, _CAPTURE, _CAMP, _UNKNOWN, _, _FLAG, _FALSE_FLAG = map(int, Event)
POINTS_TYPE = types.Array(types.uint8, 1, "C")
_search_scratch = scratch_record(
    np.dtype(
        [(field, np.uint8, MAX_POINTS) for field in ("layer_of", "first", "parent", "queue")]
        + [("moves", np.uint16, MAX_MOVES)],
        align=True,
    )
)
_path_scratch = scratch_record(np.dtype([("wanted", np.uint8, MAX_POINTS)], align=True))


@kernel(types.intp(POINTS_TYPE, types.uint8, types.intp, POINTS_TYPE))
def write_path(parent, point, length, path):
    """Follow the parents from the last point of a path back to its start; returns the length."""
    for i in range(length):
        path[length - 1 - i] = point
        point = parent[point]
    return length


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, types.uint8, POINTS_TYPE, types.intp, POINTS_TYPE))
def shortest_path(tables, position, start, targets, limit, path):
    """The length of the shortest path of the piece on `start` to an enemy on a point of `targets`; 0 if it exceeds
    `limit` moves.

    Writes the points after `start` into `path`. Of several shortest paths it takes the one whose first move goes to the
    lowest point. The board is changed during the search and restored.
    """
    occupant = position.board[start]
    piece = piece_in(occupant)
    enemy, is_engineer = enemy_field(seat_of(piece)), position.kind[piece] == ENGINEER
    position.board[start] = NO_PIECE
    scratch = _search_scratch()
    layer_of, first, parent, queue = scratch.layer_of, scratch.first, scratch.parent, scratch.queue
    for point in range(MAX_POINTS):
        layer_of[point] = NO_POINT
        first[point] = NO_POINT
    layer_of[start] = 0
    queue[0] = start
    head, tail = 0, 1
    goal = NO_POINT
    while head < tail:
        point = queue[head]
        head += 1
        layer = layer_of[point] + 1
        if layer > limit or (goal != NO_POINT and layer > layer_of[goal]):
            break
        count = generate_from(tables, position, point, is_engineer, enemy, scratch.moves, 0)
        for i in range(count):
            step = np.uint8(to_point_of(scratch.moves[i]))
            is_target = targets[step] != 0
            if not is_target and (position.board[step] != NO_PIECE or tables.headquarters[step] != 0):
                continue
            if layer_of[step] < layer:
                continue
            via = step if layer == 1 else first[point]
            if layer_of[step] == NO_POINT:
                layer_of[step] = layer
                if not is_target:
                    queue[tail] = step
                    tail += 1
            if via < first[step]:
                first[step] = via
                parent[step] = point
            if is_target and (goal == NO_POINT or first[step] < first[goal]):
                goal = step
    position.board[start] = occupant
    return 0 if goal == NO_POINT else write_path(parent, np.uint8(goal), np.intp(layer_of[goal]), path)


@kernel(types.boolean(POSITION_TYPE, types.intp))
def is_in_back_rows(position, point):
    occupant = position.board[point]
    is_at_home = occupant != NO_PIECE and seat_of(piece_in(occupant)) == point // BLOCK_POINTS
    return is_at_home and point % BLOCK_POINTS // ROW_POINTS >= FIRST_BACK_ROW


@kernel(types.boolean(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, types.intp, types.intp, types.uint16))
def matches_event(tables, position, masks, last, event, move):
    """Whether a move answers an event other than `_FLAG` and `_FALSE_FLAG`; `last` as in `first_match`."""
    start, target = np.intp(from_point_of(move)), np.intp(to_point_of(move))
    kind, occupant = np.intp(position.kind[piece_in(position.board[start])]), position.board[target]
    mask = np.intp(masks[piece_in(occupant)]) if occupant != NO_PIECE else 0
    is_ranked, ranks = contains(RANKED_MASK, kind), mask & RANKED_MASK
    if event == _BOMB:
        return kind == BOMB and mask != 0 and mask & ~HIGH_MASK == 0
    if event == _CAPTURE:
        # A possible landmine is not safe to attack, even if all possible ranks are lower.
        prey = (RANKED_MASK & ~((1 << kind + 1) - 1)) | _FLAG_MASK
        return is_ranked and ranks != 0 and mask & ~prey == 0
    if event == _CAMP:
        if last == NO_POINT or position.board[last] == NO_PIECE:
            return False
        is_beside = False
        for i in range(tables.near_camps[last]):
            is_beside |= tables.near[last, i] == target
        is_enemy_piece = are_enemies(np.intp(seat_of(piece_in(position.board[last]))), np.intp(position.turn))
        is_own = target // BLOCK_POINTS == position.turn
        return is_beside and is_enemy_piece and is_own and not tables.campsite[start]
    can_be_mine = is_in_back_rows(position, target) and mask & MINE_OR_FLAG_MASK
    if event == _UNKNOWN:
        return is_ranked and ranks & (ranks - 1) != 0 and not can_be_mine
    return kind == ENGINEER and can_be_mine


@kernel(types.uint16(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, types.boolean, types.intp, POINTS_TYPE))
def first_of_path(tables, position, masks, is_proven, kinds, path):
    """The first move of the shortest path to a proven flag, or to a possible one; `NO_MOVE` if there is none.

    Only pieces of `kinds` go. `path` gets the points after the first one, then `NO_POINT`. Of equally short paths it is
    the one with the lowest from-point, then the lowest to-point.
    """
    scratch = _path_scratch()
    found = False
    for point in range(MAX_POINTS):
        occupant = position.board[point]
        scratch.wanted[point] = 0
        if occupant != NO_PIECE and tables.headquarters[point]:
            seat = np.intp(seat_of(piece_in(occupant)))
            mask = np.intp(masks[piece_in(occupant)])
            is_home = seat == point // BLOCK_POINTS and are_enemies(seat, np.intp(position.turn))
            if is_home and contains(mask, FLAG) and (mask == _FLAG_MASK) == is_proven:
                scratch.wanted[point] = 1
                found = True
    best, limit = np.uint16(NO_MOVE), LIMIT
    if not found:
        return best
    for point in range(MAX_POINTS):
        occupant = position.board[point]
        piece = piece_in(occupant)
        if limit == 0 or occupant == NO_PIECE or seat_of(piece) != position.turn:
            continue
        kind = np.intp(position.kind[piece])
        if contains(position.movable[position.turn], np.uint32(slot_of(piece))) and contains(kinds, kind):
            length = shortest_path(tables, position, np.uint8(point), scratch.wanted, limit, path)
            if length:
                best, limit = np.uint16(move_of(point, np.intp(path[0]))), length - 1
                for step in range(length, LIMIT):
                    path[step] = NO_POINT
    return best


@kernel(types.uint16(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, types.intp, MOVES_TYPE, POINTS_TYPE))
def first_to_flag(tables, position, masks, event, moves, path):
    """The move of `moves` that answers `_FLAG` or `_FALSE_FLAG`; `NO_MOVE` if there is none. `path` is as in
    `first_of_path`.
    """
    first = first_of_path(tables, position, masks, True, ALL_MASK, path)
    if event == _FALSE_FLAG:
        if first != NO_MOVE:
            return np.uint16(NO_MOVE)
        first = first_of_path(tables, position, masks, False, BELOW_BRIGADIER_MASK, path)
    for i in range(len(moves)):
        if moves[i] == first:
            return first
    return np.uint16(NO_MOVE)


@kernel(types.uint16(TABLES_TYPE, POSITION_TYPE, MASKS_TYPE, types.intp, types.intp, MOVES_TYPE))
def first_match(tables, position, masks, last, event, moves):
    """The lowest of `moves` that answers another event; `NO_MOVE` if there is none. `last` is the to-point of the
    enemy's last move, or `NO_POINT`.
    """
    lowest = np.uint16(NO_MOVE)
    for i in range(len(moves)):
        is_lower = lowest == NO_MOVE or moves[i] < lowest
        if is_lower and matches_event(tables, position, masks, last, event, moves[i]):
            lowest = moves[i]
    return lowest


@dataclass(frozen=True)
class EventMove:
    """The name of an event, the move that answers it, and the points of the path to a flag."""

    event: str
    move: int
    path: tuple[int, ...] | None = None


def move_for_event(event: Event, view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """The legal move (`layout.move_of`) that answers an event; None if there is none."""
    name, state = event.name.lower().replace("_", " "), (view.board.tables, copied(view.positions)[0], view.masks)
    listed, path = np.array(moves, np.uint16), np.empty(LIMIT, np.uint8)
    if event >= Event.FLAG:
        move = int(first_to_flag(*state, event, listed, path))
        points = (from_point_of(move), *path[path != NO_POINT].tolist())
        return None if move == NO_MOVE else EventMove(name, move, points)
    enemy_moves = (seen for seen in reversed(view.record) if seen.is_ply and are_enemies(seen.seat, view.turn))
    last = next((seen.to_point for seen in enemy_moves), NO_POINT)
    move = int(first_match(*state, last, event, listed))
    return None if move == NO_MOVE else EventMove(name, move)


def choose_move(version: str, view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
    """The move of a player: the answer to its first event that has one, else a random move.

    `moves` are legal moves (`layout.move_of`), at least one. The choice depends on the view, the seed and the moves
    alone.
    """
    for event in PRIORITIES[version]:
        if (found := move_for_event(event, view, moves)) is not None:
            return found
    return EventMove("random", random_move(view.generator(seed), moves))


def random_move(rng: random.Random, moves: Sequence[int]) -> int:
    """A random piece that can move, then a random move of that piece. `moves` are `layout.move_of`, at least one."""
    start = rng.choice(sorted({from_point_of(move) for move in moves}))
    return rng.choice([move for move in moves if from_point_of(move) == start])
