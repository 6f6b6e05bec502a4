"""How long to think about a move: from a clock to a target and a limit, and from each iteration to the next.

The remaining time is divided by an estimate of the moves that our team still has to play. At the start the estimate is
a usual game's length U. Each move played lowers it by 0.5, to U / 2 after U moves; after that each move raises it by 1,
because a game that has lasted long is likely to last longer. A game of usual length uses three quarters of the clock,
and half an hour lasts for more than 750 moves, the longest possible game of luzhanqi.

A search on a clock ends before its target if the choice is clear, and after it if the choice has just changed or its
score has dropped; it never passes the limit. An iteration that cannot end before the limit is not started.
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
LONGEST_EXTENSION = 2.5
"""A move takes at most this many times its target."""
CLEAR_LEAD = 60
"""A lead, in hundredths of a Lieutenant, with which a choice that lasts is clear."""
CLEAR_ITERATIONS = 3
"""For this many iterations the choice must have been the same to be clear."""
SCORE_DROP = 80
"""A drop of the score from one iteration to the next, in hundredths of a Lieutenant, that is worth more time."""
START_SHARE, CLEAR_SHARE, UNCLEAR_SHARE = 0.6, 0.3, 1.2
"""No iteration starts after this share of the target: usually, with a clear choice, with one in doubt."""
SMALLEST_GROWTH, LARGEST_GROWTH = 1.5, 8.0
"""How many times longer than the last an iteration is expected to take, at least and at most."""
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


def limit_for_move_ms(clock: Clock, target_ms: float, overhead_ms: float) -> float:
    """The milliseconds after which a move with this target ends in any case; a fixed time is its own limit."""
    if clock.move_time_ms is not None or clock.remaining_ms is None:
        return target_ms
    longest_ms = min(LONGEST_EXTENSION * target_ms, LARGEST_SHARE * clock.remaining_ms - overhead_ms)
    return max(target_ms, longest_ms)


class Pace:
    """Decides after each iteration of a search on a clock whether the next one starts. Times are in milliseconds."""

    def __init__(self, target_ms: float, limit_ms: float) -> None:
        self._target_ms, self._limit_ms = target_ms, limit_ms
        self._move = -1
        self._score = 0
        self._unchanged = 0
        self._ended_ms = 0.0
        self._lasted_ms = 0.0

    def may_deepen(self, elapsed_ms: float, move: int, score: int, lead: int) -> bool:
        """Whether to start an iteration after one that ended at `elapsed_ms` with this choice, score and lead."""
        lasted_ms = elapsed_ms - self._ended_ms
        growth = lasted_ms / self._lasted_ms if self._lasted_ms > 0 else SMALLEST_GROWTH
        expected_ms = lasted_ms * min(max(growth, SMALLEST_GROWTH), LARGEST_GROWTH)
        self._unchanged = self._unchanged + 1 if move == self._move else 0
        is_in_doubt = self._move >= 0 and (move != self._move or score < self._score - SCORE_DROP)
        is_clear = self._unchanged >= CLEAR_ITERATIONS and lead >= CLEAR_LEAD and not is_in_doubt
        self._move, self._score, self._ended_ms, self._lasted_ms = move, score, elapsed_ms, lasted_ms
        share = UNCLEAR_SHARE if is_in_doubt else CLEAR_SHARE if is_clear else START_SHARE
        return elapsed_ms < share * self._target_ms and elapsed_ms + expected_ms <= self._limit_ms
