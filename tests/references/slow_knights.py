"""Knight's tours, plain: every way is walked."""


def neighbours(rows: int, columns: int) -> list[list[int]]:
    moves = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]
    return [
        [(r + down) * columns + c + along for down, along in moves if 0 <= r + down < rows and 0 <= c + along < columns]
        for r in range(rows)
        for c in range(columns)
    ]


def pairs_with_a_tour(rows: int, columns: int) -> set[tuple[int, int]]:
    """All (start, end) with an open tour, as row * columns + column."""
    near = neighbours(rows, columns)
    everything = (1 << rows * columns) - 1
    found: set[tuple[int, int]] = set()

    def ends(here: int, visited: int) -> frozenset[int]:
        """Where ways from `here` over all unvisited squares end."""
        if visited == everything:
            return frozenset([here])
        if (here, visited) in known:
            return known[here, visited]
        reached: set[int] = set()
        for to in near[here]:
            if not visited >> to & 1:
                reached |= ends(to, visited | 1 << to)
        known[here, visited] = frozenset(reached)
        return known[here, visited]

    known: dict[tuple[int, int], frozenset[int]] = {}
    for start in range(rows * columns):
        found |= {(start, end) for end in ends(start, 1 << start)}
    return found


def has_tour(rows: int, columns: int, path: list[tuple[int, int]], failed: set[tuple[int, int]] | None = None) -> bool:
    """True if an open tour begins with a path of (row, column).

    `failed`, which questions about the same board may share, gets the squares from which no way over the rest goes on.
    """
    near = neighbours(rows, columns)
    squares = [row * columns + column for row, column in path]
    failed = set() if failed is None else failed

    def goes_on(here: int, visited: int) -> bool:
        if visited == (1 << rows * columns) - 1:
            return True
        if (here, visited) in failed:
            return False
        if any(not visited >> to & 1 and goes_on(to, visited | 1 << to) for to in near[here]):
            return True
        failed.add((here, visited))
        return False

    return goes_on(squares[-1], sum(1 << square for square in squares))


def is_tour(steps, closed: bool = False) -> bool:
    """True if rows of step numbers from 0 are a tour."""
    place = {step: (r, c) for r, row in enumerate(steps) for c, step in enumerate(row)}
    size = len(steps) * len(steps[0])
    if sorted(place) != list(range(size)):
        return False
    pairs = [(step, step + 1) for step in range(size - 1)] + ([(size - 1, 0)] if closed else [])
    return all(sorted((abs(place[a][0] - place[b][0]), abs(place[a][1] - place[b][1]))) == [1, 2] for a, b in pairs)
