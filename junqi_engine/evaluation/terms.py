"""The terms of the hand-written evaluator, one kernel each: what every piece is worth on every point.

All values are in hundredths of a Lieutenant. The terms are added up in `HAND`:

| field | shape | meaning |
|---|---|---|
| terms | scalar | the set of `TermNumber`s to add |
| worth | (4, 12) | by seat and kind: what a piece is worth on any point |
| values | (128, 129) | by piece and point: what the piece is worth there |
| seat_worth | (4,) | what a seat is worth as long as it is not eliminated |
| gain | (4, 12, 12) | what a battle gains: by defending seat, attacking kind, defending kind |
| scores, height | (98,), scalar | the score on the line that is searched, by ply: team 0 less team 1; the last ply |
| network | record | a network beside the terms (`network.NETWORK`) |
"""

from enum import IntEnum

import numpy as np
from numba.core import types

from junqi_engine.evaluation.distance import ROAD_STEP, measure_distances
from junqi_engine.evaluation.interface import LONGEST_LINE
from junqi_engine.evaluation.network import NETWORK
from junqi_engine.kernels import count_trailing_zeros, kernel, record_type, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import PIECES, SEATS, contains, piece_of, team_of
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, MARSHAL, MINE
from junqi_engine.rules.position import ONE, POSITION_TYPE

HAND = np.dtype(
    [
        ("terms", np.uint8),
        ("worth", np.int16, (SEATS, KINDS)),
        ("values", np.int16, (PIECES, MAX_POINTS)),
        ("seat_worth", np.int16, SEATS),
        ("gain", np.int16, (SEATS, KINDS, KINDS)),
        ("scores", np.int64, LONGEST_LINE + 1),
        ("height", np.int64),
        ("network", NETWORK),
    ],
    align=True,
)
HAND_TYPE = record_type(HAND)
TERM = types.void(TABLES_TYPE, POSITION_TYPE, HAND_TYPE)


class TermNumber(IntEnum):
    """The terms. A new one gets a number here, a kernel below, and a call in `add_terms`."""

    MATERIAL = 0
    APPROACH = 1
    GUARD = 2
    SEATS = 3


ALL_TERMS = (1 << len(TermNumber)) - 1
_MATERIAL, _APPROACH, _GUARD, _SEATS = map(int, TermNumber)

# Material

LOWEST_RANK, HIGHEST_RANK = 80, 950
"""The worth of a ranked piece that beats none of the enemy's ranked pieces, and of one that beats all of them. Between
them it grows with the third power of the share that the piece beats, where an equal piece counts half.
"""
ENGINEER_WORTH = 180
MINE_WORTH = 120
BOMB_SHARE = 0.38
"""The worth of a bomb, as a share of the best enemy piece."""
SECRET_FLAG = 350
"""What a marshal is worth beyond its rank as long as its flag is not revealed."""

# Approach

APPROACH = (45, 50, 60, 65, 65, 65, 60, 50, 45, 0, 35, 0)
"""By kind: the worth of standing next to an enemy flag; it decreases with the distance."""
HALF_DISTANCE = 16
"""The distance, in quarters of a move, at which half of it remains."""
THREAT = 500
"""The additional worth of standing one step from an enemy flag; a quarter of it two steps away."""
SECOND_FLAG = 4
"""The farther of two flags counts for one part in this many."""

# Guard and seats

GUARD = (800, 800, 800, 800, 800, 800, 800, 800, 800, 800, 1000, 0)
"""By kind: the worth of standing one step from the own flag, where an attacker must pass."""
SEAT_WORTH = 1500

_APPROACH_WORTH = np.array(APPROACH, np.int64)
_GUARD_WORTH = np.array(GUARD, np.int64)
_FIXED_POINT_BITS = 10
_ONE = 1 << _FIXED_POINT_BITS
_worth_scratch = scratch_record(np.dtype([("counts", np.int64, (2, ENGINEER + 1))], align=True))
_approach_scratch = scratch_record(
    np.dtype(
        [
            ("all_flags", np.int32, (2, 2, MAX_POINTS)),
            ("nearest", np.int32, (2, 2, MAX_POINTS)),
            ("threat", np.int32, (2, MAX_POINTS)),
            ("distances", np.int32, MAX_POINTS),
        ],
        align=True,
    )
)
_guard_scratch = scratch_record(np.dtype([("is_guarding", np.uint8, MAX_POINTS)], align=True))


