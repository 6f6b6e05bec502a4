"""A threat: the battle with which the enemy refuted a quiet move, next to the leaves.

A quiet move that does not parry it will most likely be refuted in the same way, and need not be made.
"""

from numba.core import types

from junqi_engine.kernels import kernel
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.layout import from_point_of, to_point_of


@kernel(types.boolean(TABLES_TYPE, types.uint16))
def is_step(tables, move):
    """Whether a move goes to a point next to its from-point."""
    start, target = from_point_of(move), to_point_of(move)
    found = False
    for i in range(tables.near_count[start]):
        found |= tables.near[start, i] == target
    return found


@kernel(types.boolean(TABLES_TYPE, types.uint16, types.uint16))
def may_parry(tables, move, threat):
    """Whether a quiet move may parry a threat: by moving the piece under attack, or by blocking a railway run.

    Whether the run really passes the point is not checked.
    """
    if from_point_of(move) == to_point_of(threat):
        return True
    return tables.rail[to_point_of(move)] != 0 and not is_step(tables, threat)
