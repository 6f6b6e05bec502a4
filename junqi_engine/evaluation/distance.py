"""How far it is to a flag, for the evaluation: a cost for steps and for the pieces in the way."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel, scratch_record
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import NO_PIECE, enemy_field, is_enemy, piece_in
from junqi_engine.rules.pieces import MINE
from junqi_engine.rules.position import POSITION_TYPE

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
