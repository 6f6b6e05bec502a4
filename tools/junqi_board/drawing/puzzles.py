"""Positions of puzzles as data to draw, made from their text and legal moves alone, without solvers or kernels.

The drawing of every puzzle has the same parts, in units of a cell, x and y from the upper left:

- `floor`: rectangles [x, y, width, height, kind] that never move; `line`: the corners of a path on it;
- `shapes`: what moves, each with an `id`, its rectangles relative to its centre (x, y), a `tone` (0..35) and a `label`;
  where several may be alike, an `id` is what they are and the place, as `3@0,1`;
- `choices`: the legal moves, each with the id of the shape that moves and the place that its centre comes to;
- `exit`: where the shape of the kind `chosen` leaves the board when the puzzle is solved, as [x, y, dx, dy] with the
  place on the border and the direction; None if nothing leaves.

`BadDrawing` is raised for a position that does not follow the protocol.
"""

from collections.abc import Callable, Sequence
from typing import Any

from junqi_engine.errors import Refused
from junqi_puzzles.base import parse_square, split_move
from junqi_puzzles.submarine.tiles import HOLE, MARGIN, PLANE, SIDE, SUBMARINE, TILE, attachments

MAX_SIDE = 100
MAX_CELLS = 1_000

Cell = tuple[int, int]
Drawing = dict[str, Any]


class BadDrawing(Refused):
    """A position that is too large to draw, or is not one."""

    def __init__(self, text: str, code: str = "bad-position") -> None:
        super().__init__(code, text)


def draw(variant: str, fen: str, legal: Sequence[str] = ()) -> Drawing:
    """The drawing of a position."""
    try:
        return _DRAWERS[variant](fen, legal)
    except BadDrawing:
        raise
    except (KeyError, IndexError, ValueError) as error:
        raise BadDrawing(f"the {variant} position cannot be drawn: {fen[:60]!r}") from error


def _klotski(fen: str, legal: Sequence[str]) -> Drawing:
    words = _from_rush_hour(fen) if len(fen.split()) == 1 else fen.split()
    rows, goal = words[0].split("/"), words[2].split("/")
    width, height = _size(rows)
    gates = {_square(square, height) for square in words[4].split(",")} if words[3:4] == ["gates"] else set()
    floor: list[list[Any]] = []
    blocks: dict[str, list[Cell]] = {}
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            wanted = goal[y][x]
            kind = "gate" if char == "=" or (x, y) in gates else "goal" if wanted not in ".#=" else "cell"
            floor.append([x, y, 1, 1, "wall" if char == "#" else kind])
            if char not in ".#=":
                blocks.setdefault(char, []).append((x, y))
    goals = {char for row in goal for char in row if char not in ".#="}
    names = sorted(blocks)
    shapes = []
    for name, cells in blocks.items():
        centre_x, centre_y = _centre(cells)
        rectangles = [[x - centre_x, y - centre_y, 1, 1] for x, y in cells]
        kind = "chosen" if name in goals else "block"
        shapes.append(_shape(name, centre_x, centre_y, rectangles, names.index(name), name, kind))
    at = {shape["id"]: shape for shape in shapes}
    choices = []
    for move in legal:
        shape, path = at[move[0]], move[1:]
        if not path or set(path) - set("udlr"):
            raise ValueError(move)
        x = shape["x"] + path.count("r") - path.count("l")
        choices.append(_choice(move, move[0], x, shape["y"] + path.count("d") - path.count("u")))
    ends = {(x, y): goal[y][x] for y in range(height) for x in range(width) if goal[y][x] in goals}
    return _drawing(width, height, floor, shapes, choices) | {"exit": _exit(width, height, ends)}


def _from_rush_hour(text: str) -> list[str]:
    if len(text) != 36:
        raise ValueError(text)
    rows = [text[first : first + 6].replace("o", ".").replace("x", "#") for first in range(0, 36, 6)]
    goal = ["." * (6 - row.count("A")) + "A" * row.count("A") for row in rows]
    return ["/".join(rows), "goal", "/".join(goal)]


