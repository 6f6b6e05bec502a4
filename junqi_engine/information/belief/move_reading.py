"""What the moves of a seat tell of its pieces: how likely each policy would have made them, by kind of each piece.

At each move of a seat, a policy (`policy`) gives a weight to each possible move of each piece as each kind that it may
be. Let

    w(p, k)  be the sum of the weights of the moves of piece p as kind k,
    m(p)     the mean of w(p, k) over k,
    W        the sum of m(p) over all pieces p of the seat,
    c(k)     the weight of the move that was played, if its piece is of kind k.

Then the likelihood that piece p is of kind k is

    1 / (W - m(p) + w(p, k))       if p did not move,
    c(k) / (W - m(p) + w(p, k))    if p moved.

So a piece that would have had better moves as a Field Marshal is less likely one, and one that moves like an engineer
is more likely one. Means are over the reader's own chances: from the counts, the line-up rules, mobility, and the moves
that it has read so far.

This is naive Bayes: each piece is judged by itself. So a policy has a *trust*, by which what it says is multiplied.

The reader uses the public record alone, never the pieces of the viewer. It says the same to everybody.
"""

from copy import copy

import numpy as np
from numba.core import types

from junqi_engine.information.belief.policy import MOST_ROWS, POLICIES, describe, load
from junqi_engine.information.public_game import TRACE_TYPE, PublicClass, PublicGame
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE, Board
from junqi_engine.rules.game_state import SeenMove
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

TRUST = {"people": 0.1, "engine": 0.9, "strangers": 0.4, "strangers 2": 0.75}
"""By policy, how much of what it says is believed; `OTHER_TRUST` for the others. Chosen by the log-loss on games that
no policy was fitted to. People differ from each other more than engines do, and their policy has seen twelve games.
"""
OTHER_TRUST = 0.65
LARGEST_STEP = 3.0
"""One move changes the likelihoods of a piece's kinds, as logarithms, by no more than this against each other."""
LARGEST_WEIGHT = 12.0
"""Of a move, as a logarithm."""
LARGEST_TOLD = 300.0
"""All moves together change the likelihood of a piece's kind, as a logarithm, by no more than this, so that it remains
a number however long the game lasts.
"""
_SMALLEST = 1e-12
_LEAST_SHARE = 1e-3
MOST_MOVES_OF_A_PIECE = MAX_POINTS
"""An engineer has at most one to each point."""
_PRIOR = contains(np.array(MASK_AT)[:, None], np.arange(KINDS)) * np.array(COUNTS, float)

POLICIES_TYPE = types.Array(types.float32, 3, "C")
WEIGHTS_TYPE = TOLD_TYPE = types.Array(types.float64, 3, "C")
CHOSEN_TYPE = EVIDENCE_TYPE = types.Array(types.float64, 2, "C")
ROW_TYPE = TRUST_TYPE = types.Array(types.float64, 1, "C")
_moves_scratch = scratch_record(
    np.dtype([("moves", np.uint16, MOST_MOVES_OF_A_PIECE), ("rows", np.uint16, MOST_ROWS)], align=True)
)
_chances_scratch = scratch_record(
    np.dtype(
        [("chances", np.float64, (PIECES_PER_SEAT, KINDS)), ("means", np.float64, PIECES_PER_SEAT),
         ("steps", np.float64, KINDS)],
        align=True,
    )
)  # fmt: skip


class MoveReader:
    """Follows the public record from the start of a game, with n policies at once: all `POLICIES`, or others.

    `told` (n, 128, 12): by policy, piece and kind, how likely the moves are if the piece is of the kind, as a
    logarithm, times the trust; so scaled that the mean likelihood of each move was 1; at most `LARGEST_TOLD`, either
    way. `evidence` (n, 4): by policy and
    seat, the logarithm of the probability of the seat's moves. `game` is the game up to the last move that was read.
    """

    def __init__(self, board: Board, policies: np.ndarray | None = None) -> None:
        """`policies` (n, 527, 12) float32 are read instead of `POLICIES`, with the trust `OTHER_TRUST`."""
        self.game = PublicGame(board)
        self._policies = load(board.variant) if policies is None else policies
        count = len(self._policies)
        self._trust = np.full(count, OTHER_TRUST)
        if policies is None:
            self._trust[:] = [TRUST.get(name, OTHER_TRUST) for name in POLICIES]
        self.told = np.zeros((count, PIECES, KINDS))
        self.evidence = np.zeros((count, SEATS))
        self.followed = 0

    def copy(self) -> "MoveReader":
        copied = copy(self)
        copied.game, copied.told, copied.evidence = self.game.copy(), self.told.copy(), self.evidence.copy()
        return copied

    def follow(self, seen: SeenMove) -> None:
        self.followed += 1
        game = self.game
        if seen.is_ply:
            game.prepare(seen)
            count = len(self._policies)
            read(
                game.board.tables, game.positions[0], game.traces[0], self._policies, self._trust, np.uint16(seen.move),
                np.zeros((count, PIECES_PER_SEAT, KINDS)), np.zeros((count, KINDS)), self.told, self.evidence,
            )  # fmt: skip
        game.follow(seen)


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, POLICIES_TYPE, TRUST_TYPE, types.uint16, WEIGHTS_TYPE, CHOSEN_TYPE,
        TOLD_TYPE, EVIDENCE_TYPE,
    )
)  # fmt: skip
def read(tables, position, trace, policies, trust, move, weights, chosen, told, evidence):
    """Add to `told` and `evidence` what the move of the seat to move tells, before it is carried out. `weights` and
    `chosen` are memory for `weigh_moves`.
    """
    weigh_moves(tables, position, trace, policies, move, weights, chosen)
    mover = np.int64(slot_of(piece_in(position.board[from_point_of(move)])))
    for policy in range(policies.shape[0]):
        evidence[policy, position.turn] += tell(
            position, trace, mover, weights[policy], chosen[policy], trust[policy], told[policy]
        )


