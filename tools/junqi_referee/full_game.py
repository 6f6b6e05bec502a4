"""A game with all pieces known, and the part of it that each player is told."""

from collections.abc import Mapping

from junqi_engine.errors import IllegalMove, Refused, quoted
from junqi_engine.information.snapshot import hide
from junqi_engine.information.view import SeatView
from junqi_engine.notation.drawing import draw_text, status
from junqi_engine.notation.fen import format_fen, parse_game
from junqi_engine.notation.moves import NO_VIEWER, OPEN_VIEWER, format_code, format_move, parse_move, parse_viewer
from junqi_engine.rules import game_state
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import contains
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import Result
from junqi_referee.endings import Ending

MAX_QUOTED = 60
"""Characters of a move that a message quotes."""


class FullGame:
    """A game in progress, in the notation of the protocol: seats are letters, moves are text.

    `moves` is the public record so far, with suffixes. `position_line` is the command that a player gets: it contains
    only the line-ups of that player's seats. `bad-lineup` if a line-up is not legal, KeyError if one is missing. The
    game may also start from a `fen` with the viewer `*` in place of line-ups; `bad-position` if it is wrong.
    """

    def __init__(self, variant: str, lineups: Mapping[str, str], first: str, rules: Rules, fen: str = "") -> None:
        self.board = BOARDS[variant]
        self.lineups = dict(lineups)
        self.rules = Rules.of(self.board, rules)
        self.moves: list[str] = []
        if fen:
            self._start = parse_game(self.board, fen, self.rules)
        else:
            if missing := [seat for seat in self.board.seats if seat not in lineups]:
                raise KeyError(missing[0])
            self._start = GameState.start(self.board, self.lineups, self.rules, self.board.seats.index(first))
        self.first = self.board.seats[self._start.turn]
        self._is_from_fen = bool(fen)
        self._state = self._start.copy()
        self._heads: dict[str, str] = {}
        self._views: dict[str, SeatView] = {}
        self._tail = ""

    @property
    def turn(self) -> str:
        return self.board.seats[self._state.turn]

    @property
    def alive(self) -> str:
        """The seats that are not eliminated."""
        return "".join(seat for index, seat in enumerate(self.board.seats) if contains(self._state.alive, index))

    @property
    def ply(self) -> int:
        return self._state.ply

    @property
    def result(self) -> str | None:
        """The seats of the winning team, `draw`, or None while the game continues."""
        result = self._state.result
        if result == Result.ONGOING:
            return None
        return "draw" if result == Result.DRAW else self.board.teams[result - Result.TEAM_0]

    @property
    def ending(self) -> Ending:
        """The ending of a finished game."""
        flags = {seat: self._start.flag_point(seat) for seat in range(len(self.board.seats))}
        return Ending(
            game_state.ending_of(self._state, {seat: flag for seat, flag in flags.items() if flag is not None})
        )

    def position_line(self, viewer: str) -> str:
        """The `position` command for the viewer `viewer`: one seat, one team, or `*`."""
        if viewer not in self._heads:
            self._heads[viewer] = self._head(viewer)
        return self._heads[viewer] + self._tail

    def play(self, text: str, seats: str | None = None) -> str:
        """Play a move without a suffix, `resign:SEAT` or `pass:SEAT`; return it with its suffix.

        `seats` are those of the player that moves, the only ones that it may resign; None allows all seats. A player
        cannot pass: only its clock does that. Raises `IllegalMove`.
        """
        try:
            wanted = parse_move(self.board, text)
            if not wanted.omits_suffix:
                raise IllegalMove("illegal-move", "it has a suffix, which only the referee may add")
            if wanted.resigned is not None and seats is not None and self.board.seats[wanted.resigned] not in seats:
                raise IllegalMove("illegal-move", "it resigns a seat of another player")
            if wanted.passed is not None and seats is not None:
                raise IllegalMove("illegal-move", "a player cannot pass")
            seen = self._state.repeat(wanted)
        except Refused as error:
            raise IllegalMove(
                error.code, f"{quoted(text, MAX_QUOTED)} is not legal: {str(error).removeprefix(f'{text}: ')}"
            ) from error
        move = format_move(self.board, seen)
        self.moves.append(move)
        self._tail += (" " if self._tail else " moves ") + move
        return move

    def legal(self) -> list[str]:
        """The legal moves, in board order."""
        return [format_code(self.board, move) for move in self._state.legal_moves()]

    def view(self, viewer: str) -> SeatView:
        """The view of the seats `viewer`, or of a spectator (`-`). Later moves change it: do not keep it."""
        if viewer not in self._views:
            self._views[viewer] = self._start_view(viewer)
        view = self._views[viewer]
        for seen in self._state.record[len(view.record) :]:
            view.observe(seen)
        return view

    def diagram(self, viewer: str) -> list[str]:
        """The board as the seats `viewer` see it, then the seat to move or the result, as lines of text."""
        view = self.view(viewer)
        return [*draw_text(view), status(view)]

    def _head(self, viewer: str) -> str:
        if self._is_from_fen or self.first != self.board.seats[0]:
            return f"position fen {format_fen(self._start_view(viewer))}"
        seats = self.board.seats if viewer == OPEN_VIEWER else viewer
        return f"position startpos lineup {' '.join(f'{seat}:{self.lineups[seat]}' for seat in seats)} viewer {viewer}"

    def _start_view(self, viewer: str) -> SeatView:
        return hide(self._start, 0 if viewer == NO_VIEWER else parse_viewer(self.board, viewer))


def ending_of(state: GameState, lineups: Mapping[str, str]) -> Ending:
    """The ending of a finished game that began with `lineups`, by seat letter."""
    return Ending(game_state.ending_of(state, game_state.flags_of(state.board, lineups)))
