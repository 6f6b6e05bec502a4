"""The true position of one game, and what of it each player is told."""

from collections.abc import Mapping

from junqi_engine.errors import JunqiError
from junqi_engine.information.snapshot import view_of_snapshot
from junqi_engine.information.view import SeatView
from junqi_engine.notation.fen import format_fen
from junqi_engine.notation.moves import OPEN_VIEWER, format_code, format_move, parse_move, parse_viewer
from junqi_engine.notation.text import draw_text, status
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, LINEUP_INDICES
from junqi_engine.rules.game import GameState
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import LETTERS, UNKNOWN
from junqi_engine.rules.position import Result
from junqi_engine.rules.setup import Placement
from tools.referee.endings import Ending


class IllegalMove(ValueError):
    """An answer that is no legal move."""


class Truth:
    """A game in progress, in the words of the protocol: seats are letters, moves are text.

    `moves` is the public record so far. Players are told positions by `position_line`, which names the line-ups of
    their own seats only.
    """

    def __init__(self, variant: str, lineups: Mapping[str, str], first: str, rules: Rules) -> None:
        self.board = BOARDS[variant]
        self.lineups = dict(lineups)
        self.first = first
        self.rules = rules
        self.moves: list[str] = []
        self._state = GameState.from_placements(
            self.board, rules, self._placements(OPEN_VIEWER), self.board.seats.index(first), self.board.all_alive, 0, 0
        )
        self._heads: dict[str, str] = {}
        self._views: dict[str, SeatView] = {}
        self._tail = ""

    @property
    def turn(self) -> str:
        """The seat to move."""
        return self.board.seats[self._state.turn]

    @property
    def alive(self) -> str:
        """The seats still in."""
        return "".join(seat for index, seat in enumerate(self.board.seats) if self._state.alive >> index & 1)

    @property
    def ply(self) -> int:
        return self._state.ply

    @property
    def result(self) -> str | None:
        """The seats of the team that has won, `draw`, or None as long as the game goes on."""
        result = self._state.result
        if result == Result.ONGOING:
            return None
        return "draw" if result == Result.DRAW else self.board.teams[result - Result.TEAM_0]

    @property
    def ending(self) -> Ending:
        """How a finished game ended."""
        last = self._state.record[-1]
        if self._state.result == Result.DRAW:
            at_limit = self.rules.no_contact and self._state.quiet >= self.rules.no_contact
            return Ending.NO_CONTACT if at_limit else Ending.MAX_PLIES
        loser = 1 if self._state.result == Result.TEAM_0 else 0
        if any(seat & 1 == loser and self._state.alive >> seat & 1 for seat in range(len(self.board.seats))):
            return Ending.NO_CONTACT
        fallen = [seat for seat in last.eliminated if seat & 1 == loser]
        if not fallen:
            return Ending.RESIGNED
        # A taken flag's owner comes first of those who are out; whoever comes after it had no move.
        return Ending.FLAG if last.resigned is None and fallen[-1] == self._owner_of_taken_flag() else Ending.NO_MOVES

    def position_line(self, viewer: str) -> str:
        """The `position` command for a player who sees the seats `viewer`, one seat, one team or all."""
        if viewer not in self._heads:
            self._heads[viewer] = self._head(viewer)
        return self._heads[viewer] + self._tail

    def play(self, text: str, seats: str | None = None) -> str:
        """Play what an engine answered, a move or `resign:SEAT`; the move with what everyone saw of it.

        With `seats`, those of whoever answers, no other seat can be resigned.
        """
        try:
            answer = parse_move(self.board, text)
            if not answer.is_bare:
                raise IllegalMove(f"{text!r} says what came of it, which only the referee knows")
            if answer.resigned is not None and seats is not None and self.board.seats[answer.resigned] not in seats:
                raise IllegalMove(f"{text!r} resigns a seat of another player")
            if answer.resigned is None:
                seen = self._state.play(256 * answer.from_point + answer.to_point)
            else:
                seen = self._state.resign(answer.resigned)
        except JunqiError as error:
            raise IllegalMove(f"{text[:60]!r} is not legal: {error}") from error
        move = format_move(self.board, seen)
        self.moves.append(move)
        self._tail += (" " if self._tail else " moves ") + move
        return move

    def legal(self) -> list[str]:
        """The legal moves, in board order."""
        return [format_code(self.board, move) for move in self._state.legal_moves()]

    def view(self, viewer: str) -> SeatView:
        """What the seats `viewer` have seen so far. It goes on with the game: don't keep it."""
        if viewer not in self._views:
            self._views[viewer] = self._start_view(viewer)
        view = self._views[viewer]
        for seen in self._state.record[len(view.record) :]:
            view.observe(seen)
        return view

    def drawing(self, viewer: str) -> list[str]:
        """The board as the seats `viewer` see it, then whose turn it is or what the result is."""
        view = self.view(viewer)
        return [*draw_text(view), status(view)]

    def _head(self, viewer: str) -> str:
        if self.first != self.board.seats[0]:
            return f"position fen {format_fen(self._start_view(viewer))}"
        seats = self.board.seats if viewer == OPEN_VIEWER else viewer
        return f"position startpos lineup {' '.join(f'{seat}:{self.lineups[seat]}' for seat in seats)} viewer {viewer}"

    def _owner_of_taken_flag(self) -> int | None:
        """The seat whose flag the last move took or bombed."""
        last = self._state.record[-1]
        owner, index = divmod(last.to_point, BLOCK_POINTS)
        if owner not in last.eliminated:
            return None
        # A flag never moves, so that nothing else can have stood there as long as its seat was in.
        letters = dict(zip(LINEUP_INDICES, self.lineups[self.board.seats[owner]], strict=True))
        return owner if letters.get(index) == "l" else None

    def _start_view(self, viewer: str) -> SeatView:
        seats = parse_viewer(self.board, viewer)
        first = self.board.seats.index(self.first)
        placements = self._placements(viewer)
        return view_of_snapshot(self.board, seats, placements, first, self.board.all_alive, rules=self.rules)

    def _placements(self, viewer: str) -> list[Placement]:
        """The pieces at the start, those of seats outside `viewer` hidden."""
        return [
            Placement(
                number,
                BLOCK_POINTS * number + index,
                LETTERS.index(letter) if viewer == OPEN_VIEWER or seat in viewer else UNKNOWN,
            )
            for number, seat in enumerate(self.board.seats)
            for index, letter in zip(LINEUP_INDICES, self.lineups[seat], strict=True)
        ]
