"""The hand-written terms, one kernel each. They add to the piece-square values of `EVALUATION` (`record`).

All values are in hundredths of a Lieutenant; their numbers are `parameters`.

| term | the field's name |
|---|---|
| `fill_piece_values`, `add_material` | material, by the enemy's pieces that are left |
| `add_approach` | flag tropism (king tropism): a bonus near the enemy's flags, and a threat next to them |
| `flag_safety.add_flag_safety` | flag safety (king safety): a bonus for pieces near the own flag |
| `add_mop_up` | mop-up evaluation |

**Mop-up.** A search of a few plies does not see how an advantage wins. Without a gain within its horizon it keeps its
pieces on campsites, and the game is a draw. So when there has been no battle for some time, mobile pieces of the team
to move get a bonus for each row towards the enemy, in proportion to the lead. The bonus is relative to the piece's own
point: it favours moves forward and leaves the score of the root unchanged.
"""

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.evaluation.parameters import PARAMETERS_TYPE
from junqi_engine.evaluation.record import EVALUATION_TYPE
from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import BLOCK_POINTS, MAX_POINTS, ROW_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import (
    NO_PIECE,
    SEATS,
    are_enemies,
    contains,
    enemy_field,
    is_enemy,
    piece_in,
    team_of,
)
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, IMMOBILE_MASK, MARSHAL, MINE
from junqi_engine.rules.position import POSITION_TYPE, next_piece

# Costs, in quarters of a move.
RAIL_STEP = 1
ROAD_STEP = 4
OWN_PIECE = 2
ENEMY_PIECE = 5
ENEMY_MINE = 14
ENEMY_IN_CAMPSITE = 20
UNREACHABLE = 250

QUEUE = 1024
"""A power of two, larger than the queue ever grows."""
DISTANCES_TYPE = types.Array(types.int32, 1, "C")
_scratch = scratch_record(np.dtype([("queue", np.uint8, QUEUE), ("queued", np.uint8, MAX_POINTS)], align=True))


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8, types.boolean, DISTANCES_TYPE))
def measure_distances(tables, position, flag, team, is_engineer, distances):
    """The distance to `flag` from every point for a piece of `team`, in quarters of a move, into `distances`, (129,).

    A queue-based Bellman-Ford search outwards from the flag.
    """
    enemy = enemy_field(team)
    scratch = _scratch()
    queue, queued = scratch.queue, scratch.queued
    for point in range(MAX_POINTS):
        distances[point] = UNREACHABLE
        queued[point] = 0
    distances[flag] = 0
    queue[0] = flag
    head, tail = 0, 1
    while head != tail:
        point = queue[head % QUEUE]
        head += 1
        queued[point] = 0
        entering = 0
        occupant = position.board[point]
        if point != flag and occupant != NO_PIECE:
            if not is_enemy(occupant, enemy):
                entering = OWN_PIECE
            elif tables.campsite[point]:
                entering = ENEMY_IN_CAMPSITE
            elif position.kind[piece_in(occupant)] == MINE and not is_engineer:
                entering = ENEMY_MINE
            else:
                entering = ENEMY_PIECE
        roads = tables.near_roads[point]
        for i in range(tables.near_count[point]):
            step = tables.near[point, i]
            if tables.headquarters[step]:
                continue
            distance = distances[point] + entering + (ROAD_STEP if i < roads else RAIL_STEP)
            if distance < distances[step]:
                distances[step] = distance
                if not queued[step]:
                    queued[step] = 1
                    queue[tail % QUEUE] = step
                    tail += 1


COUNTS_TYPE = types.Array(types.int64, 2, "C")
_TERM = types.void(TABLES_TYPE, POSITION_TYPE, PARAMETERS_TYPE, EVALUATION_TYPE)

OWN_ROW, NEUTRAL, CENTRE, FRONT, ENEMY_ROW = 6, 30, 40, 50, 10
"""Nearness to the enemy in tenths of a row: for each row from the back of the own team; in the block of an eliminated
enemy; in the centre; in the front row of an enemy; for each row behind it.
"""
_LAST_ROW = 5
_UNIT = 10_000
"""Tenths of a row times permille."""

_FIXED_POINT_BITS = 10
_ONE = 1 << _FIXED_POINT_BITS
_value_scratch = scratch_record(np.dtype([("counts", np.int64, (2, ENGINEER + 1))], align=True))
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


@kernel(types.void(POSITION_TYPE, COUNTS_TYPE))
def count_ranks(position, counts):
    """The ranked pieces on the board by team and kind, Engineers included, into `counts`, (2, 9)."""
    for team in range(2):
        for kind in range(ENGINEER + 1):
            counts[team, kind] = 0
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            kind = position.kind[piece]
            if kind <= ENGINEER:
                counts[team_of(seat), kind] += 1


