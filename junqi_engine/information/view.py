"""SeatView: what the players of some seats may see, and what follows from it.

A view is all that players, belief and search are given. It is made from the viewer's own line-ups or from a snapshot,
and kept up to date by `observe` alone; `redact` makes the view that the record of a `GameState` leaves to its seats.
With every seat in `viewer` nothing is hidden.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.information.evidence import PARTNERS, relation_code
from junqi_engine.information.knowledge import Knowledge
from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import apply_limits, eliminate
from junqi_engine.rules.game import GameState
from junqi_engine.rules.lineup import DEFAULT, MASK_AT
from junqi_engine.rules.movegen import can_step, has_move, reach
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import (
    BATTLE_TABLE,
    ENGINEER,
    FLAG,
    IMMOBILE_MASK,
    LETTERS,
    MARSHAL,
    MOVABLE_MASK,
    PIECES_PER_SEAT,
    UNKNOWN,
    Outcome,
)
from junqi_engine.rules.position import Result, enemy_bits
from junqi_engine.rules.record import SeenMove
from junqi_engine.rules.setup import lineup_kinds, new_position, place_lineup, set_movable, set_rules
from junqi_engine.rules.standing import Standing, legal_moves, result_of

_ENGINEER_ONLY = 2


@dataclass
class SeatView(Standing):
    """The view of the seats in `viewer` (a bit a seat). Pieces and points are as in `position`.

    `known` is what is proven of every piece; kinds and mobility in `position` follow it, see `refresh`. `shown_flags`
    has a point a seat, or None. `is_followed` is whether `record` leads back to a start from line-ups, whoever began.
    """

    board: Board
    rules: Rules
    viewer: int
    position: np.void
    known: Knowledge
    shown_flags: list[int | None]
    record: list[SeenMove] = field(default_factory=list)
    is_followed: bool = False

    @classmethod
    def start(
        cls,
        board: Board,
        viewer: int,
        lineups: Mapping[int, str] | None = None,
        rules: Rules | None = None,
        first: int = 0,
    ) -> "SeatView":
        """The view at the start of a game; `lineups` by seat, the built-in one where none is given. `first` begins.

        `leak` for a line-up of a seat that is not in `viewer`, `bad-lineup` for one that is not legal.
        """
        rules = rules or Rules.of(board)
        lineups = lineups or {}
        position = new_position(board, rules, board.all_alive, first)
        masks = np.zeros(128, np.uint16)
        for seat, letter in enumerate(board.seats):
            if viewer >> seat & 1:
                kinds = lineup_kinds(letter, lineups.get(seat, DEFAULT))
                own_masks = [1 << kind for kind in kinds]
            elif seat in lineups:
                raise JunqiError("leak", f"{letter}'s line-up is given, but {letter} is not in the viewer")
            else:
                kinds, own_masks = [UNKNOWN] * PIECES_PER_SEAT, list(MASK_AT)
            place_lineup(board, position, seat, kinds)
            masks[32 * seat : 32 * seat + PIECES_PER_SEAT] = own_masks
        # To one who sees no seat every battle is between hidden pieces: what is exact would take too long.
        known = Knowledge(masks, board.all_alive & ~viewer, is_exact=viewer != 0)
        view = cls(board, rules, viewer, position, known, [None] * len(board.seats), is_followed=True)
        view.refresh()
        return view

    # What it is

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden."""
        return self.viewer == self.board.all_alive

    @property
    def hidden_seats(self) -> int:
        return self.known.hidden_seats

    @property
    def masks(self) -> np.ndarray:
        """(128,) by piece: what it may be, dead or alive."""
        return self.known.masks

    @property
    def relations(self) -> np.ndarray:
        """(n, 3): the battles between pieces of which neither is certain."""
        return self.known.relations

    def sees(self, seat: int) -> bool:
        return bool(self.viewer >> seat & 1)

    def mask_at(self, point: int) -> int:
        """What the piece on a point may be; 0 on an empty one."""
        piece = self.piece_at(point)
        return 0 if piece is None else int(self.masks[piece])

    def legal_moves(self) -> list[int]:
        """The moves (`256 * from + to`) of the seat to move, ascending; `not-our-seat` if its pieces are hidden."""
        if self.result == Result.ONGOING and not self.sees(self.turn):
            raise JunqiError("not-our-seat", f"{self.board.seats[self.turn]} is to move, whose pieces are hidden")
        return legal_moves(self.board, self.position)

    def copy(self) -> "SeatView":
        return SeatView(
            self.board, self.rules, self.viewer, self.position.copy(), self.known.copy(), list(self.shown_flags),
            list(self.record), self.is_followed,
        )  # fmt: skip

    def change_rules(self, rules: Rules) -> None:
        """Play on under other limits; a draw may come or go with them."""
        self.rules = rules
        set_rules(self.position, rules)
        self.position["result"] = result_of(self.position)

    # What it sees

    def observe(self, seen: SeenMove) -> SeenMove:
        """Take in a ply or a resignation; gives it back with what a bare one left to be inferred.

        `game-over`, `illegal-move`, `missing-outcome` (an enemy stood on the target, and the view does not know
        both), or `impossible-outcome` (it contradicts what is known). A refused move changes nothing.
        """
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", f"{self._text(seen)}: the game has ended")
        before = self.position.copy(), self.known.copy(), list(self.shown_flags)
        try:
            whole = self._resign(seen) if seen.resigned is not None else self._move(seen)
        except JunqiError:
            self.position, self.known, self.shown_flags = before
            raise
        if self.result == Result.ONGOING:
            apply_limits(self.position)
        self.record.append(whole)
        return whole

    def _resign(self, seen: SeenMove) -> SeenMove:
        seat = seen.resigned or 0
        if not self.alive >> seat & 1:
            raise JunqiError("illegal-move", f"{self._text(seen)}: the seat is out already")
        eliminate(self.position, np.uint8(seat))
        gone: list[int] = []
        if self.turn == seat:
            self._pass_turn()
            gone = self._eliminate_idle(seen, list(seen.eliminated), not seen.eliminated)
            self._expect_move(seen)
        elif seen.eliminated:
            raise self._impossible(seen, "the turn stays where it is, so no other seat goes out")
        return SeenMove(-1, -1, eliminated=tuple(gone), resigned=seat)

    def _move(self, seen: SeenMove) -> SeenMove:
        mover, engineer_only = self._check_move(seen)
        seat, start, target = mover >> 5, seen.from_point, seen.to_point
        is_bare = seen.is_bare
        self._narrow(mover, 1 << ENGINEER if engineer_only else MOVABLE_MASK, seen, "what moved can't move so")
        defender = self.piece_at(target)
        taken: list[int] = []
        if defender is None:
            if seen.outcome != Outcome.NO_BATTLE or seen.shown_flags:
                raise self._impossible(seen, f"nobody stood on {self.board.names[target]}")
            outcome = Outcome.NO_BATTLE
            self.position["quiet"] += 1
        else:
            seen, outcome, taken = self._battle(seen, mover, defender)
            self.position["quiet"] = 0
        self.position["ply"] += 1
        self.position["board"][start] = 0
        if defender is not None and outcome != Outcome.DEFENDER_WON:
            self._remove(defender)
        if outcome in (Outcome.NO_BATTLE, Outcome.ATTACKER_WON):
            self.position["board"][target] = 128 | mover
            self.position["where"][mover] = target
            if self.board.is_headquarters(target):
                self.position["movable"][seat] &= ~np.uint32(1 << (mover & 31))
        else:
            self._remove(mover)
        for owner in taken:
            self._eliminate(owner)
        self._deduce(seen)
        self._pass_turn()
        listed = [other for other in seen.eliminated if other not in taken]
        eliminated = taken + self._eliminate_idle(seen, listed, is_bare)
        self._expect_move(seen)
        return SeenMove(start, target, outcome, seen.shown_flags, tuple(eliminated), seat=seat)

    def _check_move(self, seen: SeenMove) -> tuple[int, bool]:
        """The moving piece, and whether only an engineer can move so."""
        names = self.board.names
        mover = self.piece_at(seen.from_point)
        if mover is None:
            raise JunqiError("illegal-move", f"{self._text(seen)}: {names[seen.from_point]} is empty")
        if mover >> 5 != self.turn:
            owner, turn = self.board.seats[mover >> 5], self.board.seats[self.turn]
            raise JunqiError("illegal-move", f"{self._text(seen)}: the piece is {owner}'s, and {turn} is to move")
        way = reach(self.board.tables, self.position, np.uint8(seen.from_point), np.uint8(seen.to_point))
        kind = int(self.position["kind"][mover])
        is_known = self.sees(mover >> 5)
        if way == 0 or (is_known and way == _ENGINEER_ONLY and kind != ENGINEER):
            raise JunqiError("illegal-move", f"{self._text(seen)}: no way from there to there")
        if is_known and IMMOBILE_MASK >> kind & 1:
            raise JunqiError("illegal-move", f"{self._text(seen)}: the piece never moves")
        return mover, way == _ENGINEER_ONLY

    def _battle(self, seen: SeenMove, mover: int, defender: int) -> tuple[SeenMove, Outcome, list[int]]:
        """Take in a battle: the move made whole, its outcome, and the seat whose flag was taken, if one was."""
        own_kind, other_kind = int(self.position["kind"][mover]), int(self.position["kind"][defender])
        if seen.is_bare:
            seen = self._infer(seen, mover, defender)
        elif seen.outcome == Outcome.NO_BATTLE:
            raise self._missing(seen)
        attacker_showed, defender_showed = self._sort_shown(seen, mover >> 5, defender >> 5)
        # In a study a marshal may have no flag to show.
        attacker_showed |= self._lacks_flag(mover) and seen.outcome != Outcome.ATTACKER_WON
        defender_showed |= self._lacks_flag(defender) and seen.outcome != Outcome.DEFENDER_WON
        out = defender >> 5 in seen.eliminated
        code = relation_code(seen.outcome, attacker_showed, defender_showed, out)
        if UNKNOWN in (own_kind, other_kind):
            self.known.add_battle(mover, defender, code)
        elif not PARTNERS[code, 0, own_kind] >> other_kind & 1:
            raise self._impossible(seen, f"{LETTERS[own_kind]} met {LETTERS[other_kind]}")
        self._deduce(seen)
        could_be_flag = bool(int(self.masks[defender]) >> FLAG & 1)
        return seen, seen.outcome, [defender >> 5] if out and could_be_flag else []

    def _infer(self, seen: SeenMove, mover: int, defender: int) -> SeenMove:
        """The outcome and the shown flags of a bare move between two known pieces; seats without a move come later."""
        own_kind, other_kind = int(self.position["kind"][mover]), int(self.position["kind"][defender])
        if UNKNOWN in (own_kind, other_kind):
            raise self._missing(seen)
        outcome = Outcome(int(BATTLE_TABLE[own_kind, other_kind]))
        shown = []
        for piece, kind, stays in (
            (mover, own_kind, Outcome.ATTACKER_WON),
            (defender, other_kind, Outcome.DEFENDER_WON),
        ):
            if kind == MARSHAL and outcome != stays:
                flag = self.flag_point(piece >> 5)
                if flag is None and not self.sees(piece >> 5):
                    raise self._missing(seen)
                shown += [] if flag is None else [flag]
        eliminated = (defender >> 5,) if other_kind == FLAG else ()
        return SeenMove(seen.from_point, seen.to_point, outcome, tuple(shown), eliminated)

    def _sort_shown(self, seen: SeenMove, attacker: int, defender: int) -> tuple[bool, bool]:
        """Take in the flags shown by a battle: whether the attacker's seat showed its own, and the defender's."""
        owners = []
        for point in seen.shown_flags:
            owner = self.board.owner(point)
            piece = self.piece_at(point)
            if owner not in (attacker, defender) or owner in owners or piece is None or piece >> 5 != owner:
                raise self._impossible(seen, f"no flag of theirs can be shown on {self.board.names[point]}")
            self._narrow(piece, 1 << FLAG, seen, f"the flag is not on {self.board.names[point]}")
            self.shown_flags[owner] = point
            owners.append(owner)
        return attacker in owners, defender in owners

    def _eliminate_idle(self, seen: SeenMove, listed: list[int], is_bare: bool) -> list[int]:
        """The turn has come to a seat: those that go out for want of a move, in order.

        `listed` are those that the record names; when it `is_bare` it leaves them to be inferred.
        """
        gone = []
        tables = self.board.tables
        while self.result == Result.ONGOING:
            seat = self.turn
            idle = not has_move(tables, self.position, np.uint8(seat))
            if listed and listed[0] == seat:
                if not idle and (self.sees(seat) or not self._can_be_idle(seat, seen)):
                    raise self._impossible(seen, f"{self.board.seats[seat]} has a move")
                listed.pop(0)
            elif not idle:
                break
            elif not is_bare:
                raise self._impossible(seen, f"{self.board.seats[seat]} has no move and is out")
            self._eliminate(seat)
            self._pass_turn()
            gone.append(seat)
        if listed:
            raise self._impossible(seen, f"{self.board.seats[listed[0]]} is not out")
        return gone

    def _can_be_idle(self, seat: int, seen: SeenMove) -> bool:
        """Whether a hidden seat may be without a move: all that have a free step must be landmines or flags."""
        for piece in self._with_free_step(seat):
            self._narrow(piece, IMMOBILE_MASK, seen, f"{self.board.seats[seat]} has a move")
        self._deduce(seen)
        return True

    def _expect_move(self, seen: SeenMove) -> None:
        """The seat to move is not out: of a hidden one, some piece that has a free step is no landmine and no flag."""
        if self.result != Result.ONGOING or self.sees(self.turn):
            return
        free = []
        for piece in self._with_free_step(self.turn):
            if not int(self.masks[piece]) & IMMOBILE_MASK:
                return
            free.append(piece)
        if not self.known.deduce_one_of(free, MOVABLE_MASK):
            raise self._impossible(seen, f"{self.board.seats[self.turn]} has no move and is not out")
        self.refresh()

    def _with_free_step(self, seat: int) -> Iterator[int]:
        """The pieces of a seat that could move, were they not landmines or flags."""
        enemy = enemy_bits(np.uint8(seat))
        for point in self.points_of(seat):
            piece = self.piece_at(point) or 0
            is_free = not self.board.is_headquarters(point)
            if is_free and can_step(self.board.tables, self.position, np.uint8(piece), enemy):
                yield piece

    # How it changes

    def _narrow(self, piece: int, mask: int, seen: SeenMove, reason: str) -> None:
        if not self.known.narrow(piece, mask):
            raise self._impossible(seen, reason)

    def _deduce(self, seen: SeenMove) -> None:
        """Take in what follows, if anything has come in."""
        if self.known.is_stale:
            if not self.known.deduce():
                raise self._impossible(seen, "no line-up fits it and all that came before")
            self.refresh()

    def refresh(self) -> None:
        """Bring kinds and mobility in line with what is known."""
        self.position["kind"] = self.known.kinds()
        set_movable(self.board, self.position, self.masks & MOVABLE_MASK != 0)

    def _remove(self, piece: int) -> None:
        self.position["board"][self.position["where"][piece]] = 0
        bit = np.uint32(1 << (piece & 31))
        self.position["present"][piece >> 5] &= ~bit
        self.position["movable"][piece >> 5] &= ~bit

    def _eliminate(self, seat: int) -> None:
        eliminate(self.position, np.uint8(seat))
        self.shown_flags[seat] = None

    def _pass_turn(self) -> None:
        self.position["turn"] = self.board.tables["next_seat"][4 * self.alive + self.turn]

    def _lacks_flag(self, marshal: int) -> bool:
        """Whether a piece is a marshal of a seat that is known to have no flag."""
        seat = marshal >> 5
        return self.sees(seat) and self.position["kind"][marshal] == MARSHAL and self.flag_point(seat) is None

    def _text(self, seen: SeenMove) -> str:
        if seen.resigned is not None:
            return f"resign:{self.board.seats[seen.resigned]}"
        return self.board.names[seen.from_point] + self.board.names[seen.to_point]

    def _missing(self, seen: SeenMove) -> JunqiError:
        point = self.board.names[seen.to_point]
        return JunqiError("missing-outcome", f"{self._text(seen)}: an enemy stood on {point}; x, o or = must follow")

    def _impossible(self, seen: SeenMove, reason: str) -> JunqiError:
        return JunqiError("impossible-outcome", f"{self._text(seen)}: {reason}")


def redact(state: GameState, seats: Iterable[int]) -> SeatView:
    """What the players of `seats` have seen of a game that began with line-ups; ValueError for one that did not."""
    if not state.lineups:
        raise ValueError("a game from a snapshot has no record that its seats could have seen")
    viewer = sum({1 << seat for seat in seats})
    lineups = {seat: lineup for seat, lineup in state.lineups.items() if viewer >> seat & 1}
    view = SeatView.start(state.board, viewer, lineups, state.rules)
    for seen in state.record:
        view.observe(seen)
    return view
