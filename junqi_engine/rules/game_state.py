"""`GameState`: the true game, as a referee knows it, with its public record; and the ending of a game by the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

import numpy as np
from numba.core import types

from junqi_engine.errors import IllegalMove
from junqi_engine.kernels import kernel, record_type
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, LINEUP_INDICES, TABLES, Board
from junqi_engine.rules.effects import UNDO, eliminate, make, pass_turn, settle, settle_snapshot
from junqi_engine.rules.layout import (
    SEATS,
    contains,
    from_point_of,
    move_of,
    piece_of,
    seat_of,
    seats_of_team,
    to_point_of,
)
from junqi_engine.rules.movegen import MAX_MOVES, MOVES_TYPE, generate
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BATTLES, FLAG, LETTERS, Battle, Outcome
from junqi_engine.rules.position import (
    POSITION,
    Result,
    Snapshot,
    copied,
    lineup_kinds,
    new_positions,
    place,
    place_lineup,
)
from junqi_engine.rules.position_reader import GAME_OVER, PositionReader, legal_moves, why_illegal


@dataclass(frozen=True)
class SeenMove:
    """The public record of a ply, or of an event between plies: a resignation (`resigned` is the seat), or a turn that
    passes because a clock ran out (`passed` is the seat). The points of an event are -1.

    `revealed_flags` are their points, the attacker's first. `eliminated` are seats, the owner of a captured flag first.
    A move list may omit the suffix; then `outcome` is `NO_BATTLE` and the rest is empty. `seat` is the mover. The text
    of a move does not contain it, so it is -1 until the move has been played or observed, and equality ignores it.
    """

    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    revealed_flags: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    resigned: int | None = None
    passed: int | None = None
    seat: int = field(default=-1, compare=False)

    @property
    def move(self) -> int:
        return move_of(self.from_point, self.to_point)

    @property
    def is_ply(self) -> bool:
        return self.resigned is None and self.passed is None

    @property
    def omits_suffix(self) -> bool:
        """Whether the move has no suffix."""
        return not self.outcome and not self.revealed_flags and not self.eliminated

    def agrees_with(self, other: "SeenMove") -> bool:
        """Whether two records agree; the order of two revealed flags does not matter."""
        flags = tuple(sorted(self.revealed_flags)), tuple(sorted(other.revealed_flags))
        return replace(self, revealed_flags=flags[0]) == replace(other, revealed_flags=flags[1])


NO_BATTLE = Battle(Outcome.NO_BATTLE)


def _array_of(dtype: np.dtype) -> types.Array:
    return types.Array(record_type(dtype), 1, "C")


@kernel(types.boolean(_array_of(TABLES), _array_of(POSITION), types.uint16, MOVES_TYPE, _array_of(UNDO)))
def make_if_legal(tables, positions, move, moves, undos):
    """Make a move if it is legal; `moves` is scratch memory for `MAX_MOVES`.

    The records are in arrays, because numba unboxes an array from Python ten times as fast as a record.
    """
    for i in range(generate(tables[0], positions[0], moves, 0)):
        if moves[np.uint64(i)] == move:
            make(tables[0], positions[0], move, undos[0])
            return True
    return False


@dataclass
class GameState(PositionReader):
    """A game in which every piece is known. `record` is the public record; seat `first` moves first."""

    board: Board
    rules: Rules
    positions: np.ndarray
    lineups: dict[int, str] = field(default_factory=dict)
    record: list[SeenMove] = field(default_factory=list)
    first: int = 0

    @classmethod
    def start(
        cls, board: Board, lineups: Mapping[str, str] | None = None, rules: Rules | None = None, first: int = 0
    ) -> "GameState":
        """A new game from line-ups by seat letter, in which seat `first` moves first.

        A missing line-up is the built-in one. `bad-lineup` if one is not legal.
        """
        rules = Rules.of(board, rules)
        positions = new_positions(board, rules, board.all_alive, first)
        by_seat = {}
        for seat, letter in enumerate(board.seats):
            own = (lineups or {}).get(letter, lineup.DEFAULT)
            place_lineup(board, positions[0], seat, lineup_kinds(letter, own))
            by_seat[seat] = own
        return cls(board, rules, positions, by_seat, first=first)

    @classmethod
    def from_snapshot(cls, board: Board, rules: Rules, snapshot: Snapshot) -> "GameState":
        """A game from a snapshot. Immobile seats, and a seat to move without a legal move, are eliminated."""
        rules = Rules.of(board, rules)
        positions = new_positions(board, rules, snapshot.alive, snapshot.turn, snapshot.quiet, snapshot.ply)
        slots = [0] * len(board.seats)
        for placement in snapshot.placements:
            piece = piece_of(placement.seat, slots[placement.seat])
            place(board, positions[0], piece, placement.point, placement.kind)
            slots[placement.seat] += 1
        settle_snapshot(board.tables, positions[0])
        return cls(board, rules, positions)

    def copy(self) -> Self:
        return type(self)(self.board, self.rules, copied(self.positions), self.lineups, list(self.record), self.first)

    def legal_moves(self) -> list[int]:
        return legal_moves(self.board, self.positions)

    def play(self, move: int) -> SeenMove:
        """Play a move and return its public record. `illegal-move` or `game-over` if it is not legal."""
        if self.position["result"]:
            self._expect_ongoing(self._text(move))
        start, target = from_point_of(move), to_point_of(move)
        if max(start, target) >= len(self.board.names):
            raise IllegalMove("illegal-move", f"{self._text(move)}: {why_illegal(self.board, self, move)}")
        mover, alive = self.turn, self.alive
        attacker, defender = self.piece_at(start), self.piece_at(target)
        battle, shown = NO_BATTLE, []
        if attacker is not None and defender is not None:
            kinds = self.position["kind"]
            battle = BATTLES[kinds[attacker]][kinds[defender]]
            shown = [self.flag_point(mover)] if battle.reveals_attackers_flag else []
            shown += [self.flag_point(seat_of(defender))] if battle.reveals_defenders_flag else []
        undos, moves = np.zeros(1, UNDO), np.empty(MAX_MOVES, np.uint16)
        if not make_if_legal(self.board.tables.base, self.positions, np.uint16(move), moves, undos):
            raise IllegalMove("illegal-move", f"{self._text(move)}: {why_illegal(self.board, self, move)}")
        eliminated: tuple[int, ...] = ()
        if self.alive != alive:
            taken = [seat_of(defender)] if battle.takes_flag and defender is not None else []
            immobile = [seat for seat in range(SEATS) if contains(int(undos[0]["immobile"]), seat)]
            idle = [seat for seat in self._eliminated_since(alive, mover) if seat not in (*taken, *immobile)]
            eliminated = (*taken, *immobile, *idle)
        flags = tuple(point for point in shown if point is not None)  # a study may lack the flag
        seen = SeenMove(start, target, battle.outcome, flags, eliminated, seat=mover)
        self.record.append(seen)
        return seen

    def resign(self, seat: int) -> SeenMove:
        """Let a seat resign; not a ply. `illegal-move` if it is eliminated already, `game-over` after the end."""
        self._expect_ongoing(f"resign:{self.board.seats[seat]}")
        if not self.is_alive(seat):
            raise IllegalMove("illegal-move", f"resign:{self.board.seats[seat]}: the seat is already eliminated")
        alive = self.alive & ~(1 << seat)
        eliminate(self.position, np.uint8(seat))
        if self.turn == seat:
            pass_turn(self.board.tables, self.position)
            settle(self.board.tables, self.position)
        seen = SeenMove(-1, -1, eliminated=self._eliminated_since(alive, seat), resigned=seat)
        self.record.append(seen)
        return seen

    def time_out(self, seat: int) -> SeenMove:
        """Pass the turn of a seat because its clock ran out; not a ply. `illegal-move` if it is not its turn."""
        self._expect_ongoing(f"pass:{self.board.seats[seat]}")
        if seat != self.turn:
            seats = self.board.seats
            raise IllegalMove("illegal-move", f"pass:{seats[seat]}: {seats[self.turn]} is to move")
        alive = self.alive
        pass_turn(self.board.tables, self.position)
        settle(self.board.tables, self.position)
        seen = SeenMove(-1, -1, eliminated=self._eliminated_since(alive, seat), passed=seat)
        self.record.append(seen)
        return seen

    def repeat(self, wanted: SeenMove) -> SeenMove:
        """Play a recorded move or event; its new public record may differ from `wanted`."""
        if wanted.resigned is not None:
            return self.resign(wanted.resigned)
        return self.play(wanted.move) if wanted.passed is None else self.time_out(wanted.passed)

    def _eliminated_since(self, alive: int, mover: int) -> tuple[int, ...]:
        """The seats of the set `alive` that are eliminated now, in turn order after the mover."""
        seats = len(self.board.seats)
        order = [(mover + step) % seats for step in range(1, seats + 1)]
        return tuple(seat for seat in order if contains(alive & ~self.alive, seat))

    def _expect_ongoing(self, text: str) -> None:
        if self.result != Result.ONGOING:
            raise IllegalMove("game-over", f"{text}: {GAME_OVER}")

    def _text(self, move: int) -> str:
        names, points = self.board.names, (from_point_of(move), to_point_of(move))
        return "".join(names[point] for point in points) if max(points) < len(names) else str(move)


class GameEnding(StrEnum):
    """The endings by the rules; the values are the names in records."""

    FLAG = "flag"
    """The last flag of a team was taken or bombed."""
    NO_MOVES = "no-moves"
    """The last seat of a team had no legal move; a draw if none of the remaining seats could ever move again."""
    RESIGNED = "resigned"
    NO_CONTACT = "no-contact"
    """Too many plies without a battle."""
    MAX_PLIES = "max-plies"


def ending_of(state: GameState, flags: Mapping[int, int]) -> GameEnding:
    """The ending of a finished game; `flags` are the points of the flags at its start, by seat.

    ValueError if the game has not ended.
    """
    rules = state.rules
    if state.result == Result.ONGOING:
        raise ValueError("the game has not ended")
    if state.result == Result.DRAW:
        if rules.no_contact and state.quiet >= rules.no_contact:
            return GameEnding.NO_CONTACT
        is_at_max = rules.max_plies and state.ply >= rules.max_plies
        return GameEnding.MAX_PLIES if is_at_max else GameEnding.NO_MOVES  # no seat could ever move again
    losers = seats_of_team(1 if state.result == Result.TEAM_0 else 0)
    if state.alive & losers:
        return GameEnding.NO_CONTACT
    if not state.record:
        return GameEnding.NO_MOVES  # a position in which a whole team is eliminated
    last = state.record[-1]
    eliminated = [seat for seat in last.eliminated if contains(losers, seat)]
    if not eliminated:
        return GameEnding.RESIGNED
    # The owner of a captured flag is eliminated first; a seat eliminated after it had no legal move. Flags never move,
    # so until then no other piece can have been on the flag's point.
    by_flag = last.is_ply and flags.get(eliminated[-1]) == last.to_point
    return GameEnding.FLAG if by_flag else GameEnding.NO_MOVES


def flags_of(board: Board, lineups: Mapping[str, str]) -> dict[int, int]:
    """The points of the flags by seat, from line-ups by seat letter."""
    return {
        board.seats.index(letter): BLOCK_POINTS * board.seats.index(letter)
        + LINEUP_INDICES[lineup.index(LETTERS[FLAG])]
        for letter, lineup in lineups.items()
    }
