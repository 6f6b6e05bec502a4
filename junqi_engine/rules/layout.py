"""The bit layout of pieces, moves and sets. No other file shifts or masks them.

| value | bits | meaning |
|---|---|---|
| piece | 0 to 4 | its slot: the number of the piece within its seat's line-up, below 25 |
| | 5, 6 | its seat |
| occupant of a point | 0 to 6 | the piece |
| | 7 | 1; an empty point is 0 |
| move | 0 to 7 | the to-point |
| | 8 to 15 | the from-point |
| set of seats, of slots or of kinds | n | 1 if seat, slot or kind n is in the set |
| team of a seat | 0 | the seat's lowest bit: partners sit opposite each other |

All functions work on Python integers, on numpy arrays and inside kernels, where they cost nothing.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

SLOTS = 32
"""Slots of a seat: 25 pieces and 7 unused numbers, so that seat and slot are bit fields."""
SEATS = 4
PIECES = SLOTS * SEATS
"""Length of an array by piece."""
NO_PIECE = 0
"""The occupant of an empty point."""
NO_MOVE = 0
"""The number of no move: both points would be point 0."""
NO_POINT = 255
"""A number above those of all points."""

_SLOT_BITS = 5
_OCCUPIED = 0x80
_POINT_BITS = 8
_POINT_FIELD = (1 << _POINT_BITS) - 1
_ENEMY_FIELD = _OCCUPIED | 1 << _SLOT_BITS


@register_jitable
def piece_of(seat: Any, slot: Any) -> Any:
    return seat << _SLOT_BITS | slot


@register_jitable
def seat_of(piece: Any) -> Any:
    return piece >> _SLOT_BITS


@register_jitable
def slot_of(piece: Any) -> Any:
    return piece & SLOTS - 1


@register_jitable
def team_of(seat: Any) -> Any:
    """0 for South's team, 1 for the other."""
    return seat & 1


@register_jitable
def are_enemies(seat: Any, other: Any) -> Any:
    """1 for seats of different teams, else 0."""
    return (seat ^ other) & 1


@register_jitable
def partner_of(seat: Any) -> Any:
    """The other seat of the team, on a board of four seats."""
    return seat ^ 2


@register_jitable
def occupant_of(piece: Any) -> Any:
    return piece | _OCCUPIED


@register_jitable
def piece_in(occupant: Any) -> Any:
    """The piece of an occupant that is not `NO_PIECE`."""
    return occupant & PIECES - 1


@register_jitable
def enemy_field(seat: Any) -> Any:
    """The operand of `is_enemy`, computed once for the seat to move."""
    return np.uint8(_OCCUPIED | (team_of(seat) ^ 1) << _SLOT_BITS)


@register_jitable
def is_enemy(occupant: Any, enemy: Any) -> Any:
    """Whether an occupant is an enemy of a seat; `enemy` is the `enemy_field` of the seat."""
    return occupant & np.uint8(_ENEMY_FIELD) == enemy


@register_jitable
def move_of(from_point: Any, to_point: Any) -> Any:
    return from_point << _POINT_BITS | to_point


@register_jitable
def from_point_of(move: Any) -> Any:
    return move >> _POINT_BITS


@register_jitable
def to_point_of(move: Any) -> Any:
    return move & _POINT_FIELD


@register_jitable
def contains(members: Any, number: Any) -> Any:
    """1 if a set of seats, slots or kinds contains a number, else 0."""
    return members >> number & 1


def seats_of_team(team: int) -> int:
    """The set of a team's seats on a board of four seats."""
    return 0b0101 << team


def slice_of(seat: int, pieces: int = SLOTS) -> slice:
    """The first `pieces` entries of a seat in an array by piece."""
    return slice(piece_of(seat, 0), piece_of(seat, pieces))
