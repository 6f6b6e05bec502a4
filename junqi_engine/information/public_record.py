"""The public record of a game, replayed once: the position as everybody sees it, and what its moves tell."""

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from junqi_engine.information.belief.move_likelihoods import new_likelihoods, update_likelihoods
from junqi_engine.information.belief.policy import Policies
from junqi_engine.information.public_state import NO_POINT, PUBLIC_STATE, play_recorded
from junqi_engine.rules.board import Board, points_seen_from
from junqi_engine.rules.effects import UNDO, eliminate
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import contains, piece_in, seat_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import PIECES_PER_SEAT, UNKNOWN
from junqi_engine.rules.position import copied, new_positions, place_lineup


class PublicRecord:
    """The record from the start of a game, up to `length` entries.

    `positions` and `states` (`PUBLIC_STATE`) are arrays of one record; all kinds in the position are unknown. With
    policies, `likelihoods` has a `LIKELIHOODS` for each; otherwise it is None.
    """

    def __init__(self, board: Board, policies: Policies | None = None) -> None:
        self.board, self.length = board, 0
        self.positions = new_positions(board, Rules.of(board), board.all_alive, 0)
        self.states, self._undos = np.zeros(1, PUBLIC_STATE), np.zeros(1, UNDO)
        self.states[0]["last_from"] = self.states[0]["last_to"] = NO_POINT
        for seat in range(len(board.seats)):
            place_lineup(board, self.positions[0], seat, [UNKNOWN] * PIECES_PER_SEAT)
            self.states[0]["relative_point"][seat, : len(board.points)] = points_seen_from(board, seat)
        self._policies = policies
        self.likelihoods = None if policies is None else new_likelihoods(policies.exponents)

    def extended(self, record: Sequence[SeenMove], stop: Sequence[int] | np.ndarray = (0,)) -> Self:
        """A copy that has read the rest of a longer record, or itself. Once `stop[0]` is set, no more is read."""
        if self.length == len(record):
            return self
        twin = copy(self)
        twin.positions, twin.states, twin._undos = map(copied, (self.positions, self.states, self._undos))
        twin.likelihoods = None if self.likelihoods is None else copied(self.likelihoods)
        for seen in record[self.length :]:
            if stop[0]:
                break
            twin.append(seen)
        return twin

    def set_turn(self, seen: SeenMove) -> None:
        """Give the turn to the seat of a move: the record alone does not tell who moved first."""
        self.positions[0]["turn"] = seat_of(piece_in(int(self.positions[0]["board"][seen.from_point])))

    def append(self, seen: SeenMove) -> None:
        """Read the next entry."""
        self.length += 1
        position, state, tables = self.positions[0], self.states[0], self.board.tables
        if seen.is_ply:
            self.set_turn(seen)
            if self._policies is not None:
                update_likelihoods(
                    tables, position, state, self._policies.tables, np.uint16(seen.move), self.likelihoods
                )
            play_recorded(tables, position, state, np.uint16(seen.move), np.uint8(seen.outcome), self._undos[0])
        for seat in (*seen.eliminated, *(() if seen.resigned is None else (seen.resigned,))):
            if contains(int(position["alive"]), seat):
                eliminate(position, np.uint8(seat))
