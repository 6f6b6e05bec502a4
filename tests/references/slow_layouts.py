"""All layouts of a small Klotski board in plain Python: the slow twin of tools.proof.layouts.

A layout is a set of pieces, each a letter and the row and column of its first cell: `B` the block, `V` a vertical
piece, `H` a horizontal one, `S` a single one. It shares nothing with what it checks.
"""

from collections import deque
from collections.abc import Iterator

SHAPES = {"B": ((0, 0), (0, 1), (1, 0), (1, 1)), "V": ((0, 0), (1, 0)), "H": ((0, 0), (0, 1)), "S": ((0, 0),)}
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))

Piece = tuple[str, int, int]
Layout = frozenset[Piece]


class SlowLayouts:
    """The layouts of a board of `height` rows and `width` columns with one block and at least two empty cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [(row, column) for row in range(height) for column in range(width)]
        self.goal = "B", height - 2, (width - 2) // 2

    def cells_of(self, piece: Piece) -> set[tuple[int, int]]:
        kind, row, column = piece
        return {(row + down, column + right) for down, right in SHAPES[kind]}

    def all(self) -> Iterator[Layout]:
        """Every layout, cell by cell: empty, or the first cell of a piece."""
        yield from self._from(0, frozenset(), frozenset())

    def _from(self, number: int, pieces: Layout, taken: frozenset) -> Iterator[Layout]:
        if number == len(self.cells):
            if sum(kind == "B" for kind, _, _ in pieces) == 1 and len(self.cells) - len(taken) >= 2:
                yield pieces
            return
        cell = self.cells[number]
        yield from self._from(number + 1, pieces, taken)
        if cell in taken:
            return
        for kind in SHAPES:
            cells = self.cells_of((kind, *cell))
            if cells <= set(self.cells) and not cells & taken:
                yield from self._from(number + 1, pieces | {(kind, *cell)}, taken | cells)

    def steps(self, layout: Layout, metric: str) -> Iterator[Layout]:
        """The layouts one step of a metric away."""
        taken = {cell for piece in layout for cell in self.cells_of(piece)}
        for piece in layout:
            free = set(self.cells) - (taken - self.cells_of(piece))
            rest = layout - {piece}
            for end in self._ends(piece, free, metric):
                yield rest | {end}

    def _ends(self, piece: Piece, free: set, metric: str) -> set[Piece]:
        found: set[Piece] = set()
        waiting: deque[tuple[Piece, tuple | None]] = deque([(piece, None)])
        while waiting:
            (kind, row, column), came = waiting.popleft()
            for step in STEPS:
                after = kind, row + step[0], column + step[1]
                fits = self.cells_of(after) <= free and after not in found and after != piece
                if fits and (metric == "move" or came is None or (metric == "line" and came == step)):
                    found.add(after)
                    waiting.append((after, step))
        return found

    def distances(self, layouts: set[Layout], metric: str) -> dict[Layout, int]:
        """The distance of each layout from which a goal can be reached to the nearest goal."""
        distance = {layout: 0 for layout in layouts if self.goal in layout}
        waiting = deque(distance)
        while waiting:
            here = waiting.popleft()
            for after in self.steps(here, metric):
                if after not in distance:
                    distance[after] = distance[here] + 1
                    waiting.append(after)
        return distance

    def components(self, layouts: set[Layout]) -> list[set[Layout]]:
        missing, components = set(layouts), []
        while missing:
            component = {missing.pop()}
            waiting = list(component)
            for here in waiting:
                for after in self.steps(here, "unit"):
                    if after not in component:
                        component.add(after)
                        waiting.append(after)
            components.append(component)
            missing -= component
        return components
