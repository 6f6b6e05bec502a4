"""The true position of one game, and what of it each player is told."""

import re
from collections.abc import Mapping

from junqi_engine.board import BOARDS, LINEUP_INDICES, Board
from junqi_engine.errors import JunqiError
from junqi_engine.pieces import LETTERS, Outcome
from junqi_engine.position import Result
from junqi_engine.state import GameState, Placement, Rules, SeenMove
from tools.referee.endings import Ending

RESIGN = "resign:"
_OUTCOMES = {Outcome.NO_BATTLE: "", Outcome.ATTACKER_WON: "x", Outcome.DEFENDER_WON: "o", Outcome.BOTH_LEFT: "="}


class IllegalMove(ValueError):
    """An answer that is no legal move."""


class Truth:
    """A game in progress, in the words of the protocol: seats are letters, moves are text.

    `moves` is the public record so far. Players are told positions by `position_line`, which names the line-ups of their
    own seats only.
    """

    def __init__(self, variant: str, lineups: Mapping[str, str], first: str, rules: Rules) -> None:
        self.board = BOARDS[variant]
        self.lineups = dict(lineups)
        self.first = first
        self.rules = rules
        self.moves: list[str] = []
        self._state = _start(self.board, lineups, self.board.seats.index(first), rules)
        self._heads: dict[str, str] = {}
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

    def play(self, text: str) -> str:
        """Play what an engine answered, a move or `resign:SEAT`; the move with what everyone saw of it."""
        if text.startswith(RESIGN):
            return self._resign(text)
        try:
            seen = self._state.play(parse_move(self.board, text))
        except JunqiError as error:
            raise IllegalMove(f"{text!r} is not legal here") from error
        return self._note(format_move(self.board, seen))

    def legal(self) -> list[str]:
        """The legal moves, in board order."""
        names = self.board.names
        return [names[move >> 8] + names[move & 255] for move in self._state.legal_moves()]

    def _resign(self, text: str) -> str:
        seat = text.removeprefix(RESIGN)
        if len(seat) != 1 or seat not in self.alive:
            raise IllegalMove(f"{text!r}: no seat that is still in")
        self._state.resign(self.board.seats.index(seat))
        return self._note(text)

    def _note(self, move: str) -> str:
        self.moves.append(move)
        self._tail += (" " if self._tail else " moves ") + move
        return move

    def _head(self, viewer: str) -> str:
        if self.first != self.board.seats[0]:
            return f"position fen {self._start_fen(viewer)}"
        seats = self.board.seats if viewer == "*" else viewer
        return f"position startpos lineup {' '.join(f'{seat}:{self.lineups[seat]}' for seat in seats)} viewer {viewer}"

    def _owner_of_taken_flag(self) -> int | None:
        """The seat whose flag the last move took or bombed."""
        last = self._state.record[-1]
        for seat in last.eliminated:
            letters = dict(zip(LINEUP_INDICES, self.lineups[self.board.seats[seat]], strict=True))
            owner, index = divmod(last.to_point, 30)
            if owner == seat and letters.get(index) == "l" and last.outcome != Outcome.NO_BATTLE:
                return seat
        return None

    def _start_fen(self, viewer: str) -> str:
        board = self.board
        at = {}
        for number, seat in enumerate(board.seats):
            for index, letter in zip(LINEUP_INDICES, self.lineups[seat], strict=True):
                at[board.squares[30 * number + index]] = seat + (letter if viewer == "*" or seat in viewer else "?")
        ranks = []
        for rank in reversed(range(board.height)):
            cells = "".join(at.get((file, rank), ".") for file in range(board.width))
            ranks.append(re.sub(r"\.+", lambda run: str(len(run.group())), cells))
        return f"{'/'.join(ranks)} {self.first} {board.seats} {viewer} 0 0"


def _start(board: Board, lineups: Mapping[str, str], first: int, rules: Rules) -> GameState:
    placements = [
        Placement(number, 30 * number + index, LETTERS.index(letter))
        for number, seat in enumerate(board.seats)
        for index, letter in zip(LINEUP_INDICES, lineups[seat], strict=True)
    ]
    return GameState.from_placements(board, rules, placements, first, board.all_alive, 0, 0)


def parse_move(board: Board, text: str) -> int:
    found = re.fullmatch(r"([a-z]\d+)([a-z]\d+)", text)
    if not found or any(name not in board.point_named for name in found.groups()):
        raise JunqiError("bad-move", text)
    start, target = (board.point_named[name] for name in found.groups())
    return 256 * start + target


def format_move(board: Board, seen: SeenMove) -> str:
    flags = "".join(f"!{board.names[point]}" for point in seen.shown_flags)
    gone = "".join(f"#{board.seats[seat]}" for seat in seen.eliminated)
    return board.names[seen.from_point] + board.names[seen.to_point] + _OUTCOMES[seen.outcome] + flags + gone
