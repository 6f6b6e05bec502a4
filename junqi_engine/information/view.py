"""SeatView: what the players of some seats may see, and what it proves.

Players, belief and search get a view and nothing else. A view starts from the viewer's own line-ups or from a snapshot,
and only `observe` changes it. `redact` makes the view that the record of a `GameState` allows its seats. If `viewer`
contains every seat, nothing is hidden.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.information.deduction import new_budget
from junqi_engine.information.evidence import PARTNERS, relation_code
from junqi_engine.information.view_state import ViewState
from junqi_engine.rules.effects import UNDO, apply, apply_limits, eliminate, eliminate_immobile, pass_turn
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import contains, seat_of
from junqi_engine.rules.movegen import ENGINEER_CAN, NO_PIECE_CAN, has_move, reach
from junqi_engine.rules.pieces import (
    BATTLES,
    ENGINEER,
    FLAG,
    IMMOBILE_MASK,
    LETTERS,
    MOVABLE_MASK,
    UNKNOWN,
    Battle,
    Outcome,
)
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.rules.refusal import GAME_OVER, why_illegal


@dataclass
class SeatView(ViewState):
    """A view that follows the game. See `ViewState` for what it contains."""

    # Observing

    def observe(self, seen: SeenMove) -> SeenMove:
        """Follow a ply or an event; returns it with everything that a move without a suffix leaves out.

        `game-over`, `illegal-move`, `missing-outcome` (an enemy stood on the to-point, and the view does not know both
        pieces), or `impossible-outcome` (it contradicts what is known). A refused move changes nothing.
        """
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", f"{self._text(seen)}: {GAME_OVER}")
        self.known.budget = new_budget()
        before = self._state()
        try:
            if seen.resigned is not None:
                whole = self._resign(seen, seen.resigned)
            elif seen.passed is not None:
                whole = self._pass(seen, seen.passed)
            else:
                whole = self._move(seen)
        except JunqiError:
            self._restore(before)
            raise
        if self.result == Result.ONGOING:
            apply_limits(self.position)
        self.record.append(whole)
        return whole

    def _resign(self, seen: SeenMove, seat: int) -> SeenMove:
        if not self.is_alive(seat):
            raise JunqiError("illegal-move", f"{self._text(seen)}: the seat is already eliminated")
        self._eliminate(seat)
        idle: list[int] = []
        if self.turn == seat:
            idle = self._pass_turn(seen, list(seen.eliminated), not seen.eliminated)
        elif seen.eliminated:
            raise self._impossible(seen, "the turn does not pass, so no other seat can be eliminated")
        return replace(seen, eliminated=tuple(idle))

    def _pass(self, seen: SeenMove, seat: int) -> SeenMove:
        if seat != self.turn:
            raise JunqiError("illegal-move", f"{self._text(seen)}: {self.board.seats[self.turn]} is to move")
        return replace(seen, eliminated=tuple(self._pass_turn(seen, list(seen.eliminated), not seen.eliminated)))

    def _pass_turn(self, seen: SeenMove, listed: list[int], is_bare: bool) -> list[int]:
        """Pass the turn on to a seat that has a legal move; returns the seats that this eliminates."""
        pass_turn(self.board.tables, self.position)
        idle = self._eliminate_idle(seen, listed, is_bare)
        self._expect_move(seen)
        return idle

    def _move(self, seen: SeenMove) -> SeenMove:
        mover, engineer_only = self._check_move(seen)
        is_bare, target = seen.is_bare, seen.to_point
        self._narrow(mover, 1 << ENGINEER if engineer_only else MOVABLE_MASK, seen, "the piece cannot move like this")
        defender = self.piece_at(target)
        taken: list[int] = []
        if defender is None:
            if seen.outcome != Outcome.NO_BATTLE or seen.shown_flags:
                raise self._impossible(seen, f"{self.board.names[target]} is empty, so there is no battle")
        else:
            seen, taken = self._battle(seen, mover, defender)
        battle = Battle(seen.outcome, takes_flag=bool(taken))
        undo = np.zeros(1, UNDO)[0]
        apply(self.board.tables, self.position, np.uint16(seen.move), np.uint8(battle.code), undo)
        for owner in taken:
            self.shown_flags[owner] = None
        self._deduce(seen)
        listed = [other for other in seen.eliminated if other not in taken]
        seats = {seat_of(piece) for piece in (mover, defender) if piece is not None}
        eliminated = (
            *taken,
            *self._follow_eliminations(seen, sorted(seats) if undo["has_sets"] else [], listed, is_bare),
        )
        return replace(seen, eliminated=eliminated if is_bare else seen.eliminated, seat=seat_of(mover))

    # Eliminations

    def _follow_eliminations(self, seen: SeenMove, seats: list[int], listed: list[int], is_bare: bool) -> list[int]:
        """Eliminate immobile seats, pass the turn, eliminate idle seats; returns the eliminated seats.

        `seats` are those that the ply may have made immobile, `listed` those that the record names. A hidden seat that
        is eliminated may have been immobile, or idle on its turn; one that is not has a mobile piece, unless the game
        is a draw. If several explanations are consistent, only what they have in common is known. A move without a
        suffix eliminates only seats that are certain to be immobile.
        """
        seats = [seat for seat in seats if self.is_alive(seat)] if self.position["eliminates_immobile"] else []
        if self.result != Result.ONGOING:
            seats = []
        immobile = {seat for seat in seats if not self.position["movable"][seat]}
        unsure = [] if is_bare else [seat for seat in seats if seat not in immobile and self.can_be_immobile(seat)]
        if not unsure:
            return self._explain(seen, seats, immobile, listed, is_bare)
        before = self._state()
        explanations, error = [], None
        for number in range(1 << len(unsure)):
            self._restore(before)
            hypothesis = immobile | {seat for place, seat in enumerate(unsure) if contains(number, place)}
            try:
                eliminated = self._explain(seen, seats, hypothesis, listed, is_bare)
            except JunqiError as refused:
                error = error or refused
                continue
            explanations.append((self._state(), eliminated))
        if not explanations:
            assert error is not None
            raise error
        masks = np.bitwise_or.reduce([state[1].masks for state, _ in explanations])
        state, eliminated = next(
            (entry for entry in explanations if entry[0][0]["result"] != Result.DRAW), explanations[0]
        )
        self._restore(state)
        if len(explanations) > 1:
            self.known.generalise(masks, before[1])
            self.refresh()
        return eliminated

    def _explain(
        self, seen: SeenMove, seats: list[int], immobile: set[int], listed: list[int], is_bare: bool
    ) -> list[int]:
        """Follow the eliminations if exactly the seats in `immobile` of `seats` are immobile."""
        for seat in seats:
            if seat in immobile:
                for piece in self.outside_headquarters(seat):
                    self._narrow(piece, IMMOBILE_MASK, seen, f"{self.board.seats[seat]} can move")
            elif self.can_be_immobile(seat):
                self.known.add_mobile_group(seat, tuple(self.outside_headquarters(seat)))
        self._deduce(seen)
        named = list(listed)
        expected = sorted(immobile)
        if eliminate_immobile(self.position, np.uint8(sum(1 << seat for seat in expected))) != 0:
            if not is_bare and named[: len(expected)] != expected:
                names = ", ".join(self.board.seats[seat] for seat in expected)
                raise self._impossible(seen, f"{names} can never move again and must be eliminated")
            named = named[len(expected) :]
            for seat in expected:
                self.shown_flags[seat] = None
        else:
            expected = []
        return [*expected, *self._pass_turn(seen, named, is_bare)]

    def _check_move(self, seen: SeenMove) -> tuple[int, bool]:
        """The moving piece, and whether only an engineer can move so."""
        mover = self.piece_at(seen.from_point)
        if mover is None or seat_of(mover) != self.turn:
            raise self._illegal(seen)
        way = reach(self.board.tables, self.position, np.uint8(seen.from_point), np.uint8(seen.to_point))
        kind = int(self.position["kind"][mover])
        is_known = self.sees(seat_of(mover))
        if way == NO_PIECE_CAN or (is_known and way == ENGINEER_CAN and kind != ENGINEER):
            raise self._illegal(seen)
        if is_known and contains(IMMOBILE_MASK, kind):
            raise self._illegal(seen)
        return mover, way == ENGINEER_CAN

    def _battle(self, seen: SeenMove, mover: int, defender: int) -> tuple[SeenMove, list[int]]:
        """Learn from a battle: the move with its outcome, and the seat whose flag was taken, if one was."""
        own_kind, other_kind = int(self.position["kind"][mover]), int(self.position["kind"][defender])
        if seen.is_bare:
            seen = self._infer(seen, mover, defender)
        elif seen.outcome == Outcome.NO_BATTLE:
            raise self._missing(seen)
        attacker_showed, defender_showed = self._sort_shown(seen, seat_of(mover), seat_of(defender))
        # In a study a marshal may have no flag to reveal.
        attacker_showed |= self.lacks_flag(mover) and seen.outcome != Outcome.ATTACKER_WON
        defender_showed |= self.lacks_flag(defender) and seen.outcome != Outcome.DEFENDER_WON
        out = seat_of(defender) in seen.eliminated
        code = relation_code(seen.outcome, attacker_showed, defender_showed, out)
        if UNKNOWN in (own_kind, other_kind):
            self.known.add_battle(mover, defender, code)
        elif not contains(PARTNERS[code, 0, own_kind], other_kind):
            raise self._impossible(seen, f"{LETTERS[own_kind]} met {LETTERS[other_kind]}")
        self._deduce(seen)
        could_be_flag = contains(int(self.masks[defender]), FLAG)
        return seen, [seat_of(defender)] if out and could_be_flag else []

    def _infer(self, seen: SeenMove, mover: int, defender: int) -> SeenMove:
        """The outcome and the revealed flags of a move without a suffix between two known pieces."""
        own_kind, other_kind = int(self.position["kind"][mover]), int(self.position["kind"][defender])
        if UNKNOWN in (own_kind, other_kind):
            raise self._missing(seen)
        battle = BATTLES[own_kind][other_kind]
        shown = []
        for piece, reveals in ((mover, battle.reveals_attackers_flag), (defender, battle.reveals_defenders_flag)):
            if reveals:
                flag = self.flag_point(seat_of(piece))
                if flag is None and not self.sees(seat_of(piece)):
                    raise self._missing(seen)
                shown += [] if flag is None else [flag]
        eliminated = (seat_of(defender),) if battle.takes_flag else ()
        return SeenMove(seen.from_point, seen.to_point, battle.outcome, tuple(shown), eliminated)

    def _sort_shown(self, seen: SeenMove, attacker: int, defender: int) -> tuple[bool, bool]:
        """Learn from the flags that a battle reveals: whether the attacker's is one of them, and the defender's."""
        owners = []
        for point in seen.shown_flags:
            owner = self.board.owner(point)
            piece = self.piece_at(point)
            if owner not in (attacker, defender) or owner in owners or piece is None or seat_of(piece) != owner:
                raise self._impossible(seen, f"{self.board.names[point]} cannot hold a flag that this battle reveals")
            self._narrow(piece, 1 << FLAG, seen, f"the flag is not on {self.board.names[point]}")
            self.shown_flags[owner] = point
            owners.append(owner)
        return attacker in owners, defender in owners

    def _eliminate_idle(self, seen: SeenMove, listed: list[int], is_bare: bool) -> list[int]:
        """Eliminate the seats that have no legal move when their turn comes, in order; returns them.

        `listed` are those that the record names. If the move `is_bare`, the record leaves them out.
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
                raise self._impossible(seen, f"{self.board.seats[seat]} has no legal move, so it must be eliminated")
            self._eliminate(seat)
            pass_turn(tables, self.position)
            gone.append(seat)
        if listed:
            raise self._impossible(seen, f"{self.board.seats[listed[0]]} cannot be eliminated here")
        return gone

    def _can_be_idle(self, seat: int, seen: SeenMove) -> bool:
        """Whether a hidden seat may have no move: then all its pieces with a free step are landmines or flags."""
        for piece in self.with_free_step(seat):
            self._narrow(piece, IMMOBILE_MASK, seen, f"{self.board.seats[seat]} has a move")
        self._deduce(seen)
        return True

    def _expect_move(self, seen: SeenMove) -> None:
        """The seat to move has a move: at least one of its pieces with a free step is neither landmine nor flag."""
        if self.result != Result.ONGOING or self.sees(self.turn):
            return
        free = []
        for piece in self.with_free_step(self.turn):
            if not int(self.masks[piece]) & IMMOBILE_MASK:
                return
            free.append(piece)
        if not self.known.can_all_be_immobile(free):
            return
        if not self.known.deduce_one_of(free, MOVABLE_MASK):
            raise self._impossible(seen, f"{self.board.seats[self.turn]} has no legal move and is not eliminated")
        self.refresh()

    # Changing

    def _narrow(self, piece: int, mask: int, seen: SeenMove, reason: str) -> None:
        if not self.known.narrow(piece, mask):
            raise self._impossible(seen, reason)

    def _deduce(self, seen: SeenMove) -> None:
        """Derive what follows from new facts, if there are any."""
        if self.known.is_stale:
            if not self.known.deduce():
                raise self._impossible(seen, "no line-up is consistent with it and with the moves before")
            self.refresh()

    def _eliminate(self, seat: int) -> None:
        eliminate(self.position, np.uint8(seat))
        self.shown_flags[seat] = None

    def _text(self, seen: SeenMove) -> str:
        if seen.resigned is not None:
            return f"resign:{self.board.seats[seen.resigned]}"
        if seen.passed is not None:
            return f"pass:{self.board.seats[seen.passed]}"
        return self.board.names[seen.from_point] + self.board.names[seen.to_point]

    def _missing(self, seen: SeenMove) -> JunqiError:
        point = self.board.names[seen.to_point]
        return JunqiError("missing-outcome", f"{self._text(seen)}: an enemy stood on {point}; add x, o or =")

    def _illegal(self, seen: SeenMove) -> JunqiError:
        return JunqiError("illegal-move", f"{self._text(seen)}: {why_illegal(self.board, self, seen.move)}")

    def _impossible(self, seen: SeenMove, reason: str) -> JunqiError:
        return JunqiError("impossible-outcome", f"{self._text(seen)}: {reason}")


def redact(state: GameState, seats: Iterable[int]) -> SeatView:
    """What the players of `seats` have seen of a game. ValueError if the game did not start from line-ups."""
    if not state.lineups:
        raise ValueError("a game from a snapshot has no record to replay")
    viewer = sum({1 << seat for seat in seats})
    lineups = {seat: lineup for seat, lineup in state.lineups.items() if contains(viewer, seat)}
    view = SeatView.start(state.board, viewer, lineups, state.rules)
    for seen in state.record:
        view.observe(seen)
    return view