@kernel(types.void(POSITION_TYPE, types.uint8, PARAMETERS_TYPE, EVALUATION_TYPE))
def fill_piece_values(position, revealed, parameters, evaluation):
    """Fill `piece_value` from the pieces on the board. `revealed` is the set of seats with a revealed flag."""
    counts = _value_scratch().counts
    lowest, highest = parameters.min_rank_value, parameters.max_rank_value
    count_ranks(position, counts)
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
            evaluation.piece_value[seat, kind] = lowest + np.int64((highest - lowest) * share**3)
        evaluation.piece_value[seat, ENGINEER] = max(parameters.engineer_value, evaluation.piece_value[seat, ENGINEER])
        evaluation.piece_value[seat, MINE] = parameters.mine_value
        evaluation.piece_value[seat, FLAG] = 0
    for seat in range(SEATS):
        best = 0
        for kind in range(ENGINEER, -1, -1):
            if counts[1 - team_of(seat), kind]:
                best = np.int64(evaluation.piece_value[seat ^ 1, kind])
        evaluation.piece_value[seat, BOMB] = max(parameters.mine_value, parameters.bomb_permille * best // 1000)
    for seat in range(SEATS):
        if not contains(revealed, seat):
            evaluation.piece_value[seat, MARSHAL] += parameters.secret_flag


@kernel(_TERM)
def add_material(tables, position, parameters, evaluation):
    """Material: add the value of each piece on every point."""
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            for point in range(MAX_POINTS):
                evaluation.piece_square[piece, point] += evaluation.piece_value[seat, position.kind[piece]]


@kernel(_TERM)
def add_approach(tables, position, parameters, evaluation):
    """Flag tropism: add a bonus that grows towards the enemy flags."""
    scratch = _approach_scratch()
    all_flags, nearest, threat, distances = scratch.all_flags, scratch.nearest, scratch.threat, scratch.distances
    half_distance, second_flag = parameters.half_distance, parameters.second_flag
    for team in range(2):
        for point in range(MAX_POINTS):
            threat[team, point] = 0
            for is_engineer in range(2):
                all_flags[team, is_engineer, point] = 0
                nearest[team, is_engineer, point] = 0
    for seat in range(SEATS):
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            if position.kind[piece] != FLAG:
                continue
            team = 1 - team_of(seat)
            for is_engineer in range(2):
                flag = position.where[piece]
                measure_distances(tables, position, flag, np.uint8(team), is_engineer == 1, distances)
                for point in range(MAX_POINTS):
                    if distances[point] <= ROAD_STEP:
                        threat[team, point] = max(threat[team, point], parameters.threat)
                    elif distances[point] <= 2 * ROAD_STEP:
                        threat[team, point] = max(threat[team, point], parameters.threat // 4)
                    near = _ONE * half_distance // (half_distance + distances[point])
                    all_flags[team, is_engineer, point] += near // second_flag
                    nearest[team, is_engineer, point] = max(nearest[team, is_engineer, point], near)
    for seat in range(SEATS):
        team = team_of(seat)
        pieces = position.present[seat]
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            kind = position.kind[piece]
            is_engineer = 1 if kind == ENGINEER else 0
            if contains(IMMOBILE_MASK, kind):
                continue
            for point in range(MAX_POINTS):
                best = nearest[team, is_engineer, point] * (second_flag - 1) // second_flag
                near = best + all_flags[team, is_engineer, point]
                evaluation.piece_square[piece, point] += (
                    parameters.approach[kind] * near >> _FIXED_POINT_BITS
                ) + threat[team, point]


@register_jitable
def nearness(position, seats, team, point):
    """The nearness of a point to the enemies of a team, in tenths of a row."""
    owner, row = point // BLOCK_POINTS, point % BLOCK_POINTS // ROW_POINTS
    if owner >= seats:
        return CENTRE
    if not are_enemies(owner, team):
        return OWN_ROW * (_LAST_ROW - row)
    return FRONT + ENEMY_ROW * row if contains(position.alive, owner) else NEUTRAL


@kernel(types.void(POSITION_TYPE, types.int64, types.int64, PARAMETERS_TYPE, EVALUATION_TYPE))
def add_mop_up(position, seats, points, parameters, evaluation):
    """Add to `piece_square` a bonus for each row towards the enemy, for the pieces of the team to move.

    Only if the team leads by `min_lead`, there was no battle for `min_quiet` plies, and a game without contact is a
    draw.
    """
    if position.no_contact_loses or position.quiet < parameters.min_quiet:
        return
    team = np.int64(team_of(position.turn))
    lead = -evaluation.scores[0] if team else evaluation.scores[0]
    if lead < parameters.min_lead:
        return
    step = parameters.step_permille * min(lead, parameters.max_lead)
    for seat in range(team, seats, 2):
        pieces = position.present[seat] if contains(position.alive, seat) else np.uint32(0)
        while pieces:
            piece, pieces = next_piece(seat, pieces)
            if contains(IMMOBILE_MASK, position.kind[piece]):
                continue
            here = nearness(position, seats, team, np.int64(position.where[piece]))
            for point in range(points):
                evaluation.piece_square[piece, point] += step * (nearness(position, seats, team, point) - here) // _UNIT
