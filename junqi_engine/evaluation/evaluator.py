"""The evaluator of the search: `refresh` fills the record at the root, the search updates it incrementally.

The search calls `push_ply`, `pop_ply`, `evaluate`, `evaluate_after`, `eval_key` and `battle_gain`. Scores are in
hundredths of a Lieutenant, for the team to move.

Invariant: `|value| <= MAX_VALUE < WON < MATE - plies of the longest line`, and `MATE < INFINITE < UNKNOWN_VALUE`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.evaluation import network
from junqi_engine.evaluation.flag_safety import add_flag_safety
from junqi_engine.evaluation.linear import LINEAR, add_linear, packaged_linear
from junqi_engine.evaluation.network import Network, empty, packaged_network, read_network
from junqi_engine.evaluation.parameters import PARAMETERS, packaged_parameters
from junqi_engine.evaluation.record import EVALUATION, EVALUATION_TYPE, NETWORK
from junqi_engine.evaluation.terms import add_approach, add_material, add_mop_up, fill_piece_values
from junqi_engine.information.public_state import CLASSES_TYPE
from junqi_engine.information.view import PublicInfo
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE, Board
from junqi_engine.rules.effects import UNDO_TYPE, attacker_arrived, defender_was_removed, eliminated_seats
from junqi_engine.rules.layout import (
    NO_PIECE,
    PIECES,
    SEATS,
    are_enemies,
    contains,
    from_point_of,
    partner_of,
    piece_in,
    seat_of,
    slot_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.pieces import FLAG, KINDS, OUTCOME_FIELD, TAKES_FLAG, Outcome
from junqi_engine.rules.position import ONE, POSITION_TYPE, Result, next_piece

FLAG_GAIN = 9000
"""The gain of taking a flag."""
MAX_VALUE = 28_000
"""Bound of all values, below `WON`."""
LINEAR_VALUE = 16_000
"""Above it, a value grows a quarter as fast as the score, so that the largest scores stay below `MAX_VALUE`."""
UNKNOWN_VALUE = 1 << 15
"""Returned where the evaluation is unknown until the move is made. Above every score, so the move is never pruned."""
MATE = 30_000
"""The score of a game that is won at the root; a win in n plies is worth n less."""
WON = MATE - 1000
"""Scores above it are wins, scores below `-WON` losses."""
INFINITE = 32_000

WEIGHTS = np.dtype([("parameters", PARAMETERS), ("linear", LINEAR), ("network", NETWORK)], align=True)
"""All numbers of an evaluator for a board. `network` is as in `network.begin`."""
WEIGHTS_TYPE = record_type(WEIGHTS)


@register_jitable
def bounded(score: Any) -> Any:
    """The value of a score: the same up to `LINEAR_VALUE`, then compressed. Strictly below the mate scores."""
    size = abs(score)
    if size > LINEAR_VALUE:
        size = min(MAX_VALUE, LINEAR_VALUE + (size - LINEAR_VALUE) // 4)
    return size if score >= 0 else -size


@kernel(types.int64(POSITION_TYPE, types.int64))
def terminal_score(position, ply):
    """The score of a finished game, `ply` plies below the root."""
    if position.result == Result.DRAW:
        return np.int64(0)
    is_won = (position.result == Result.TEAM_0) == (team_of(position.turn) == 0)
    return MATE - ply if is_won else ply - MATE


@kernel(types.int64(POSITION_TYPE, EVALUATION_TYPE, types.uint8))
def sum_of_team(position, evaluation, team):
    """The sum of the values of a team's seats and pieces."""
    total = np.int64(0)
    for seat in range(SEATS):
        if team_of(seat) != team or not contains(position.alive, seat):
            continue
        total += evaluation.seat_value[seat]
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            total += evaluation.piece_square[piece, position.where[piece]]
    return total


