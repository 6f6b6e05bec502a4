"""How a seat sees the board: turned so that its own block is where South's is, and its own seat comes first.

So one network can play every seat. *Relative* points and seats are those of the turned board; relative seat 0 is the
seat itself, 1 the next one in turn order.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from junqi_engine.rules.board import BOARDS, Board, points_seen_from
from junqi_engine.rules.layout import from_point_of, move_of, to_point_of


@dataclass(frozen=True)
class Frame:
    """The board as `seat` sees it.

    `absolute` is (points,): the point of the board by relative point; `relative` its inverse. An action is
    `from_point * points + to_point`, both relative.
    """

    board: Board
    seat: int
    absolute: np.ndarray
    relative: np.ndarray

    @property
    def actions(self) -> int:
        """The number of actions, legal or not."""
        return len(self.absolute) ** 2

    def action_of(self, move: int) -> int:
        """The action that is a move (`layout.move_of`)."""
        start, target = self.relative[from_point_of(move)], self.relative[to_point_of(move)]
        return int(start) * len(self.relative) + int(target)

    def move_of(self, action: int) -> int:
        """The move that is an action."""
        start, target = divmod(action, len(self.absolute))
        return move_of(int(self.absolute[start]), int(self.absolute[target]))

    def seats(self) -> list[int]:
        """The seats by relative seat."""
        count = len(self.board.seats)
        return [(self.seat + step) % count for step in range(count)]


@cache
def frame_of(variant: str, seat: int) -> Frame:
    """The frame of a seat of a variant."""
    board = BOARDS[variant]
    relative = np.array(points_seen_from(board, seat), np.intp)
    return Frame(board, seat, np.argsort(relative), relative)
