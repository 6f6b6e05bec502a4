"""`Game`, the true game as a referee knows it, and `View`, the knowledge of the players of some seats.

A game makes views for its players, and a view samples games that agree with its knowledge.
"""

import random
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self

import numpy as np

from junqi_engine.api.game_record import DRAW, INTERRUPTED, GameRecord
from junqi_engine.api.move import Move, trusted_move
from junqi_engine.api.readable import (
    ReadablePosition,
    board_of,
    board_of_fen,
    lineups_by_seat,
    seat_of_letter,
    start_text,
    viewer_from_text,
)
from junqi_engine.api.sampling import sample
from junqi_engine.errors import IllegalMove, Refused, expect_at_least, naming
from junqi_engine.information.belief.opponents import belief
from junqi_engine.information.snapshot import hide
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import parse_fen, parse_game
from junqi_engine.notation.moves import format_move, format_viewer, parse_move
from junqi_engine.players.lineup_choice import sensible
from junqi_engine.rules.game_state import GameState, ending_of
from junqi_engine.rules.layout import contains, seat_of, slot_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, letters_of
from junqi_engine.rules.position import copied


class View(ReadablePosition):
    """The knowledge of the players of some seats: what they may see, and what it proves.

    `Game.view` makes one from a game. A program that does not know the game makes one from the line-ups of the viewer's
    seats, and `push`es the moves that it sees:

    >>> from junqi_engine import View
    >>> view = View("luzhanqi", "S", {"S": "cbfahdehgegidcfkjkijgjhli"})
    >>> view.push("a6b5"), view.push("a7a6"), view.turn
    (Move('a6b5'), Move('a7a6'), 'S')
    >>> view.push("b5a6o")
    Move('b5a6o')
    >>> view.possible("a6")
    'ab'

    `viewer` is one seat, one team, or `*` for all, by default the first team. A missing line-up is the built-in one.
    `first` is the seat that moves first. `BadPosition` or `BadLineup` if viewer or line-ups are wrong.
    """

    state: SeatView
    _head: str
    _chances: dict[int, np.ndarray]

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
        seats = viewer_from_text(board, board.teams[0] if viewer is None else viewer)
        first_seat = seat_of_letter(board, board.seats[0] if first is None else first, "first seat")
        self._begin(SeatView.start(board, seats, by_seat, rules, first_seat))

    @classmethod
    def from_fen(cls, fen: str, *, variant: str | None = None, rules: Rules | None = None) -> "View":
        """The view of a FEN, which contains the viewer. `BadPosition` if it is wrong.

        >>> from junqi_engine import View
        >>> view = View.from_fen("1N?3/5/5/5/5/5/5/5/5/5/2Sa2/1Sl3 S SN S 0 80")
        >>> view.variant, view.viewer, str(view.piece_at("b12"))
        ('luzhanqi', 'S', 'N?')
        """
        return cls._of(parse_fen(board_of_fen(fen, variant), fen, rules))

    def push(self, move: str) -> Move:
        """Follow a move with its suffix; returns it with its complete suffix.

        `IllegalMove` if it does not parse, is not legal, lacks its outcome, or contradicts what is known.
        """
        seen = self.state.observe(parse_move(self._board, move))
        self._chances.clear()
        return Move(format_move(self._board, seen))

    def sample(self, n: int, seed: int = 0, by: str = "belief") -> list["Game"]:
        """Sample `n` complete games that agree with all that is known, as the players sample worlds.

        `by`: the kinds of hidden pieces follow the belief (`belief`), or all possible kinds have equal weights
        (`uniform`). The games have the moves so far, but cannot take them back. Games from a view that began in the
        middle of a game begin at its current position. `Refused` if none are found in a bounded time.

        >>> from junqi_engine import Game
        >>> view = Game("luzhanqi", seed=1).view("S")
        >>> [game.view("S") == view for game in view.sample(3, seed=7)]
        [True, True, True]
        """
        return [Game._of(state, self._first) for state in sample(self.state, n, seed, by, self._first)]

    @property
    def viewer(self) -> str:
        """The seats whose pieces are known; `*` for all."""
        return format_viewer(self._board, self.state.viewer)

    def belief(self, point: str) -> dict[str, float]:
        """The probability of each possible letter of the piece on a point. `Refused` if the point is empty."""
        piece = self._piece_number(point)
        if not self._chances:
            self._chances.update(belief(self.state))
        mask, row = int(self.state.masks[piece]), self._chances[seat_of(piece)][slot_of(piece)]
        return {letter: float(row[kind]) for kind, letter in enumerate(LETTERS) if contains(mask, kind)}

    def possible(self, point: str) -> str:
        """The possible letters of the piece on a point; others are disproven. `Refused` if the point is empty."""
        return letters_of(int(self.state.masks[self._piece_number(point)]))

    def information_state(self) -> str:
        """The information state with perfect recall: all that its seats have seen, as a text that restores the view.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", {"S": "cbfahdehgegidcfkjkijgjhli"}, seed=1)
        >>> move = game.push("a6b5")
        >>> game.view("S").information_state()
        'startpos lineup S:cbfahdehgegidcfkjkijgjhli viewer S moves a6b5'
        """
        moves = "".join(f" {format_move(self._board, seen)}" for seen in self.state.record)
        return self._head + (f" moves{moves}" if moves else "")

    def position_line(self) -> str:
        """The `position` command of the text protocol for this view."""
        return f"position {self.information_state()}"

    def _identity(self) -> object:
        return self.variant, self.rules, self.information_state()

    def copy(self) -> Self:
        copied = type(self).__new__(type(self))
        copied.state, copied._head, copied._first = self.state.copy(), self._head, self._first
        copied._chances = dict(self._chances)
        return copied

    def __repr__(self) -> str:
        return f"<View of {self.viewer}: {self.variant}, ply {self.ply()}>"

    @classmethod
    def _of(cls, state: SeatView) -> Self:
        view = cls.__new__(cls)
        view._begin(state)
        return view

    def _begin(self, state: SeatView) -> None:
        self.state = state
        self._head, self._first = start_text(state), state.turn
        self._chances = {}