@kernel(types.void(POSITION_TYPE, types.uint8, HAND_TYPE))
def fill_worth(position, revealed, hand):
    """Fill `worth`, from the pieces on the board. `revealed` is the set of seats whose flag everyone knows."""
    counts = _worth_scratch().counts
    for team in range(2):
        for kind in range(ENGINEER + 1):
            counts[team, kind] = 0
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            kind = position.kind[piece_of(seat, count_trailing_zeros(pieces))]
            pieces &= pieces - ONE
            if kind <= ENGINEER:
                counts[team_of(seat), kind] += 1
    for seat in range(SEATS):
        enemies = 1 - team_of(seat)
        total = np.int64(0)
        for kind in range(ENGINEER + 1):
            total += counts[enemies, kind]
        total = max(np.int64(1), total)
        below = total
        for kind in range(ENGINEER + 1):
            below -= counts[enemies, kind]
            share = (below + 0.5 * counts[enemies, kind]) / total
            hand.worth[seat, kind] = LOWEST_RANK + np.int64((HIGHEST_RANK - LOWEST_RANK) * share**3)
        hand.worth[seat, ENGINEER] = max(ENGINEER_WORTH, hand.worth[seat, ENGINEER])
        hand.worth[seat, MINE] = MINE_WORTH
        hand.worth[seat, FLAG] = 0
    for seat in range(SEATS):
        best = 0
        for kind in range(ENGINEER, -1, -1):
            if counts[1 - team_of(seat), kind]:
                best = np.int64(hand.worth[seat ^ 1, kind])
        hand.worth[seat, BOMB] = max(MINE_WORTH, np.int64(BOMB_SHARE * best))
    for seat in range(SEATS):
        if not contains(revealed, seat):
            hand.worth[seat, MARSHAL] += SECRET_FLAG


@kernel(TERM)
def add_material(tables, position, hand):
    """Every piece on the board has the worth of its kind."""
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            for point in range(MAX_POINTS):
                hand.values[piece, point] += hand.worth[seat, position.kind[piece]]


@kernel(TERM)
def add_approach(tables, position, hand):
    """A piece is worth more the nearer it is to the enemy flags."""
    scratch = _approach_scratch()
    all_flags, nearest, threat, distances = scratch.all_flags, scratch.nearest, scratch.threat, scratch.distances
    for team in range(2):
        for point in range(MAX_POINTS):
            threat[team, point] = 0
            for is_engineer in range(2):
                all_flags[team, is_engineer, point] = 0
                nearest[team, is_engineer, point] = 0
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            if position.kind[piece] != FLAG:
                continue
            team = 1 - team_of(seat)
            for is_engineer in range(2):
                flag = position.where[piece]
                measure_distances(tables, position, flag, np.uint8(team), is_engineer == 1, distances)
                for point in range(MAX_POINTS):
                    if distances[point] <= ROAD_STEP:
                        threat[team, point] = max(threat[team, point], THREAT)
                    elif distances[point] <= 2 * ROAD_STEP:
                        threat[team, point] = max(threat[team, point], THREAT // 4)
                    near = _ONE * HALF_DISTANCE // (HALF_DISTANCE + distances[point])
                    all_flags[team, is_engineer, point] += near // SECOND_FLAG
                    nearest[team, is_engineer, point] = max(nearest[team, is_engineer, point], near)
    for seat in range(SEATS):
        team = team_of(seat)
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            kind = position.kind[piece]
            is_engineer = 1 if kind == ENGINEER else 0
            if _APPROACH_WORTH[kind] == 0:
                continue
            for point in range(MAX_POINTS):
                best = nearest[team, is_engineer, point] * (SECOND_FLAG - 1) // SECOND_FLAG
                near = best + all_flags[team, is_engineer, point]
                hand.values[piece, point] += (_APPROACH_WORTH[kind] * near >> _FIXED_POINT_BITS) + threat[team, point]


@kernel(TERM)
def add_guard(tables, position, hand):
    """A piece is worth more on the points next to its own seat's flag."""
    for seat in range(SEATS):
        is_guarding = _guard_scratch().is_guarding
        for point in range(MAX_POINTS):
            is_guarding[point] = 0
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            if position.kind[piece] == FLAG:
                flag = position.where[piece]
                for i in range(tables.near_count[flag]):
                    is_guarding[tables.near[flag, i]] = 1
        pieces = position.present[seat]
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            for point in range(MAX_POINTS):
                if is_guarding[point]:
                    hand.values[piece, point] += _GUARD_WORTH[position.kind[piece]]


@kernel(TERM)
def add_seats(tables, position, hand):
    """A seat that is not eliminated has a worth of its own."""
    for seat in range(SEATS):
        hand.seat_worth[seat] += SEAT_WORTH


@kernel(TERM)
def add_terms(tables, position, hand):
    """Add the terms of the set `hand.terms` to `values` and `seat_worth`."""
    if contains(hand.terms, _MATERIAL):
        add_material(tables, position, hand)
    if contains(hand.terms, _APPROACH):
        add_approach(tables, position, hand)
    if contains(hand.terms, _GUARD):
        add_guard(tables, position, hand)
    if contains(hand.terms, _SEATS):
        add_seats(tables, position, hand)
