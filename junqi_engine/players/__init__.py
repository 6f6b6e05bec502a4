"""The players, one module a version. Old ones stay: they are the ladder that new ones are measured on.

A player is a function `choose(view, seed, moves)`: from the moves of the seat to move it chooses one. What is random
in it depends on the seed and the view alone, never on what was asked before.
"""

from collections.abc import Callable, Sequence

from junqi_engine.information.view import SeatView
from junqi_engine.players import v1_0, v1_1, v1_2
from junqi_engine.players.events import Answer

Choose = Callable[[SeatView, int, Sequence[int]], Answer]

PLAYERS: dict[str, Choose] = {"1.0": v1_0.choose, "1.1": v1_1.choose, "1.2": v1_2.choose}
