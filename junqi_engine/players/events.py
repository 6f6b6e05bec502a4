"""Players that answer events, and otherwise move at random: 1.0 to 1.2.

An event is a situation in which a player has a fixed answer. Before each move the events are detected from the view. A
finder returns its answer or None. Among equal answers it takes the lowest from-point, then the lowest to-point, in
board order, which is the order of `moves`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from junqi_engine.information.view import SeatView
from junqi_engine.players.flag_path import Path, known_flags, possible_flags, shortest_path
from junqi_engine.players.randomness import random_move, random_of
from junqi_engine.rules.board import FIRST_BACK_ROW
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import are_enemies, contains, from_point_of, seat_of, to_point_of
from junqi_engine.rules.pieces import BOMB, BRIGADIER, ENGINEER, FLAG, MINE, RANKED_MASK

MINE_OR_FLAG_MASK = 1 << MINE | 1 << FLAG
HIGH_MASK = (1 << BRIGADIER + 1) - 1
BELOW_BRIGADIER_MASK = RANKED_MASK & ~HIGH_MASK


@dataclass(frozen=True)
class EventMove:
    """The name of an event, the move that answers it, and the path that the move begins, if there is one."""

    event: str
    move: int
    path: Path | None = None


Finder = Callable[[SeatView, Sequence[int]], EventMove | None]


def camp(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """An enemy moved next to an empty campsite of the mover's own block: move in first."""
    last = next((seen for seen in reversed(view.record) if _is_enemy_move(view, seen)), None)
    if last is None or not _is_enemy(view, last.to_point):
        return None
    beside = view.board.road_steps[last.to_point]
    for move in moves:
        start, target = from_point_of(move), to_point_of(move)
        is_threatened = target in beside and view.board.owner(target) == view.turn and view.board.is_campsite(target)
        if is_threatened and not view.board.is_campsite(start) and target in view.board.road_steps[start]:
            return EventMove("camp", move)
    return None


def engineer(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """An engineer attacks a piece that may be a landmine: one in its two back rows that never moved."""
    for move in moves:
        target = view.mask_at(to_point_of(move))
        if _kind(view, move) == ENGINEER and target & MINE_OR_FLAG_MASK and _is_in_back_rows(view, to_point_of(move)):
            return EventMove("engineer", move)
    return None


def unknown(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """A ranked piece attacks one of unknown rank that cannot be a landmine: it is in its front rows or has moved."""
    for move in moves:
        ranks = view.mask_at(to_point_of(move)) & RANKED_MASK
        if not ranks & (ranks - 1) or not contains(RANKED_MASK, _kind(view, move)):
            continue
        if not _is_in_back_rows(view, to_point_of(move)) or not view.mask_at(to_point_of(move)) & MINE_OR_FLAG_MASK:
            return EventMove("unknown", move)
    return None


def capture(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """A ranked piece attacks one that certainly has a lower rank."""
    for move in moves:
        kind, target = _kind(view, move), view.mask_at(to_point_of(move))
        if not contains(RANKED_MASK, kind) or not target & RANKED_MASK:
            continue
        # A piece that may be a landmine is not safe to attack, although none of its possible ranks is higher.
        prey = RANKED_MASK & ~((1 << kind + 1) - 1) | 1 << FLAG
        if not target & ~prey:
            return EventMove("capture", move)
    return None


def bomb(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """A bomb attacks a piece that is proven to be a Brigadier or higher."""
    for move in moves:
        target = view.mask_at(to_point_of(move))
        if _kind(view, move) == BOMB and target and not target & ~HIGH_MASK:
            return EventMove("bomb", move)
    return None


def flag(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """A path leads to a revealed or proven flag."""
    path = shortest_path(view, known_flags(view))
    return EventMove("flag", path.first_move, path) if path and path.first_move in moves else None


def false_flag(view: SeatView, moves: Sequence[int]) -> EventMove | None:
    """No known flag can be reached, but a path leads to a piece that may be a flag. High pieces do not go."""
    if shortest_path(view, known_flags(view)):
        return None
    path = shortest_path(view, possible_flags(view), BELOW_BRIGADIER_MASK)
    return EventMove("false flag", path.first_move, path) if path and path.first_move in moves else None


def _kind(view: SeatView, move: int) -> int:
    piece = view.piece_at(from_point_of(move))
    return int(view.position["kind"][piece or 0])


def _is_in_back_rows(view: SeatView, point: int) -> bool:
    """Whether a piece stands in the two back rows of its own seat's block."""
    piece = view.piece_at(point)
    row = view.board.row(point)
    return piece is not None and view.board.owner(point) == seat_of(piece) and row is not None and row >= FIRST_BACK_ROW


def _is_enemy_move(view: SeatView, seen: SeenMove) -> bool:
    return seen.is_ply and bool(are_enemies(seen.seat, view.turn))


def _is_enemy(view: SeatView, point: int) -> bool:
    piece = view.piece_at(point)
    return piece is not None and bool(are_enemies(seat_of(piece), view.turn))


def choose(priority: Sequence[Finder], view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
    """The answer to the first event of `priority` that has one among `moves`, else a random move.

    `moves` are legal moves (`layout.move_of`), at least one. The choice depends on the view, the seed and the moves
    alone.
    """
    for find in priority:
        answer = find(view, moves)
        if answer is not None:
            return answer
    return choose_at_random(view, seed, moves)


def choose_at_random(view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
    """A `randomness.random_move` that depends on the view, the seed and the moves alone."""
    return EventMove("random", random_move(random_of(view, seed), moves))
