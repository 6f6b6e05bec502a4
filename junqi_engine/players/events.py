"""What just happened, or can be had now, that calls for an answer.

Every event is found anew from the view before each move. A finder gives the answer, or None; among equals it takes the
lowest from-point, then to-point, in board order, which is the order of the moves that it is handed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from junqi_engine.information.view import SeatView
from junqi_engine.players.flag_path import Path, known_flags, possible_flags, shortest_path
from junqi_engine.rules.pieces import BOMB, BRIGADIER, ENGINEER, FLAG, MINE, RANKED_MASK
from junqi_engine.rules.record import SeenMove

STAYED_HOME_MASK = 1 << MINE | 1 << FLAG
HIGH_MASK = (1 << BRIGADIER + 1) - 1
BELOW_BRIGADIER_MASK = RANKED_MASK & ~HIGH_MASK


@dataclass(frozen=True)
class Answer:
    """An event's name, the move (`256 * from + to`) that answers it, and the way it begins, if it is one."""

    event: str
    move: int
    path: Path | None = None


Finder = Callable[[SeatView, Sequence[int]], Answer | None]


def camp(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """An enemy has come beside an empty campsite of the mover's own block: step in first."""
    last = next((seen for seen in reversed(view.record) if _is_enemy_move(view, seen)), None)
    if last is None or not _is_enemy(view, last.to_point):
        return None
    beside = view.board.road_steps[last.to_point]
    for move in moves:
        start, target = move >> 8, move & 255
        is_threatened = target in beside and view.board.owner(target) == view.turn and view.board.is_campsite(target)
        if is_threatened and not view.board.is_campsite(start) and target in view.board.road_steps[start]:
            return Answer("camp", move)
    return None


def engineer(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """An engineer attacks a piece that may be a landmine: one in its two back rows that has never moved."""
    for move in moves:
        target = view.mask_at(move & 255)
        if _kind(view, move) == ENGINEER and target & STAYED_HOME_MASK and _is_in_back_rows(view, move & 255):
            return Answer("engineer", move)
    return None


def unknown(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """A ranked piece attacks one of unknown rank that is no landmine: it stands in its front rows or has moved."""
    for move in moves:
        ranks = view.mask_at(move & 255) & RANKED_MASK
        if not ranks & (ranks - 1) or not RANKED_MASK >> _kind(view, move) & 1:
            continue
        if not _is_in_back_rows(view, move & 255) or not view.mask_at(move & 255) & STAYED_HOME_MASK:
            return Answer("unknown", move)
    return None


def capture(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """A ranked piece attacks one that is sure to be of lower rank."""
    for move in moves:
        kind, target = _kind(view, move), view.mask_at(move & 255)
        if not RANKED_MASK >> kind & 1 or not target & RANKED_MASK:
            continue
        # What may be a landmine is no sure prey, though no rank of it is higher.
        prey = RANKED_MASK & ~((1 << kind + 1) - 1) | 1 << FLAG
        if not target & ~prey:
            return Answer("capture", move)
    return None


def bomb(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """A bomb attacks one that is proven to be a Brigadier or higher."""
    for move in moves:
        target = view.mask_at(move & 255)
        if _kind(view, move) == BOMB and target and not target & ~HIGH_MASK:
            return Answer("bomb", move)
    return None


def flag(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """A way leads to a flag that is shown or proven."""
    path = shortest_path(view, known_flags(view))
    return Answer("flag", path.first_move, path) if path and path.first_move in moves else None


def false_flag(view: SeatView, moves: Sequence[int]) -> Answer | None:
    """No known flag can be reached, but a way leads to a piece that may be one; no high piece is spent on it."""
    if shortest_path(view, known_flags(view)):
        return None
    path = shortest_path(view, possible_flags(view), BELOW_BRIGADIER_MASK)
    return Answer("false flag", path.first_move, path) if path and path.first_move in moves else None


def _kind(view: SeatView, move: int) -> int:
    piece = view.piece_at(move >> 8)
    return int(view.position["kind"][piece or 0])


def _is_in_back_rows(view: SeatView, point: int) -> bool:
    """Whether a piece stands in rows 4 and 5 of its own seat's block."""
    piece = view.piece_at(point)
    row = view.board.row(point)
    return piece is not None and view.board.owner(point) == piece >> 5 and row is not None and row >= 4


def _is_enemy_move(view: SeatView, seen: SeenMove) -> bool:
    return seen.resigned is None and bool((seen.seat ^ view.turn) & 1)


def _is_enemy(view: SeatView, point: int) -> bool:
    piece = view.piece_at(point)
    return piece is not None and bool((piece >> 5 ^ view.turn) & 1)
