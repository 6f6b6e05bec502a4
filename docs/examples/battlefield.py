"""What programs of one's own need to know of the boards: points, steps, railways, and what a view proves on them.

    python battlefield.py siguo i6

prints the place of a point and the points one ply away on an empty board. The tables are those of docs/rules.md. The
library names the points and gives the legal moves; this file adds what a plan needs: where the campsites are, how far
it is to a headquarters, and which pieces see each other along a railway.
"""

from __future__ import annotations  # without it, the types below would load the library

import sys
from collections.abc import Container, Iterable
from functools import cache
from heapq import heappop, heappush

from own_engine import gain

import junqi_engine as junqi

SOUTH, EAST, NORTH, WEST = (1, 0, 0, -1), (0, 1, 1, 0), (-1, 0, 0, 1), (0, -1, -1, 0)
"""How a block lies: one column to the owner's right, one row to the back, each as files and ranks."""
BLOCKS = {
    "siguo": {"S": ("g6", SOUTH), "E": ("l7", EAST), "N": ("k12", NORTH), "W": ("f11", WEST)},
    "luzhanqi": {"S": ("a6", SOUTH), "N": ("e7", NORTH)},
}
"""By seat, the left end of the front row and how the block lies."""
CENTRE = {"siguo": "g7 i7 k7 g9 i9 k9 g11 i11 k11".split(), "luzhanqi": []}
LINES = {
    "siguo": """g2-g16 k2-k16 b7-p7 b11-p11 i6-i12 f9-l9 g6-k6 l7-l11 g12-k12 f7-f11 g2-k2 p7-p11 g16-k16 b7-b11
        k2-k6-l7-p7 p11-l11-k12-k16 g16-g12-f11-b11 b7-f7-g6-g2""",
    "luzhanqi": "a2-a11 e2-e11 a2-e2 a6-e6 a7-e7 a11-e11 c6-c7",
}
"""The railways by the points where they begin, turn and end."""
CAMPSITES, HEADQUARTERS, BACK_ROWS = (6, 8, 12, 16, 18), (26, 28), 20
"""Places in a block, counted by rows from the front; the two back rows begin at the last number."""
COUNTS = dict(zip("abcdefghijkl", (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1), strict=True))
SURVIVES = dict.fromkeys(COUNTS, 1)
"""Worths by which a gain is 1, 0 or -1."""
FIGHT, MANY_PLIES = 3, 100
"""Plies that an occupied point costs on a way; plies without a battle that are many where they have no limit."""


def square(point: str) -> tuple[int, int]:
    return ord(point[0]) - ord("a"), int(point[1:])


def name(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank}"


def join(edges: dict[str, set[str]], one: str, other: str) -> None:
    edges[one].add(other)
    edges[other].add(one)


