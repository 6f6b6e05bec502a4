"""How long to think about a move: from a clock to one number of milliseconds.

The remaining time is divided by an estimate of the moves that our team still has to play. At the start the estimate is
a usual game's length U. Each move played lowers it by 0.5, to U / 2 after U moves; after that each move raises it by 1,
because a game that has lasted long is likely to last longer. A game of usual length uses three quarters of the clock,
and half an hour lasts for more than 750 moves, the longest possible game of luzhanqi.
"""

from dataclasses import dataclass

UNLIMITED_MS = 1000.0
"""For a move without any limit."""
USUAL_MOVES = {2: 50, 4: 90}
"""Moves that a team plays in a game of usual length, by the number of seats on the board."""
INCREMENT_SHARE = 0.75
"""The part of the increment that a move may use."""
LARGEST_SHARE = 0.5
"""The largest part of the remaining time for one move, even if only one move remains until the time control."""
SHORTEST_MS = 1.0
OVERHEAD_SHARE = 0.1
"""The largest part of a fixed move time that is kept back. Exceeding a fixed time slightly loses no clock."""


@dataclass(frozen=True)
class Clock:
    """The time limits of one move; None where a limit does not exist.

    `move_time_ms` is a fixed time for this move, `remaining_ms` the time on our clock, `increment_ms` what is added to
    it after each move, `moves_to_go` the number of moves until the next time control. A search that `is_infinite` ends
    only when it is stopped. `has_other_limit` says that depth, nodes or pondering limit the search instead.
    """

    move_time_ms: int | None = None
    remaining_ms: int | None = None
    increment_ms: int | None = None
    moves_to_go: int | None = None
    is_infinite: bool = False
    has_other_limit: bool = False


def time_for_move_ms(clock: Clock, ply: int, seats: int, overhead_ms: float) -> float | None:
    """Milliseconds to think about the move at a ply; None if time does not limit the search.

    `seats` is the number of seats on the board, 2 or 4. `overhead_ms` is the time that passes between us and the
    program that runs the clock. A fixed time for the move takes precedence over the remaining time.
    """
    if clock.is_infinite:
        return None
    if clock.move_time_ms is not None:
        return max(SHORTEST_MS, clock.move_time_ms - min(overhead_ms, OVERHEAD_SHARE * clock.move_time_ms))
    if clock.remaining_ms is None:
        return None if clock.has_other_limit else UNLIMITED_MS
    moves = _moves_to_come(ply // 2, USUAL_MOVES[seats])
    if clock.moves_to_go:
        moves = min(moves, clock.moves_to_go)
    share_ms = clock.remaining_ms / moves + INCREMENT_SHARE * (clock.increment_ms or 0)
    return max(SHORTEST_MS, min(share_ms, LARGEST_SHARE * clock.remaining_ms) - overhead_ms)


def _moves_to_come(played: int, usual: int) -> float:
    return usual - played / 2 if played < usual else played - usual / 2
