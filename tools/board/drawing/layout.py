"""The bit layouts of pieces, moves and sets of seats, as `junqi_engine.rules` uses them."""

SLOTS_PER_SEAT = 32
POINTS_PER_MOVE_HALF = 256


def piece_number(seat: int, slot: int) -> int:
    """The number of the piece that starts in place `slot` of a seat's line-up."""
    return SLOTS_PER_SEAT * seat + slot


def seat_of(piece: int) -> int:
    return piece // SLOTS_PER_SEAT


def from_point(move: int) -> int:
    return move // POINTS_PER_MOVE_HALF


def to_point(move: int) -> int:
    return move % POINTS_PER_MOVE_HALF


def has_seat(seats: int, seat: int) -> bool:
    """Whether a set of seats, one bit each, contains a seat."""
    return bool(seats >> seat & 1)
