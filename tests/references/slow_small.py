"""The small games as plainly as possible: their points and edges by hand, the rules of `slow_junqi`, and the value of a
game of two sides by a linear program over its sequence form (Koller, Megiddo and von Stengel 1996).

Partners who see each other's pieces act as one side, so the value of mini-siguo is that of its teams.
"""

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, vstack

from tests.references.slow_junqi import TEAMS, SlowBoard, SlowGame, split_move

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


@dataclass
class Tree:
    """The sequence form: by side its information sets, each with the sequence that leads to it and its moves; the
    payoff of the first side by pairs of sequences. A sequence is a number; 0 is the empty one.
    """

    histories: int = 0
    sets: tuple[dict, dict] = field(default_factory=lambda: ({}, {}))
    sizes: list[int] = field(default_factory=lambda: [1, 1])
    payoffs: dict[tuple[int, int], float] = field(default_factory=dict)

    def moves_of(self, side: int, known: tuple, sequence: int, moves: list[str]) -> dict[str, int]:
        """The sequences that the moves of an information set make."""
        if known not in self.sets[side]:
            first = self.sizes[side]
            self.sets[side][known] = sequence, dict(zip(moves, itertools.count(first), strict=False))
            self.sizes[side] += len(moves)
        return self.sets[side][known][1]


def tree_of(variant: str, max_plies: int) -> Tree:
    """All histories of a small game."""
    tree, teams = Tree(), TEAMS[BIG[variant]]
    all_deals = list(deals(variant))

    def walk(game: SlowGame, record: tuple[str, ...], sequences: tuple[int, int], private: list[str]) -> None:
        tree.histories += 1
        if game.result is not None:
            worth = {teams[0]: 1.0, teams[1]: -1.0, "draw": 0.0}[game.result]
            tree.payoffs[sequences] = tree.payoffs.get(sequences, 0.0) + worth / len(all_deals)
            return
        side = int(game.turn in teams[1])
        found = tree.moves_of(side, (private[side], record), sequences[side], moves := game.legal())
        for move in moves:
            after = game.copy()
            suffix = after._move(*split_move(move))
            following = (found[move], sequences[1]) if side == 0 else (sequences[0], found[move])
            walk(after, (*record, move + suffix), following, private)

    for deal in all_deals:
        walk(start(variant, deal, max_plies), (), (0, 0), ["".join(deal[seat] for seat in team) for team in teams])
    return tree


def value(tree: Tree) -> float:
    """What the first side may expect if both play at their best: with realisation plan x of the first side, maximise
    what the second side must concede in its empty sequence, p_0, where E2' p <= A' x and E1 x = e1.
    """
    (rows, columns), worths = np.array(list(tree.payoffs)).T, np.array(list(tree.payoffs.values()))
    payoffs = coo_matrix((worths, (rows, columns)), shape=tree.sizes)
    ours, theirs = _constraints(tree, 0), _constraints(tree, 1)
    plans, concessions = ours.shape[1], theirs.shape[0]
    bound = vstack([(-payoffs).tocsr(), theirs.tocsr()], format="csr").T  # by sequence of the second side
    equal = coo_matrix((ours.data, (ours.row, ours.col)), shape=(ours.shape[0], plans + concessions))
    cost, right = np.zeros(plans + concessions), np.zeros(ours.shape[0])
    cost[plans], right[0] = -1.0, 1.0
    limits = [(0, None)] * plans + [(None, None)] * concessions
    found = linprog(cost, bound, np.zeros(bound.shape[0]), equal, right, limits, method="highs")
    if found.status:
        raise ValueError(found.message)
    return -float(found.fun)


def _constraints(tree: Tree, side: int) -> coo_matrix:
    """(1 + sets, sequences): the empty sequence is played; a set's moves are played as often as it is reached."""
    entries = [(0, 0, 1.0)]
    for row, (parent, moves) in enumerate(tree.sets[side].values(), 1):
        entries += [(row, parent, -1.0), *((row, sequence, 1.0) for sequence in moves.values())]
    rows, columns, signs = zip(*entries, strict=True)
    return coo_matrix((signs, (rows, columns)), shape=(1 + len(tree.sets[side]), tree.sizes[side]))
