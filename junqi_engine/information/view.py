"""SeatView: the knowledge of the players of some seats.

Players, belief and search get a view and nothing else. A view starts from the viewer's own line-ups or from a snapshot,
and only `observe` changes it. `redact` makes the view that the record of a `GameState` allows its seats. If `viewer`
contains every seat, nothing is hidden.
"""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from junqi_engine.errors import BadPosition, IllegalMove
from junqi_engine.information.belief.policy import load_policies
from junqi_engine.information.deduction import KNOWN, begin, deduce_known
from junqi_engine.information.following import follow, refresh
from junqi_engine.information.ply_record import MOVED, PASSED, PLY, REASONS, RESIGNED, Refusal
from junqi_engine.information.public_record import PublicRecord
from junqi_engine.information.public_state import PublicClass
from junqi_engine.rules import lineup
from junqi_engine.rules.board import Board
from junqi_engine.rules.game_state import GameState, SeenMove
from junqi_engine.rules.layout import PIECES, contains, seat_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import IMMOBILE_MASK, PIECES_PER_SEAT, UNKNOWN, Outcome
from junqi_engine.rules.position import Result, copied, lineup_kinds, new_positions, place_lineup, set_rules
from junqi_engine.rules.position_reader import GAME_OVER, PositionReader, legal_moves, result_of, why_illegal


