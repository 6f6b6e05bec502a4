"""A fast policy from what a team knows: the probability of each move, as a search would choose it.

The probability of a move is proportional to `exp` of a sum of terms: of the kind of the piece by the point that it
leaves and by the point that it goes to, as its seat sees the board; of the kind by what the piece in its way has shown;
and of the kind by each of these features:

| feature | meaning |
|---|---|
| win, tie, flag | how likely the battle is won, ends with both pieces removed, takes the flag |
| danger before, after | how likely the most dangerous enemy next to the from-point, the to-point removes the piece |
| threat | how likely the piece beats the weakest enemy next to the to-point |
| again | 1 for the piece that its seat moved last |
| back | 1 if it returns to where it came from then |

`FACTS` is what is needed of a view. In the first three fields, the entry of an own kind and an enemy piece is how
likely the own piece wins as the attacker, how likely both are removed, and how likely the own piece is removed as the
defender:

| field | shape | meaning |
|---|---|---|
| beats, ties, falls | (12, 128) | by kind of the own piece and by enemy piece |
| flag | (128,) | how likely a piece is the flag |
| classes | (128,) | by piece: its `PublicClass` |
| seen | (129,) | by point: the point as the seat to move sees it |
| last_from, last_to | scalars | the last move of the seat to move; `NO_POINT` without one |

`POLICY` has the terms: `leaves` and `enters` (12, 129), `meets` (12, 4), `features` (12, 8), by kind.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.learned import points_seen_from
from junqi_engine.information.chances import marginals
from junqi_engine.information.public import PublicClass, public_of
from junqi_engine.information.view import SeatView
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    are_enemies,
    contains,
    enemy_field,
    from_point_of,
    is_enemy,
    piece_in,
    slice_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.pieces import BATTLES, FLAG, IMMOBILE_MASK, KINDS, PIECES_PER_SEAT, Outcome
from junqi_engine.rules.position import POSITION_TYPE

FEATURES = ("win", "tie", "flag", "danger before", "danger after", "threat", "again", "back")
WIN, TIE, TAKES_FLAG, DANGER_BEFORE, DANGER_AFTER, THREAT, AGAIN, BACK = range(len(FEATURES))
NO_POINT = MAX_POINTS - 1
QUIET = len(PublicClass)
"""The class of a target point without a piece."""

FACTS = np.dtype(
    [
        ("beats", np.float32, (KINDS, PIECES)),
        ("ties", np.float32, (KINDS, PIECES)),
        ("falls", np.float32, (KINDS, PIECES)),
        ("flag", np.float32, PIECES),
        ("classes", np.uint8, PIECES),
        ("seen", np.uint8, MAX_POINTS),
        ("last_from", np.uint8),
        ("last_to", np.uint8),
    ],
    align=True,
)
FACTS_TYPE = record_type(FACTS)
POLICY = np.dtype(
    [
        ("leaves", np.float32, (KINDS, MAX_POINTS)),
        ("enters", np.float32, (KINDS, MAX_POINTS)),
        ("meets", np.float32, (KINDS, QUIET + 1)),
        ("features", np.float32, (KINDS, len(FEATURES))),
    ],
    align=True,
)
POLICY_TYPE = record_type(POLICY)
FEATURES_TYPE = types.Array(types.float32, 1, "C")
SCORES_TYPE = types.Array(types.float32, 1, "C")

_BATTLE = np.array([[battle.outcome for battle in row] for row in BATTLES])
_WINS, _TIES = _BATTLE == Outcome.ATTACKER_WON, _BATTLE == Outcome.BOTH_REMOVED
_MOBILE = 1.0 - contains(IMMOBILE_MASK, np.arange(KINDS))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, FACTS_TYPE, types.uint16, types.uint8, types.uint8, FEATURES_TYPE))
def describe(tables, position, facts, move, kind, enemy, features):
    """Fill the features of a move of a piece of a kind. `enemy` is the `enemy_field` of its seat."""
    start, target = from_point_of(move), to_point_of(move)
    features[:] = 0.0
    if position.board[target] != NO_PIECE:
        piece = piece_in(position.board[target])
        features[WIN] = facts.beats[kind, piece]
        features[TIE] = facts.ties[kind, piece]
        features[TAKES_FLAG] = facts.flag[piece]
    features[DANGER_BEFORE] = most_near(tables, position, facts.falls, kind, start, enemy)
    features[DANGER_AFTER] = most_near(tables, position, facts.falls, kind, target, enemy)
    features[THREAT] = most_near(tables, position, facts.beats, kind, target, enemy)
    if start == facts.last_to:
        features[AGAIN] = 1.0
        if target == facts.last_from:
            features[BACK] = 1.0


@kernel(
    types.float32(
        TABLES_TYPE, POSITION_TYPE, types.Array(types.float32, 2, "C"), types.uint8, types.uint16, types.uint8
    )
)
def most_near(tables, position, chances, kind, point, enemy):
    """The largest of the chances of the enemies next to a point, by kind and piece; 0 on a campsite."""
    found = np.float32(0.0)
    if tables.campsite[point]:
        return found
    for i in range(tables.near_count[point]):
        occupant = position.board[tables.near[point, i]]
        if is_enemy(occupant, enemy):
            found = max(found, chances[kind, piece_in(occupant)])
    return found


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, FACTS_TYPE, POLICY_TYPE, MOVES_TYPE, FEATURES_TYPE, SCORES_TYPE))
def score_moves(tables, position, facts, policy, moves, features, scores):
    """The sum of the terms of each move: an unnormalised logarithm of its probability. `features` is scratch."""
    enemy = enemy_field(position.turn)
    for number in range(len(moves)):
        move = moves[number]
        start, target = from_point_of(move), to_point_of(move)
        kind = position.kind[piece_in(position.board[start])]
        describe(tables, position, facts, move, kind, enemy, features)
        shown = QUIET
        if position.board[target] != NO_PIECE:
            shown = np.int64(facts.classes[piece_in(position.board[target])])
        total = policy.leaves[kind, facts.seen[start]] + policy.enters[kind, facts.seen[target]]
        total += policy.meets[kind, shown]
        for feature in range(len(FEATURES)):
            total += policy.features[kind, feature] * features[feature]
        scores[number] = total


def facts_of(view: SeatView, weights: np.ndarray) -> np.void:
    """The facts of a view that sees the seat to move; `weights` are those of a `belief.Belief` for it."""
    facts = np.zeros(1, FACTS)[0]
    for seat in range(len(view.board.seats)):
        if are_enemies(seat, view.turn):
            own, chances = slice_of(seat, PIECES_PER_SEAT), marginals(view, seat, weights)
            facts["beats"][:, own] = _WINS @ chances.T
            facts["ties"][:, own] = _TIES @ chances.T
            facts["falls"][:, own] = (_WINS | _TIES).T @ (chances * _MOBILE).T
            facts["flag"][own] = chances[:, FLAG]
    facts["classes"] = public_of(view).classes
    facts["seen"][: len(view.board.points)] = points_seen_from(view.board, view.turn)
    last = next((seen for seen in reversed(view.record) if seen.seat == view.turn and seen.is_ply), None)
    facts["last_from"], facts["last_to"] = (last.from_point, last.to_point) if last else (NO_POINT, NO_POINT)
    return facts
