"""Reading the moves as plainly as possible: points are names, pieces are (seat, slot) pairs, and every move is weighed
for every kind by itself.
"""

import math

import numpy as np

from junqi_engine.information.belief.policy import AFTER, AGAIN, BACK, BEFORE, ENTERS, LEAVES, MEETS
from junqi_engine.rules.board import MAX_POINTS, Board
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.pieces import Outcome
from tests.references.slow_junqi import COUNTS, FLAG, LANDMINE, LETTERS, are_friends, board_of, destinations
from tests.references.slow_worths import turned

UNMOVED, MOVED, WINNER = range(3)
Piece = tuple[str, int]
Likelihoods = dict[str, float]


class SlowReader:
    """Reads by one policy: `table` by row and kind."""

    def __init__(self, board: Board, table: np.ndarray, trust: float, allowed: dict[int, str]) -> None:
        """`allowed` are the kinds that the rules allow by slot."""
        self.board, self.slow, self.table, self.trust = board, board_of(board.variant), table, trust
        self.allowed = allowed
        self.at: dict[str, Piece] = {}
        for point, (seat, index) in self.slow.seat_and_index.items():
            if point not in self.slow.campsites:
                slot = [i for i in range(30) if i not in (6, 8, 12, 16, 18)].index(index)
                self.at[point] = seat, slot
        self.shown = dict.fromkeys(self.at.values(), UNMOVED)
        self.told = {piece: dict.fromkeys(LETTERS, 0.0) for piece in self.shown}
        self.evidence = dict.fromkeys(board.seats, 0.0)
        self.last: dict[str, tuple[str, str]] = {}

    def follow(self, seen: SeenMove) -> None:
        if seen.is_ply:
            start, target = self.board.names[seen.from_point], self.board.names[seen.to_point]
            self.read(start, target)
            self.carry_out(start, target, seen.outcome)
        gone = [self.board.seats[seat] for seat in seen.eliminated]
        gone += [] if seen.resigned is None else [self.board.seats[seen.resigned]]
        self.at = {point: piece for point, piece in self.at.items() if piece[0] not in gone}

    def read(self, start: str, target: str) -> None:
        mover = self.at[start]
        seat = mover[0]
        weights = {}
        for point, piece in self.at.items():
            if piece[0] == seat:
                weights[piece] = {kind: self.moves_of(point, kind) for kind in LETTERS}
        chances = {piece: self.chances(piece) for piece in weights}
        sums = {
            piece: {kind: sum(of_kind.values()) for kind, of_kind in by_kind.items()}
            for piece, by_kind in weights.items()
        }
        means = {piece: sum(chances[piece][kind] * sums[piece][kind] for kind in LETTERS) for piece in sums}
        whole = sum(means.values()) + 1e-12
        chosen = {kind: weights[mover][kind].get(target, 0.0) for kind in LETTERS}
        self.evidence[seat] += math.log(sum(chances[mover][k] * chosen[k] for k in LETTERS) / whole + 1e-12)
        for piece in sums:
            steps = {}
            for kind in LETTERS:
                steps[kind] = -math.log(max(whole - means[piece] + sums[piece][kind], whole / 1000))
                if piece == mover:
                    steps[kind] += math.log(max(chosen[kind], 1e-12))
            best = max(steps.values())
            steps = {kind: self.trust * max(step - best, -3.0) for kind, step in steps.items()}
            mean = sum(chances[piece][kind] * math.exp(steps[kind]) for kind in LETTERS)
            for kind in LETTERS:
                told = self.told[piece][kind] + steps[kind] - math.log(mean)
                self.told[piece][kind] = min(max(told, -300.0), 300.0)

    def chances(self, piece: Piece) -> Likelihoods:
        still = self.shown[piece] == UNMOVED
        weights = {
            kind: COUNTS[kind] * math.exp(self.told[piece][kind])
            if kind in self.allowed[piece[1]] and (still or kind not in (LANDMINE, FLAG))
            else 0.0
            for kind in LETTERS
        }
        return {kind: weight / sum(weights.values()) for kind, weight in weights.items()}

    def moves_of(self, start: str, kind: str) -> Likelihoods:
        """The weight of each move of the piece on a point, if it were of a kind."""
        pieces = {point: (seat, "a") for point, (seat, _) in self.at.items()}
        found = {}
        for target in destinations(self.slow, pieces, start, (self.at[start][0], kind)):
            total = sum(float(self.table[row, LETTERS.index(kind)]) for row in self.rows(start, target))
            found[target] = math.exp(min(max(total, -12.0), 12.0))
        return found

    def rows(self, start: str, target: str) -> list[int]:
        """The rows of a move."""
        mover = self.at[start]
        seen = turned(self.board, self.board.seats.index(mover[0]), is_mirrored=False)
        at_start, at_target = seen[self.board.point_named[start]], seen[self.board.point_named[target]]
        rows = [LEAVES + at_start + MAX_POINTS * (self.shown[mover] != UNMOVED)]
        rows.append(ENTERS + at_target + MAX_POINTS * (target in self.at))
        if target in self.at:
            rows.append(MEETS + self.shown[self.at[target]])
        for point, first in ((start, BEFORE), (target, AFTER)):
            if point not in self.slow.campsites:
                near = self.slow.road_neighbours[point] | self.slow.rail_neighbours.get(point, set())
                enemies = [self.at[other] for other in near if other in self.at]
                enemies = [other for other in enemies if not are_friends(self.board.variant, mover[0], other[0])]
                rows += {first + self.shown[other] for other in enemies}
        if mover[0] in self.last and self.last[mover[0]][1] == start:
            rows.append(AGAIN)
            if self.last[mover[0]][0] == target:
                rows.append(BACK)
        return rows

    def carry_out(self, start: str, target: str, outcome: Outcome) -> None:
        mover, other = self.at.pop(start), self.at.get(target)
        self.last[mover[0]] = start, target
        self.shown[mover] = max(self.shown[mover], MOVED)
        if outcome == Outcome.DEFENDER_WON:
            self.shown[other] = WINNER
            return
        self.at.pop(target, None)
        if outcome == Outcome.ATTACKER_WON:
            self.shown[mover] = WINNER
        if outcome != Outcome.BOTH_REMOVED:
            self.at[target] = mover