@dataclass
class SeatView(PositionReader):
    """The view of the seats in the set `viewer`. Pieces and points are as in `position`.

    `known` is what is proven about every piece, as `deduction.KNOWN`; `refresh` derives the kinds and the mobility in
    `position` from it.
    `revealed_flags` has the point of a revealed flag by seat, or None. `is_followed` says whether `record` goes back to
    the start of a game.
    """

    board: Board
    rules: Rules
    viewer: int
    positions: np.ndarray
    knowns: np.ndarray
    revealed_flags: list[int | None]
    record: list[SeenMove] = field(default_factory=list)
    is_followed: bool = False
    _public_record: PublicRecord | None = field(default=None, init=False, repr=False, compare=False)
    """Copies of the view share it, so it is never changed."""

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
        positions = new_positions(board, rules, board.all_alive, first)
        for seat, letter in enumerate(board.seats):
            if contains(viewer, seat):
                kinds = lineup_kinds(letter, lineups[seat]) if seat in lineups else lineup.DEFAULT_KINDS
            elif seat in lineups:
                raise BadPosition("leak", f"{letter}'s line-up is given, but {letter} is not in the viewer")
            else:
                kinds = [UNKNOWN] * PIECES_PER_SEAT
            place_lineup(board, positions[0], seat, kinds)
        knowns = np.zeros(1, KNOWN)
        knowns["hidden_seats"] = board.all_alive & ~viewer
        begin(positions[0], knowns[0])
        view = cls(board, rules, viewer, positions, knowns, [None] * len(board.seats), is_followed=True)
        view.refresh()
        return view

    # Reading

    @property
    def known(self) -> np.void:
        record: np.void = self.knowns[0]
        return record

    @property
    def is_open(self) -> bool:
        return self.viewer == self.board.all_alive

    @property
    def hidden_seats(self) -> int:
        return int(self.known["hidden_seats"])

    @property
    def masks(self) -> np.ndarray:
        """(128,) by piece, on the board or removed: the set of kinds that it may have."""
        masks: np.ndarray = self.known["masks"]
        return masks

    @property
    def relations(self) -> np.ndarray:
        """(n, 3): the battles in which neither piece is certain."""
        relations: np.ndarray = self.known["relations"][: self.known["relation_count"]]
        return relations

    def sees(self, seat: int) -> bool:
        return bool(contains(self.viewer, seat))

    @property
    def revealed_seats(self) -> int:
        return sum(1 << seat for seat, flag in enumerate(self.revealed_flags) if flag is not None)

    def shows(self, piece: int) -> bool:
        """Whether the viewer may know a piece on the board: it belongs to the viewer or is a revealed flag."""
        seat = seat_of(piece)
        return self.sees(seat) or self.revealed_flags[seat] == self.position["where"][piece]

    def mask_at(self, point: int) -> int:
        """The set of kinds of the piece on a point; 0 if the point is empty."""
        piece = self.piece_at(point)
        return 0 if piece is None else int(self.masks[piece])

    def public_record(
        self, with_likelihoods: bool = False, stop: Sequence[int] | np.ndarray = (0,)
    ) -> PublicRecord | None:
        """The public record, replayed up to now; None if `record` does not go back to the start of the game.

        Only entries that are new since the last call are read, of this view or of the one it copies. To read the
        likelihoods of moves takes long: once `stop[0]` is set, no more entries are read.
        """
        if not self.is_followed:
            return None
        kept = self._public_record
        if kept is None or (with_likelihoods and kept.likelihoods is None):
            kept = PublicRecord(self.board, load_policies(self.board.variant) if with_likelihoods else None)
        elif not with_likelihoods and kept.likelihoods is not None and kept.length < len(self.record):
            return PublicRecord(self.board).extended(self.record)
        self._public_record = kept.extended(self.record, stop)
        return self._public_record

    def generator(self, seed: int) -> random.Random:
        """A generator that is the same in every process for the same view and seed."""
        position, key = self.position, str(seed).encode()[-hashlib.blake2b.MAX_KEY_SIZE :]
        told = b"".join(part.tobytes() for part in (position["board"], self.masks, position["turn"], position["ply"]))
        return random.Random(int.from_bytes(hashlib.blake2b(told, digest_size=8, key=key).digest(), "little"))

    def legal_moves(self) -> list[int]:
        """The legal moves (`layout.move_of`), ascending; `not-our-seat` if the seat to move is hidden."""
        if self.result == Result.ONGOING and not self.sees(self.turn):
            raise IllegalMove(
                "not-our-seat", f"{self.board.seats[self.turn]} is to move, but its pieces are hidden from this viewer"
            )
        return legal_moves(self.board, self.positions)

    # Copies

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__
        twin.positions, twin.knowns = copied(self.positions), copied(self.knowns)
        twin.revealed_flags, twin.record = [*self.revealed_flags], [*self.record]
        return twin

    # Changing

    def change_rules(self, rules: Rules) -> None:
        """Continue under other limits, which may end the game or continue a drawn one."""
        self.rules = Rules.of(self.board, rules)
        set_rules(self.board, self.position, self.rules)
        self.position["result"] = result_of(self.positions)

    def deduce(self) -> bool:
        """Derive all consequences of `known`. False if no world is possible; the masks are then undefined."""
        self.known["is_stale"] = True
        return bool(deduce_known(self.known))

    def refresh(self) -> None:
        refresh(self.board.tables, self.position, self.known)

    def observe(self, seen: SeenMove) -> SeenMove:
        """Follow a ply or an event; returns it with everything that a move without a suffix leaves out.

        `game-over`, `illegal-move`, `missing-outcome` (an enemy stood on the to-point, and the view does not know both
        pieces), or `impossible-outcome` (it contradicts what is known). A refused move changes nothing.
        """
        self._expect_possible(seen)
        ply, mover = _record_of(seen), self.turn
        if not follow(self.board.tables, self.position, self.known, ply):
            raise self._refusal(seen, self._open_reason(seen, Refusal(int(ply["refusal"]))))
        if seen.omits_suffix:
            seen = replace(
                seen,
                outcome=Outcome(int(ply["outcome"])),
                revealed_flags=tuple(ply["revealed"][: ply["revealed_count"]].tolist()),
                eliminated=tuple(ply["eliminated"][: ply["eliminated_count"]].tolist()),
            )
        if len(seen.revealed_flags) > 1 and self.board.owner(seen.revealed_flags[0]) != mover:
            seen = replace(seen, revealed_flags=seen.revealed_flags[::-1])  # either order is read; the record has one
        for point in seen.revealed_flags:
            if (owner := self.board.owner(point)) is not None:
                self.revealed_flags[owner] = point
        for seat in seen.eliminated if seen.resigned is None else (seen.resigned, *seen.eliminated):
            self.revealed_flags[seat] = None
        self.record.append(replace(seen, seat=mover) if seen.is_ply else seen)
        return self.record[-1]

    def _expect_possible(self, seen: SeenMove) -> None:
        """Refuse any ply after the end of the game, and events that nobody may cause."""
        if self.result != Result.ONGOING:
            raise IllegalMove("game-over", f"{self._text(seen)}: {GAME_OVER}")
        if seen.resigned is not None and not self.is_alive(seen.resigned):
            raise IllegalMove("illegal-move", f"{self._text(seen)}: the seat is already eliminated")
        if seen.passed is not None and seen.passed != self.turn:
            raise IllegalMove("illegal-move", f"{self._text(seen)}: {self.board.seats[self.turn]} is to move")

    def _open_reason(self, seen: SeenMove, reason: Refusal) -> Refusal:
        """Where every piece is known: in what a move with a suffix differs from what happens, if it does."""
        if not self.is_open or seen.omits_suffix or reason not in (Refusal.MISSING, Refusal.NO_LINEUP):
            return reason
        happens = self.copy().observe(SeenMove(seen.from_point, seen.to_point))
        if seen.outcome not in (Outcome.NO_BATTLE, happens.outcome):
            return Refusal.OTHER_OUTCOME
        if set(seen.revealed_flags) != set(happens.revealed_flags):
            return Refusal.OTHER_FLAGS
        return reason if set(seen.eliminated) <= set(happens.eliminated) else Refusal.OTHER_SEATS

    def _refusal(self, seen: SeenMove, reason: Refusal) -> IllegalMove:
        text = self._text(seen)
        if reason is Refusal.ILLEGAL:
            return IllegalMove("illegal-move", f"{text}: {why_illegal(self.board, self, seen.move)}")
        words = REASONS[reason].format(target=self.board.names[seen.to_point])
        if reason is Refusal.MISSING:
            return IllegalMove("missing-outcome", f"{text}: {words}")
        return IllegalMove("impossible-outcome", f"{text}: {words}")

    def _text(self, seen: SeenMove) -> str:
        if seen.resigned is not None:
            return f"resign:{self.board.seats[seen.resigned]}"
        if seen.passed is not None:
            return f"pass:{self.board.seats[seen.passed]}"
        return self.board.names[seen.from_point] + self.board.names[seen.to_point]


