"""The likelihood of moves: how likely each policy would have made them, by kind of each piece of the seat.

At each move of a seat, a policy (`policy`) gives a weight to each possible move of each piece as each kind that it may
be. Let

    w(p, k)  be the sum of the weights of the moves of piece p as kind k,
    m(p)     the mean of w(p, k) over k,
    W        the sum of m(p) over all pieces p of the seat,
    c(k)     the weight of the move that was played, if its piece is of kind k.

The likelihood that piece p is of kind k is then

    1 / (W - m(p) + w(p, k))       if p did not move,
    c(k) / (W - m(p) + w(p, k))    if p moved.

A piece that would have had better moves as a Field Marshal is less likely one, and a piece that moves like an Engineer
is more likely one. Means are over the probabilities of the kinds so far: from the counts, the line-up rules, mobility,
and the moves that were read.

This is naive Bayes: each piece is judged by itself. So each policy's likelihoods are tempered by an exponent.

Only the public record is used, never the pieces of the viewer: the likelihoods are the same for everybody.

`LIKELIHOODS`, one for each policy:

| field | shape | meaning |
|---|---|---|
| log_likelihoods | (128, 12) | by piece and kind: the tempered log-likelihood of the moves so far, with a mean of 1 |
| log_evidence | (4,) | by seat: the log-probability of its moves |
| exponent | scalar | the tempering |
| weights | (25, 12) | scratch: w(p, k) |
| played_weights | (12,) | scratch: c(k) |
"""

import numpy as np
from numba.core import types

from junqi_engine.information.belief.policy import MAX_ACTIVE_ROWS, active_rows
from junqi_engine.information.public_state import PUBLIC_STATE_TYPE, PublicClass
from junqi_engine.kernels import kernel, record_type, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import (
    PIECES,
    SEATS,
    contains,
    enemy_field,
    from_point_of,
    piece_in,
    piece_of,
    slot_of,
    to_point_of,
)
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.movegen import generate_from
from junqi_engine.rules.pieces import COUNTS, ENGINEER, IMMOBILE_MASK, KINDS, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE

MAX_LOG_STEP = 3.0
"""Largest difference that one move makes between the log-likelihoods of a piece's kinds."""
MAX_LOG_WEIGHT = 12.0
"""Largest logarithm of the weight of a move, in either direction."""
MAX_LOG_LIKELIHOOD = 300.0
"""Largest log-likelihood, in either direction, so that it remains a number however long the game lasts."""
_MIN_SUM = 1e-12
_MIN_SHARE = 1e-3
MAX_MOVES_OF_A_PIECE = MAX_POINTS
"""An Engineer has at most one move to each point."""
_PRIOR = contains(np.array(MASK_AT)[:, None], np.arange(KINDS)) * np.array(COUNTS, float)

LIKELIHOODS = np.dtype(
    [
        ("log_likelihoods", np.float64, (PIECES, KINDS)),
        ("log_evidence", np.float64, SEATS),
        ("exponent", np.float64),
        ("weights", np.float64, (PIECES_PER_SEAT, KINDS)),
        ("played_weights", np.float64, KINDS),
    ],
    align=True,
)
LIKELIHOODS_TYPE = record_type(LIKELIHOODS)
ALL_LIKELIHOODS_TYPE = types.Array(LIKELIHOODS_TYPE, 1, "C")
POLICY_TABLES_TYPE = types.Array(types.float32, 3, "C")
_ROW_TYPE = types.Array(types.float64, 1, "C")
_new_moves = scratch_record(
    np.dtype([("moves", np.uint16, MAX_MOVES_OF_A_PIECE), ("rows", np.uint16, MAX_ACTIVE_ROWS)], align=True)
)
_new_means = scratch_record(
    np.dtype(
        [
            ("probabilities", np.float64, (PIECES_PER_SEAT, KINDS)),
            ("means", np.float64, PIECES_PER_SEAT),
            ("steps", np.float64, KINDS),
        ],
        align=True,
    )
)