@kernel(types.int64(TABLES_TYPE, EVALUATION_TYPE, types.intp, types.intp, types.intp))
def battle_swing(tables, evaluation, attacker, seat, defender):
    """The gain of the attacking team by a battle of kind `attacker` against kind `defender` of a seat."""
    if defender == FLAG:
        return FLAG_GAIN
    outcome = tables.battle[attacker, defender] & OUTCOME_FIELD
    swing = np.int64(0)
    if outcome != Outcome.DEFENDER_WON:
        swing += evaluation.piece_value[seat, defender]
    if outcome != Outcome.ATTACKER_WON:
        # The two enemies of a seat differ only in a marshal whose flag is not revealed.
        enemy = seat ^ 1
        swing -= min(evaluation.piece_value[enemy, attacker], evaluation.piece_value[partner_of(enemy), attacker])
    return swing


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, CLASSES_TYPE, WEIGHTS_TYPE, EVALUATION_TYPE))
def refresh(tables, position, revealed, classes, weights, evaluation):
    """Fill the record for a position. `revealed` is the set of seats with a revealed flag; `classes` are by piece."""
    parameters, linear = weights.parameters, weights.linear
    fill_piece_values(position, revealed, parameters, evaluation)
    for piece in range(PIECES):
        for point in range(MAX_POINTS):
            evaluation.piece_square[piece, point] = 0
    for seat in range(SEATS):
        evaluation.seat_value[seat] = parameters.seat_value
        for attacker in range(KINDS):
            for defender in range(KINDS):
                evaluation.battle_gain[seat, attacker, defender] = battle_swing(
                    tables, evaluation, attacker, seat, defender
                )
    add_material(tables, position, parameters, evaluation)
    add_approach(tables, position, parameters, evaluation)
    add_flag_safety(tables, position, parameters, evaluation)
    add_linear(linear, position, classes, evaluation)
    evaluation.ply = 0
    evaluation.scores[0] = sum_of_team(position, evaluation, np.uint8(0)) - sum_of_team(
        position, evaluation, np.uint8(1)
    )
    add_mop_up(position, linear.features.seats, linear.features.points, parameters, evaluation)
    network.begin(weights.network, position, classes, evaluation.network)


@kernel(types.int64(POSITION_TYPE, UNDO_TYPE, types.uint8, EVALUATION_TYPE))
def seat_value_before(position, undo, seat, evaluation):
    total = np.int64(evaluation.seat_value[seat])
    mover = piece_in(undo.attacker)
    pieces = undo.present[seat]
    while pieces:
        piece, pieces = next_piece(seat, pieces)
        total += evaluation.piece_square[piece, undo.from_point if piece == mover else position.where[piece]]
    return total


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, EVALUATION_TYPE))
def push_ply(position, undo, evaluation):
    """Update the record after `effects.make`."""
    mover = piece_in(undo.attacker)
    eliminated = eliminated_seats(position, undo)
    gain = np.int64(0)
    if not contains(eliminated, undo.turn):
        gain -= evaluation.piece_square[mover, undo.from_point]
        if attacker_arrived(position, undo):
            gain += evaluation.piece_square[mover, undo.to_point]
    if defender_was_removed(position, undo):
        defender = piece_in(undo.defender)
        if not contains(eliminated, seat_of(defender)):
            gain += evaluation.piece_square[defender, undo.to_point]
    if eliminated:
        for seat in range(SEATS):
            if contains(eliminated, seat):
                total = seat_value_before(position, undo, np.uint8(seat), evaluation)
                gain += total if are_enemies(seat, undo.turn) else -total
    score = evaluation.scores[evaluation.ply]
    evaluation.ply += 1
    evaluation.scores[evaluation.ply] = score - gain if team_of(undo.turn) else score + gain
    if evaluation.network.rows:
        network.update_accumulators(position, undo, evaluation.network, evaluation.ply)


@kernel(types.void(EVALUATION_TYPE))
def pop_ply(evaluation):
    """Take the last ply back."""
    if evaluation.network.rows:
        network.restore_classes(evaluation.network, evaluation.ply)
    evaluation.ply -= 1


@kernel(types.int64(POSITION_TYPE, EVALUATION_TYPE))
def evaluate(position, evaluation):
    """The bounded score for the team to move. After a null move only the turn of the position differs."""
    score = bounded(evaluation.scores[evaluation.ply] + evaluation.network.scores[evaluation.ply])
    return -score if team_of(position.turn) else score


