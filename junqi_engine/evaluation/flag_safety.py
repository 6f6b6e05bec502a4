"""Flag safety (king safety): a bonus for pieces near the flag of their seat.

The first ring are the points one step from the flag, the second ring those two steps from it. With n of the seat's 25
pieces left, `late` is (25 - n) / 25; the *strength* of a ranked piece is the share of the enemy's ranked pieces that it
beats, where an equal one counts `EQUAL_SHARE`.

| piece | first ring | second ring |
|---|---|---|
| ranked | guard + late * late_guard_rank * (strength - 1/2) | late * late_ring_rank * strength^2 |
| Bomb | guard + late * late_guard_bomb | late * late_ring_bomb |
| Landmine | guard | 0 |

Early, any piece beside the flag will do: attackers are far, and the wall of pieces is thick. Late, only pieces that
beat the attackers hold the flag, and they must be near enough to meet them.
"""

import numpy as np
from numba.core import types

from junqi_engine.evaluation.parameters import PARAMETERS_TYPE
from junqi_engine.evaluation.record import EVALUATION_TYPE
from junqi_engine.evaluation.terms import COUNTS_TYPE, count_ranks
from junqi_engine.kernels import count_ones, kernel, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import SEATS, team_of
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, PIECES_PER_SEAT
from junqi_engine.rules.position import POSITION_TYPE, next_piece

EQUAL_SHARE = 0.6
FIRST_RING, SECOND_RING = 1, 2
_RINGS_TYPE = types.Array(types.uint8, 1, "C")
_scratch = scratch_record(
    np.dtype([("counts", np.int64, (2, ENGINEER + 1)), ("rings", np.uint8, MAX_POINTS)], align=True)
)


@kernel(types.int64(POSITION_TYPE, types.int64))
def find_flag(position, seat):
    """The point of the seat's flag, -1 if it is not on the board."""
    pieces = position.present[seat]
    while pieces:
        piece, pieces = next_piece(seat, pieces)
        if position.kind[piece] == FLAG:
            return np.int64(position.where[piece])
    return np.int64(-1)


@kernel(types.void(TABLES_TYPE, types.int64, _RINGS_TYPE))
def fill_rings(tables, flag, rings):
    """The ring of each point around a flag, 0 for none, into `rings`, (129,)."""
    for point in range(MAX_POINTS):
        rings[point] = 0
    for i in range(tables.near_count[flag]):
        rings[tables.near[flag, i]] = FIRST_RING
    for i in range(tables.near_count[flag]):
        beside = tables.near[flag, i]
        for j in range(tables.near_count[beside]):
            point = tables.near[beside, j]
            if rings[point] == 0 and point != flag:
                rings[point] = SECOND_RING


@kernel(types.float64(COUNTS_TYPE, types.int64, types.int64))
def strength(counts, team, kind):
    """The share of the enemy's ranked pieces that a ranked piece of a team beats; `counts` are of `count_ranks`."""
    total, beaten = np.int64(0), np.int64(0)
    for other in range(ENGINEER + 1):
        total += counts[1 - team, other]
        if other > kind:
            beaten += counts[1 - team, other]
    return (beaten + EQUAL_SHARE * counts[1 - team, kind]) / max(np.int64(1), total)


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, PARAMETERS_TYPE, EVALUATION_TYPE))
def add_flag_safety(tables, position, parameters, evaluation):
    """Add the bonuses of all pieces in both rings around the flag of their seat."""
    scratch = _scratch()
    counts, rings = scratch.counts, scratch.rings
    count_ranks(position, counts)
    for seat in range(SEATS):
        flag, team = find_flag(position, np.int64(seat)), np.int64(team_of(seat))
        if flag < 0:
            continue
        fill_rings(tables, flag, rings)
        late = 1 - np.int64(count_ones(position.present[seat])) / PIECES_PER_SEAT
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            kind = np.int64(position.kind[piece])
            first, second = np.float64(parameters.guard[kind]), 0.0
            if kind <= ENGINEER:
                share = strength(counts, team, kind)
                first += late * parameters.late_guard_rank * (share - 0.5)
                second = late * parameters.late_ring_rank * share**2
            elif kind == BOMB:
                first += late * parameters.late_guard_bomb
                second = late * parameters.late_ring_bomb
            for point in range(MAX_POINTS):
                if rings[point] == FIRST_RING:
                    evaluation.piece_square[piece, point] += np.int64(first)
                elif rings[point] == SECOND_RING:
                    evaluation.piece_square[piece, point] += np.int64(second)
