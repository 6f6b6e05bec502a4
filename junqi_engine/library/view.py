"""`View`: what the players of some seats may know of a game."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from junqi_engine.errors import BadPosition, JunqiError, expect, public_errors
from junqi_engine.information.chances import marginals_by_seat
from junqi_engine.information.view import SeatView
from junqi_engine.library.move import Move
from junqi_engine.library.position import Position, board_of, board_of_fen, lineups_by_seat, seat_of_letter
from junqi_engine.notation.fen import format_fen, parse_fen
from junqi_engine.notation.moves import format_move, parse_move
from junqi_engine.notation.seats import format_viewer, parse_viewer
from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import contains, seat_of, slot_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, letters_of


class View(Position):
    """What the players of some seats may see, and what it proves.

    `Game.view` makes one from a game. A program that does not know the game makes its own, from the line-ups of the
    viewer's seats, and `push`es what it sees:

    >>> from junqi_engine import View
    >>> view = View("luzhanqi", "S", {"S": "cbfahdehgegidcfkjkijgjhli"})
    >>> view.push("a6b5"), view.push("a7a6"), view.turn
    (Move('a6b5'), Move('a7a6'), 'S')
    >>> view.push("b5a6o")
    Move('b5a6o')
    >>> view.possible("a6")
    'ab'

    `viewer` is one seat, one team, or `*` for all; by default the first team. A missing line-up is the built-in one.
    `BadPosition` or `BadLineup` if viewer or line-ups are wrong. `first` is the seat that moves first.
    """

    _state: SeatView

    def __init__(
        self,
        variant: str = "siguo",
        viewer: str | None = None,
        lineups: Mapping[str, str] | None = None,
        *,
        first: str | None = None,
        rules: Rules | None = None,
    ) -> None:
        board = board_of(variant)
        by_seat = {board.seats.index(letter): text for letter, text in lineups_by_seat(board, lineups).items()}
        seats = viewer_of(board, board.teams[0] if viewer is None else viewer)
        first_seat = seat_of_letter(board, board.seats[0] if first is None else first, "first seat")
        with public_errors():
            self._begin(SeatView.start(board, seats, by_seat, rules, first_seat))

    @classmethod
    def from_fen(cls, fen: str, *, rules: Rules | None = None) -> "View":
        """The view that a FEN describes; its viewer is in the FEN. `BadPosition` if it is wrong.

        >>> from junqi_engine import View
        >>> view = View.from_fen("1N?3/5/5/5/5/5/5/5/5/5/2Sa2/1Sl3 S SN S 0 80")
        >>> view.variant, view.viewer, str(view.piece_at("b12"))
        ('luzhanqi', 'S', 'N?')
        """
        with public_errors():
            return cls._of(parse_fen(board_of_fen(fen), fen, rules))

    @property
    def viewer(self) -> str:
        """The seats whose pieces are known; `*` for all."""
        return format_viewer(self._board, self._state.viewer)

    def push(self, move: str) -> Move:
        """Follow a move with its suffix; returns it with everything that a move without a suffix leaves out.

        `IllegalMove` if it does not parse, is not legal, lacks its outcome, or contradicts what is known.
        """
        expect(str, "move", move)
        with public_errors():
            seen = self._state.observe(parse_move(self._board, move))
        self._chances.clear()
        return Move(format_move(self._board, seen))

    def belief(self, point: str) -> dict[str, float]:
        """The probability of each letter that the piece on a point may be. `JunqiError` if the point is empty.

        >>> from junqi_engine import View
        >>> View("luzhanqi").belief("b1")
        {'j': 1.0}
        """
        piece = self._piece_number(point)
        if not self._chances:
            self._chances.update(marginals_by_seat(self._state))
        mask, row = int(self._state.masks[piece]), self._chances[seat_of(piece)][slot_of(piece)]
        return {letter: float(row[kind]) for kind, letter in enumerate(LETTERS) if contains(mask, kind)}

    def possible(self, point: str) -> str:
        """The letters that the piece on a point may be, as far as is proven. `JunqiError` if the point is empty."""
        return letters_of(int(self._state.masks[self._piece_number(point)]))

    def position_line(self) -> str:
        """The `position` command of the text protocol that tells an engine what this view knows.

        >>> from junqi_engine import View
        >>> View("luzhanqi").position_line()
        'position startpos lineup S:cbfahdehgegidcfkjkijgjhli viewer S'
        """
        moves = "".join(f" {format_move(self._board, seen)}" for seen in self._state.record)
        return self._head + (f" moves{moves}" if moves else "")

    def copy(self) -> Self:
        """An independent copy."""
        copied = type(self).__new__(type(self))
        copied._state, copied._head, copied._chances = self._state.copy(), self._head, dict(self._chances)
        return copied

    def __repr__(self) -> str:
        return f"<View of {self.viewer}: {self.variant}, ply {self.ply()}>"

    @classmethod
    def _of(cls, state: SeatView) -> Self:
        """The view of a state at the start of its record."""
        view = cls.__new__(cls)
        view._begin(state)
        return view

    def _begin(self, state: SeatView) -> None:
        self._state = state
        self._head = f"position {_head(state)}"
        self._chances: dict[int, np.ndarray] = {}

    def _piece_number(self, point: str) -> int:
        piece = self._state.piece_at(self._point(point))
        if piece is None:
            raise JunqiError("bad-argument", f"no piece stands on {point}")
        return piece


def viewer_of(board: Board, text: str) -> int:
    """The set of seats of a viewer."""
    expect(str, "viewer", text)
    try:
        return parse_viewer(board, text)
    except ValueError as error:
        raise BadPosition("bad-position", f"viewer {error}") from None


def _head(state: SeatView) -> str:
    """The start of a game as `position` has it: by line-ups if South moves first from the starting position."""
    board = state.board
    if not state.is_followed or state.turn:
        return f"fen {format_fen(state)}"
    kinds = state.position["kind"]
    lineups = []
    for seat, letter in enumerate(board.seats):
        if state.sees(seat):
            pieces = [state.piece_at(point) for point in state.points_of(seat)]
            lineups.append(f"{letter}:{''.join(LETTERS[kinds[piece]] for piece in pieces)}")
    return f"startpos lineup {' '.join(lineups)} viewer {format_viewer(board, state.viewer)}"
