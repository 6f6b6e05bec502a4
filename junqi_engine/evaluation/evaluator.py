"""The evaluator of the search: all terms in one record, which `refresh` prepares and the search keeps up.

`refresh` computes at the root of a world what every piece is worth on every point. Below it the values are
fixed, so a ply changes the score only by the pieces that move or are removed, and by what a network sees (`network`),
if there is one. The search calls `after_make`, `after_unmake`, `value`, `value_after`, `value_key` and `battle_gain`.
Scores are in hundredths of a Lieutenant, for the team to move.

Invariant: `|value| <= LARGEST_VALUE < WON < MATE - plies of the longest line`, and `MATE < INFINITE < UNKNOWN_VALUE`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.evaluation import network
from junqi_engine.evaluation.network import NETWORK_TYPE, Network, packaged_network, read_network
from junqi_engine.evaluation.terms import (
    HAND,
    HAND_TYPE,
    SEAT_WORTH,
    add_approach,
    add_guard,
    add_material,
    fill_worth,
    press,
)
from junqi_engine.evaluation.worths import WORTHS_TYPE, add_worths, packaged_worths
from junqi_engine.information.belief import worlds
from junqi_engine.information.belief.chances import Belief
from junqi_engine.information.public_game import CLASSES_TYPE
from junqi_engine.information.view import Public, SeatView, public_of
from junqi_engine.kernels import kernel
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
LARGEST_VALUE = 28_000
"""No value is larger; `WON` is above it."""
LINEAR_VALUE = 16_000
"""Above it, a value grows a quarter as fast as the score, so that the largest scores stay below `LARGEST_VALUE`."""
UNKNOWN_VALUE = 1 << 15
"""The answer of `value_after` where the value is not known without making the move. It is above every score, so that
such a move never promises too little.
"""
MATE = 30_000
"""The score of a game that is won at the root; a win in n plies is worth n less."""
WON = MATE - 1000
"""A score above it is a win, a score below `-WON` a loss."""
INFINITE = 32_000
EVALUATED_WORLDS = 64


@register_jitable
def bounded(score: Any) -> Any:
    """The value of a score: the same up to `LINEAR_VALUE`, then compressed. Strictly below the mate scores."""
    size = abs(score)
    if size > LINEAR_VALUE:
        size = min(LARGEST_VALUE, LINEAR_VALUE + (size - LINEAR_VALUE) // 4)
    return size if score >= 0 else -size


@kernel(types.int64(POSITION_TYPE, types.int64))
def final_score(position, ply):
    """The score of a finished game, `ply` plies below the root."""
    if position.result == Result.DRAW:
        return np.int64(0)
    is_won = (position.result == Result.TEAM_0) == (team_of(position.turn) == 0)
    return MATE - ply if is_won else ply - MATE


@kernel(types.int64(POSITION_TYPE, HAND_TYPE, types.uint8))
def sum_of_team(position, hand, team):
    total = np.int64(0)
    for seat in range(SEATS):
        if team_of(seat) != team or not contains(position.alive, seat):
            continue
        total += hand.seat_worth[seat]
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            total += hand.values[piece, position.where[piece]]
    return total


@kernel(types.int64(TABLES_TYPE, HAND_TYPE, types.intp, types.intp, types.intp))
def battle_swing(tables, hand, attacker, seat, defender):
    """What a battle of kind `attacker` against kind `defender` of a `seat` gains for the attacking team."""
    if defender == FLAG:
        return FLAG_GAIN
    outcome = tables.battle[attacker, defender] & OUTCOME_FIELD
    swing = np.int64(0)
    if outcome != Outcome.DEFENDER_WON:
        swing += hand.worth[seat, defender]
    if outcome != Outcome.ATTACKER_WON:
        # The two enemies of a seat differ only in a marshal whose flag is not revealed.
        enemy = seat ^ 1
        swing -= min(hand.worth[enemy, attacker], hand.worth[partner_of(enemy), attacker])
    return swing


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, CLASSES_TYPE, WORTHS_TYPE, NETWORK_TYPE, HAND_TYPE))
def refresh(tables, position, revealed, classes, worths, source, hand):
    """Fill the record for a position. `revealed` is the set of seats whose flag everyone knows, `classes` are by piece.
    The sizes of the board are in `worths`; `source` is as in `network.begin`.
    """
    fill_worth(position, revealed, hand)
    for piece in range(PIECES):
        for point in range(MAX_POINTS):
            hand.values[piece, point] = 0
    for seat in range(SEATS):
        hand.seat_worth[seat] = SEAT_WORTH
        for attacker in range(KINDS):
            for defender in range(KINDS):
                hand.gain[seat, attacker, defender] = battle_swing(tables, hand, attacker, seat, defender)
    add_material(tables, position, hand)
    add_approach(tables, position, hand)
    add_guard(tables, position, hand)
    add_worths(worths, position, classes, hand)
    hand.height = 0
    hand.scores[0] = sum_of_team(position, hand, np.uint8(0)) - sum_of_team(position, hand, np.uint8(1))
    press(position, worths.seats, worths.points, hand)
    network.begin(source, position, classes, hand.network)


@kernel(types.int64(POSITION_TYPE, UNDO_TYPE, types.uint8, HAND_TYPE))
def worth_before(position, undo, seat, hand):
    worth = np.int64(hand.seat_worth[seat])
    mover = piece_in(undo.attacker)
    pieces = undo.present[seat]
    while pieces:
        piece, pieces = next_piece(seat, pieces)
        worth += hand.values[piece, undo.from_point if piece == mover else position.where[piece]]
    return worth


@kernel(types.void(POSITION_TYPE, UNDO_TYPE, HAND_TYPE))
def after_make(position, undo, hand):
    """Bring the record up to date after `effects.make`."""
    mover = piece_in(undo.attacker)
    eliminated = eliminated_seats(position, undo)
    gain = np.int64(0)
    if not contains(eliminated, undo.turn):
        gain -= hand.values[mover, undo.from_point]
        if attacker_arrived(position, undo):
            gain += hand.values[mover, undo.to_point]
    if defender_was_removed(position, undo):
        defender = piece_in(undo.defender)
        if not contains(eliminated, seat_of(defender)):
            gain += hand.values[defender, undo.to_point]
    if eliminated:
        for seat in range(SEATS):
            if contains(eliminated, seat):
                worth = worth_before(position, undo, np.uint8(seat), hand)
                gain += worth if are_enemies(seat, undo.turn) else -worth
    score = hand.scores[hand.height]
    hand.height += 1
    hand.scores[hand.height] = score - gain if team_of(undo.turn) else score + gain
    if hand.network.rows:
        network.update_units(position, undo, hand.network, hand.height)


@kernel(types.void(HAND_TYPE))
def after_unmake(hand):
    if hand.network.rows:
        network.restore_classes(hand.network, hand.height)
    hand.height -= 1


@kernel(types.int64(POSITION_TYPE, HAND_TYPE))
def value(position, hand):
    """The `bounded` score for the team to move.

    A null move changes only the turn of the position, so the team comes from the position.
    """
    score = bounded(hand.scores[hand.height] + hand.network.sums[hand.height])
    return -score if team_of(position.turn) else score


@kernel(types.boolean(POSITION_TYPE, types.intp))
def is_last_movable(position, piece):
    """Whether a seat would be eliminated without this piece, at once or at its turn: no other piece can ever move."""
    return position.movable[seat_of(piece)] & ~(ONE << np.uint32(slot_of(piece))) == 0


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, HAND_TYPE, types.uint16))
def value_after(tables, position, hand, move):
    """The `value` after a legal move, still for the team that moves, if the next seat then has a legal move.

    It is exact if the move eliminates no seat, and an upper bound if the seat that moves is eliminated because none of
    its pieces can ever move again. It is `UNKNOWN_VALUE` if a battle may eliminate a seat by a flag or by its last
    piece that can move. For a quiet move it is always known.

    A next seat without a legal move is eliminated. This is not checked: the answer counts that seat as present, so it
    may be too low.
    """
    origin, target = from_point_of(move), to_point_of(move)
    mover = piece_in(position.board[origin])
    gain = -np.int64(hand.values[mover, origin])
    occupant = position.board[target]
    if occupant == NO_PIECE:
        gain += hand.values[mover, target]
    else:
        defender = piece_in(occupant)
        battle = tables.battle[position.kind[mover], position.kind[defender]]
        if battle & TAKES_FLAG:
            return np.int64(UNKNOWN_VALUE)
        outcome = battle & OUTCOME_FIELD
        if outcome != Outcome.DEFENDER_WON:
            if is_last_movable(position, defender):
                return np.int64(UNKNOWN_VALUE)
            gain += hand.values[defender, target]
        if outcome == Outcome.ATTACKER_WON:
            gain += hand.values[mover, target]
        elif is_last_movable(position, mover):
            return np.int64(UNKNOWN_VALUE)
    score = hand.scores[hand.height]
    if hand.network.rows:
        score += network.sum_after(tables, position, hand.network, hand.height, move)
    return bounded((-score if team_of(position.turn) else score) + gain)


@kernel(types.uint64(HAND_TYPE), forceinline=True)
def value_key(hand):
    """The part of the transposition table's key, uint64, for what the value depends on beside the position; 0 if
    there is nothing.
    """
    return hand.network.keys[hand.height]


@kernel(types.int64(HAND_TYPE, types.uint8, types.uint8, types.uint8))
def battle_gain(hand, attacker, seat, defender):
    """What kind `attacker` gains by a battle against kind `defender` of a seat; for move ordering and pruning."""
    return np.int64(hand.gain[seat, attacker, defender])


@dataclass(frozen=True)
class Evaluator:
    """The worths and the network of a variant by its name, by default those that come with the package; None for a
    variant that has no network.
    """

    worths_of: Callable[[str], np.void] = packaged_worths
    network_of: Callable[[str], Network | None] = packaged_network

    @classmethod
    def of_file(cls, board: Board, path: Path) -> "Evaluator":
        """With the network in a file. OSError, or ValueError if it does not fit the board."""
        network = read_network(board, path)
        return cls(network_of=lambda variant: network)

    def new(self, worlds: int) -> np.ndarray:
        return np.zeros(worlds, HAND)

    def refresh(self, board: Board, position: np.void, public: Public, record: np.void) -> None:
        """Fill a record for a position. It is valid as long as the network is kept."""
        found = self.network_of(board.variant)
        source = record["network"] if found is None else found.record
        revealed, worths = np.uint8(public.revealed), self.worths_of(board.variant)
        refresh(board.tables, position, revealed, public.classes, worths, source, record)

    def mean_value(self, view: SeatView, belief: Belief) -> int:
        """The value of a view, of a finished game too: the mean over worlds drawn from the belief."""
        drawn = worlds.draw(view, 1 if view.is_open else EVALUATED_WORLDS, 0, belief(view))
        public, record, total = public_of(view), self.new(1)[0], 0
        for kinds in drawn:
            position = worlds.positions_in_world(view, kinds)[0]
            self.refresh(view.board, position, public, record)
            total += bounded(int(record["scores"][0] + record["network"]["sums"][0]))
        return round((-total if team_of(view.turn) else total) / len(drawn))


PACKAGED = Evaluator()
