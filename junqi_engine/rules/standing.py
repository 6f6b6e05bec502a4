"""TODO."""

import numpy as np

from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import apply_limits
from junqi_engine.rules.movegen import MAX_MOVES, generate
from junqi_engine.rules.pieces import FLAG, PIECES_PER_SEAT
from junqi_engine.rules.position import Result
from junqi_engine.rules.setup import result_by_team


def legal_moves(board: Board, position: np.void) -> list[int]:
    """The moves (`256 * from + to`) of the seat to move, ascending. Leaves `position` alone, its scratch included."""
    moves = np.empty(MAX_MOVES, np.uint16)
    count = generate(board.tables, position.copy(), moves, 0)
    return sorted(moves[:count].tolist())


def result_of(position: np.void) -> Result:
    """The result, decided afresh from who is alive and from the limits."""
    position = position.copy()
    position["result"] = result_by_team(int(position["alive"]))
    if position["result"] == Result.ONGOING:
        apply_limits(position)
    return Result(int(position["result"]))


class Standing:
    """How the game of a `position` record stands, for those who hold one."""

    position: np.void

    @property
    def turn(self) -> int:
        return int(self.position["turn"])

    @property
    def alive(self) -> int:
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

    def piece_at(self, point: int) -> int | None:
        """The piece (`32 * seat + slot`) on a point."""
        code = int(self.position["board"][point])
        return code & 127 if code else None

    def points_of(self, seat: int) -> list[int]:
        """The points of a seat's pieces, ascending."""
        board = self.position["board"]
        return [int(point) for point in np.flatnonzero((board & 0xE0) == (0x80 | seat << 5))]

    def flag_point(self, seat: int) -> int | None:
        """Where a seat's flag is known to stand; None as well in a study in which it has none."""
        present = int(self.position["present"][seat])
        for slot in range(PIECES_PER_SEAT):
            if present >> slot & 1 and self.position["kind"][32 * seat + slot] == FLAG:
                return int(self.position["where"][32 * seat + slot])
        return None
