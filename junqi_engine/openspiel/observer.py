"""What a player of the games for OpenSpiel observes: as a text, and as a tensor.

With perfect recall the text is `View.information_state`, and the tensor has all moves; without it, they are the FEN of
the view and the arrays of `env.observation.Observer`. Before all line-ups are dealt, a player sees the pieces that it
has got.
"""

from typing import Any

import numpy as np
import pyspiel

from junqi_engine.env.observation import Observer, frame_of
from junqi_engine.library.game import View
from junqi_engine.rules.pieces import KINDS, LETTERS

MOVE_ENTRIES = 6
"""From-point, to-point, outcome, the points of two revealed flags, the set of eliminated seats. Points are relative and
count from 1; 0 is none.
"""


class JunqiObserver:
    """An observer as OpenSpiel defines it: `tensor` is flat, `dict` has its parts by name."""

    def __init__(self, game: Any, wanted: Any, params: Any = None) -> None:
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not wanted.public_info or wanted.private_info != single:
            raise ValueError("junqi is observed with public information and that of one player, without parameters")
        self._observer, self._perfect_recall = Observer(game.variant), wanted.perfect_recall
        seats, points = len(game.seats), len(frame_of(game.variant, 0).absolute)
        shapes: dict[str, tuple[int, ...]] = {"player": (seats,)}
        if self._perfect_recall:
            shapes |= {
                "lineups": (seats, len(frame_of(game.variant, 0).board.army.indices), KINDS),
                "moves": (game.max_game_length(), MOVE_ENTRIES),
            }
        else:
            shapes |= {"observation": (points, self._observer.channels), "counts": (self._observer.count_entries,)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._perfect_recall:
            for seat, lineup in state.seen_lineups(player).items():
                for place, letter in enumerate(lineup):
                    self.dict["lineups"][seat, place, LETTERS.index(letter)] = 1
        if state.is_dealt:
            view = state.view(player)
            if self._perfect_recall:
                self._set_moves(view, player)
            else:
                found = self._observer.observe(view, view.seats[player])
                self.dict["observation"][:], self.dict["counts"][:] = found["observation"], found["counts"]

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, as a text."""
        if not state.is_dealt:
            return f"player {player} dealt {state.seen_lineups(player)}"
        view = state.view(player)
        return f"player {player} {view.information_state() if self._perfect_recall else view.fen()}"

    def _set_moves(self, view: View, player: int) -> None:
        relative = self._observer.frame(player).relative
        for row, seen in zip(self.dict["moves"], view.state.record, strict=False):
            row[:2] = relative[[seen.from_point, seen.to_point]] + 1
            row[2] = seen.outcome
            for entry, flag in enumerate(seen.shown_flags):
                row[3 + entry] = relative[flag] + 1
            row[5] = sum(1 << (seat - player) % len(view.seats) for seat in seen.eliminated)
