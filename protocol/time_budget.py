"""How long to think about a move: from the limits and clocks of a `go` to one number.

A clock is spread over the moves of our team that are likely to come: as many as a usual game has at the start, half as
many when those have been played, and from then on one more for each, since a game that has gone on for long is likely
to go on for long. So a game of usual length uses three quarters of the clock, and what is left falls no faster than the
number of moves grows: half an hour lasts for over 750, as many as a game of luzhanqi can have.
"""

from protocol.game import GoRequest

UNLIMITED_MS = 1000.0
USUAL_MOVES = {2: 50, 4: 90}
"""A team's moves in a game of usual length, by the number of seats on the board."""
INCREMENT_SHARE = 0.75
LARGEST_SHARE = 0.5
"""Of what is left, however few moves are said to remain."""
SHORTEST_MS = 1.0
OVERHEAD_PART = 0.1
"""Of a fixed time for a move, at most: no clock is lost when it is overstepped a little."""


def move_time_ms(request: GoRequest, team: int, ply: int, seats: int, overhead_ms: float) -> float | None:
    """Milliseconds to think about a move of `team` (0 is South's) at a ply; None when time is not what limits it.

    `seats` are those of the board, 2 or 4; `overhead_ms` is what passes between us and whoever holds the clock. Without
    any limit it is one second; a fixed time for the move goes before the clocks; `time` and `inc` go before those of
    the teams.
    """
    if request.infinite:
        return None
    if request.movetime_ms is not None:
        return max(SHORTEST_MS, request.movetime_ms - min(overhead_ms, OVERHEAD_PART * request.movetime_ms))
    left_ms = request.clocks_ms[team] if request.time_ms is None else request.time_ms
    if left_ms is None:
        has_other_limit = request.depth is not None or request.nodes is not None or request.ponder
        return None if has_other_limit else UNLIMITED_MS
    increment_ms = request.increments_ms[team] if request.time_ms is None else request.inc_ms
    moves = _moves_to_come(ply // 2, USUAL_MOVES[seats])
    if request.movestogo:
        moves = min(moves, request.movestogo)
    share_ms = left_ms / moves + INCREMENT_SHARE * (increment_ms or 0)
    return max(SHORTEST_MS, min(share_ms, LARGEST_SHARE * left_ms) - overhead_ms)


def _moves_to_come(played: int, usual: int) -> float:
    return usual - played / 2 if played < usual else played - usual / 2
