"""Random sliding-block puzzles, and when two of them are the same."""

from dataclasses import replace
from random import Random

from junqi_puzzles.base import PuzzleError
from junqi_puzzles.klotski.board import NAMES, Board, Cells

RUSH_HOUR_NAMES = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz0123456789"
"""Without `O`, `o`, `X` and `x`, which stand for other things in some formats."""
FULLEST, EMPTIEST = 0.85, 0.55
"""How much of a board cars take at most and at least."""
TRIES_A_BOARD = 200
TRIES_A_PIECE = 60
TRUCK_SHARE = 0.3
"""Cars of three cells among those of two and three, as in the boxed game: four of sixteen."""


def random_board(like: Board, random: Random) -> Board:
    """The pieces of `like` laid at random; or, with locked axes, the pieces of the goal on their lines among new cars.

    A `PuzzleError` not-supported if the pieces hardly fit on the board.
    """
    for _ in range(TRIES_A_BOARD):
        board = _with_cars(like, random) if like.axis_locked else _shuffled(like, random)
        if board is not None:
            return board
    raise PuzzleError("not-supported", "generate: there is too little room to lay the pieces anew")


def _shuffled(like: Board, random: Random) -> Board | None:
    taken: Cells = like.walls
    pieces: dict[str, Cells] = {}
    for name in sorted(like.pieces, key=lambda name: (-len(like.pieces[name]), random.random())):
        barred = taken if name in like.goal else taken | like.gates
        cells = _laid(like, like.pieces[name], barred, random)
        if cells is None:
            return None
        pieces[name] = cells
        taken |= cells
    return replace(like, pieces=pieces)


def _with_cars(like: Board, random: Random) -> Board | None:
    pieces: dict[str, Cells] = {}
    taken: Cells = like.walls
    for name, cells in like.goal.items():
        places = [place for place in _line(like, name, cells) if not place & taken]
        if not places:
            return None
        pieces[name] = random.choice(places)
        taken |= pieces[name]
    board = replace(like, pieces=pieces)
    room = like.width * like.height - len(like.walls)
    wanted = random.uniform(EMPTIEST, FULLEST) * room
    while sum(map(len, board.pieces.values())) < wanted:
        fuller = _with_a_car(board, random)
        if fuller is None:
            break
        board = fuller
    return board


def _with_a_car(board: Board, random: Random) -> Board | None:
    """The board with one more car; None if no room was found soon."""
    taken = board.walls.union(board.gates, *board.pieces.values())
    length = 3 if random.random() < TRUCK_SHARE else 2
    shape = range(length) if random.random() < 0.5 else range(0, length * board.width, board.width)
    car = _laid(board, frozenset(shape), taken, random)
    name = next((name for name in RUSH_HOUR_NAMES if name not in board.pieces), None)
    return None if car is None or name is None else replace(board, pieces={**board.pieces, name: car})


def exchange(board: Board, random: Random, most: int = 1) -> Board:
    """The board without up to `most` + 1 cars, and with as many new ones as find room; at times with one more."""
    others = [name for name in board.pieces if name not in board.goal]
    gone = set(random.sample(others, min(len(others), random.randint(most - 1, most + 1))))
    board = replace(board, pieces={name: cells for name, cells in board.pieces.items() if name not in gone})
    for _ in range(max(1, len(gone))):
        board = _with_a_car(board, random) or board
    return board


def _line(board: Board, name: str, cells: Cells) -> list[Cells]:
    """Where a piece of the goal can go from its place there if it is alone."""
    found = [cells]
    for direction in board.axis(cells):
        here = board.slide(name, cells, direction)
        while here is not None:
            found.append(here)
            here = board.slide(name, here, direction)
    return found


def _laid(board: Board, shape: Cells, barred: Cells, random: Random) -> Cells | None:
    """A shape at a random place of the board off the cells `barred`; None if none was found soon."""
    offsets = board.shape(shape)
    height, width = (1 + max(offset[axis] for offset in offsets) for axis in (0, 1))
    for _ in range(TRIES_A_PIECE if height <= board.height and width <= board.width else 0):
        row, column = random.randrange(board.height - height + 1), random.randrange(board.width - width + 1)
        cells = frozenset(board.width * (row + down) + column + right for down, right in offsets)
        if not cells & barred:
            return cells
    return None


def named_in_order(board: Board) -> Board:
    """The board with its pieces named in reading order, those of the goal excepted."""
    names = RUSH_HOUR_NAMES if board.axis_locked else NAMES
    free = iter(name for name in names if name not in board.goal)
    pieces = {
        name if name in board.goal else next(free): cells
        for name, cells in sorted(board.pieces.items(), key=lambda piece: min(piece[1]))
    }
    return replace(board, pieces=pieces)


def canonical(board: Board) -> str:
    """The same text for boards that are alike but for turns, mirror images and the names of pieces."""
    now, goal = ["".join(rows) for rows in (board.rows(), board.goal_rows())]
    width, height = board.width, board.height
    found = []
    for is_transposed in (False, True):
        for is_flipped in (False, True):
            for is_mirrored in (False, True):
                rows = range(height)[::-1] if is_flipped else range(height)
                columns = range(width)[::-1] if is_mirrored else range(width)
                order = (
                    [(row, column) for column in columns for row in rows]
                    if is_transposed
                    else [(row, column) for row in rows for column in columns]
                )
                names: dict[str, str] = {mark: mark for mark in ".#="}
                text = ""
                for drawing in (now, goal):
                    for row, column in order:
                        mark = drawing[row * width + column]
                        text += names.setdefault(mark, chr(ord("A") + len(names)))
                found.append(f"{height if is_transposed else width} {text}")
    return min(found)
