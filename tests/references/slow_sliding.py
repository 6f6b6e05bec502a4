"""Sliding-block puzzles searched in plain Python on dictionaries of cells: the slow twin of junqi_puzzles.klotski.

Reads the text of a position by itself; shares nothing with what it checks.
"""

from collections import Counter, deque
from dataclasses import dataclass

STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

Cell = tuple[int, int]
Pieces = dict[str, frozenset[Cell]]


class SlowSliding:
    """A puzzle read from `<board> goal <goal> [gates <squares>]`."""

    def __init__(self, text: str, axis_locked: bool = False) -> None:
        words = text.split()
        rows, goal_rows = words[0].split("/"), words[2].split("/")
        self.cells = {(i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol != "#"}
        self.gates = {(i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol == "="}
        for square in words[4].split(",") if len(words) == 5 else []:
            self.gates.add((len(rows) - int(square[1:]), ord(square[0]) - ord("a")))
        self.start = self._pieces(rows)
        self.goal = self._pieces(goal_rows)
        self.axis_locked = axis_locked

    @staticmethod
    def _pieces(rows: list[str]) -> Pieces:
        found: dict[str, set[Cell]] = {}
        for i, row in enumerate(rows):
            for j, symbol in enumerate(row):
                if symbol not in ".#=":
                    found.setdefault(symbol, set()).add((i, j))
        return {name: frozenset(cells) for name, cells in found.items()}

    def canonical(self, pieces: Pieces) -> frozenset:
        """The position without the names of pieces that the goal does not name."""
        return frozenset((name if name in self.goal else "", cells) for name, cells in pieces.items())

    def is_goal(self, pieces: Pieces) -> bool:
        return all(pieces[name] == cells for name, cells in self.goal.items())

    def shifted(self, pieces: Pieces, name: str, direction: str) -> Pieces | None:
        """The position after a piece went one cell; None if it can't."""
        cells = pieces[name]
        height = max(i for i, _ in cells) - min(i for i, _ in cells)
        width = max(j for _, j in cells) - min(j for _, j in cells)
        if self.axis_locked and (height == width or (direction in "ud") != (height > width)):
            return None
        down, right = STEPS[direction]
        moved = frozenset((i + down, j + right) for i, j in cells)
        for other, there in pieces.items():
            if other != name and there & moved:
                return None
        if not moved <= self.cells or (name not in self.goal and (moved - cells) & self.gates):
            return None
        return {**pieces, name: moved}

    def successors(self, pieces: Pieces, metric: str) -> list[tuple[str, Pieces]]:
        """Every position that one step leads to, with its move."""
        found = []
        for name in pieces:
            paths = {pieces[name]: ""}
            waiting = deque([pieces])
            while waiting:
                here = waiting.popleft()
                path = paths[here[name]]
                for direction in STEPS:
                    if (metric == "unit" and path) or (metric == "line" and path and path[-1] != direction):
                        continue
                    after = self.shifted(here, name, direction)
                    if after is not None and after[name] not in paths:
                        paths[after[name]] = path + direction
                        waiting.append(after)
                        found.append((name + path + direction, after))
        return found

    def replay(self, moves: tuple[str, ...], metric: str) -> Pieces:
        """The position after the moves; an AssertionError at one that can't be played."""
        pieces = self.start
        for move in moves:
            name, path = move[0], move[1:]
            assert path, move
            assert metric != "unit" or len(path) == 1, move
            assert metric != "line" or len(set(path)) == 1, move
            for direction in path:
                after = self.shifted(pieces, name, direction)
                assert after is not None, move
                pieces = after
        return pieces


@dataclass
class SlowAnswer:
    """`ways`: how many shortest solutions pass through different positions."""

    steps: int | None
    ways: int
    states: int
    goals: int
    dead_ends: int


def slow_survey(puzzle: SlowSliding, metric: str, most_states: int = 3000) -> SlowAnswer | None:
    """Go through every position; None when there are more than `most_states`."""
    start = puzzle.canonical(puzzle.start)
    depth = {start: 0}
    ways = Counter({start: 1})
    before: dict[frozenset, set[frozenset]] = {start: set()}
    goals = []
    waiting = deque([(start, puzzle.start)])
    while waiting:
        here, pieces = waiting.popleft()
        if puzzle.is_goal(pieces):
            goals.append(here)
        reached = {puzzle.canonical(after): after for _, after in puzzle.successors(pieces, metric)}
        for after, its_pieces in reached.items():
            if after not in depth:
                if len(depth) == most_states:
                    return None
                depth[after] = depth[here] + 1
                before[after] = set()
                waiting.append((after, its_pieces))
            if depth[after] == depth[here] + 1:
                ways[after] += ways[here]
            before[after].add(here)
    alive = set(goals)
    todo = list(goals)
    while todo:
        for parent in before[todo.pop()]:
            if parent not in alive:
                alive.add(parent)
                todo.append(parent)
    steps = min((depth[goal] for goal in goals), default=None)
    number = sum(ways[goal] for goal in goals if depth[goal] == steps)
    return SlowAnswer(steps, number, len(depth), len(goals), len(depth) - len(alive))
