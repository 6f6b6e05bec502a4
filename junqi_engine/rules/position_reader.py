"""Read access to a position, its legal moves, and the reasons why other moves are illegal.

Only `why_illegal` knows the reasons. They name points and owners of pieces, which everybody sees, and the kind of the
moving piece, if the position has it: in a view, if the viewer knows it.
"""

import numpy as np

from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import apply_limits
from junqi_engine.rules.layout import (
    NO_PIECE,
    contains,
    from_point_of,
    piece_in,
    piece_of,
    seat_of,
    slice_of,
    team_of,
    to_point_of,
)
from junqi_engine.rules.movegen import MAX_MOVES, generate
from junqi_engine.rules.pieces import ENGINEER, FLAG, IMMOBILE_MASK, NAMES, PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import Copyable, Result, copied, result_by_team


def legal_moves(board: Board, positions: np.ndarray) -> list[int]:
    """The moves (`layout.move_of`) of the seat to move, ascending. Does not change the position."""
    moves = np.empty(MAX_MOVES, np.uint16)
    count = generate(board.tables, copied(positions)[0], moves, 0)
    return sorted(moves[:count].tolist())


def result_of(positions: np.ndarray) -> Result:
    """The result, computed from the seats that are not eliminated and from the limits."""
    position = copied(positions)[0]
    position["result"] = result_by_team(int(position["alive"]))
    if position["result"] == Result.ONGOING:
        apply_limits(position)
    return Result(int(position["result"]))


class PositionReader(Copyable):
    """A mixin that reads the position in `positions`, an array of one record."""

    positions: np.ndarray

    @property
    def position(self) -> np.void:
        record: np.void = self.positions[0]
        return record

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

    def is_alive(self, seat: int) -> bool:
        return bool(contains(self.alive, seat))

    def piece_at(self, point: int) -> int | None:
        """The piece on a point; None if it is empty."""
        occupant = int(self.position["board"][point])
        return None if occupant == NO_PIECE else piece_in(occupant)

    def points_of(self, seat: int) -> list[int]:
        where = self.position["where"][slice_of(seat, PIECES_PER_SEAT)]
        present = int(self.position["present"][seat])
        return sorted(int(where[slot]) for slot in range(PIECES_PER_SEAT) if contains(present, slot))

    def flag_point(self, seat: int) -> int | None:
        """The point of a seat's flag; None if it is not known, or if the seat has no flag, in a study."""
        present = int(self.position["present"][seat])
        for slot in range(PIECES_PER_SEAT):
            piece = piece_of(seat, slot)
            if contains(present, slot) and self.position["kind"][piece] == FLAG:
                return int(self.position["where"][piece])
        return None


GAME_OVER = "the game has ended"


def why_illegal(board: Board, reader: PositionReader, move: int) -> str:
    """The reason why an illegal move (`layout.move_of`) is illegal, in words. The game must not be over."""
    start, target = from_point_of(move), to_point_of(move)
    if max(start, target) >= len(board.names):
        return "the board has no such point"
    name, other = board.names[start], board.names[target]
    mover = reader.piece_at(start)
    if mover is None:
        return f"no piece stands on {name}"
    if seat_of(mover) != reader.turn:
        return f"the piece on {name} is {board.seats[seat_of(mover)]}'s, and {board.seats[reader.turn]} is to move"
    kind = int(reader.position["kind"][mover])
    if board.is_headquarters(start):
        return f"{name} is a headquarters, and no piece leaves one"
    if kind != UNKNOWN and contains(IMMOBILE_MASK, kind):
        return f"the piece on {name} is a {NAMES[kind].split()[0]}, which cannot move"
    if start == target:
        return f"the piece stands on {name} already"
    is_step = target in board.road_steps[start] or frozenset((start, target)) in board.rails
    lines = [line for line in board.lines if start in line and target in line]
    if not is_step and not {start, target} <= board.rail_points:
        return f"no road or railway leads from {name} to {other}"
    if not is_step and not lines and kind not in (ENGINEER, UNKNOWN):
        return f"the railway from {name} to {other} turns, and only an Engineer can turn"
    occupant = reader.piece_at(target)
    if occupant is not None and team_of(seat_of(occupant)) == team_of(seat_of(mover)):
        return f"{other} is taken by a piece of the same team"
    if occupant is not None and board.is_campsite(target):
        return f"{other} is a campsite, and the piece on it cannot be attacked"
    for line in lines:
        here, there = line.index(start), line.index(target)
        between = line[here + 1 : there] if here < there else line[there + 1 : here][::-1]
        for point in between:
            if reader.piece_at(point) is not None:
                return f"the way is blocked at {board.names[point]}"
    return f"every way from {name} to {other} is blocked"
