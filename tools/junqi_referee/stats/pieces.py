"""The pieces of a recorded game as they are played: where they stand, and what each has shown."""

from collections.abc import Mapping
from dataclasses import dataclass

from junqi_engine.rules.board import LINEUP_INDICES, Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.pieces import FLAG, LETTERS, Outcome


@dataclass
class Piece:
    """A piece; `row` is where it started, 0 in front to 5."""

    seat: str
    kind: int
    row: int
    has_moved: bool = False
    has_won: bool = False
    """Whether it has won a battle, as attacker or as defender."""


class Pieces:
    """The pieces by point. `play` follows a game that keeps to the rules."""

    def __init__(self, board: Board, lineups: Mapping[str, str]) -> None:
        self._board = board
        self._pieces = {
            board.block(board.seats.index(seat))[index]: Piece(seat, LETTERS.index(letter), index // 5)
            for seat, letters in lineups.items()
            for index, letter in zip(LINEUP_INDICES, letters, strict=True)
        }

    def at(self, point: int) -> Piece:
        return self._pieces[point]

    def eliminations(self, seen: SeenMove) -> list[tuple[str, str]]:
        """The seats that a move or an event eliminates, and why; to be called before `play`."""
        target = self._pieces.get(seen.to_point)
        has_fallen = target is not None and target.kind == FLAG and seen.outcome != Outcome.NO_BATTLE
        flag_owner = target.seat if target is not None and has_fallen else ""
        resigned = "" if seen.resigned is None else self._board.seats[seen.resigned]
        gone = {resigned} - {""} | {self._board.seats[seat] for seat in seen.eliminated}
        causes = {flag_owner: "flag", resigned: "resigned"}
        return [(seat, causes.get(seat, "no-moves")) for seat in sorted(gone)]

    def play(self, seen: SeenMove) -> None:
        gone = {seat for seat, _ in self.eliminations(seen)}
        if seen.is_ply:
            piece = self._pieces.pop(seen.from_point)
            piece.has_moved = True
            if seen.outcome == Outcome.BOTH_REMOVED:
                del self._pieces[seen.to_point]
            elif seen.outcome == Outcome.DEFENDER_WON:
                self._pieces[seen.to_point].has_won = True
            else:
                piece.has_won |= seen.outcome == Outcome.ATTACKER_WON
                self._pieces[seen.to_point] = piece
        if gone:
            self._pieces = {point: piece for point, piece in self._pieces.items() if piece.seat not in gone}
