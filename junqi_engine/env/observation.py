"""Frames and observations of a seat as arrays, made only from its `View`.

The board is turned so that the seat's own block is where South's is, so one network can play every seat. *Relative*
points and seats are those of the turned board; relative seat 0 is the seat itself, 1 the next one in turn order.

`observation` is (points, channels) of uint8, by relative point. S is the number of seats.

| channels | 1 if |
|---|---|
| 0 to S-1 | a piece of this relative seat is here |
| S to S+11 | kind `a` to `l` of the piece is possible; only one is if the kind is known |
| S+12 | the piece is a revealed flag |
| S+13 to S+H+12 | the k-th last move began here, the last move first; H is `history`, by default S |
| S+H+13 to S+2H+12 | the k-th last move ended here |

`counts` is (3S + 3,) of float32: by relative seat, 1 if it is not eliminated; its share of pieces on the board; 1 if
its flag is revealed. Then the no-contact counter divided by its limit, plies / 1000, and 1 if this seat is to move.

`action_mask` is (points * points,) of int8: 1 for a legal action, all 0 unless this seat is to move.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import numpy as np

from junqi_engine.api.game import View
from junqi_engine.api.readable import board_of, seat_of_letter
from junqi_engine.env.observing import SUBJECT, fill_observation
from junqi_engine.env.stepping import MAX_HISTORY
from junqi_engine.errors import IllegalMove, Refused
from junqi_engine.rules.board import Board, points_seen_from
from junqi_engine.rules.layout import from_point_of, move_of, to_point_of
from junqi_engine.rules.pieces import KINDS
from junqi_engine.rules.position import Result

Observation = dict[str, np.ndarray]


@dataclass(frozen=True)
class Frame:
    """The board turned for a seat.

    `absolute` is (points,): the point of the board by relative point; `relative` is its inverse. An action is
    `from_point * points + to_point`, both relative.
    """

    board: Board
    seat: int
    absolute: np.ndarray = field(compare=False)
    relative: np.ndarray = field(compare=False)

    @property
    def actions(self) -> int:
        return len(self.absolute) ** 2

    def action_of(self, move: int) -> int:
        """The action of a move (`layout.move_of`); `IllegalMove` if it lacks two points, like a resignation."""
        start, target, points = from_point_of(move), to_point_of(move), len(self.relative)
        if not (0 <= start < points and target < points):
            raise IllegalMove("illegal-move", f"move {move} has no action: it does not join two points of the board")
        return int(self.relative[start]) * points + int(self.relative[target])

    def move_of(self, action: int) -> int:
        """The move of an action; `IllegalMove` if the action is out of range."""
        if not 0 <= action < self.actions:
            raise IllegalMove("illegal-move", f"action {action} is not from 0 to {self.actions - 1}")
        start, target = divmod(action, len(self.absolute))
        return move_of(int(self.absolute[start]), int(self.absolute[target]))

    def seats(self) -> list[int]:
        count = len(self.board.seats)
        return [(self.seat + step) % count for step in range(count)]


@cache
def frame_of(variant: str, seat: int) -> Frame:
    """The frame of a seat, by its number. `Refused` for an unknown variant or seat."""
    board = board_of(variant)
    if not 0 <= seat < len(board.seats):
        raise Refused("bad-argument", f"seat {seat!r} is not from 0 to {len(board.seats) - 1}")
    relative = np.array(points_seen_from(board, seat), np.intp)
    return Frame(board, seat, np.argsort(relative), relative)


@dataclass(frozen=True)
class Observer:
    """An observer of views of one variant.

    `history` is the number of last moves in an observation, by default one for each seat. `Refused` for an unknown
    variant or a `history` out of range.
    """

    variant: str
    history: int | None = None

    def __post_init__(self) -> None:
        board_of(self.variant)
        if self.history is not None and not 0 <= self.history <= MAX_HISTORY:
            raise Refused("bad-argument", f"history {self.history!r} is not from 0 to {MAX_HISTORY}")
        object.__setattr__(self, "history", None if self.history is None else int(self.history))

    @property
    def moves(self) -> int:
        return self._seats if self.history is None else self.history

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `observation`: points and channels."""
        return len(board_of(self.variant).points), self._seats + KINDS + 1 + 2 * self.moves

    @property
    def count_entries(self) -> int:
        return 3 * self._seats + 3

    def frame(self, seat: int) -> Frame:
        return frame_of(self.variant, seat)

    def observe(self, view: View, seat: str | None = None) -> Observation:
        """The observation of a seat, by default the seat to move. `Refused` if the view does not see the seat."""
        if view.variant != self.variant:
            raise Refused("bad-argument", f"view: {view!r} is not one of {self.variant}")
        frame = self.frame(seat_of_letter(view.state.board, view.turn if seat is None else seat, "seat"))
        state = view.state
        if not state.sees(frame.seat):
            raise IllegalMove("not-our-seat", f"the pieces of {view.seats[frame.seat]} are hidden from {view!r}")
        mask = np.zeros(frame.actions, np.int8)
        if state.result == Result.ONGOING and state.turn == frame.seat:
            mask[[frame.action_of(move) for move in state.legal_moves()]] = 1
        last = [seen.move for seen in islice((seen for seen in reversed(state.record) if seen.is_ply), self.moves)]
        subject = np.zeros(1, SUBJECT)[0]
        subject["seat"], subject["flags"] = frame.seat, -1
        for seat_number, flag in enumerate(state.revealed_flags):
            subject["flags"][seat_number] = -1 if flag is None else flag
        board = np.empty(self.shape, np.uint8)
        counts = np.empty(self.count_entries, np.float32)
        fill_observation(
            state.position, state.masks, np.array(last, np.uint16), subject, frame.relative, board, counts,
        )  # fmt: skip
        return {"observation": board, "counts": counts, "action_mask": mask}

    @property
    def _seats(self) -> int:
        return len(frame_of(self.variant, 0).board.seats)
