"""Match-3, plain: boards as lists of rows, every swap tried, every sequence of swaps searched."""

Cells = list[list[int]]


class SlowMatch3:
    """The rules under the options of the game, and an exhaustive search."""

    def __init__(self, points=(1, 3, 10), ignores_long_runs=False, allows_empty_swap=False):
        self.points = points
        self.ignores_long_runs = ignores_long_runs
        self.allows_empty_swap = allows_empty_swap

    def runs(self, cells: Cells) -> list[list[tuple[int, int]]]:
        """The runs that score, each as its cells."""
        rows, columns = len(cells), len(cells[0])
        lines = [[(r, c) for c in range(columns)] for r in range(rows)]
        lines += [[(r, c) for r in range(rows)] for c in range(columns)]
        found = []
        for line in lines:
            run: list[tuple[int, int]] = []
            for r, c in line:
                if run and cells[r][c] != cells[run[0][0]][run[0][1]]:
                    found.append(run)
                    run = []
                run.append((r, c))
            found.append(run)
        return [
            run
            for run in found
            if len(run) >= 3 and cells[run[0][0]][run[0][1]] != 0 and not (self.ignores_long_runs and len(run) > 5)
        ]

    def worth(self, runs) -> int:
        return sum(self.points[min(len(run), 5) - 3] for run in runs)

    def fall(self, cells: Cells, gone=()) -> Cells:
        rows, columns = len(cells), len(cells[0])
        after = [[0] * columns for _ in range(rows)]
        for c in range(columns):
            pieces = [cells[r][c] for r in range(rows) if cells[r][c] and (r, c) not in gone]
            for i, piece in enumerate(pieces):
                after[rows - len(pieces) + i][c] = piece
        return after

    def cascade(self, cells: Cells):
        """Points and the board at rest; every wave takes all runs of the board."""
        total = 0
        while runs := self.runs(cells):
            total += self.worth(runs)
            cells = self.fall(cells, {cell for run in runs for cell in run})
        return total, cells

    def play(self, cells: Cells, first, second):
        """Points and board after a swap, or None if it is not allowed."""
        (r1, c1), (r2, c2) = first, second
        a, b = cells[r1][c1], cells[r2][c2]
        if a == b:
            return None
        after = [row[:] for row in cells]
        after[r1][c1], after[r2][c2] = b, a
        if a and b:
            moved = [first, second]
        elif self.allows_empty_swap:
            moved_from, moved_to = (first, second) if a else (second, first)
            if moved_from[1] == moved_to[1]:
                if moved_to[0] > moved_from[0]:
                    return None
                rest = moved_from
            else:
                column = moved_to[1]
                height = sum(1 for row in cells if row[column])
                rest = (len(cells) - 1 - height, column)
            after, moved = self.fall(after), [rest]
        else:
            return None
        makes_run = any(cell in run for run in self.runs(after) for cell in moved)
        return self.cascade(after) if makes_run else None

    def swaps(self, cells: Cells):
        """Every allowed swap in order: its two cells, its points, the board after it."""
        rows, columns = len(cells), len(cells[0])
        for r in range(rows):
            for c in range(columns):
                for other in ((r, c + 1), (r + 1, c)):
                    if other[0] < rows and other[1] < columns:
                        played = self.play(cells, (r, c), other)
                        if played is not None:
                            yield ((r, c), other, *played)

    def best(self, cells: Cells, max_swaps: int):
        """The most points, and the first of the shortest lines that score them."""
        best = (0, ())
        if max_swaps == 0:
            return best
        for first, second, points, after in self.swaps(cells):
            rest, line = self.best(after, max_swaps - 1)
            candidate = (points + rest, ((first, second), *line))
            if candidate[0] > best[0] or (candidate[0] == best[0] and len(candidate[1]) < len(best[1])):
                best = candidate
        return best
