"""Positions of brain teasers as scenes, made from their text and legal moves alone, without solvers or kernels.

The scene of every teaser has the same parts, in units of a cell, x and y from the upper left:

- `floor`: rectangles [x, y, width, height, kind] that never move; `line`: the corners of a path on it;
- `shapes`: what moves, each with an `id`, its rectangles relative to its centre (x, y), a `tone` (0..35) and a `label`;
  where several may be alike, an `id` is what they are and the place, as `3@0,1`;
- `choices`: the legal moves, each with the id of the shape that moves and the place that its centre comes to;
- `taken`: the id of the only shape that moves;
- `exit`: where the shape of the kind `chosen` leaves the board when the teaser is solved, as [x, y, dx, dy] with the
  place on the border and the direction; None if nothing leaves.
"""

from collections.abc import Callable, Sequence
from typing import Any

from junqi_board.messages.learning import TeaserChoice, TeaserScene, TeaserShape
from junqi_engine.errors import Refused
from junqi_puzzles.base import parse_square, split_move
from junqi_puzzles.submarine.tiles import HOLE, MARGIN, PLANE, SIDE, SUBMARINE, TILE, attachments

MAX_CELLS = 1_000

Cell = tuple[int, int]


def draw(variant: str, fen: str, legal: Sequence[str] = ()) -> TeaserScene:
    """The scene of a position. One that is too large or does not follow the protocol is refused."""
    try:
        return _DRAWERS[variant](fen, legal)
    except (KeyError, IndexError, ValueError) as error:
        raise Refused("bad-drawing", f"the {variant} position cannot be drawn: {fen[:60]!r}") from error


def _klotski(fen: str, legal: Sequence[str]) -> TeaserScene:
    if "/" in fen:
        rows, goal = (text.split("/") for text in fen.split()[:3:2])
    else:
        # The cars of Rush Hour, in 36 characters; A leaves on the right.
        rows = [fen[first : first + 6].replace("o", ".") for first in range(0, 36, 6)]
        goal = [("A" * row.count("A")).rjust(6, ".") for row in rows]
    width, height = len(rows[0]), len(rows)
    cells = _cells(width, height)
    ends = [(x, y) for x, y in cells if goal[y][x] != "."]
    blocks: dict[str, list[Cell]] = {}
    for x, y in cells:
        blocks.setdefault(rows[y][x], []).append((x, y))
    blocks.pop(".", None)
    shapes: dict[str, TeaserShape] = {}
    for tone, (name, parts) in enumerate(sorted(blocks.items())):
        centre_x, centre_y = _centre(parts)
        rectangles: list[list[Any]] = [[x - centre_x, y - centre_y, 1, 1] for x, y in parts]
        kind = "chosen" if name in "".join(goal) else "block"
        shapes[name] = TeaserShape(name, centre_x, centre_y, rectangles, tone, name, kind)
    choices = []
    for move in legal:
        shape, path = shapes[move[0]], move[1:]
        right, down = path.count("r") - path.count("l"), path.count("d") - path.count("u")
        choices.append(TeaserChoice(move, move[0], shape.x + right, shape.y + down))
    floor = [[*cell, 1, 1, "goal" if cell in ends else "cell"] for cell in cells]
    return TeaserScene(
        width=width, height=height, floor=floor, shapes=[*shapes.values()], choices=choices,
        exit=_exit(width, height, ends),
    )  # fmt: skip


def _exit(width: int, height: int, ends: list[Cell]) -> list[float] | None:
    """Beside the goal, if it is at a border; in the direction of its longer side."""
    (x, y), columns, rows = _centre(ends), {x for x, _ in ends}, {y for _, y in ends}
    is_right, is_below = width - 1 in columns, height - 1 in rows
    if is_right and (len(columns) > len(rows) or not is_below):
        return [width, y, 1, 0]
    return [x, height, 0, 1] if is_below else None


_TILE_TONES = {"T": 0, "b": 1, "m": 2, "s": 3}
"""By the first letter of a tile's name."""
_LOWEST_CENTRE = PLANE - 0.5
"""Where the submarine's centre is drawn when it has left through the exit."""


