"""Rush Hour strings and the cards of the boxed game.

A string has the 36 cells of a 6 x 6 board in reading order, `o` or `.` empty, `x` a wall, `A` the car that must leave
on the right. Cars are straight, have two cells or more, and move only along their long side.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from junqi_engine.errors import Refused
from junqi_puzzles.base import square_name
from junqi_puzzles.klotski.board import EMPTY, NAMES, WALL, Board, parse

SIDE = 6


@dataclass(frozen=True)
class Card:
    """A card of the boxed game Rush Hour: number, Rush Hour string, published length in `moves` of metric `line`."""

    number: int
    board: str
    moves: int


@cache
def rush_hour_cards() -> tuple[Card, ...]:
    """The forty cards, ten for each of the classes beginner, intermediate, advanced and expert."""
    entries = json.loads(files("junqi_puzzles.klotski").joinpath("rush_hour.json").read_text(encoding="utf-8"))
    return tuple(Card(number, entry["board"], entry["moves"]) for number, entry in enumerate(entries, 1))


def from_rush_hour(text: str, car: str = "A") -> Board:
    """The board of a Rush Hour string; a `Refused` if it is not one. `car` must leave; in many collections it is X."""
    if len(text) != SIDE * SIDE:
        raise Refused("bad-position", f"a Rush Hour string has {SIDE * SIDE} cells, not {len(text)}")
    drawing = text.replace("o", EMPTY).replace("x", WALL)
    rows = [drawing[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
    for name in sorted(set(drawing) & set(NAMES)):
        _check_car(name, [cell for cell, symbol in enumerate(drawing) if symbol == name])
    where = [number for number, row in enumerate(rows) if car in row]
    if len(where) != 1:
        raise Refused("impossible-position", f"the car {car} must be in one row, not in {len(where)}")
    length = rows[where[0]].count(car)
    goal = [EMPTY * SIDE] * SIDE
    goal[where[0]] = EMPTY * (SIDE - length) + car * length
    if "=" in text:
        raise Refused("bad-position", "a Rush Hour string has no gates (=)")
    return parse(f"{'/'.join(rows)} goal {'/'.join(goal)}", axis_locked=True)


def to_rush_hour(board: Board) -> str:
    """The Rush Hour string of a 6 x 6 position, `o` for empty; a `Refused` not-supported if it has none."""
    if (board.width, board.height) != (SIDE, SIDE) or board.gates or set("ox") & set(board.pieces):
        raise Refused(
            "not-supported", "only 6 x 6 boards without gates and without pieces o and x have a Rush Hour string"
        )
    return "".join(board.rows()).replace(EMPTY, "o").replace(WALL, "x")


def _check_car(name: str, cells: list[int]) -> None:
    """Raise a `Refused` if the cells of a 6 x 6 board are not in one line, next to each other."""
    step = cells[1] - cells[0] if len(cells) > 1 else 0
    is_in_line = step == SIDE or (step == 1 and cells[0] // SIDE == cells[-1] // SIDE)
    if not is_in_line or cells != list(range(cells[0], cells[-1] + 1, step)):
        squares = ", ".join(square_name(cell % SIDE, SIDE - 1 - cell // SIDE) for cell in cells)
        text = f"{name} on {squares} is no car: a car is straight and has two cells or more"
        raise Refused("impossible-position", text)