@kernel(types.boolean(POSITION_TYPE, types.intp))
def is_last_movable(position, piece):
    """Whether no other piece of the seat can ever move, so the seat is eliminated without this one."""
    return position.movable[seat_of(piece)] & ~(ONE << np.uint32(slot_of(piece))) == 0


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, EVALUATION_TYPE, types.uint16))
def evaluate_after(tables, position, evaluation, move):
    """The value after a legal move, for the team that made it, if the next seat then has a legal move.

    Exact if the move eliminates no seat, and an upper bound if the seat that moves is eliminated because none of its
    pieces can ever move again. `UNKNOWN_VALUE` if a battle may eliminate a seat by its flag or its last movable piece.
    The value after a quiet move is always known.

    It is not checked whether the next seat has a legal move. If it has none, it is eliminated, and the value returned
    may be too low.
    """
    origin, target = from_point_of(move), to_point_of(move)
    mover = piece_in(position.board[origin])
    gain = -np.int64(evaluation.piece_square[mover, origin])
    occupant = position.board[target]
    if occupant == NO_PIECE:
        gain += evaluation.piece_square[mover, target]
    else:
        defender = piece_in(occupant)
        battle = tables.battle[position.kind[mover], position.kind[defender]]
        if battle & TAKES_FLAG:
            return np.int64(UNKNOWN_VALUE)
        outcome = battle & OUTCOME_FIELD
        if outcome != Outcome.DEFENDER_WON:
            if is_last_movable(position, defender):
                return np.int64(UNKNOWN_VALUE)
            gain += evaluation.piece_square[defender, target]
        if outcome == Outcome.ATTACKER_WON:
            gain += evaluation.piece_square[mover, target]
        elif is_last_movable(position, mover):
            return np.int64(UNKNOWN_VALUE)
    score = evaluation.scores[evaluation.ply]
    if evaluation.network.rows:
        score += network.score_after(tables, position, evaluation.network, evaluation.ply, move)
    return bounded((-score if team_of(position.turn) else score) + gain)


@kernel(types.uint64(EVALUATION_TYPE), forceinline=True)
def eval_key(evaluation):
    """The part of the transposition table's key for the network, whose output depends on more than the position."""
    return evaluation.network.keys[evaluation.ply]


@kernel(types.int64(EVALUATION_TYPE, types.uint8, types.uint8, types.uint8))
def battle_gain(evaluation, attacker, seat, defender):
    """The gain of kind `attacker` by a battle against kind `defender` of a seat, for move ordering and pruning."""
    return np.int64(evaluation.battle_gain[seat, attacker, defender])


class Evaluator:
    """The parameters, the linear evaluation and the network of each variant, by its name: by default those of the
    package. A variant without a network has None.
    """

    def __init__(
        self,
        parameters_of: Callable[[str], np.void] = packaged_parameters,
        linear_of: Callable[[str], np.void] = packaged_linear,
        network_of: Callable[[str], Network | None] = packaged_network,
    ) -> None:
        self._parameters_of, self._linear_of, self._network_of = parameters_of, linear_of, network_of
        self._weights: dict[str, np.void] = {}

    @classmethod
    def of_file(cls, board: Board, path: Path) -> "Evaluator":
        """With the network in a file. OSError, or ValueError if it does not fit the board."""
        network = read_network(board, path)
        return cls(network_of=lambda variant: network)

    def new(self, worlds: int) -> np.ndarray:
        return np.zeros(worlds, EVALUATION)

    def weights(self, board: Board) -> np.void:
        """The `WEIGHTS` for a board. They are valid as long as the network is kept."""
        if board.variant not in self._weights:
            weights, network = np.zeros(1, WEIGHTS)[0], self._network_of(board.variant)
            weights["parameters"], weights["linear"] = (
                self._parameters_of(board.variant),
                self._linear_of(board.variant),
            )
            weights["network"] = empty(board) if network is None else network.record
            self._weights[board.variant] = weights
        return self._weights[board.variant]

    def refresh(self, board: Board, position: np.void, public: PublicInfo, evaluation: np.void) -> None:
        """Fill an evaluation for a position. It is valid as long as the network is kept."""
        refresh(board.tables, position, np.uint8(public.revealed), public.classes, self.weights(board), evaluation)


PACKAGED = Evaluator()