def _exit(width: int, height: int, ends: dict[Cell, str]) -> list[float] | None:
    """Beside the goal of the only block that has one, if it is at a border; in the direction of its longer side."""
    if len(set(ends.values())) != 1:
        return None
    xs, ys = {x for x, _ in ends}, {y for _, y in ends}
    centre_x, centre_y = (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2
    ways = {
        "down": [centre_x, height, 0, 1] if max(ys) == height - 1 else None,
        "right": [width, centre_y, 1, 0] if max(xs) == width - 1 else None,
    }
    order = ("right", "down") if len(xs) > len(ys) else ("down", "right")
    return next((way for way in map(ways.get, order) if way is not None), None)


_FILES = "abc"
_TILE_TONES = {"T": 0, "b": 1, "m": 2, "s": 3}
"""By the first letter of a tile's name."""
_LOWEST_CENTRE = PLANE - 0.5
"""Where the submarine's centre is drawn when it has left through the exit."""


def _submarine(fen: str, legal: Sequence[str]) -> Drawing:
    rows = [row.split(",") for row in fen.split("/")]
    if [len(row) for row in rows] != [SIDE] * SIDE:
        raise ValueError(fen)
    half = TILE / 2
    exit_left, exit_top = MARGIN + TILE, MARGIN + SIDE * TILE
    floor: list[list[Any]] = [[0, 0, PLANE, PLANE, "sea"], [exit_left, exit_top, TILE, MARGIN, "goal"]]
    shapes = []
    by_square: dict[str, Drawing] = {}
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            left, top = MARGIN + TILE * x, MARGIN + TILE * y
            floor.append([left, top, TILE, TILE, "cell"])
            if tile == HOLE:
                continue
            parts: list[list[Any]] = [[0, 0, TILE, TILE, "tile"], *([*part, "part"] for part in _attachments(tile))]
            rectangles = [[px - half, py - half, *rest] for px, py, *rest in parts]
            kind = "chosen" if tile == SUBMARINE else "block"
            shape = _shape(f"{tile}@{x},{y}", left + half, top + half, rectangles, _TILE_TONES[tile[0]], "", kind)
            by_square[f"{_FILES[x]}{SIDE - y}"] = shape
            shapes.append(shape)
    choices = []
    for move in legal:
        shape = by_square[move[:2]]
        x, y = _FILES.index(move[2]), SIDE - int(move[3:])
        centre_y = min(MARGIN + TILE * y + half, _LOWEST_CENTRE)
        choices.append(_choice(move, shape["id"], MARGIN + TILE * x + half, centre_y))
    return _drawing(PLANE, PLANE, floor, shapes, choices) | {"exit": [exit_left + half, PLANE, 0, 1]}


def _attachments(tile: str) -> list[list[int]]:
    """What a tile has beyond its square, as [x, y, width, height] from its upper left cell."""
    return [[column, row, width, height] for row, column, height, width in attachments(tile)]


def _match3(fen: str, legal: Sequence[str]) -> Drawing:
    rows = fen.split("/")
    width, height = _size(rows)
    kinds = "123456789abcdefghijklmnopqrstuvwxyz"
    floor = [[x, y, 1, 1, "cell"] for y in range(height) for x in range(width)]
    shapes = []
    at: dict[Cell, Drawing] = {}
    for y, row in enumerate(rows):
        for x, kind in enumerate(row):
            if kind != ".":
                shape = _shape(f"{kind}@{x},{y}", x + 0.5, y + 0.5, [], kinds.index(kind), kind, "gem")
                at[x, y] = shape
                shapes.append(shape)
    choices = []
    for move in legal:
        one, other = _step(move, height)
        for start, target in ((one, other), (other, one)):
            if start in at:
                choices.append(_choice(move, at[start]["id"], target[0] + 0.5, target[1] + 0.5))
    return _drawing(width, height, floor, shapes, choices)


def _knights_tour(fen: str, legal: Sequence[str]) -> Drawing:
    words = fen.split()
    height, width = (int(side) for side in words[0].split("x"))
    _check_size(width, height)
    way = [_square(words[words.index("start") + 1], height)] if "start" in words else []
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    for move in moves:
        one, other = _step(move, height)
        way = way or [one]
        way.append(other)
    end = _square(words[words.index("end") + 1], height) if "end" in words else None
    floor: list[list[Any]] = [
        [x, y, 1, 1, "goal" if (x, y) == end else "dark" if (x + y + height) % 2 == 0 else "cell"]
        for y in range(height)
        for x in range(width)
    ]
    shapes = []
    closed = len(way) == width * height + 1
    for number, (x, y) in enumerate(way[:-1], 1):
        shapes.append(_shape(f"step{number}", x + 0.5, y + 0.5, [], 0, str(number), "step"))
    if way:
        x, y = way[-1]
        shapes.append(_shape("knight", x + 0.5, y + 0.5, [], 0, str(1 if closed else len(way)), "knight"))
    choices = [
        _choice(move, "knight", x + 0.5, y + 0.5) for move, (x, y) in ((move, _step(move, height)[1]) for move in legal)
    ]
    drawing = _drawing(width, height, floor, shapes, choices)
    return drawing | {"line": [[x + 0.5, y + 0.5] for x, y in way], "taken": "knight" if choices else None}


_DRAWERS: dict[str, Callable[[str, Sequence[str]], Drawing]] = {
    "klotski": _klotski,
    "submarine": _submarine,
    "match3": _match3,
    "knights-tour": _knights_tour,
}
VARIANTS = tuple(_DRAWERS)


def _shape(identity: str, x: float, y: float, rectangles: list[list[Any]], tone: int, label: str, kind: str) -> Drawing:
    return {"id": identity, "x": x, "y": y, "rects": rectangles, "tone": tone, "label": label, "kind": kind}


def _choice(move: str, identity: str, x: float, y: float) -> Drawing:
    return {"move": move, "id": identity, "x": x, "y": y}


def _drawing(
    width: float, height: float, floor: list[list[Any]], shapes: list[Drawing], choices: list[Drawing]
) -> Drawing:
    return {
        "width": width,
        "height": height,
        "floor": floor,
        "line": [],
        "shapes": shapes,
        "choices": choices,
        "taken": None,
        "exit": None,
    }


def _centre(cells: list[Cell]) -> tuple[float, float]:
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    return (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2


def _size(rows: list[str]) -> tuple[int, int]:
    width, height = len(rows[0]), len(rows)
    if any(len(row) != width for row in rows):
        raise ValueError("rows of different lengths")
    _check_size(width, height)
    return width, height


def _check_size(width: int, height: int) -> None:
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE and width * height <= MAX_CELLS):
        raise BadDrawing(
            f"a board of {width} x {height} squares is too large to draw; the limit is {MAX_CELLS}", "too-large"
        )


def _square(text: str, height: int) -> Cell:
    """The x and y, from the upper left, of a square such as `b3` or `ab12`."""
    file, rank = parse_square(text)
    return file, height - 1 - rank


def _step(move: str, height: int) -> tuple[Cell, Cell]:
    one, other = split_move(move, "a1b3")
    return _square(one, height), _square(other, height)