def _record_of(seen: SeenMove) -> np.void:
    ply = np.zeros(1, PLY)[0]
    if seen.resigned is not None:
        ply["event"], ply["seat"] = RESIGNED, seen.resigned
    elif seen.passed is not None:
        ply["event"] = PASSED
    else:
        ply["event"], ply["move"], ply["outcome"] = MOVED, seen.move, seen.outcome
    ply["omits_suffix"] = seen.omits_suffix
    for name, numbers in (("revealed", seen.revealed_flags), ("listed", seen.eliminated)):
        if numbers:
            ply[name][: len(numbers)], ply[f"{name}_count"] = numbers, len(numbers)
    return ply


def redact(state: GameState, seats: Iterable[int]) -> SeatView:
    """The view of a game that the players of `seats` have. ValueError if the game did not start from line-ups."""
    if not state.lineups:
        raise ValueError("a game from a snapshot has no record to replay")
    viewer = sum({1 << seat for seat in seats})
    lineups = {seat: lineup for seat, lineup in state.lineups.items() if contains(viewer, seat)}
    view = SeatView.start(state.board, viewer, lineups, state.rules, state.first)
    for seen in state.record:
        view.observe(seen)
    return view


@dataclass(frozen=True)
class PublicInfo:
    """`revealed` is the set of seats whose flag everybody knows; `classes` is (128,), by piece its `PublicClass`.

    The class of a piece that is no longer on the board means nothing.
    """

    revealed: int
    classes: np.ndarray


def public_info(view: SeatView) -> PublicInfo:
    """The public information about the position of a view.

    Without a record from the start of the game, the classes are guessed from what is proven about the hidden pieces and
    from the places of the others.
    """
    record = view.public_record()
    if record is not None:
        return PublicInfo(view.revealed_seats, record.states[0]["classes"].copy())
    classes = [_guess(view, piece) for piece in range(PIECES)]
    return PublicInfo(view.revealed_seats, np.array(classes, np.uint8))


def _guess(view: SeatView, piece: int) -> PublicClass:
    seat, point = seat_of(piece), int(view.position["where"][piece])
    if contains(view.hidden_seats, seat):
        mask = int(view.masks[piece])
        if mask & mask - 1 == 0:
            return PublicClass.WINNER
        return PublicClass.UNMOVED if mask & IMMOBILE_MASK else PublicClass.MOVED
    at_home = view.board.owner(point) == seat and not view.board.is_campsite(point)
    return PublicClass.UNMOVED if at_home else PublicClass.MOVED
