"""GameState: the true game, as a referee knows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import UNDO, eliminate, make, pass_turn, settle, settle_snapshot
from junqi_engine.rules.layout import SEATS, contains, from_point_of, piece_of, seat_of, to_point_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BATTLES, Battle, Outcome
from junqi_engine.rules.position import Result
from junqi_engine.rules.refusal import GAME_OVER, why_illegal
from junqi_engine.rules.seen_move import SeenMove
from junqi_engine.rules.setup import Placement, lineup_kinds, new_position, place, place_lineup
from junqi_engine.rules.standing import Standing, legal_moves

NO_BATTLE = Battle(Outcome.NO_BATTLE)


@dataclass
class GameState(Standing):
    """A game in which every piece is known. `record` is public: it is what all seats have seen."""

    board: Board
    rules: Rules
    position: np.void
    lineups: dict[int, str] = field(default_factory=dict)
    record: list[SeenMove] = field(default_factory=list)

    @classmethod
    def start(
        cls, board: Board, lineups: Mapping[str, str] | None = None, rules: Rules | None = None, first: int = 0
    ) -> "GameState":
        """A new game from line-ups by seat letter, in which seat `first` moves first.

        A missing line-up is the built-in one. `bad-lineup` if one is not legal.
        """
        rules = Rules.of(board, rules)
        position = new_position(board, rules, board.all_alive, first)
        by_seat = {}
        for seat, letter in enumerate(board.seats):
            lineup = (lineups or {}).get(letter, lineups_module.DEFAULT)
            place_lineup(board, position, seat, lineup_kinds(letter, lineup))
            by_seat[seat] = lineup
        return cls(board, rules, position, by_seat)

    @classmethod
    def from_placements(
        cls, board: Board, rules: Rules, placements: Iterable[Placement], turn: int, alive: int, quiet: int, ply: int
    ) -> "GameState":
        """A game from a snapshot. Immobile seats, and a seat to move that has no legal move, are eliminated."""
        rules = Rules.of(board, rules)
        position = new_position(board, rules, alive, turn, quiet, ply)
        slots = [0] * len(board.seats)
        for placement in placements:
            piece = piece_of(placement.seat, slots[placement.seat])
            place(board, position, piece, placement.point, placement.kind)
            slots[placement.seat] += 1
        settle_snapshot(board.tables, position)
        return cls(board, rules, position)

    def copy(self) -> Self:
        return type(self)(self.board, self.rules, self.position.copy(), self.lineups, list(self.record))

    def legal_moves(self) -> list[int]:
        """The legal moves (`layout.move_of`), ascending; none once the game has ended."""
        return legal_moves(self.board, self.position)

    def play(self, move: int) -> SeenMove:
        """Play a legal move and return what everyone saw. `illegal-move` or `game-over` otherwise; nothing changes."""
        self._expect_ongoing(self._text(move))
        if move not in self.legal_moves():
            raise JunqiError("illegal-move", f"{self._text(move)}: {why_illegal(self.board, self, move)}")
        start, target = from_point_of(move), to_point_of(move)
        mover, alive = self.turn, self.alive
        attacker, defender = self.piece_at(start), self.piece_at(target)
        battle, shown = NO_BATTLE, []
        if attacker is not None and defender is not None:
            kinds = self.position["kind"]
            battle = BATTLES[kinds[attacker]][kinds[defender]]
            shown = [self.flag_point(mover)] if battle.reveals_attackers_flag else []
            shown += [self.flag_point(seat_of(defender))] if battle.reveals_defenders_flag else []
        undo = np.zeros(1, UNDO)[0]
        make(self.board.tables, self.position, np.uint16(move), undo)
        taken = [seat_of(defender)] if battle.takes_flag and defender is not None else []
        immobile = [seat for seat in range(SEATS) if contains(int(undo["immobile"]), seat)]
        idle = [seat for seat in self._eliminated_since(alive, mover) if seat not in (*taken, *immobile)]
        eliminated = (*taken, *immobile, *idle)
        flags = tuple(point for point in shown if point is not None)  # in a study a marshal may have no flag
        seen = SeenMove(start, target, battle.outcome, flags, eliminated, seat=mover)
        self.record.append(seen)
        return seen

    def resign(self, seat: int) -> SeenMove:
        """A seat resigns; this is not a ply. `illegal-move` if it is eliminated already, `game-over` after the end."""
        self._expect_ongoing(f"resign:{self.board.seats[seat]}")
        if not self.is_alive(seat):
            raise JunqiError("illegal-move", f"resign:{self.board.seats[seat]}: the seat is already eliminated")
        alive = self.alive & ~(1 << seat)
        eliminate(self.position, np.uint8(seat))
        if self.turn == seat:
            pass_turn(self.board.tables, self.position)
            settle(self.board.tables, self.position)
        seen = SeenMove(-1, -1, eliminated=self._eliminated_since(alive, seat), resigned=seat)
        self.record.append(seen)
        return seen

    def time_out(self, seat: int) -> SeenMove:
        """The turn of a seat passes because its clock ran out. Not a ply. `illegal-move` if it is not its turn."""
        self._expect_ongoing(f"pass:{self.board.seats[seat]}")
        if seat != self.turn:
            raise JunqiError("illegal-move", f"pass:{self.board.seats[seat]}: {self.board.seats[self.turn]} is to move")
        alive = self.alive
        pass_turn(self.board.tables, self.position)
        settle(self.board.tables, self.position)
        seen = SeenMove(-1, -1, eliminated=self._eliminated_since(alive, seat), passed=seat)
        self.record.append(seen)
        return seen

    def _eliminated_since(self, alive: int, mover: int) -> tuple[int, ...]:
        """The seats of the set `alive` that are eliminated now, in turn order after the mover."""
        seats = len(self.board.seats)
        order = [(mover + step) % seats for step in range(1, seats + 1)]
        return tuple(seat for seat in order if contains(alive & ~self.alive, seat))

    def _expect_ongoing(self, text: str) -> None:
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", f"{text}: {GAME_OVER}")

    def _text(self, move: int) -> str:
        names, points = self.board.names, (from_point_of(move), to_point_of(move))
        return "".join(names[point] for point in points) if max(points) < len(names) else str(move)
