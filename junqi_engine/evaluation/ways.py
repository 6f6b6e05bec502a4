"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel
from junqi_engine.rules.board import MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.pieces import MINE
from junqi_engine.rules.position import POSITION_TYPE, TEAM_BITS, enemy_bits

# The way to a flag in quarters of a move: a railway step, a road step, and what stands on a point that must be entered.
RAIL_STEP = 1
ROAD_STEP = 4
_OWN_PIECE = 2
_ENEMY_PIECE = 5
_ENEMY_MINE = 14
_ENEMY_IN_CAMP = 20
_FAR = 250

WAYS_TYPE = types.Array(types.int32, 1, "C")


@kernel(types.void(TABLES_TYPE, POSITION_TYPE, types.uint8, types.uint8, types.boolean, WAYS_TYPE))
def measure_ways(tables, position, flag, team, is_engineer, ways):
    """The way to `flag` from every point for a piece of `team`, in quarters of a move, into `ways`, (129,)."""
    enemy = enemy_bits(team)
    ways[:] = _FAR
    ways[flag] = 0
    queue = np.empty(1024, np.uint8)
    queued = np.zeros(MAX_POINTS, np.uint8)
    queue[0] = flag
    head, tail = 0, 1
    while head != tail:
        point = queue[head & 1023]
        head += 1
        queued[point] = 0
        enter = 0
        occupant = position.board[point]
        if point != flag and occupant:
            if occupant & TEAM_BITS != enemy:
                enter = _OWN_PIECE
            elif tables.campsite[point]:
                enter = _ENEMY_IN_CAMP
            elif position.kind[occupant & 127] == MINE and not is_engineer:
                enter = _ENEMY_MINE
            else:
                enter = _ENEMY_PIECE
        roads = tables.near_roads[point]
        for i in range(tables.near_count[point]):
            step = tables.near[point, i]
            if tables.headquarters[step]:
                continue
            way = ways[point] + enter + (ROAD_STEP if i < roads else RAIL_STEP)
            if way < ways[step]:
                ways[step] = way
                if not queued[step]:
                    queued[step] = 1
                    queue[tail & 1023] = step
                    tail += 1
