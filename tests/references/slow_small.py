"""The small games as plainly as possible: their points and edges by hand, the rules of `slow_junqi`, and the value of a
game of two sides by a linear program over its sequence form (Koller, Megiddo and von Stengel 1996).

Partners who see each other's pieces act as one side, so the value of mini-siguo is that of its teams.
"""

import functools
import itertools
from collections.abc import Iterator

from tests.references.slow_junqi import SlowBoard, SlowGame

BIG = {"mini-luzhanqi": "luzhanqi", "mini-siguo": "siguo"}
ROADS = {
    "mini-luzhanqi": "b1-b6 d1-d6 b6-c6 c6-d6 b12-b7 d12-d7 b7-c7 c7-d7",
    "mini-siguo": "h1-i1 g6-k6 q8-q9 l7-l11 j17-i17 k12-g12 a10-a9 f11-f7",
}
LINES = {
    "mini-luzhanqi": "b6-c6-d6 b7-c7-d7 c6-c7",
    "mini-siguo": "g6-k6 l7-l11 k12-g12 f11-f7 k6-l7 l11-k12 g12-f11 f7-g6 g6-g12 k6-k12 l7-f7 l11-f11",
}
PLACES = {
    "mini-luzhanqi": {"S": "b6 d6 b1 d1", "N": "d7 b7 d12 b12"},
    "mini-siguo": {"S": "k6 h1 i1", "E": "l11 q8 q9", "N": "g12 j17 i17", "W": "f7 a10 a9"},
}
"""By seat, where the letters of a line-up stand."""
FLAG_PLACES = {"mini-luzhanqi": (2, 3), "mini-siguo": (1,)}
LETTERS = {"mini-luzhanqi": "adil", "mini-siguo": "adl"}


class SmallBoard(SlowBoard):
    """The open points of a large board."""

    def __init__(self, variant: str) -> None:
        super().__init__(BIG[variant])
        self.lines = [line.split("-") for line in LINES[variant].split()]
        self.roads = {frozenset(road.split("-")) for road in ROADS[variant].split()}
        self.rails = {frozenset(step) for line in self.lines for step in itertools.pairwise(line)}
        for neighbours, edges in ((self.road_neighbours, self.roads), (self.rail_neighbours, self.rails)):
            for point in neighbours:
                neighbours[point] = {other for edge in edges if point in edge for other in edge - {point}}
        self.ahead = {
            point: [
                run
                for line in self.lines
                if point in line
                for run in (line[line.index(point) + 1 :], line[: line.index(point)][::-1])
            ]
            for point in self.points
        }


@functools.cache
def small_board(variant: str) -> SmallBoard:
    """The one board of a small variant."""
    return SmallBoard(variant)


class _SmallLuzhanqi(SlowGame):
    find_board = staticmethod(lambda variant: small_board("mini-luzhanqi"))


class _SmallSiguo(SlowGame):
    find_board = staticmethod(lambda variant: small_board("mini-siguo"))


GAMES = {"mini-luzhanqi": _SmallLuzhanqi, "mini-siguo": _SmallSiguo}


def lineups(variant: str) -> list[str]:
    """The legal line-ups: the flag is in a headquarters."""
    places = FLAG_PLACES[variant]
    return sorted({"".join(drawn) for drawn in itertools.permutations(LETTERS[variant]) if drawn.index("l") in places})


def start(variant: str, deal: dict[str, str], max_plies: int) -> SlowGame:
    """The beginning of a game from line-ups by seat."""
    pieces = {
        point: (seat, letter)
        for seat, lineup in deal.items()
        for point, letter in zip(PLACES[variant][seat].split(), lineup, strict=True)
    }
    seats = "".join(deal)
    return GAMES[variant](BIG[variant], pieces, "S", seats, 0, 0, max_plies=max_plies)


def deals(variant: str) -> Iterator[dict[str, str]]:
    """All deals, each equally likely."""
    seats = PLACES[variant]
    for drawn in itertools.product(lineups(variant), repeat=len(seats)):
        yield dict(zip(seats, drawn, strict=True))
