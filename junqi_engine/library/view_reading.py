"""Reading what a view knows: what pieces may be, what is likely, and all of it as a text."""

import numpy as np

from junqi_engine.information.belief.marginals import marginals_by_seat
from junqi_engine.information.view import SeatView
from junqi_engine.library.reading import Position, expect_large
from junqi_engine.notation.moves import format_move, format_viewer
from junqi_engine.rules.layout import contains, seat_of, slot_of
from junqi_engine.rules.pieces import LETTERS, letters_of


class Knowledge(Position):
    """Read access to what is known."""

    state: SeatView
    _head: str
    """The start of the game as `position` has it."""
    _chances: dict[int, np.ndarray]
    """The belief by seat, once it was asked for."""

    @property
    def viewer(self) -> str:
        """The seats whose pieces are known; `*` for all."""
        return format_viewer(self._board, self.state.viewer)

    def belief(self, point: str) -> dict[str, float]:
        """The probability of each letter that the piece on a point may be. `JunqiError` if the point is empty, and on a
        small board, of which no games were learnt from.

        >>> from junqi_engine import View
        >>> View("luzhanqi").belief("b1")
        {'j': 1.0}
        """
        piece = self._piece_number(point)
        expect_large(self._board, "belief")
        if not self._chances:
            self._chances.update(marginals_by_seat(self.state))
        mask, row = int(self.state.masks[piece]), self._chances[seat_of(piece)][slot_of(piece)]
        return {letter: float(row[kind]) for kind, letter in enumerate(LETTERS) if contains(mask, kind)}

    def possible(self, point: str) -> str:
        """The letters that the piece on a point may be, as far as is proven. `JunqiError` if the point is empty."""
        return letters_of(int(self.state.masks[self._piece_number(point)]))

    def information_state(self) -> str:
        """All that its seats have seen, as a text from which the view can be made anew: perfect recall.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", {"S": "cbfahdehgegidcfkjkijgjhli"}, seed=1)
        >>> move = game.push("a6b5")
        >>> game.view("S").information_state()
        'startpos lineup S:cbfahdehgegidcfkjkijgjhli viewer S moves a6b5'
        """
        moves = "".join(f" {format_move(self._board, seen)}" for seen in self.state.record)
        return self._head + (f" moves{moves}" if moves else "")

    def position_line(self) -> str:
        """The `position` command of the text protocol that tells an engine what this view knows.

        >>> from junqi_engine import View
        >>> View("luzhanqi").position_line()
        'position startpos lineup S:cbfahdehgegidcfkjkijgjhli viewer S'
        """
        return f"position {self.information_state()}"

    def _identity(self) -> object:
        return self.variant, self.rules, self.information_state()
