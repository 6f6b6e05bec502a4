"""Policies: how a kind of player chooses its moves, as far as everybody can see.

A move has a few active *rows*. The sum of a table's entries in these rows, in the column of the piece's kind, is
the logarithm of a weight; the probability of a move is its share of the weights of all moves of the seat. The rows:

| rows | the active row says |
|---|---|
| leaves | the from-point, by whether the piece has moved before |
| enters | the to-point, by whether there is a battle |
| meets | the `PublicClass` of the piece in the way |
| before, after | the classes of the enemies one step from the from-point, the to-point; none on a campsite |
| again, back | the piece is the one that its seat moved last; it returns to where it came from |

Points are relative to the seat (`public_state`).

`policies-VARIANT.npz` has the tables of several kinds of players, made by `python -m junqi_training policy`:
`names`, which are `POLICIES`, and `entries` (7, 527, 12) in hundredths, int16.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numba.core import types

from junqi_engine.information.public_state import PUBLIC_STATE_TYPE, PublicClass
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import BOARDS, MAX_POINTS, TABLES_TYPE
from junqi_engine.rules.layout import NO_PIECE, enemy_field, is_enemy, piece_in
from junqi_engine.rules.pieces import KINDS
from junqi_engine.rules.position import POSITION_TYPE

ENGINE, OTHERS, PEOPLE, STRANGERS, OTHER_STRANGERS = "engine", "others", "people", "strangers", "strangers 2"
POLICIES = ("engine 3.3", "engine 3.2", OTHERS, PEOPLE, ENGINE, STRANGERS, OTHER_STRANGERS)
"""The players whose policies are known: this engine now, programs that are not of its family, and those that are named
like their style of line-ups (`styles`).
"""
LIKELIHOOD_EXPONENTS = {"people": 0.1, "engine": 0.9, "strangers": 0.4, "strangers 2": 0.75}
"""By policy, the exponent that tempers its likelihoods, chosen by the log-loss on games that no policy was fitted to.
People differ from each other more than engines do, and their policy has seen twelve games.
"""
DEFAULT_EXPONENT = 0.65
MAX_ACTIVE_ROWS = 16
"""Capacity for the active rows of a move; no move has as many."""
HUNDREDTHS = 100

_classes = len(PublicClass)
LEAVES = 0
ENTERS = LEAVES + 2 * MAX_POINTS
MEETS = ENTERS + 2 * MAX_POINTS
BEFORE = MEETS + _classes
AFTER = BEFORE + _classes
AGAIN = AFTER + _classes
BACK = AGAIN + 1
ROWS = BACK + 1

ROWS_TYPE = types.Array(types.uint16, 1, "C")


@kernel(types.intp(TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, types.uint8, types.uint8, ROWS_TYPE))
def active_rows(tables, position, state, start, target, rows):
    """Write the active rows of a move of the seat to move; returns their number."""
    seat = position.turn
    relative_point = state.relative_point[seat]
    mover = piece_in(position.board[start])
    occupant = position.board[target]
    count = 2
    rows[0] = LEAVES + np.int64(relative_point[start])
    if state.classes[mover] != PublicClass.UNMOVED:
        rows[0] += MAX_POINTS
    rows[1] = ENTERS + np.int64(relative_point[target])
    if occupant != NO_PIECE:
        rows[1] += MAX_POINTS
        rows[2] = MEETS + np.int64(state.classes[piece_in(occupant)])
        count = 3
    for side in range(2):
        first_row, near = (AFTER, target) if side else (BEFORE, start)
        classes = _enemy_classes(tables, position, state, near)
        for public_class in range(_classes):
            if classes >> public_class & 1:
                rows[count] = first_row + public_class
                count += 1
    if start == state.last_to[seat]:
        rows[count] = AGAIN
        count += 1
        if target == state.last_from[seat]:
            rows[count] = BACK
            count += 1
    return count


@kernel(types.int64(TABLES_TYPE, POSITION_TYPE, PUBLIC_STATE_TYPE, types.uint8))
def _enemy_classes(tables, position, state, point):
    """The set of classes of the enemies one step from a point; none on a campsite."""
    classes, enemy = np.int64(0), enemy_field(position.turn)
    if not tables.campsite[point]:
        for i in range(tables.near_count[point]):
            occupant = position.board[tables.near[point, i]]
            if is_enemy(occupant, enemy):
                classes |= np.int64(1) << np.int64(state.classes[piece_in(occupant)])
    return classes


POLICY_FILES = {variant: Path(__file__).with_name(f"policies-{variant}.npz") for variant in BOARDS}


@dataclass(frozen=True)
class Policies:
    """n policies: `tables` (n, 527, 12) float32 by row and kind, and the `exponents` (n,) of their likelihoods."""

    tables: np.ndarray
    exponents: np.ndarray


@cache
def load_policies(variant: str) -> Policies:
    """All `POLICIES` of a variant, from its file. ValueError if the file does not fit this program."""
    file = POLICY_FILES[variant]
    with np.load(file) as arrays:
        names, entries = tuple(map(str, arrays["names"])), arrays["entries"]
    if names != POLICIES or entries.shape != (len(POLICIES), ROWS, KINDS):
        raise ValueError(f"{file}: the policies are {', '.join(names)}, with the shape {entries.shape}")
    exponents = np.array([LIKELIHOOD_EXPONENTS.get(name, DEFAULT_EXPONENT) for name in POLICIES])
    return Policies(np.ascontiguousarray(entries / HUNDREDTHS, np.float32), exponents)
