"""Random small sliding-block puzzles, as text, for tests."""

from random import Random

from tests.references.slow_sliding import SlowSliding

NAMES = "ABCDEFGHIJ"


def random_puzzle(random: Random) -> tuple[str, bool]:
    """A puzzle, and True if its axes are locked: walls, gates, pieces in several parts, goals for one piece or more."""
    while True:
        width, height = random.randint(2, 5), random.randint(2, 4)
        cells = {(i, j): "." for i in range(height) for j in range(width)}
        for cell in cells:
            chance = random.random()
            cells[cell] = "#" if chance < 0.08 else "=" if chance < 0.2 else "."
        gates = {cell for cell, symbol in cells.items() if symbol == "="}
        for name in NAMES[: random.randint(1, 6)]:
            _place(random, cells, name)
        names = sorted({symbol for symbol in cells.values() if symbol in NAMES})
        if not names or not any(symbol in ".=" for symbol in cells.values()):
            continue
        locked = random.random() < 0.15
        goal_names = random.sample(names, random.randint(1, min(3, len(names))))
        taken = [cell for cell in sorted(gates) if cells[cell] in NAMES]
        squares = ",".join(f"{'abcdefgh'[j]}{height - i}" for i, j in taken)
        gates_text = f" gates {squares}" if taken else ""
        board = _draw(cells, width, height)
        # A goal made of the pieces themselves where they stand, to have their shapes, then walked away from.
        there = {cell: symbol if symbol in goal_names else "." for cell, symbol in cells.items()}
        text = f"{board} goal {_draw(there, width, height)}{gates_text}"
        puzzle = SlowSliding(text, locked)
        pieces = puzzle.start
        for _ in range(random.randint(1, 30)):
            choices = puzzle.successors(pieces, "unit")
            if not choices:
                break
            pieces = random.choice(choices)[1]
        goal = dict.fromkeys(cells, ".")
        for name in goal_names:
            goal |= dict.fromkeys(pieces[name], name)
        if random.random() < 0.2:
            rows = _draw(goal, width, height).split("/")[::-1]  # most often out of reach
            if all(cells[i, j] != "#" or rows[i][j] == "." for i in range(height) for j in range(width)):
                shapes_kept = all(_shape(goal, name) == _shape_of_rows(rows, name) for name in goal_names)
                if shapes_kept:
                    return f"{board} goal {'/'.join(rows)}{gates_text}", locked
        return f"{board} goal {_draw(goal, width, height)}{gates_text}", locked


def _place(random: Random, cells: dict[tuple[int, int], str], name: str) -> None:
    """Put down a piece of up to four cells, in one part or now and then in two."""
    open_cells = [cell for cell, symbol in cells.items() if symbol in ".="]
    if not open_cells:
        return
    piece = [random.choice(open_cells)]
    for _ in range(random.choice((0, 0, 1, 1, 1, 2, 3))):
        i, j = random.choice(piece)
        beside = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
        if random.random() < 0.1:
            beside += open_cells
        choices = [cell for cell in beside if cells.get(cell, "#") in ".=" and cell not in piece]
        if choices:
            piece.append(random.choice(choices))
    for cell in piece:
        cells[cell] = name


def _draw(cells: dict[tuple[int, int], str], width: int, height: int) -> str:
    return "/".join("".join(cells[i, j] for j in range(width)) for i in range(height))


def _shape(cells: dict[tuple[int, int], str], name: str) -> list[tuple[int, int]]:
    places = sorted(cell for cell, symbol in cells.items() if symbol == name)
    top, left = min(i for i, _ in places), min(j for _, j in places)
    return [(i - top, j - left) for i, j in places]


def _shape_of_rows(rows: list[str], name: str) -> list[tuple[int, int]]:
    return _shape({(i, j): symbol for i, row in enumerate(rows) for j, symbol in enumerate(row)}, name)
