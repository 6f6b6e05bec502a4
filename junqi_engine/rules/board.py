"""The two boards: points, roads, railways, campsites, headquarters.

A *point* is an integer. The 30 points of each block come first, by index from the owner's view (front row first);
in Siguo, the nine centre points follow, from g11 to k7 by rows. Ties are broken in this order.
A *seat* is an integer in turn order: S, E, N, W in Siguo; S, N in luzhanqi. `layout.team_of` gives its team.

Kernels read a board from one record, `TABLES`:

| field | shape | meaning |
|---|---|---|
| near | (129, 8) | the points one step away: campsites, then other road steps, then railway steps |
| near_camps, near_roads, near_count | (129,) | the ends of these three parts of `near` |
| runs | (129, 32) | the straight railway runs, a trie in preorder: a point, and the next entry if it is occupied |
| run_count | (129,) | entries of `runs` |
| headquarters, campsite, rail | (129,) | 1 for a headquarters, a campsite, a railway point |
| next_seat | (64,) | the next seat to move, by `4 * alive + seat` |
| battle | (12, 12) | `pieces.BATTLE_CODES` by attacking and defending kind |
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from junqi_engine.kernels import record_type
from junqi_engine.rules.layout import SEATS, contains, seats_of_team, team_of
from junqi_engine.rules.pieces import BATTLE_CODES, KINDS
from junqi_engine.rules.visibility import Visibility

BLOCK_POINTS = 30
ROW_POINTS = 5
CAMPSITE_INDICES = (6, 8, 12, 16, 18)
HEADQUARTERS_INDICES = (26, 28)
LINEUP_INDICES = tuple(index for index in range(BLOCK_POINTS) if index not in CAMPSITE_INDICES)
FIRST_BACK_ROW = 4
"""The first of the two back rows, in which landmines start."""
MAX_POINTS = 129
RUN_TARGET, RUN_SKIP_SHIFT = 0xFF, 8
"""An entry of `runs`: the point in the lower bits, above them the next entry if it is occupied."""

TABLES = np.dtype(
    [
        ("near", np.uint8, (MAX_POINTS, 8)),
        ("near_camps", np.uint8, MAX_POINTS),
        ("near_roads", np.uint8, MAX_POINTS),
        ("near_count", np.uint8, MAX_POINTS),
        ("runs", np.uint16, (MAX_POINTS, 32)),
        ("run_count", np.uint8, MAX_POINTS),
        ("headquarters", np.uint8, MAX_POINTS),
        ("campsite", np.uint8, MAX_POINTS),
        ("rail", np.uint8, MAX_POINTS),
        ("next_seat", np.uint8, 64),
        ("battle", np.uint8, (KINDS, KINDS)),
    ],
    align=True,
)
TABLES_TYPE = record_type(TABLES)

Square = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Board:
    """A board. Squares are (file, rank) from 0 at the lower left; edges are frozensets of two points.

    `teams` are the seats of each team, `all_alive` the set of all seats.
    """

    variant: str
    width: int
    height: int
    seats: str
    squares: tuple[Square, ...]
    roads: frozenset[frozenset[int]]
    lines: tuple[tuple[int, ...], ...]
    points: range = field(init=False)
    names: tuple[str, ...] = field(init=False)
    point_at: dict[Square, int] = field(init=False)
    point_named: dict[str, int] = field(init=False)
    rails: frozenset[frozenset[int]] = field(init=False)
    teams: tuple[str, str] = field(init=False)
    all_alive: int = field(init=False)

    def __post_init__(self) -> None:
        names = tuple(f"{chr(ord('a') + file)}{rank + 1}" for file, rank in self.squares)
        derived = {
            "points": range(len(self.squares)),
            "names": names,
            "point_at": {square: point for point, square in enumerate(self.squares)},
            "point_named": {name: point for point, name in enumerate(names)},
            "rails": frozenset(frozenset(pair) for line in self.lines for pair in pairwise(line)),
            "teams": (self.seats[0::2], self.seats[1::2]),
            "all_alive": (1 << len(self.seats)) - 1,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> str:
        """Pickle by name, so that a copied or unpickled board is the module's own constant."""
        return self.variant.upper()

    def owner(self, point: int) -> int | None:
        """The seat of the point's block; None in the centre."""
        seat = point // BLOCK_POINTS
        return seat if seat < len(self.seats) else None

    def row(self, point: int) -> int | None:
        """The row in its owner's block, 0 = front; None in the centre."""
        return None if self.owner(point) is None else point % BLOCK_POINTS // ROW_POINTS

    def is_campsite(self, point: int) -> bool:
        return self.owner(point) is not None and point % BLOCK_POINTS in CAMPSITE_INDICES

    def is_headquarters(self, point: int) -> bool:
        return self.owner(point) is not None and point % BLOCK_POINTS in HEADQUARTERS_INDICES

    def block(self, seat: int) -> range:
        return range(BLOCK_POINTS * seat, BLOCK_POINTS * (seat + 1))

    @cached_property
    def rail_points(self) -> frozenset[int]:
        return frozenset(point for line in self.lines for point in line)

    @cached_property
    def road_steps(self) -> tuple[frozenset[int], ...]:
        steps: list[set[int]] = [set() for _ in self.points]
        for one, other in map(tuple, self.roads):
            steps[one].add(other)
            steps[other].add(one)
        return tuple(map(frozenset, steps))

    @cached_property
    def tables(self) -> np.void:
        """The board as a `TABLES` record. Read-only."""
        tables = np.zeros(1, TABLES)[0]
        neighbours: dict[int, set[int]] = {point: set() for point in self.points}
        for edge in self.roads | self.rails:
            one, other = edge
            neighbours[one].add(other)
            neighbours[other].add(one)
        for point in self.points:
            steps = sorted(neighbours[point])
            railway = [step for step in steps if frozenset((point, step)) in self.rails]
            camps = [step for step in steps if self.is_campsite(step)]
            others = [step for step in steps if step not in railway and step not in camps]
            near = camps + others + railway
            tables["near"][point, : len(near)] = near
            tables["near_camps"][point] = len(camps)
            tables["near_roads"][point] = len(camps) + len(others)
            tables["near_count"][point] = len(near)
            runs = _flatten(_run_trie(self, point), 0)
            tables["runs"][point, : len(runs)] = [to | on << RUN_SKIP_SHIFT for to, on in runs]
            tables["run_count"][point] = len(runs)
            tables["headquarters"][point] = self.is_headquarters(point)
            tables["campsite"][point] = self.is_campsite(point)
            tables["rail"][point] = bool(railway)
        seats = len(self.seats)
        for alive in range(1, 1 << seats):
            for seat in range(seats):
                order = [(seat + step) % seats for step in range(1, seats + 1)]
                tables["next_seat"][SEATS * alive + seat] = next(other for other in order if contains(alive, other))
        tables["battle"] = BATTLE_CODES
        return tables


