"""What a view is: a position, what is proven about its pieces, and the record. `SeatView` adds how it follows moves."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Self, TypeVar

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.information.behaviour import FEATURES, Tracker
from junqi_engine.information.knowledge import Knowledge
from junqi_engine.information.reading import Reader
from junqi_engine.rules.board import HEADQUARTERS_INDICES, Board
from junqi_engine.rules.layout import PIECES, contains, enemy_field, seat_of, slice_of
from junqi_engine.rules.lineup import DEFAULT, MASK_AT
from junqi_engine.rules.movegen import can_step
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import (
    COUNTS,
    FLAG,
    MARSHAL,
    MINE,
    MOVABLE_MASK,
    PIECES_PER_SEAT,
    UNKNOWN,
)
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.rules.setup import lineup_kinds, new_position, place_lineup, set_movable, set_rules
from junqi_engine.rules.standing import Standing, legal_moves, result_of

Follower = TypeVar("Follower", Tracker, Reader)


@dataclass
class ViewState(Standing):
    """The view of the seats in the set `viewer`. Pieces and points are as in `position`.

    `known` is what is proven about every piece; `refresh` derives the kinds and the mobility in `position` from it.
    `shown_flags` has the point of a revealed flag by seat, or None. `is_followed` is whether `record` goes back to the
    start of a game, whoever moved first.
    """

    board: Board
    rules: Rules
    viewer: int
    position: np.void
    known: Knowledge
    shown_flags: list[int | None]
    record: list[SeenMove] = field(default_factory=list)
    is_followed: bool = False
    _tracker: Tracker | None = field(default=None, init=False, repr=False, compare=False)
    _reader: Reader | None = field(default=None, init=False, repr=False, compare=False)
    _following: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)
    """Held while the record is followed: a belief may be asked for beside a search of the same view."""

    @classmethod
    def start(
        cls,
        board: Board,
        viewer: int,
        lineups: Mapping[int, str] | None = None,
        rules: Rules | None = None,
        first: int = 0,
    ) -> Self:
        """The view at the start of a game in which seat `first` moves first.

        `lineups` are by seat; a missing one is the built-in one. `leak` for a line-up of a seat that is not in
        `viewer`, `bad-lineup` for one that is not legal.
        """
        rules = Rules.of(board, rules)
        lineups = lineups or {}
        position = new_position(board, rules, board.all_alive, first)
        masks = np.zeros(PIECES, np.uint16)
        for seat, letter in enumerate(board.seats):
            if contains(viewer, seat):
                kinds = lineup_kinds(letter, lineups.get(seat, DEFAULT))
                own_masks = [1 << kind for kind in kinds]
            elif seat in lineups:
                raise JunqiError("leak", f"{letter}'s line-up is given, but {letter} is not in the viewer")
            else:
                kinds, own_masks = [UNKNOWN] * PIECES_PER_SEAT, list(MASK_AT)
            place_lineup(board, position, seat, kinds)
            masks[slice_of(seat, PIECES_PER_SEAT)] = own_masks
        # If the viewer sees no seat, every battle is between hidden pieces, and exact deduction would take too long.
        known = Knowledge(masks, board.all_alive & ~viewer, is_exact=viewer != 0)
        view = cls(board, rules, viewer, position, known, [None] * len(board.seats), is_followed=True)
        view.refresh()
        return view

    # Reading

    @property
    def is_open(self) -> bool:
        """Whether the viewer sees every seat."""
        return self.viewer == self.board.all_alive

    @property
    def hidden_seats(self) -> int:
        return self.known.hidden_seats

    @property
    def masks(self) -> np.ndarray:
        """(128,) by piece, on the board or removed: what it may be."""
        return self.known.masks

    @property
    def relations(self) -> np.ndarray:
        """(n, 3): the battles in which neither piece is certain."""
        return self.known.relations

    def sees(self, seat: int) -> bool:
        return bool(contains(self.viewer, seat))

    @property
    def revealed_seats(self) -> int:
        """The set of seats whose flag is revealed."""
        return sum(1 << seat for seat, flag in enumerate(self.shown_flags) if flag is not None)

    def shows(self, piece: int) -> bool:
        """Whether the viewer may know a piece on the board: it belongs to the viewer or is a revealed flag."""
        seat = seat_of(piece)
        return self.sees(seat) or self.shown_flags[seat] == self.position["where"][piece]

    def mask_at(self, point: int) -> int:
        """What the piece on a point may be; 0 if the point is empty."""
        piece = self.piece_at(point)
        return 0 if piece is None else int(self.masks[piece])

    def behaviour(self) -> np.ndarray:
        """What every piece has done, (128, 8) by piece and `behaviour.FEATURES`; all 0 if not `is_followed`."""
        tracker = self.tracker()
        return np.zeros((PIECES, len(FEATURES))) if tracker is None else tracker.features()

    def tracker(self) -> Tracker | None:
        """The deeds of every piece up to now; None if not `is_followed`.

        Only the part of the record is read that is new since the last call, of this view or of the one it copies.
        """
        with self._following:
            if self.is_followed:
                self._tracker = self.bring_up_to_date(self._tracker or Tracker(self.board))
            return self._tracker

    def reader(self) -> Reader | None:
        """What the moves up to now tell; None if not `is_followed`.

        Only the part of the record is read that is new since the last call, of this view or of the one it copies.
        """
        with self._following:
            if self.is_followed:
                self._reader = self.bring_up_to_date(self._reader or Reader(self.board))
            return self._reader

    def bring_up_to_date(self, follower: Follower) -> Follower:
        """Let a follower of the record read what is new since its last call; returns the follower."""
        for seen in self.record[follower.followed :]:
            follower.follow(seen)
        return follower

    def legal_moves(self) -> list[int]:
        """The legal moves (`layout.move_of`), ascending; `not-our-seat` if the seat to move is hidden."""
        if self.result == Result.ONGOING and not self.sees(self.turn):
            raise JunqiError("not-our-seat", f"{self.board.seats[self.turn]} is to move, whose pieces are hidden")
        return legal_moves(self.board, self.position)

    def copy(self) -> Self:
        copied = type(self)(
            self.board, self.rules, self.viewer, self.position.copy(), self.known.copy(), list(self.shown_flags),
            list(self.record), self.is_followed,
        )  # fmt: skip
        with self._following:
            copied._tracker = self._tracker and self._tracker.copy()
            copied._reader = self._reader and self._reader.copy()
        return copied

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_following"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        super().__setstate__({**state, "_following": Lock()})

    def change_rules(self, rules: Rules) -> None:
        """Continue under other limits, which may end the game or continue a drawn one."""
        self.rules = Rules.of(self.board, rules)
        set_rules(self.board, self.position, self.rules)
        self.position["result"] = result_of(self.position)

    def can_be_immobile(self, seat: int) -> bool:
        """Whether a hidden seat may have only landmines, flags and pieces in headquarters."""
        present = int(self.position["present"][seat]).bit_count()
        # Counting first: a seat with more pieces has a mobile one outside the headquarters.
        most = COUNTS[MINE] + COUNTS[FLAG] + len(HEADQUARTERS_INDICES) * len(self.board.seats)
        if self.sees(seat) or present > most:
            return False
        return self.known.can_all_be_immobile(self.outside_headquarters(seat))

    def outside_headquarters(self, seat: int) -> list[int]:
        """The pieces of a seat that are on the board, but not in a headquarters."""
        points = [point for point in self.points_of(seat) if not self.board.is_headquarters(point)]
        return [piece for piece in map(self.piece_at, points) if piece is not None]

    def _state(self) -> tuple[np.void, Knowledge, list[int | None]]:
        """Everything that a move changes, as a copy."""
        return self.position.copy(), self.known.copy(), list(self.shown_flags)

    def _restore(self, state: tuple[np.void, Knowledge, list[int | None]]) -> None:
        position, known, shown_flags = state
        self.position, self.known, self.shown_flags = position.copy(), known.copy(), list(shown_flags)

    def with_free_step(self, seat: int) -> Iterator[int]:
        """The pieces of a seat that can move unless they are landmines or flags."""
        enemy = enemy_field(seat)
        for point in self.points_of(seat):
            piece = self.piece_at(point) or 0
            is_free = not self.board.is_headquarters(point)
            if is_free and can_step(self.board.tables, self.position, np.uint8(piece), enemy):
                yield piece

    def refresh(self) -> None:
        """Derive the kinds and the mobility in `position` from `known`."""
        self.position["kind"] = self.known.kinds()
        set_movable(self.board, self.position, self.masks & MOVABLE_MASK != 0)

    def lacks_flag(self, marshal: int) -> bool:
        """Whether a piece is a marshal of a seat that is known to have no flag."""
        seat = seat_of(marshal)
        return self.sees(seat) and self.position["kind"][marshal] == MARSHAL and self.flag_point(seat) is None