def _submarine(fen: str, legal: Sequence[str]) -> TeaserScene:
    rows = [row.split(",") for row in fen.split("/")]
    if [len(row) for row in rows] != [SIDE] * SIDE:
        raise ValueError(fen)
    half = TILE / 2
    exit_left, exit_top = MARGIN + TILE, MARGIN + SIDE * TILE
    floor: list[list[Any]] = [[0, 0, PLANE, PLANE, "sea"], [exit_left, exit_top, TILE, MARGIN, "goal"]]
    shapes = {}
    for x, y in _cells(SIDE, SIDE):
        tile, left, top = rows[y][x], MARGIN + TILE * x, MARGIN + TILE * y
        floor.append([left, top, TILE, TILE, "cell"])
        if tile == HOLE:
            continue
        parts: list[list[Any]] = [[-half, -half, TILE, TILE, "tile"]]
        parts += [[column - half, row - half, wide, high, "part"] for row, column, high, wide in attachments(tile)]
        kind = "chosen" if tile == SUBMARINE else "block"
        tone = _TILE_TONES[tile[0]]
        shapes[x, y] = TeaserShape(f"{tile}@{x},{y}", left + half, top + half, parts, tone, "", kind)
    choices = []
    for move in legal:
        (x, y), shape = _tile_place(move[2:]), shapes[_tile_place(move[:2])]
        bottom = min(MARGIN + TILE * y + half, _LOWEST_CENTRE)
        choices.append(TeaserChoice(move, shape.id, MARGIN + TILE * x + half, bottom))
    way_out = [exit_left + half, PLANE, 0, 1]
    return TeaserScene(width=PLANE, height=PLANE, floor=floor, shapes=[*shapes.values()], choices=choices, exit=way_out)


def _tile_place(text: str) -> Cell:
    """The x and y of a square; below `b1` there is `b0`, outside."""
    return "abc".index(text[0]), SIDE - int(text[1:])


def _match3(fen: str, legal: Sequence[str]) -> TeaserScene:
    rows = fen.split("/")
    width, height = len(rows[0]), len(rows)
    cells = _cells(width, height)
    shapes = {}
    for x, y in cells:
        kind = rows[y][x]
        if kind != ".":
            shapes[x, y] = TeaserShape(f"{kind}@{x},{y}", x + 0.5, y + 0.5, [], int(kind, 36) - 1, kind, "gem")
    choices = []
    for move in legal:
        one, other = _step(move, height)
        for start, target in ((one, other), (other, one)):
            if start in shapes:
                choices.append(TeaserChoice(move, shapes[start].id, target[0] + 0.5, target[1] + 0.5))
    floor = [[*cell, 1, 1, "cell"] for cell in cells]
    return TeaserScene(width=width, height=height, floor=floor, shapes=[*shapes.values()], choices=choices)


def _knights_tour(fen: str, legal: Sequence[str]) -> TeaserScene:
    words = fen.split()
    height, width = (int(side) for side in words[0].split("x"))
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    way = [_square(words[words.index("start") + 1], height), *(_step(move, height)[1] for move in moves)]
    end = _square(words[words.index("end") + 1], height) if "end" in words else None
    floor: list[list[Any]] = []
    for x, y in _cells(width, height):
        floor.append([x, y, 1, 1, "goal" if (x, y) == end else "dark" if (x + y + height) % 2 == 0 else "cell"])
    centres = [[x + 0.5, y + 0.5] for x, y in way]
    shapes = [TeaserShape(f"step{n}", x, y, [], 0, str(n), "step") for n, (x, y) in enumerate(centres[:-1], 1)]
    is_closed = len(way) == width * height + 1
    shapes.append(
        TeaserShape("knight", centres[-1][0], centres[-1][1], [], 0, str(1 if is_closed else len(way)), "knight")
    )
    targets = [(move, _step(move, height)[1]) for move in legal]
    choices = [TeaserChoice(move, "knight", x + 0.5, y + 0.5) for move, (x, y) in targets]
    return TeaserScene(
        width=width, height=height, floor=floor, line=centres, shapes=shapes, choices=choices,
        taken="knight" if legal else None,
    )  # fmt: skip


_DRAWERS: dict[str, Callable[[str, Sequence[str]], TeaserScene]] = {
    "klotski": _klotski,
    "submarine": _submarine,
    "match3": _match3,
    "knights-tour": _knights_tour,
}
VARIANTS = tuple(_DRAWERS)


def _centre(cells: list[Cell]) -> tuple[float, float]:
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    return (min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2


def _cells(width: int, height: int) -> list[Cell]:
    if not 0 < width * height <= MAX_CELLS:
        raise ValueError(f"{width} x {height}")
    return [(x, y) for y in range(height) for x in range(width)]


def _square(text: str, height: int) -> Cell:
    """The x and y, from the upper left, of a square such as `b3` or `ab12`."""
    file, rank = parse_square(text)
    return file, height - 1 - rank


def _step(move: str, height: int) -> tuple[Cell, Cell]:
    one, other = split_move(move, "a1b3")
    return _square(one, height), _square(other, height)