class Game(ReadablePosition):
    """A game in which every piece is known. A missing line-up is drawn, from `seed` if it is given.

    >>> from junqi_engine import Game
    >>> game = Game("siguo", {"S": "cbfahdehgegidcfkjkijgjhli"}, seed=1)
    >>> game.turn, game.result, len(game.legal_moves), game.legal_moves[0]
    ('S', None, 41, Move('g6h5'))
    >>> game.push("g6h5")
    Move('g6h5')
    >>> game.pop(), game.ply()
    (Move('g6h5'), 0)

    `first` is the seat that moves first, `rules` has the limits. `BadLineup` if a line-up is not legal, `Refused`
    for an unknown variant or seat.
    """

    state: GameState
    comments: dict[int, str]
    """Comments by the number of the move before them, 0 before the first move; a record keeps them."""

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
        self._begin(GameState.start(board, given, rules, first_seat))

    @classmethod
    def from_fen(cls, fen: str, *, variant: str | None = None, rules: Rules | None = None) -> "Game":
        """The game of a FEN with viewer `*`; `BadPosition` if it is wrong. `variant` as in `View.from_fen`.

        >>> from junqi_engine import Game
        >>> game = Game("luzhanqi", seed=1)
        >>> Game.from_fen(game.fen()).fen() == game.fen()
        True
        """
        state = parse_game(board_of_fen(fen, variant), fen, rules)
        return cls._of(state, state.turn)

    @classmethod
    def from_record(cls, record: str | Mapping[str, Any]) -> "Game":
        """The game of a record: a line of the referee's file, or the object in it.

        Each move and its outcome are checked against the rules. `Refused` names the fault and its place.
        """
        with naming("record: "):
            table = GameRecord.from_line(record)
            for seat in "" if table.fen else board_of(table.variant).seats:
                if seat not in table.lineups:
                    raise Refused("bad-file", f"lineups: {seat} is missing")
            rules = Rules(**table.rules)
            game = (
                cls.from_fen(table.fen, variant=table.variant, rules=rules)
                if table.fen
                else cls(table.variant, table.lineups, first=table.first, rules=rules)
            )
        for number, move in enumerate(table.moves, 1):
            with naming(f"record, move {number}: "):
                game.push(move)
        game.comments = {int(move): comment for move, comment in table.comments.items()}
        return game

    @property
    def lineups(self) -> dict[str, str]:
        """The line-ups by seat; empty for a game from a FEN."""
        return {self.seats[seat]: lineup for seat, lineup in self.state.lineups.items()}

    @property
    def first(self) -> str:
        return self.seats[self._first]

    @property
    def ending(self) -> str | None:
        """The ending: `flag`, `no-moves`, `resigned`, `no-contact` or `max-plies`; None while the game continues."""
        if not self.is_game_over():
            return None
        start = self._beginning()
        flags = {seat: start.flag_point(seat) for seat in range(len(self.seats))}
        return ending_of(self.state, {seat: flag for seat, flag in flags.items() if flag is not None}).value

    def push(self, move: str) -> Move:
        """Play a move, `resign:SEAT` or `pass:SEAT`; returns it with its suffix.

        `IllegalMove` if it does not parse, is not legal, or has a suffix that is not the true one.
        """
        state = self.state
        wanted = parse_move(state.board, move)
        before = copied(state.positions)
        seen = state.repeat(wanted)
        played = trusted_move(format_move(state.board, seen))
        if not wanted.omits_suffix and not wanted.agrees_with(seen):
            state.record.pop()
            state.positions = before
            raise IllegalMove("impossible-outcome", f"{move}: the outcome is {played}")
        self._undo.append(before)
        return played

    def pop(self) -> Move:
        """Take back the last move and return it; IndexError if there is none, or if it was played before `clone`."""
        if not self._undo:
            raise IndexError("no move to take back")
        move = self.peek()
        self.comments.pop(len(self.state.record), None)
        self.state.record.pop()
        self.state.positions = copied(self._undo.pop())  # a copy, because copies of the game share the entry
        self._views.clear()
        return move

    def resign(self, seat: str | None = None) -> Move:
        return self.push(f"resign:{self.turn if seat is None else seat}")

    def view(self, viewer: str) -> View:
        """The view of one seat, one team, or `*` for all, now. It does not follow later moves."""
        view = self._views.get(viewer) or self._view_at_start(viewer)
        unseen = self.state.record[len(view.state.record) :]
        if unseen or viewer not in self._views:
            # A cached view never changes, so that copies of the game can share it.
            self._views[viewer] = view = view.copy()
            for seen in unseen:
                view.state.observe(seen)
        return view.copy()

    def record(self, *, number: int = 1, names: Mapping[str, str] | None = None) -> str:
        """The game as a line of the referee's file, without its newline. An unfinished game is `interrupted`.

        `names` are the names of the players, by their seats. `Refused` for a game from a FEN, which has no line-ups,
        for a `number` below 0, and for a comment on a move that was not played.
        """
        expect_at_least(0, "number", number)
        comments = {}
        for move, comment in self.comments.items():
            comments[str(int(move))] = comment
            if move not in range(len(self.state.record) + 1):
                raise Refused("bad-argument", f"comment {move}: there are {len(self.state.record)} moves")
        if not self.state.lineups:
            raise Refused("not-supported", "a game from a FEN has no line-ups, which a record needs")
        moves: list[str] = list(self.move_stack)
        return GameRecord(
            game=int(number),
            variant=self.variant,
            visibility="partner",
            engines={seats: {"name": name} for seats, name in (names or {}).items()},
            seed=0,
            rules=asdict(self.rules),
            lineups=self.lineups,
            first=self.first,
            moves=moves,
            times_ms=[0] * len(moves),
            scores=[None] * len(moves),
            result=self.result or DRAW,
            ending=self.ending or INTERRUPTED,
            comments=comments,
        ).as_line()

    def copy(self) -> Self:
        """An independent copy, which can take back all moves."""
        copied = self.clone()
        copied._undo = list(self._undo)
        return copied

    def clone(self) -> Self:
        """A copy for a search, in a few microseconds: it can take back only the moves that it plays itself."""
        cloned = type(self).__new__(type(self))
        cloned.state, cloned._start, cloned._first, cloned._undo = self.state.copy(), self._start, self._first, []
        cloned._views, cloned.comments = dict(self._views), dict(self.comments)
        return cloned

    def __repr__(self) -> str:
        return f"<Game: {self.variant}, ply {self.ply()}, {self.result or self.turn + ' to move'}>"

    def _begin(self, state: GameState) -> None:
        self.state, self._first = state, state.turn
        self._start = None if state.lineups else state.copy()
        self._undo: list[np.ndarray] = []
        self._views: dict[str, View] = {}
        self.comments = {}

    @classmethod
    def _of(cls, state: GameState, first: int) -> "Game":
        game = cls.__new__(cls)
        game._begin(state)
        game._first = first if state.lineups else state.turn
        return game

    def _beginning(self) -> GameState:
        if self._start is None:
            by_letter = {self.seats[seat]: lineup for seat, lineup in self.state.lineups.items()}
            self._start = GameState.start(self._board, by_letter, self.rules, self._first)
        return self._start

    def _view_at_start(self, viewer: str) -> View:
        board, start = self._board, self._beginning()
        seats = viewer_from_text(board, viewer)
        if not start.lineups:
            return View._of(hide(start, seats))
        lineups = {seat: lineup for seat, lineup in start.lineups.items() if contains(seats, seat)}
        return View._of(SeatView.start(board, seats, lineups, start.rules, start.turn))
