"""`Game`: the true game, as a referee knows it."""

import random
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from junqi_engine.errors import IllegalMove, JunqiError, expect, public_errors
from junqi_engine.information.snapshot import hide
from junqi_engine.information.view import SeatView
from junqi_engine.library.move import Move
from junqi_engine.library.position import Position, board_of, board_of_fen, lineups_by_seat, seat_of_letter
from junqi_engine.library.record import format_record, read_record
from junqi_engine.library.view import View, viewer_of
from junqi_engine.notation.moves import format_move, parse_move
from junqi_engine.notation.start import parse_game
from junqi_engine.players.lineup_choice import sensible
from junqi_engine.rules.ending import ending_of
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import contains
from junqi_engine.rules.options import Rules


class Game(Position):
    """A game in which every piece is known. A missing line-up is drawn, from `seed` if it is given.

    >>> from junqi_engine import Game
    >>> game = Game("siguo", {"S": "cbfahdehgegidcfkjkijgjhli"}, seed=1)
    >>> game.turn, game.result, len(game.legal_moves), game.legal_moves[0]
    ('S', None, 41, Move('g6h5'))
    >>> game.push("g6h5")
    Move('g6h5')
    >>> game.pop(), game.ply()
    (Move('g6h5'), 0)

    `first` is the seat that moves first, `rules` has the limits. `BadLineup` if a line-up is not legal, `JunqiError`
    for an unknown variant or seat.
    """

    _state: GameState

    def __init__(
        self,
        variant: str = "siguo",
        lineups: Mapping[str, str] | None = None,
        *,
        first: str | None = None,
        rules: Rules | None = None,
        seed: int | None = None,
    ) -> None:
        board = board_of(variant)
        given = lineups_by_seat(board, lineups)
        first_seat = seat_of_letter(board, board.seats[0] if first is None else first, "first seat")
        for letter in board.seats:
            if letter not in given:
                given[letter] = sensible(random.Random(None if seed is None else f"{seed} {letter}"))
        with public_errors():
            self._begin(GameState.start(board, given, rules, first_seat))

    @classmethod
    def from_fen(cls, fen: str, *, rules: Rules | None = None) -> "Game":
        """The game of a FEN with viewer `*`; `BadPosition` if it is wrong.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", seed=1)
        >>> Game.from_fen(game.fen()).fen() == game.fen()
        True
        """
        with public_errors():
            state = parse_game(board_of_fen(fen), fen, rules)
        game = cls.__new__(cls)
        game._begin(state)
        return game

    @classmethod
    def from_record(cls, record: str | Mapping[str, Any]) -> "Game":
        """The game of a record: a line of the referee's file, or the object that it holds.

        Each move is checked against the rules, its outcome too. `JunqiError` says what is wrong and where.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", seed=1)
        >>> move = game.push(game.legal_moves[0])
        >>> Game.from_record(game.record()).fen() == game.fen()
        True
        """
        expect(str | Mapping, "record", record)
        table = read_record(record)
        with public_errors("record: "):
            game = cls(table.variant, table.lineups, first=table.first, rules=table.rules)
        for number, move in enumerate(table.moves, 1):
            with public_errors(f"record, move {number}: "):
                game.push(move)
        return game

    @property
    def lineups(self) -> dict[str, str]:
        """The line-ups by seat; empty for a game from a FEN."""
        return {self.seats[seat]: lineup for seat, lineup in self._state.lineups.items()}

    @property
    def first(self) -> str:
        """The seat that moved first."""
        return self.seats[self._start.turn]

    @property
    def ending(self) -> str | None:
        """How the game ended: `flag`, `no-moves`, `resigned`, `no-contact`, `max-plies`; None while it continues."""
        if not self.is_game_over():
            return None
        flags = {seat: self._start.flag_point(seat) for seat in range(len(self.seats))}
        return ending_of(self._state, {seat: flag for seat, flag in flags.items() if flag is not None}).value

    def push(self, move: str) -> Move:
        """Play a move, `resign:SEAT` or `pass:SEAT`; returns it with what everyone saw.

        `IllegalMove` if it does not parse, is not legal, or is given with an outcome that is not the true one.
        """
        expect(str, "move", move)
        state = self._state
        with public_errors():
            wanted = parse_move(state.board, move)
            before = state.position.copy()
            if wanted.resigned is not None:
                seen = state.resign(wanted.resigned)
            elif wanted.passed is not None:
                seen = state.time_out(wanted.passed)
            else:
                seen = state.play(wanted.move)
        played = Move(format_move(state.board, seen))
        if not wanted.is_bare and wanted != seen:
            state.record.pop()
            state.position = before
            raise IllegalMove("impossible-outcome", f"{move}: the outcome is {played}")
        self._undo.append(before)
        return played

    def pop(self) -> Move:
        """Take the last move back and return it; IndexError if there is none."""
        move = self.peek()
        self._state.record.pop()
        self._state.position = self._undo.pop().copy()  # or it could not be changed, if it was unpickled
        self._views.clear()
        return move

    def resign(self, seat: str | None = None) -> Move:
        """The seat, by default the one to move, resigns."""
        expect(str | None, "seat", seat)
        return self.push(f"resign:{self.turn if seat is None else seat}")

    def view(self, viewer: str) -> View:
        """What the players of `viewer` may know so far: one seat, one team, or `*` for all. A copy of its own.

        >>> from junqi_engine import Game
        >>> view = Game("siguo", seed=1).view("SN")
        >>> str(view.piece_at("g6"))[0], str(view.piece_at("l7")), view.possible("l7")
        ('S', 'E?', 'abcdefghi')
        """
        expect(str, "viewer", viewer)
        if viewer not in self._views:
            self._views[viewer] = self._view_at_start(viewer)
        view = self._views[viewer]
        for seen in self._state.record[len(view._state.record) :]:
            view._state.observe(seen)
        view._chances.clear()
        return view.copy()

    def record(self, *, number: int = 1, names: Mapping[str, str] | None = None) -> str:
        """The game as a line of the referee's file, without its newline. An unfinished game is `interrupted`.

        `names` are those of the players, by the seats that each plays. `JunqiError` for a game from a FEN, which has no
        line-ups.
        """
        expect(int, "number", number)
        expect(Mapping | None, "names", names)
        if not self._state.lineups:
            raise JunqiError("not-supported", "a game from a FEN has no line-ups, which a record needs")
        return format_record(
            self.variant, self.lineups, self.first, self.rules, self.move_stack, self.result, self.ending, number, names
        )

    def copy(self) -> Self:
        """An independent copy, with the moves that can be taken back."""
        copied = type(self).__new__(type(self))
        copied._state, copied._start, copied._undo = self._state.copy(), self._start, list(self._undo)
        copied._views = {}
        return copied

    def __repr__(self) -> str:
        return f"<Game: {self.variant}, ply {self.ply()}, {self.result or self.turn + ' to move'}>"

    def _begin(self, state: GameState) -> None:
        self._state = state
        self._start = state.copy()
        self._undo: list[np.void] = []
        self._views: dict[str, View] = {}

    def _view_at_start(self, viewer: str) -> View:
        board, start = self._board, self._start
        seats = viewer_of(board, viewer)
        if not start.lineups:
            return View._of(hide(start, seats))
        lineups = {seat: lineup for seat, lineup in start.lineups.items() if contains(seats, seat)}
        return View._of(SeatView.start(board, seats, lineups, start.rules, start.turn))
