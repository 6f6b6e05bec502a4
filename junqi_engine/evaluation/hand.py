"""The hand-written evaluator: the sum of `terms` over the pieces and seats on the board.

`refresh` computes what every piece is worth on every point. During the search the values are fixed, so a ply changes
the score only by the pieces that move or are removed, and by what a network sees (`network`), if the record has one.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation import network
from junqi_engine.evaluation.interface import UNKNOWN_VALUE, Evaluator, Kernels, Signatures, Term, bounded
from junqi_engine.evaluation.terms import ALL_TERMS, HAND, HAND_TYPE, TermNumber, add_terms, fill_worth
from junqi_engine.information.view import Public
from junqi_engine.kernels import count_trailing_zeros, kernel
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
    piece_of,
    seat_of,
    slot_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.pieces import FLAG, KINDS, OUTCOME_FIELD, TAKES_FLAG, Outcome
from junqi_engine.rules.position import ONE, POSITION_TYPE

FLAG_GAIN = 9000
"""The gain of taking a flag."""

_ATTACKER_WON, _DEFENDER_WON = int(Outcome.ATTACKER_WON), int(Outcome.DEFENDER_WON)
_SIGNATURES = Signatures.of(HAND)


@kernel(types.int64(POSITION_TYPE, HAND_TYPE, types.uint8))
def sum_of_team(position, hand, team):
    """What the seats and pieces of a team are worth."""
    total = np.int64(0)
    for seat in range(SEATS):
        if team_of(seat) != team or not contains(position.alive, seat):
            continue
        total += hand.seat_worth[seat]
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            total += hand.values[piece, position.where[piece]]
    return total


@kernel(types.int64(TABLES_TYPE, HAND_TYPE, types.intp, types.intp, types.intp))
def battle_swing(tables, hand, attacker, seat, defender):
    """What a battle of kind `attacker` against kind `defender` of a `seat` gains for the attacking team."""
    if defender == FLAG:
        return FLAG_GAIN
    outcome = tables.battle[attacker, defender] & OUTCOME_FIELD
    swing = np.int64(0)
    if outcome != _DEFENDER_WON:
        swing += hand.worth[seat, defender]
    if outcome != _ATTACKER_WON:
        # The two enemies of a seat differ only in a marshal whose flag is not revealed.
        enemy = seat ^ 1
        swing -= min(hand.worth[enemy, attacker], hand.worth[partner_of(enemy), attacker])
    return swing


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, HAND_TYPE))
def refresh(tables, position, revealed, hand):
    """Fill the record for a position. `revealed` is the set of seats whose flag everyone knows."""
    fill_worth(position, revealed, hand)
    for piece in range(PIECES):
        for point in range(MAX_POINTS):
            hand.values[piece, point] = 0
    for seat in range(SEATS):
        hand.seat_worth[seat] = 0
        for attacker in range(KINDS):
            for defender in range(KINDS):
                hand.gain[seat, attacker, defender] = battle_swing(tables, hand, attacker, seat, defender)
    add_terms(tables, position, hand)
    hand.height = 0
    hand.scores[0] = sum_of_team(position, hand, np.uint8(0)) - sum_of_team(position, hand, np.uint8(1))


@kernel(types.int64(POSITION_TYPE, UNDO_TYPE, types.uint8, HAND_TYPE))
def worth_before(position, undo, seat, hand):
    """What a seat that the last ply eliminated was worth before it."""
    worth = np.int64(hand.seat_worth[seat])
    mover = piece_in(undo.attacker)
    pieces = undo.present[seat]
    while pieces:
        piece = piece_of(seat, count_trailing_zeros(pieces))
        pieces &= pieces - ONE
        worth += hand.values[piece, undo.from_point if piece == mover else position.where[piece]]
    return worth


@kernel(_SIGNATURES.after_make)
def after_make(position, undo, hand):
    """See `interface`."""
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
        network.follow(position, undo, hand.network, hand.height)


@kernel(_SIGNATURES.after_unmake)
def after_unmake(hand):
    """See `interface`."""
    if hand.network.rows:
        network.go_back(hand.network, hand.height)
    hand.height -= 1


@kernel(_SIGNATURES.value)
def value(position, hand):
    """See `interface`."""
    score = bounded(hand.scores[hand.height] + hand.network.sums[hand.height])
    return -score if team_of(position.turn) else score


@kernel(types.boolean(POSITION_TYPE, types.intp))
def is_last_movable(position, piece):
    """Whether a seat would be eliminated without this piece, at once or at its turn: no other piece can ever move."""
    return position.movable[seat_of(piece)] & ~(ONE << np.uint32(slot_of(piece))) == 0


@kernel(_SIGNATURES.value_after)
def value_after(tables, position, hand, move):
    """See `interface`."""
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
        if outcome != _DEFENDER_WON:
            if is_last_movable(position, defender):
                return np.int64(UNKNOWN_VALUE)
            gain += hand.values[defender, target]
        if outcome == _ATTACKER_WON:
            gain += hand.values[mover, target]
        elif is_last_movable(position, mover):
            return np.int64(UNKNOWN_VALUE)
    score = hand.scores[hand.height]
    if hand.network.rows:
        score += network.sum_after(tables, position, hand.network, hand.height, move)
    return bounded((-score if team_of(position.turn) else score) + gain)


@kernel(_SIGNATURES.value_key, forceinline=True)
def value_key(hand):
    """See `interface`."""
    return hand.network.keys[hand.height]


@kernel(_SIGNATURES.battle_gain)
def battle_gain(hand, attacker, seat, defender):
    """See `interface`."""
    return np.int64(hand.gain[seat, attacker, defender])


def new_record(terms: int = ALL_TERMS) -> np.void:
    """A record that adds up a set of terms."""
    hand = np.zeros(1, HAND)[0]
    hand["terms"] = terms
    return hand


def prepare(board: Board, position: np.void, public: Public, hand: np.void) -> None:
    """The evaluator's `refresh`."""
    refresh(board.tables, position, np.uint8(public.revealed), hand)


def explain(board: Board, position: np.void, public: Public) -> list[Term]:
    """The terms one by one: every term alone in the record that the search uses."""
    found = []
    for number in TermNumber:
        hand = new_record(1 << number)
        prepare(board, position, public, hand)
        sums = tuple(int(sum_of_team(position, hand, np.uint8(team))) for team in range(2))
        found.append(Term(number.name.lower(), (sums[0], sums[1])))
    return found


HAND_KERNELS = Kernels("hand", after_make, after_unmake, value, value_after, value_key, battle_gain)
HAND_WRITTEN = Evaluator("hand", new_record(), prepare, HAND_KERNELS, explain)
