"""Players that answer events, and otherwise move at random."""

from collections.abc import Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.players.events import EventMove, Finder
from junqi_engine.players.randomness import random_move, random_of


def choose(priority: Sequence[Finder], view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
    """The answer to the first event of `priority` that has one among `moves`, else a random move.

    `moves` are legal moves (`layout.move_of`), at least one. The choice depends on the view, the seed and the moves
    alone.
    """
    for find in priority:
        answer = find(view, moves)
        if answer is not None:
            return answer
    return choose_at_random(view, seed, moves)


def choose_at_random(view: SeatView, seed: int, moves: Sequence[int]) -> EventMove:
    """A `randomness.random_move` that depends on the view, the seed and the moves alone."""
    return EventMove("random", random_move(random_of(view, seed), moves))
