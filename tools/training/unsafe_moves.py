"""Moves that throw away a high piece or the flag, by plain rules. `RULES` has one for each hazard of the safety suite.

Each rule asks what the team that moves can know: masks, belief, its own pieces. A move of `landmine` is unsafe by the
odds of one battle, with a fixed worth for each kind. After a move of `bomb` or `flag`, a piece has a way to ours: the
Field Marshal and a piece that may be a bomb, or the flag and a piece that is certain to be mobile. The board after the
move is that of the true game, since the rules are applied to finished games.
"""

from collections.abc import Callable, Mapping

import numpy as np

from junqi_engine.information.chances import marginals
from junqi_engine.information.view import SeatView
from junqi_engine.rules.board import FIRST_BACK_ROW, LINEUP_INDICES
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import are_enemies, contains, from_point_of, seat_of, slot_of, to_point_of
from junqi_engine.rules.movegen import ENGINEER_CAN, reach
from junqi_engine.rules.pieces import (
    BATTLES,
    BOMB,
    ENGINEER,
    FLAG,
    GENERAL,
    IMMOBILE_MASK,
    KINDS,
    MAJOR_GENERAL,
    MARSHAL,
    Outcome,
)
from junqi_engine.rules.position import Result

HIGH = (MARSHAL, GENERAL, MAJOR_GENERAL)
WORTH = (12.0, 9.0, 6.5, 4.5, 3.0, 2.0, 1.5, 1.0, 2.0, 2.0, 5.0, 15.0)
"""By kind, in Lieutenants: a plain scale of values for the odds of one battle."""
LIKELY_BOMB = 0.2
"""The probability by belief from which a piece may be a bomb; the counts alone say 0.08 at the start."""

Rule = Callable[[SeatView, GameState], frozenset[int]]
"""The legal moves that are unsafe, in the view of the team to move and the true game."""


def attacks_on_landmines(view: SeatView, truth: GameState) -> frozenset[int]:
    """A high piece attacks an unmoved piece of the back rows, and loses more than it gains on average."""
    return frozenset(move for move in view.legal_moves() if _is_bad_attack(view, move))


def _is_bad_attack(view: SeatView, move: int) -> bool:
    start, target = from_point_of(move), to_point_of(move)
    attacker, defender = view.piece_at(start), view.piece_at(target)
    if attacker is None or defender is None or view.position["kind"][attacker] not in HIGH:
        return False
    return is_unmoved_at_home(view, defender) and mean_gain(view, int(view.position["kind"][attacker]), defender) < 0


def is_unmoved_at_home(view: SeatView, piece: int) -> bool:
    """Whether a piece stands on its starting point in the two back rows and has never moved."""
    board, point = view.board, int(view.position["where"][piece])
    is_home = point == board.block(seat_of(piece))[LINEUP_INDICES[slot_of(piece)]]
    has_moved = any(seen.from_point == point for seen in view.record)
    row = board.row(point)
    return is_home and not has_moved and row is not None and row >= FIRST_BACK_ROW


def mean_gain(view: SeatView, attacker: int, defender: int) -> float:
    """The worth that kind `attacker` takes from a hidden piece less what it loses, on average over belief."""
    chances = marginals(view, seat_of(defender))[slot_of(defender)]
    gains = []
    for kind in range(KINDS):
        outcome = BATTLES[attacker][kind].outcome
        taken = WORTH[kind] if outcome != Outcome.DEFENDER_WON else 0.0
        lost = WORTH[attacker] if outcome != Outcome.ATTACKER_WON else 0.0
        gains.append(taken - lost)
    return float(chances @ np.array(gains))


def marshals_left_to_bombs(view: SeatView, truth: GameState) -> frozenset[int]:
    """After the move, a hidden piece that may be a bomb has a way to a Field Marshal of the team."""
    suspects = []
    for seat in _enemy_seats(view):
        chances = marginals(view, seat)[:, BOMB]
        suspects += [piece for piece in _pieces(view, seat) if chances[slot_of(piece)] >= LIKELY_BOMB]
    return _leaving(view, truth, MARSHAL, suspects)


def flags_left_open(view: SeatView, truth: GameState) -> frozenset[int]:
    """After the move, an enemy piece that is certain to be mobile has a way to a flag of the team."""
    enemies = [piece for seat in _enemy_seats(view) for piece in _pieces(view, seat)]
    return _leaving(view, truth, FLAG, [piece for piece in enemies if not int(view.masks[piece]) & IMMOBILE_MASK])


RULES: Mapping[str, Rule] = {
    "landmine": attacks_on_landmines,
    "bomb": marshals_left_to_bombs,
    "flag": flags_left_open,
}


def _enemy_seats(view: SeatView) -> list[int]:
    return [seat for seat in range(len(view.board.seats)) if are_enemies(seat, view.turn) and view.is_alive(seat)]


def _pieces(view: SeatView, seat: int) -> list[int]:
    """The pieces of a seat on the board."""
    return [piece for piece in map(view.piece_at, view.points_of(seat)) if piece is not None]


def _leaving(view: SeatView, truth: GameState, kind: int, pieces: list[int]) -> frozenset[int]:
    """The legal moves after which one of `pieces` has a way to a piece of `kind` of the team."""
    return frozenset(move for move in view.legal_moves() if _is_reached(view, truth, move, kind, pieces))


def _is_reached(view: SeatView, truth: GameState, move: int, kind: int, pieces: list[int]) -> bool:
    """Whether after the move one of `pieces` has a way to a piece of `kind` of the team. False if the game is over."""
    after = truth.copy()
    after.play(move)
    if after.result != Result.ONGOING:
        return False
    targets = [
        point for point in team_points(after, view.turn) if after.position["kind"][after.piece_at(point)] == kind
    ]
    for piece in pieces:
        point = int(after.position["where"][piece])
        if after.piece_at(point) != piece:
            continue
        can_turn = contains(int(view.masks[piece]), ENGINEER)
        for target in targets:
            way = reach(after.board.tables, after.position, np.uint8(point), np.uint8(target))
            if way and (way != ENGINEER_CAN or can_turn):
                return True
    return False


def team_points(truth: GameState, seat: int) -> list[int]:
    """The points of all pieces of the team of a seat."""
    seats = (other for other in range(len(truth.board.seats)) if not are_enemies(other, seat))
    return [point for other in seats for point in truth.points_of(other)]
