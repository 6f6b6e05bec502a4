"""The record of a game: a JSON object in one line, as `junqi-referee` reads and writes it.

A new field is one field of `GameRecord`; its type decides which values a file may have.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from types import UnionType
from typing import Any, Self, get_args, get_origin, get_type_hints

from junqi_engine.errors import Refused, quoted
from junqi_engine.foreign_json import json_line, read_json
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import lineup_kinds

INTERRUPTED, DRAW = "interrupted", "draw"
FIRST_RULES = 1
"""The version of the rules of a record without one."""
RULES = tuple(entry.name for entry in fields(Rules))
OPTIONAL = ("depths", "nodes", "date", "event", "fen", "comments", "run")
"""Fields that may be missing; empty ones are not written."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    `engines` is by team, in dark games by seat. `rules` are the limits of the game. `times_ms` and `scores` have one
    entry per move; a score is None if none was reported. `detail` adds to the ending. The later fields may be empty:
    the reports of the engine for each move; `date`, the start of the game; `fen`, if it did not begin from line-ups;
    `comments` by the number of the move before them. `run` has the `command` of the referee, the `machine`, the
    `versions` of the engines as they call themselves, by the keys of `engines`, and the `load` at the start and at the
    end, None if unknown.
    """

    game: int
    variant: str
    visibility: str
    engines: dict[str, dict[str, Any]]
    seed: int | str
    rules: dict[str, Any]
    lineups: dict[str, str]
    first: str
    moves: list[str] = field(default_factory=list)
    times_ms: list[int] = field(default_factory=list)
    scores: list[str | None] = field(default_factory=list)
    result: str = DRAW
    ending: str = INTERRUPTED
    detail: str = ""
    depths: list[int | None] = field(default_factory=list)
    nodes: list[int | None] = field(default_factory=list)
    date: str = ""
    event: str = ""
    fen: str = ""
    comments: dict[str, str] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)

    def engine_of(self, seat: str) -> dict[str, Any]:
        """The entry of the engine that played a seat; empty if there is none."""
        return next((engine for seats, engine in self.engines.items() if seat in seats), {})

    def as_line(self) -> str:
        return json_line({name: value for name, value in vars(self).items() if value or name not in OPTIONAL})

    @classmethod
    def from_line(cls, line: str | Mapping[str, Any]) -> Self:
        """The record of a line, or of the object in it. Unknown keys are ignored; `bad-file` names the fault."""
        table = _object(line) if isinstance(line, str) else line
        values = {}
        for name, kind in _KINDS.items():
            if name in table:
                values[name] = table[name]
                if not _fits(values[name], kind):
                    raise _wrong(f"{name} is not {_WORDS[kind]}")
            elif name not in OPTIONAL:
                raise _wrong(f"{name} is missing")
        if not _is_seed(values["seed"]):
            raise _wrong(f"seed is not {_WORDS[int | str]}")
        if not all(map(_is_engine, values["engines"].values())):
            raise _wrong("engines is not a table of engines with names")
        if not _is_run(values.get("run", {})):
            raise _wrong("run is not a table with a table machine, and two numbers or nulls as its load")
        _check_variant(values)
        plies = len(values["moves"])
        for name in ("times_ms", "scores", "depths", "nodes"):
            count = len(values.get(name, ()))
            if count != plies and (count or name not in OPTIONAL):
                raise _wrong(f"there are {plies} moves, but {count} {name}")
        for number in values.get("comments", {}).keys() - set(map(str, range(plies + 1))):
            raise _wrong(f"comments: {quoted(str(number))} is not the number of a move, from 0 to {plies}")
        return cls(**values)


_KINDS = get_type_hints(GameRecord)
_WORDS: dict[Any, str] = {
    int: "a whole number",
    str: "a string",
    int | str: "a whole number or 32 hexadecimal digits",
    list[int]: "a list of whole numbers",
    list[str]: "a list of strings",
    list[int | None]: "a list of whole numbers or nulls",
    list[str | None]: "a list of strings or nulls",
    dict[str, str]: "a table of strings",
    dict[str, Any]: "a table",
    dict[str, dict[str, Any]]: "a table of engines with names",
}


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value from JSON has the type of a field; whole numbers are nonnegative and have at most 63 bits."""
    inner = get_args(kind)
    if isinstance(kind, UnionType):
        return any(_fits(value, each) for each in inner)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(each, inner[0]) for each in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(_fits(each, inner[1]) for each in value.values())
    if kind is int:
        return type(value) is int and 0 <= value < 1 << 63  # a JSON true is an int in Python
    return kind is Any or isinstance(value, kind)


def _is_engine(engine: dict[str, Any]) -> bool:
    limits = engine.get("limits", {})
    return _fits(engine.get("name"), str) and _fits(limits, dict) and _fits(limits.get("base_ms", 0), int)


def _is_run(run: dict[str, Any]) -> bool:
    load = run.get("load", [None, None])
    return (
        _fits(run.get("machine", {}), dict[str, int | str]) and _fits(load, list[float | int | None]) and len(load) == 2
    )


def _is_seed(seed: int | str) -> bool:
    return isinstance(seed, int) or re.fullmatch("[0-9a-f]{32}", seed) is not None


def _object(line: str) -> Mapping[str, Any]:
    try:
        table = read_json(line)
    except json.JSONDecodeError as error:
        raise _wrong(f"not JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:
        raise _wrong(f"not JSON: {error}") from None
    if not isinstance(table, dict):
        raise _wrong("not a JSON object")
    return table


def _check_variant(values: dict[str, Any]) -> None:
    """Check the variant, and the seats, result and rules for it; complete the rules."""
    board = BOARDS.get(values["variant"])
    if board is None:
        raise _wrong(f"variant={quoted(values['variant'])} is not one of {', '.join(BOARDS)}")
    seats = f"is not one of the seats {', '.join(board.seats)}"
    if values["first"] not in tuple(board.seats):
        raise _wrong(f"first={quoted(values['first'])} {seats}")
    if values["result"] not in (*board.teams, DRAW):
        raise _wrong(f"result={quoted(values['result'])} is not one of {', '.join(board.teams)}, {DRAW}")
    for seat, letters in values["lineups"].items():
        if seat not in tuple(board.seats):
            raise _wrong(f"lineups: {quoted(str(seat))} {seats}")
        lineup_kinds(seat, letters)
    for name in values["rules"]:
        if name not in RULES:
            raise _wrong(f"rules: unknown key {quoted(str(name))}; known keys: {', '.join(RULES)}")
    try:
        values["rules"] = asdict(Rules.of(board, Rules(**{"version": FIRST_RULES} | values["rules"])))
    except ValueError as error:
        raise _wrong(f"rules: {error}") from error


def _wrong(text: str) -> Refused:
    return Refused("bad-file", text)
