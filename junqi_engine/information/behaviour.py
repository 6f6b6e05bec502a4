"""What every piece has done: eight numbers a piece, from the public record alone. `ViewState.behaviour` returns them.

| feature | meaning |
|---|---|
| still | if it never moved: ln(1 + its seat's turns / 8) |
| moves | ln(1 + moves without a battle) |
| ventured | 1 once it has left its own seat's block |
| attacked | ln(1 + attacks on pieces that had not won a battle, without those of the next row) |
| attacked home | ln(1 + attacks on pieces in rows 4 and 5 of their block that had never moved) |
| attacked winner | ln(1 + attacks on pieces that had won a battle) |
| fled | ln(1 + moves without a battle just after an enemy had moved next to it) |
| stood | ln(1 + turns on which it stayed although an enemy that had won a battle had just moved next to it) |
"""

from copy import copy
from functools import cache

import numpy as np

from junqi_engine.rules.board import BOARDS, FIRST_BACK_ROW, LINEUP_INDICES, Board
from junqi_engine.rules.layout import PIECES, are_enemies, piece_of, seat_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT, Outcome
from junqi_engine.rules.record import SeenMove

FEATURES = ("still", "moves", "ventured", "attacked", "attacked home", "attacked winner", "fled", "stood")
STILL, MOVES, VENTURED, ATTACKED, ATTACKED_HOME, ATTACKED_WINNER, FLED, STOOD = range(len(FEATURES))
_STILL_TURNS = 8


class Tracker:
    """Follows each piece through a record from the start of the game. Counts are (128,) by piece."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.followed = 0
        """Entries of the record that it has followed."""
        self.near = _near(board.variant)
        self.at = {
            board.block(seat)[index]: piece_of(seat, slot)
            for seat in range(len(board.seats))
            for slot, index in enumerate(LINEUP_INDICES)
        }
        self.counts = [[0] * PIECES for _ in FEATURES]
        self.moved = [False] * PIECES
        self.wins = [0] * PIECES
        self.turns = [0] * len(board.seats)
        self.beset: list[dict[int, bool]] = [{} for _ in board.seats]
        """By seat: its pieces next to which an enemy moved since its last turn; whether that enemy had won a battle."""

    def copy(self) -> "Tracker":
        copied = copy(self)
        copied.at, copied.moved, copied.wins, copied.turns = dict(self.at), self.moved[:], self.wins[:], self.turns[:]
        copied.counts = [counts[:] for counts in self.counts]
        copied.beset = [dict(pieces) for pieces in self.beset]
        return copied

    def follow(self, seen: SeenMove) -> None:
        self.followed += 1
        if seen.is_ply:
            self._move(seen)
        gone = set(seen.eliminated) | ({seen.resigned} if seen.resigned is not None else set())
        if gone:
            self.at = {point: piece for point, piece in self.at.items() if seat_of(piece) not in gone}

    def _move(self, seen: SeenMove) -> None:
        mover, target = self.at.pop(seen.from_point), self.at.get(seen.to_point)
        seat = seat_of(mover)
        self.turns[seat] += 1
        for piece, by_winner in self.beset[seat].items():
            if piece == mover and target is None:
                self.counts[FLED][piece] += 1
            elif piece != mover and by_winner:
                self.counts[STOOD][piece] += 1
        self.beset[seat] = {}
        if target is None:
            self.counts[MOVES][mover] += 1
        else:
            self.counts[self._kind_of_attack(target, seen.to_point)][mover] += 1
        self.moved[mover] = True
        if self.board.owner(seen.to_point) != seat:
            self.counts[VENTURED][mover] = 1
        self._settle(seen, mover, target)

    def _kind_of_attack(self, target: int, point: int) -> int:
        if self.wins[target]:
            return ATTACKED_WINNER
        row = self.board.row(point)
        return ATTACKED_HOME if row is not None and row >= FIRST_BACK_ROW and not self.moved[target] else ATTACKED

    def _settle(self, seen: SeenMove, mover: int, target: int | None) -> None:
        """Put the remaining piece on the to-point, and note the enemies next to it."""
        if target is not None and seen.outcome == Outcome.DEFENDER_WON:
            self.wins[target] += 1
            return
        self.at.pop(seen.to_point, None)
        if seen.outcome == Outcome.BOTH_REMOVED:
            return
        if target is not None:
            self.wins[mover] += 1
        self.at[seen.to_point] = mover
        for point in self.near[seen.to_point]:
            beside = self.at.get(point)
            if beside is not None and are_enemies(seat_of(beside), seat_of(mover)):
                beset = self.beset[seat_of(beside)]
                beset[beside] = beset.get(beside, False) or self.wins[mover] > 0

    def features(self) -> np.ndarray:
        """The features of all pieces, (128, 8)."""
        counts = np.array(self.counts, float).T
        features = np.log1p(counts)
        features[:, VENTURED] = counts[:, VENTURED]
        for seat, turns in enumerate(self.turns):
            for piece in range(piece_of(seat, 0), piece_of(seat, PIECES_PER_SEAT)):
                if not self.moved[piece]:
                    features[piece, STILL] = np.log1p(turns / _STILL_TURNS)
        return features


@cache
def _near(variant: str) -> tuple[tuple[int, ...], ...]:
    """By point, the points one step away."""
    tables = BOARDS[variant].tables
    return tuple(
        tuple(tables["near"][point, : tables["near_count"][point]].tolist()) for point in BOARDS[variant].points
    )
