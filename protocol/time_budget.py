"""How long to think about a move: from the limits and clocks of a `go` to one number.

A clock is spread over the moves that are likely to come: `MOVES_AT_START` of our team's, and later in the game fewer,
but never less than `MOVES_AT_LEAST`. So a game of usual length uses most of it, and a game of any length never all.
"""

from protocol.game import GoRequest

UNLIMITED_MS = 1000.0
MOVES_AT_START = 90.0
MOVES_AT_LEAST = 40.0
FEWER_A_MOVE = 0.5
INCREMENT_SHARE = 0.75
LARGEST_SHARE = 0.5
"""Of what is left, however few moves are said to remain."""
SHORTEST_MS = 1.0
OVERHEAD_PART = 0.1
"""Of a fixed time for a move, at most: no clock is lost when it is overstepped a little."""


def move_time_ms(request: GoRequest, team: int, ply: int, overhead_ms: float) -> float | None:
    """Milliseconds to think about a move of `team` (0 is South's) at a ply; None when time is not what limits it.

    `overhead_ms` is what passes between us and whoever holds the clock. Without any limit it is one second; a fixed
    time for the move goes before the clocks; `time` and `inc` go before those of the teams.
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
    return share_ms(left_ms - overhead_ms, ply // 2, increment_ms or 0, request.movestogo)


def share_ms(left_ms: float, moves_played: int, increment_ms: float = 0.0, moves_to_go: int | None = None) -> float:
    """The part of a clock that goes to one move, after so many of our team's own."""
    moves = max(MOVES_AT_LEAST, MOVES_AT_START - FEWER_A_MOVE * moves_played)
    if moves_to_go:
        moves = min(moves, moves_to_go)
    share = left_ms / moves + INCREMENT_SHARE * increment_ms
    return max(SHORTEST_MS, min(share, LARGEST_SHARE * left_ms))