def points_seen_from(board: Board, seat: int) -> list[int]:
    """By point, its relative point for a seat: on the board turned so that the seat sits in the south."""
    quarter_turns = seat * SEATS // len(board.seats)
    found = []
    for file, rank in board.squares:
        # From the centre, in halves of a square.
        x, y = 2 * file - (board.width - 1), 2 * rank - (board.height - 1)
        for _ in range(quarter_turns):
            x, y = y, -x
        found.append(board.point_at[(x + board.width - 1) // 2, (y + board.height - 1) // 2])
    return found


def mirrored_points(board: Board) -> np.ndarray:
    """By point, its mirror image, left and right exchanged, (points,). On a board of four seats, a mirror would change
    the order of turns, so it is the point itself.
    """
    if len(board.seats) != 2:
        return np.arange(len(board.points))
    return np.array([board.point_at[board.width - 1 - file, rank] for file, rank in board.squares])


def _block_square(board_height: int, seats: int, seat: int, index: int) -> Square:
    row, column = divmod(index, 5)
    if seats == 2:
        return (column, 5 - row) if seat == 0 else (4 - column, 6 + row)
    centre = (board_height - 1) // 2
    # South's block, turned counter-clockwise about the centre of the grid, a quarter for each seat.
    x, y = 6 + column - centre, 5 - row - centre
    for _ in range(seat):
        x, y = -y, x
    return x + centre, y + centre


def _block_roads(first: int) -> Iterable[tuple[int, int]]:
    for index in range(BLOCK_POINTS):
        row, column = divmod(index, 5)
        if row < 5:
            yield first + index, first + index + 5
        if column < 4:
            yield first + index, first + index + 1
        if index in CAMPSITE_INDICES:
            for step in (-6, -4, 4, 6):
                yield first + index, first + index + step


def _edges(pairs: Iterable[tuple[int, int]]) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(pair) for pair in pairs)


def _siguo() -> Board:
    blocks = [_block_square(17, 4, seat, index) for seat in range(4) for index in range(BLOCK_POINTS)]
    centre = [(file, rank) for rank in (10, 8, 6) for file in (6, 8, 10)]
    squares = (*blocks, *centre)
    at = {square: point for point, square in enumerate(squares)}

    def column(seat: int, number: int) -> list[int]:
        """Rows 0 to 4 of a column of a block."""
        return [BLOCK_POINTS * seat + 5 * row + number for row in range(5)]

    def across(seat: int, number: int) -> list[int]:
        """The three centre points ahead of a block's column, nearest first."""
        x, y = squares[BLOCK_POINTS * seat + number]
        ahead_x, ahead_y = ((0, 1), (-1, 0), (0, -1), (1, 0))[seat]
        return [at[x + step * ahead_x, y + step * ahead_y] for step in (1, 3, 5)]

    roads = [road for seat in range(4) for road in _block_roads(BLOCK_POINTS * seat)]
    lines = []
    for seat in range(4):
        first, opposite, following = BLOCK_POINTS * seat, (seat + 2) % 4, (seat + 1) % 4
        roads += [(first + number, across(seat, number)[0]) for number in (0, 2, 4)]
        lines.append([first + number for number in range(5)])
        lines.append([first + 20 + number for number in range(5)])
        lines.append(column(seat, 0)[::-1] + across(seat, 0) + column(opposite, 4))
        lines.append(column(seat, 4)[::-1] + column(following, 0))
        if seat < 2:
            lines.append([first + 2, *across(seat, 2), BLOCK_POINTS * opposite + 2])
    return Board("siguo", 17, 17, "SENW", squares, _edges(roads), tuple(map(tuple, lines)))


def _luzhanqi() -> Board:
    squares = tuple(_block_square(12, 2, seat, index) for seat in range(2) for index in range(BLOCK_POINTS))
    at = {square: point for point, square in enumerate(squares)}
    roads = [road for seat in range(2) for road in _block_roads(BLOCK_POINTS * seat)]
    lines = [[at[file, rank] for file in range(5)] for rank in (1, 5, 6, 10)]
    lines += [[at[file, rank] for rank in range(1, 11)] for file in (0, 4)]
    lines.append([at[2, 5], at[2, 6]])
    return Board("luzhanqi", 5, 12, "SN", squares, _edges(roads), tuple(map(tuple, lines)))


def _run_trie(board: Board, point: int) -> dict:
    """The runs from a point along all lines, as a trie, so that no target is listed twice."""
    trie: dict = {}
    for line in board.lines:
        if point not in line:
            continue
        position = line.index(point)
        for run in (line[position + 1 :], line[:position][::-1]):
            node = trie
            for step in run:
                node = node.setdefault(step, {})
    return trie


def _flatten(trie: dict, start: int) -> list[tuple[int, int]]:
    """The preorder of a trie: (target, index of the first entry after its subtree)."""
    entries: list[tuple[int, int]] = []
    for to, continuations in trie.items():
        below = _flatten(continuations, start + len(entries) + 1)
        entries.append((to, start + len(entries) + 1 + len(below)))
        entries += below
    return entries


SIGUO = _siguo()
LUZHANQI = _luzhanqi()
BOARDS = {board.variant: board for board in (SIGUO, LUZHANQI)}


def viewer_seats(board: Board, visibility: str, seat: int) -> int:
    """The set of seats whose pieces a seat sees."""
    if visibility == Visibility.OPEN:
        return board.all_alive
    return 1 << seat if visibility == Visibility.DARK else seats_of_team(team_of(seat)) & board.all_alive
