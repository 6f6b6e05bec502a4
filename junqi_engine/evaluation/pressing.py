"""Pressing: a team that is ahead goes to the enemy, so that it wins before the game ends without contact.

A search of a few plies does not see how an advantage wins. Where nothing can be gained at once, it keeps its pieces on
campsites, and the game is a draw. So when there has been no battle for some time, every mobile piece of the team to
move is worth more the nearer it comes to the back rows of its enemies, in proportion to the lead. Where a piece stands
it is worth what it was worth: pressing changes the values of moves, not that of the position.
"""

from dataclasses import replace

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.evaluation.terms import HAND_TYPE
from junqi_engine.information.view import Public
from junqi_engine.kernels import count_trailing_zeros, kernel
from junqi_engine.rules.board import BLOCK_POINTS, Board
from junqi_engine.rules.layout import are_enemies, contains, piece_of, team_of
from junqi_engine.rules.pieces import IMMOBILE_MASK
from junqi_engine.rules.position import ONE, POSITION_TYPE

LEAST_LEAD, LARGEST_LEAD = 1000, 8000
"""In hundredths of a Lieutenant: a team that leads by less does not press; one that leads by more presses no harder."""
LEAST_QUIET = 12
"""In plies: with a battle since then, the game goes on by itself."""
STEP_PERMILLE = 60
"""What one row is worth, as a share of the lead."""
OWN_ROW, NEUTRAL, CENTRE, FRONT, ENEMY_ROW = 6, 30, 40, 50, 10
"""How near a point is, in tenths of a row: for each row from the back of the own team; the blocks of eliminated
enemies; the centre; the front row of an enemy; for each row behind it.
"""
_LAST_ROW = 5
_ROW_POINTS = 5
_UNIT = 10_000
"""Tenths of a row times permille."""


@register_jitable
def nearness(position, seats, team, point):
    """How near a point is to the enemies of a team, in tenths of a row."""
    owner, row = point // BLOCK_POINTS, point % BLOCK_POINTS // _ROW_POINTS
    if owner >= seats:
        return CENTRE
    if not are_enemies(owner, team):
        return OWN_ROW * (_LAST_ROW - row)
    return FRONT + ENEMY_ROW * row if contains(position.alive, owner) else NEUTRAL


@kernel(types.void(POSITION_TYPE, types.int64, types.int64, HAND_TYPE))
def press(position, seats, points, record):
    """Add to `values` what the pieces of the team to move gain by going to the enemy. Nothing changes unless the team
    leads by `LEAST_LEAD`, there was no battle for `LEAST_QUIET` plies, and a game without contact is a draw.
    """
    if position.no_contact_loses or position.quiet < LEAST_QUIET:
        return
    team = np.int64(team_of(position.turn))
    lead = -record.scores[0] if team else record.scores[0]
    if lead < LEAST_LEAD:
        return
    step = STEP_PERMILLE * min(lead, np.int64(LARGEST_LEAD))
    for seat in range(team, seats, 2):
        pieces = position.present[seat] if contains(position.alive, seat) else np.uint32(0)
        while pieces:
            piece = piece_of(seat, count_trailing_zeros(pieces))
            pieces &= pieces - ONE
            if contains(IMMOBILE_MASK, position.kind[piece]):
                continue
            here = nearness(position, seats, team, np.int64(position.where[piece]))
            for point in range(points):
                record.values[piece, point] += step * (nearness(position, seats, team, point) - here) // _UNIT


def pressing(base: Evaluator) -> Evaluator:
    """An evaluator that adds pressing to another one, whose record and kernels are those of the hand-written one."""

    def refresh(board: Board, position: np.void, public: Public, record: np.void) -> None:
        base.refresh(board, position, public, record)
        press(position, len(board.seats), len(board.points), record)

    return replace(base, name=f"{base.name}, pressing", refresh=refresh)