@kernel(
    types.void(
        TABLES_TYPE, POSITION_TYPE, TRACE_TYPE, POLICIES_TYPE, types.uint16, WEIGHTS_TYPE, CHOSEN_TYPE
    )
)  # fmt: skip
def weigh_moves(tables, position, trace, policies, move, weights, chosen):
    """Weigh all moves that the seat to move may have: the sums in `weights` (n, 25, 12) by policy, piece and kind; the
    weights of `move` in `chosen` (n, 12) by policy and kind. Both are 0 before.
    """
    seat = position.turn
    enemy = enemy_field(seat)
    scratch = _moves_scratch()
    moves, rows = scratch.moves, scratch.rows
    for slot in range(PIECES_PER_SEAT):
        start = position.where[piece_of(seat, slot)]
        if not contains(position.present[seat], slot) or tables.headquarters[start]:
            continue
        for is_engineer in range(2):
            for i in range(generate_from(tables, position, start, is_engineer == 1, enemy, moves, 0)):
                length = describe(tables, position, trace, seat, enemy, start, to_point_of(moves[i]), rows)
                for policy in range(policies.shape[0]):
                    for kind in range(KINDS):
                        if contains(IMMOBILE_MASK, kind) or (kind == ENGINEER) != (is_engineer == 1):
                            continue
                        total = 0.0
                        for row in range(length):
                            total += policies[policy, rows[row], kind]
                        weight = np.exp(min(max(total, -LARGEST_WEIGHT), LARGEST_WEIGHT))
                        weights[policy, slot, kind] += weight
                        if moves[i] == move:
                            chosen[policy, kind] = weight


@kernel(
    types.float64(
        POSITION_TYPE, TRACE_TYPE, types.int64, CHOSEN_TYPE, ROW_TYPE, types.float64, CHOSEN_TYPE
    )
)  # fmt: skip
def tell(position, trace, mover, weights, chosen, trust, told):
    """Add to `told` (128, 12) what the move of the slot `mover` tells by one policy; returns the logarithm of the
    probability of the move.
    """
    seat = np.int64(position.turn)
    scratch = _chances_scratch()
    chances, means, steps = scratch.chances, scratch.means, scratch.steps
    whole = _SMALLEST
    for slot in range(PIECES_PER_SEAT):
        if contains(position.present[seat], slot):
            piece = piece_of(seat, slot)
            _believe(slot, trace.classes[piece] != PublicClass.UNMOVED, told[piece], chances[slot])
            means[slot] = 0.0
            for kind in range(KINDS):
                means[slot] += chances[slot, kind] * weights[slot, kind]
            whole += means[slot]
    probability = _SMALLEST
    for kind in range(KINDS):
        probability += chances[mover, kind] * chosen[kind] / whole
    for slot in range(PIECES_PER_SEAT):
        if not contains(position.present[seat], slot):
            continue
        best = -np.inf
        for kind in range(KINDS):
            steps[kind] = -np.log(max(whole - means[slot] + weights[slot, kind], _LEAST_SHARE * whole))
            if slot == mover:
                steps[kind] += np.log(max(chosen[kind], _SMALLEST))
            best = max(best, steps[kind])
        mean = 0.0
        for kind in range(KINDS):
            steps[kind] = trust * max(steps[kind] - best, -LARGEST_STEP)
            mean += chances[slot, kind] * np.exp(steps[kind])
        for kind in range(KINDS):
            sum_told = told[piece_of(seat, slot), kind] + steps[kind] - np.log(mean)
            told[piece_of(seat, slot), kind] = min(max(sum_told, -LARGEST_TOLD), LARGEST_TOLD)
    return np.log(probability)


@kernel(types.void(types.int64, types.boolean, ROW_TYPE, ROW_TYPE))
def _believe(slot, has_moved, told, chances):
    """The chances of a piece's kinds, (12,), each piece by itself: from its place, and from what is `told`, (12,)."""
    total = 0.0
    for kind in range(KINDS):
        is_possible = not has_moved or not contains(IMMOBILE_MASK, kind)
        chances[kind] = _PRIOR[slot, kind] * np.exp(told[kind]) if is_possible else 0.0
        total += chances[kind]
    for kind in range(KINDS):
        chances[kind] /= total
