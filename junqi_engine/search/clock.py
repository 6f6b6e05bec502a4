"""Time management: the target and the limit for a move, and the decision after each iteration.

The remaining time is divided by an estimate of the moves that our team still has to play. At the start the estimate is
a usual game's length U. Each move played lowers it by 0.5, to U / 2 after U moves; after that each move raises it by 1,
because a game that has lasted long is likely to last longer. A game of usual length uses three quarters of the clock,
and half an hour lasts for more than 750 moves, the longest possible game of luzhanqi.

A search on a clock ends before its target if the choice is clear, and after it if the choice has just changed or its
score has dropped; it never passes the limit. An iteration that cannot end before the limit is not started.
"""

import threading
from dataclasses import dataclass
from typing import Protocol

UNLIMITED_MS = 1000.0
"""Time for a move without any limit."""
USUAL_MOVES = {2: 50, 4: 90}
"""Moves that a team plays in a game of usual length, by the number of seats on the board."""
INCREMENT_SHARE = 0.75
"""Share of the increment that a move may use."""
MAX_SHARE = 0.5
"""Largest share of the remaining time for one move, even for the last one before the time control."""
MIN_MS = 1.0
MAX_EXTENSION = 2.5
"""Largest time of a move, in multiples of its target."""
CLEAR_LEAD = 60
"""A lead, in hundredths of a Lieutenant, with which a choice that lasts is clear."""
CLEAR_ITERATIONS = 3
"""Iterations for which a clear choice must have been the same."""
SCORE_DROP = 80
"""A drop of the score from one iteration to the next, in hundredths of a Lieutenant, that is worth more time."""
START_SHARE, CLEAR_SHARE, UNCLEAR_SHARE = 0.6, 0.3, 1.2
"""Shares of the target after which no iteration starts: usually, with a clear choice, and with one in doubt."""
MIN_GROWTH, MAX_GROWTH = 1.5, 8.0
"""Bounds of the expected time of an iteration, in multiples of the one before."""
OVERHEAD_SHARE = 0.1
"""Largest share of a fixed move time that is kept back. To exceed a fixed time slightly loses no game."""


class Timer(Protocol):
    """The clock of one search. It does not run before the release (`ponderhit`, `stop`)."""

    @property
    def is_released(self) -> bool: ...
    def wait_for_release(self) -> None: ...
    def elapsed_ms(self) -> int: ...
    def stop_search(self) -> None: ...


@dataclass(frozen=True)
class Clock:
    """The limits of time for one move, in milliseconds; None for no limit.

    `move_time_ms` is a fixed time for this move, `remaining_ms` the time on our clock, `increment_ms` is added to it
    after each move, `moves_to_go` the number of moves until the next time control. `overhead_ms` passes between us
    and the program that runs the clock. A fixed time takes precedence; without it and a clock, `UNLIMITED_MS` count.
    """

    move_time_ms: int | None = None
    remaining_ms: int | None = None
    increment_ms: int | None = None
    moves_to_go: int | None = None
    overhead_ms: float = 0.0

    def pace(self, ply: int, seats: int) -> "Pace":
        """The pace of the move at a ply of a board with 2 or 4 seats."""
        if self.move_time_ms is not None:
            fixed_ms = self.move_time_ms - min(self.overhead_ms, OVERHEAD_SHARE * self.move_time_ms)
            return Pace(max(MIN_MS, fixed_ms), max(MIN_MS, fixed_ms), is_fixed=True)
        if self.remaining_ms is None:
            return Pace(UNLIMITED_MS, UNLIMITED_MS)
        moves = _moves_to_come(ply // 2, USUAL_MOVES[seats])
        if self.moves_to_go:
            moves = min(moves, self.moves_to_go)
        longest_ms = MAX_SHARE * self.remaining_ms
        share_ms = self.remaining_ms / moves + INCREMENT_SHARE * (self.increment_ms or 0)
        target_ms = max(MIN_MS, min(share_ms, longest_ms) - self.overhead_ms)
        return Pace(target_ms, max(target_ms, min(MAX_EXTENSION * target_ms, longest_ms - self.overhead_ms)))


def _moves_to_come(played: int, usual: int) -> float:
    return usual - played / 2 if played < usual else played - usual / 2


class Pace:
    """The target and the limit of a move, in milliseconds, and the decision whether the next iteration starts.

    With a fixed time it always starts.
    """

    def __init__(self, target_ms: float, limit_ms: float, is_fixed: bool = False) -> None:
        self.target_ms, self.limit_ms, self.is_fixed = target_ms, limit_ms, is_fixed
        self._move = -1
        self._score = 0
        self._unchanged = 0
        self._ended_ms = 0.0
        self._lasted_ms = 0.0

    def may_deepen(self, elapsed_ms: float, move: int, score: int, lead: int) -> bool:
        """Whether to start an iteration after one that ended at `elapsed_ms` with this choice, score and lead."""
        if self.is_fixed:
            return True
        lasted_ms = elapsed_ms - self._ended_ms
        growth = lasted_ms / self._lasted_ms if self._lasted_ms > 0 else MIN_GROWTH
        expected_ms = lasted_ms * min(max(growth, MIN_GROWTH), MAX_GROWTH)
        self._unchanged = self._unchanged + 1 if move == self._move else 0
        is_in_doubt = self._move >= 0 and (move != self._move or score < self._score - SCORE_DROP)
        is_clear = self._unchanged >= CLEAR_ITERATIONS and lead >= CLEAR_LEAD and not is_in_doubt
        self._move, self._score, self._ended_ms, self._lasted_ms = move, score, elapsed_ms, lasted_ms
        share = UNCLEAR_SHARE if is_in_doubt else CLEAR_SHARE if is_clear else START_SHARE
        return elapsed_ms < share * self.target_ms and elapsed_ms + expected_ms <= self.limit_ms


def stop_in_time(timer: Timer, limit_ms: float, ended: threading.Event) -> None:
    """End a search when its time is up, unless it has `ended`. While it ponders, the clock does not run."""
    timer.wait_for_release()
    ended.wait(max(0.0, (limit_ms - timer.elapsed_ms()) / 1000))
    timer.stop_search()
