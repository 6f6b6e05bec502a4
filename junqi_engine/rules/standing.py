"""Reading a position: whose turn it is, which pieces stand where, which moves are legal, how the game stands."""

import numpy as np

from junqi_engine.rules.board import Board
from junqi_engine.rules.copying import Copyable
from junqi_engine.rules.effects import apply_limits
from junqi_engine.rules.layout import NO_PIECE, contains, piece_in, piece_of, slice_of
from junqi_engine.rules.movegen import MAX_MOVES, generate
from junqi_engine.rules.pieces import FLAG, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_engine.rules.setup import result_by_team


def legal_moves(board: Board, position: np.void) -> list[int]:
    """The moves (`layout.move_of`) of the seat to move, ascending. Does not change `position`."""
    moves = np.empty(MAX_MOVES, np.uint16)
    count = generate(board.tables, position.copy(), moves, 0)
    return sorted(moves[:count].tolist())


def result_of(position: np.void) -> Result:
    """The result, computed from the seats that are not eliminated and from the limits."""
    position = position.copy()
    position["result"] = result_by_team(int(position["alive"]))
    if position["result"] == Result.ONGOING:
        apply_limits(position)
    return Result(int(position["result"]))


class Standing(Copyable):
    """Read access to a `position` record, for the classes that hold one."""

    position: np.void

    @property
    def turn(self) -> int:
        return int(self.position["turn"])

    @property
    def alive(self) -> int:
        """The set of seats that are not eliminated."""
        return int(self.position["alive"])

    @property
    def quiet(self) -> int:
        return int(self.position["quiet"])

    @property
    def ply(self) -> int:
        return int(self.position["ply"])

    @property
    def result(self) -> Result:
        return Result(int(self.position["result"]))

    def is_alive(self, seat: int) -> bool:
        """Whether a seat is not eliminated."""
        return bool(contains(self.alive, seat))

    def piece_at(self, point: int) -> int | None:
        """The piece on a point; None if it is empty."""
        occupant = int(self.position["board"][point])
        return None if occupant == NO_PIECE else piece_in(occupant)

    def points_of(self, seat: int) -> list[int]:
        """The points of a seat's pieces, ascending."""
        where = self.position["where"][slice_of(seat, PIECES_PER_SEAT)]
        present = int(self.position["present"][seat])
        return sorted(int(where[slot]) for slot in range(PIECES_PER_SEAT) if contains(present, slot))

    def flag_point(self, seat: int) -> int | None:
        """Where a seat's flag is known to stand; None also in a study in which the seat has no flag."""
        present = int(self.position["present"][seat])
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if contains(present, slot) and self.position["kind"][piece] == FLAG:
                return int(self.position["where"][piece])
        return None
