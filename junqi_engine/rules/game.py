"""GameState: the truth of a game, as a referee knows it; and the public record of a move."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import Board
from junqi_engine.rules.effects import UNDO, eliminate, make, settle
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BATTLE_TABLE, FLAG, MARSHAL, Outcome
from junqi_engine.rules.position import Result
from junqi_engine.rules.record import SeenMove
from junqi_engine.rules.setup import Placement, lineup_kinds, new_position, place, place_lineup
from junqi_engine.rules.standing import Standing, legal_moves


@dataclass
class GameState(Standing):
    """A game in which every piece is known. `record` is public: it is what all seats have seen."""

    board: Board
    rules: Rules
    position: np.void
    lineups: dict[int, str] = field(default_factory=dict)
    record: list[SeenMove] = field(default_factory=list)

    @classmethod
    def start(cls, board: Board, lineups: Mapping[str, str] | None = None, rules: Rules | None = None) -> "GameState":
        """A new game from a line-up a seat letter; seats without one have the built-in one. `bad-lineup` if illegal."""
        rules = rules or Rules.of(board)
        position = new_position(board, rules, board.all_alive, 0)
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
        """A game from a snapshot; a seat to move that has no legal move goes out at once."""
        position = new_position(board, rules, alive, turn, quiet, ply)
        slots = [0] * len(board.seats)
        for placement in placements:
            place(board, position, 32 * placement.seat + slots[placement.seat], placement.point, placement.kind)
            slots[placement.seat] += 1
        settle(board.tables, position)
        return cls(board, rules, position)

    def copy(self) -> "GameState":
        return GameState(self.board, self.rules, self.position.copy(), self.lineups, list(self.record))

    def legal_moves(self) -> list[int]:
        """Moves as `256 * from + to`, ascending; none once the game has ended."""
        return legal_moves(self.board, self.position)

    def play(self, move: int) -> SeenMove:
        """Play a legal move and give what everyone saw; else `illegal-move` or `game-over`, and nothing changes."""
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", "the game has ended")
        if move not in self.legal_moves():
            names = self.board.names
            start, target = move >> 8, move & 255
            shown = names[start] + names[target] if max(start, target) < len(names) else str(move)
            raise JunqiError("illegal-move", shown)
        start, target = move >> 8, move & 255
        mover, alive = self.turn, self.alive
        attacker, defender = self.piece_at(start), self.piece_at(target)
        outcome, shown_flags, taken = Outcome.NO_BATTLE, [], []
        if defender is not None and attacker is not None:
            kinds = self.position["kind"]
            outcome = Outcome(int(BATTLE_TABLE[kinds[attacker], kinds[defender]]))
            for piece, stays in ((attacker, Outcome.ATTACKER_WON), (defender, Outcome.DEFENDER_WON)):
                flag = self.flag_point(piece >> 5) if kinds[piece] == MARSHAL and outcome != stays else None
                shown_flags += [] if flag is None else [flag]
            taken = [defender >> 5] if kinds[defender] == FLAG else []
        make(self.board.tables, self.position, np.uint16(move), np.zeros(1, UNDO)[0])
        gone = alive & ~self.alive
        order = [(mover + step) % len(self.board.seats) for step in range(1, len(self.board.seats) + 1)]
        eliminated = taken + [seat for seat in order if gone >> seat & 1 and seat not in taken]
        seen = SeenMove(start, target, outcome, tuple(shown_flags), tuple(eliminated), seat=mover)
        self.record.append(seen)
        return seen

    def resign(self, seat: int) -> SeenMove:
        """A seat gives up, at any time; no ply. `illegal-move` if it is out already, `game-over` after the end."""
        if self.result != Result.ONGOING:
            raise JunqiError("game-over", "the game has ended")
        if not self.alive >> seat & 1:
            raise JunqiError("illegal-move", f"resign:{self.board.seats[seat]}: the seat is out already")
        alive = self.alive & ~(1 << seat)
        eliminate(self.position, np.uint8(seat))
        if self.turn == seat:
            self.position["turn"] = self.board.tables["next_seat"][4 * self.alive + seat]
            settle(self.board.tables, self.position)
        gone = alive & ~self.alive
        order = [(seat + step) % len(self.board.seats) for step in range(1, len(self.board.seats))]
        seen = SeenMove(-1, -1, eliminated=tuple(other for other in order if gone >> other & 1), resigned=seat)
        self.record.append(seen)
        return seen
