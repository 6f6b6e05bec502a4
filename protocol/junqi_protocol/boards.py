"""The boards of Junqi as data for programs that draw or play them: `info string board` and docs/boards.json.

    python -m junqi_protocol.boards > docs/boards.json

writes the file.
"""

import json
from collections.abc import Iterable
from typing import Any

from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, LINEUP_INDICES, Board
from junqi_engine.rules.pieces import COUNTS, LETTERS


def board_object(board: Board) -> dict[str, Any]:
    """A board as an object of JSON. Files and ranks count from 0 at the lower left, seats are in the order of turns.

    `block` of a point is the seat it belongs to, empty in the centre; `roads` are pairs of points, `railways` lines of
    points in order, `lineups` the points of a line-up by seat, `pieces` how many a seat has of each kind.
    """
    names = board.names
    return {
        "variant": board.variant,
        "files": board.width,
        "ranks": board.height,
        "seats": board.seats,
        "teams": list(board.teams),
        "pieces": dict(zip(LETTERS, COUNTS, strict=True)),
        "points": [_point(board, point) for point in board.points],
        "roads": [[names[point] for point in edge] for edge in sorted(map(sorted, board.roads))],
        "railways": [[names[point] for point in line] for line in board.lines],
        "lineups": {
            seat: [names[BLOCK_POINTS * number + index] for index in LINEUP_INDICES]
            for number, seat in enumerate(board.seats)
        },
    }


def _point(board: Board, point: int) -> dict[str, Any]:
    file, rank = board.squares[point]
    owner = board.owner(point)
    kind = "campsite" if board.is_campsite(point) else "headquarters" if board.is_headquarters(point) else "station"
    block = "" if owner is None else board.seats[owner]
    return {"name": board.names[point], "file": file, "rank": rank, "kind": kind, "block": block}


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def document(boards: Iterable[Board] = tuple(BOARDS.values())) -> str:
    """The text of docs/boards.json: the boards by variant, one point, road or line of railway in a line."""
    return "{" + ",".join(f"\n{compact(board.variant)}: {_lines(board_object(board))}" for board in boards) + "\n}\n"


def _lines(table: dict[str, Any]) -> str:
    entries = []
    for key, value in table.items():
        is_long = isinstance(value, list) and value and not isinstance(value[0], str)
        text = "[\n" + ",\n".join(map(compact, value)) + "\n]" if is_long else compact(value)
        entries.append(f"{compact(key)}: {text}")
    return "{\n" + ",\n".join(entries) + "\n}"


if __name__ == "__main__":
    print(document(), end="")