class Battlefield:
    """One board. `steps` has the neighbours of a point, `runs` its straight ways along the railways."""

    def __init__(self, variant: str) -> None:
        self.blocks = {seat: block(*place) for seat, place in BLOCKS[variant].items()}
        places = {seat: dict(enumerate(points)) for seat, points in self.blocks.items()}
        self.home = {point: seat for seat, points in self.blocks.items() for point in points}
        self.campsites = {at[index] for at in places.values() for index in CAMPSITES}
        self.headquarters = {seat: [at[index] for index in HEADQUARTERS] for seat, at in places.items()}
        self.traps = {point for pair in self.headquarters.values() for point in pair}
        self.points = [*self.home, *CENTRE[variant]]
        self.steps: dict[str, set[str]] = {point: set() for point in self.points}
        self.runs: dict[str, list[list[str]]] = {point: [] for point in self.points}
        self.rails: dict[str, set[str]] = {point: set() for point in self.points}
        for points in self.blocks.values():
            for index, point in enumerate(points):
                sides = [1] * (index % 5 < 4) + [5] * (index < 25)
                for side in sides + [-6, -4, 4, 6] * (point in self.campsites):
                    join(self.steps, point, points[index + side])
        for text in LINES[variant].split():
            line = self._line(text.split("-"))
            for index, point in enumerate(line):
                self.runs[point] += [run for run in (line[index + 1 :], line[:index][::-1]) if run]
                for other in line[index + 1 : index + 2]:
                    join(self.steps, point, other)
                    join(self.rails, point, other)

    def _line(self, corners: list[str]) -> list[str]:
        """All points of a railway in order."""
        line = corners[:1]
        for corner in corners[1:]:
            (file, rank), (to_file, to_rank) = square(line[-1]), square(corner)
            length = max(abs(to_file - file), abs(to_rank - rank))
            way = [
                name(file + (to_file - file) * step // length, rank + (to_rank - rank) * step // length)
                for step in range(1, length + 1)
            ]
            line += [point for point in way if point in self.steps]
        return line

    def reach(self, point: str, taken: Container[str], turns: bool = False) -> set[str]:
        """The points one ply away, with the first `taken` one of each way; an Engineer `turns` on railways."""
        found = set(self.steps[point])
        if turns:
            ways = list(self.rails[point])
            while ways:
                found.add(way := ways.pop())
                if way not in taken:
                    ways += self.rails[way] - found - {point}
            return found
        for run in self.runs[point]:
            for other in run:
                found.add(other)
                if other in taken:
                    break
        return found

    def plies_to(self, targets: Iterable[str], taken: Container[str]) -> dict[str, int]:
        """By point, the plies to the nearest of some points; a `taken` point on the way counts as `FIGHT` plies."""
        found = dict.fromkeys(targets, 0)
        front = [(0, point) for point in found]
        while front:
            plies, point = heappop(front)
            further = plies + (FIGHT if plies and point in taken else 1)
            for other in self.reach(point, taken) if plies == found[point] else ():
                if further < found.get(other, further + 1):
                    found[other] = further
                    heappush(front, (further, other))
        return found


def block(first: str, lie: tuple[int, int, int, int]) -> list[str]:
    """The 30 points of a block by rows from the front, each from the owner's left."""
    (file, rank), (right_file, right_rank, back_file, back_rank) = square(first), lie
    return [
        name(file + column * right_file + row * back_file, rank + column * right_rank + row * back_rank)
        for row in range(6)
        for column in range(5)
    ]


@cache
def battlefield(variant: str) -> Battlefield:
    return Battlefield(variant)


class Sight:
    """What a view proves, for the seat to move: its pieces, all enemies with what they may be, and all that stands.

    `haste` grows from 0 to 1 while nothing is removed and the game comes to its end.
    """

    def __init__(self, view: junqi.View, worths: dict[str, int]) -> None:
        self.field, self.worths = battlefield(view.variant), worths
        self.haste = view.quiet / (view.rules.no_contact or MANY_PLIES)
        pieces = view.piece_map()
        [team] = [team for team in view.teams if view.turn in team]
        self.taken = set(pieces)
        self.ours = {point: view.possible(point) for point, piece in pieces.items() if piece.seat == view.turn}
        self.seats = {point: piece.seat for point, piece in pieces.items() if piece.seat not in team}
        self.possible = {point: view.possible(point) for point in self.seats}
        self.enemies = {point: self._chances(point) for point in self.seats}
        self.flags = {point: theirs["l"] for point, theirs in self.enemies.items() if "l" in theirs}

    def _chances(self, point: str) -> dict[str, float]:
        """What an enemy may be: each of the kinds by its number among the pieces of the seat that may be it."""
        others = [self.possible[other] for other, seat in self.seats.items() if seat == self.seats[point]]
        shares = {letter: COUNTS[letter] / sum(letter in other for other in others) for letter in self.possible[point]}
        return {letter: share / sum(shares.values()) for letter, share in shares.items()}

    def gain(self, mine: str, point: str) -> float:
        """The mean gain of an attack on an enemy."""
        return sum(chance * gain(mine, theirs, self.worths) for theirs, chance in self.enemies[point].items())

    def ends(self, mine: str, point: str) -> tuple[float, float]:
        """The chances that an attack removes the enemy alone, and the attacker alone."""
        signs = [(gain(mine, theirs, SURVIVES), chance) for theirs, chance in self.enemies[point].items()]
        return sum(chance for sign, chance in signs if sign > 0), sum(chance for sign, chance in signs if sign < 0)

    def danger(self, mine: str, point: str, taken: Container[str]) -> float:
        """What the enemy gains at most by an attack on a piece of ours; it knows what its own piece is."""
        if point in self.field.campsites:
            return 0.0
        attacks = [
            sum(chance * max(0.0, gain(theirs, mine, self.worths)) for theirs, chance in self.enemies[other].items())
            for other in self.field.reach(point, taken)
            if other in self.enemies and other not in self.field.traps
        ]
        return max(attacks, default=0.0)


def main() -> None:
    variant, point = sys.argv[1:]
    field = battlefield(variant)
    place = "campsite" if point in field.campsites else "railway" if field.runs[point] else "road"
    print(f"{point}: {place} of {field.home.get(point, 'the centre')}; to", *sorted(field.reach(point, ())))


if __name__ == "__main__":
    main()