def new_likelihoods(exponents: np.ndarray) -> np.ndarray:
    """The likelihoods before the first move, a `LIKELIHOODS` for each exponent."""
    likelihoods = np.zeros(len(exponents), LIKELIHOODS)
    likelihoods["exponent"] = exponents
    return likelihoods


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, POLICY_TABLES_TYPE, types.uint16, ALL_LIKELIHOODS_TYPE
    )
)  # fmt: skip
def update_likelihoods(tables, position, state, policies, move, likelihoods):
    """Multiply in the likelihood of a move of the seat to move, by each policy, before the move is played."""
    weigh_moves(tables, position, state, policies, move, likelihoods)
    mover = np.int64(slot_of(piece_in(position.board[from_point_of(move)])))
    for policy in range(policies.shape[0]):
        update_for_policy(position, state, mover, likelihoods[policy])


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, POLICY_TABLES_TYPE, types.uint16, ALL_LIKELIHOODS_TYPE
    )
)  # fmt: skip
def weigh_moves(tables, position, state, policies, move, likelihoods):
    """Fill `weights` and `played_weights` of each policy, from all moves that the seat to move may have."""
    seat = position.turn
    enemy = enemy_field(seat)
    scratch = _new_moves()
    moves, rows = scratch.moves, scratch.rows
    for policy in range(policies.shape[0]):
        for kind in range(KINDS):
            likelihoods[policy].played_weights[kind] = 0.0
            for slot in range(PIECES_PER_SEAT):
                likelihoods[policy].weights[slot, kind] = 0.0
    for slot in range(PIECES_PER_SEAT):
        start = position.where[piece_of(seat, slot)]
        if not contains(position.present[seat], slot) or tables.headquarters[start]:
            continue
        for is_engineer in range(2):
            for i in range(generate_from(tables, position, start, is_engineer == 1, enemy, moves, 0)):
                length = active_rows(tables, position, state, start, to_point_of(moves[i]), rows)
                for policy in range(policies.shape[0]):
                    for kind in range(KINDS):
                        if contains(IMMOBILE_MASK, kind) or (kind == ENGINEER) != (is_engineer == 1):
                            continue
                        total = 0.0
                        for row in range(length):
                            total += policies[policy, rows[row], kind]
                        weight = np.exp(min(max(total, -MAX_LOG_WEIGHT), MAX_LOG_WEIGHT))
                        likelihoods[policy].weights[slot, kind] += weight
                        if moves[i] == move:
                            likelihoods[policy].played_weights[kind] = weight


@kernel(types.void(POSITION_TYPE, PUBLIC_STATE_TYPE, types.int64, LIKELIHOODS_TYPE))
def update_for_policy(position, state, mover, likelihood):
    """Multiply in the likelihood of a move of the slot `mover` by one policy."""
    seat = np.int64(position.turn)
    weights, played_weights = likelihood.weights, likelihood.played_weights
    log_likelihoods, scratch = likelihood.log_likelihoods, _new_means()
    probabilities, means, steps = scratch.probabilities, scratch.means, scratch.steps
    whole = _MIN_SUM
    for slot in range(PIECES_PER_SEAT):
        if contains(position.present[seat], slot):
            piece = piece_of(seat, slot)
            has_moved = state.classes[piece] != PublicClass.UNMOVED
            _kind_probabilities(slot, has_moved, log_likelihoods[piece], probabilities[slot])
            means[slot] = 0.0
            for kind in range(KINDS):
                means[slot] += probabilities[slot, kind] * weights[slot, kind]
            whole += means[slot]
    probability = _MIN_SUM
    for kind in range(KINDS):
        probability += probabilities[mover, kind] * played_weights[kind] / whole
    for slot in range(PIECES_PER_SEAT):
        if not contains(position.present[seat], slot):
            continue
        best = -np.inf
        for kind in range(KINDS):
            steps[kind] = -np.log(max(whole - means[slot] + weights[slot, kind], _MIN_SHARE * whole))
            if slot == mover:
                steps[kind] += np.log(max(played_weights[kind], _MIN_SUM))
            best = max(best, steps[kind])
        mean = 0.0
        for kind in range(KINDS):
            steps[kind] = likelihood.exponent * max(steps[kind] - best, -MAX_LOG_STEP)
            mean += probabilities[slot, kind] * np.exp(steps[kind])
        for kind in range(KINDS):
            total = log_likelihoods[piece_of(seat, slot), kind] + steps[kind] - np.log(mean)
            log_likelihoods[piece_of(seat, slot), kind] = min(max(total, -MAX_LOG_LIKELIHOOD), MAX_LOG_LIKELIHOOD)
    likelihood.log_evidence[seat] += np.log(probability)


@kernel(types.void(types.int64, types.boolean, _ROW_TYPE, _ROW_TYPE))
def _kind_probabilities(slot, has_moved, log_likelihoods, probabilities):
    """Write the probability of each kind, (12,), of a piece by itself: from its place and its log-likelihoods."""
    total = 0.0
    for kind in range(KINDS):
        is_possible = not has_moved or not contains(IMMOBILE_MASK, kind)
        probabilities[kind] = _PRIOR[slot, kind] * np.exp(log_likelihoods[kind]) if is_possible else 0.0
        total += probabilities[kind]
    for kind in range(KINDS):
        probabilities[kind] /= total
