"""The record of one game: one JSON object in one line. A new field is one field of `GameRecord`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from junqi_engine.foreign_json import read_json
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from tools.referee.chance import Seed, is_secret
from tools.referee.endings import Ending

DRAW = "draw"
FIRST_RULES = 1
"""The version of the rules of a record that names none."""
RULES = tuple(entry.name for entry in fields(Rules))


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63  # a JSON true is an int in Python


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any, is_valid: Callable[[Any], bool] = lambda value: True) -> bool:
    return isinstance(value, dict) and all(map(is_valid, value.values()))


def _is_list(value: Any, is_valid: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(is_valid, value))


def _is_engine(value: Any) -> bool:
    if not _is_table(value) or not _is_text(value.get("name")):
        return False
    limits = value.get("limits", {})
    return _is_table(limits) and _is_whole(limits.get("base_ms", 0))


def _shape(is_valid: Callable[[Any], bool], what: str) -> dict[str, Any]:
    """The metadata of a field: whether a value read from a file is valid, and what it must be."""
    return {"is_valid": is_valid, "what": what}


_WHOLE = _shape(_is_whole, "a whole number")
_SEED = _shape(lambda value: _is_whole(value) or is_secret(value), "a whole number or 32 hexadecimal digits")
_TEXT = _shape(_is_text, "a string")
_TABLE = _shape(_is_table, "a table")
_TEXTS_BY_SEAT = _shape(lambda value: _is_table(value, _is_text), "a table of strings")
_ENGINES = _shape(lambda value: _is_table(value, _is_engine), "a table of engines with names")
_TEXTS = _shape(lambda value: _is_list(value, _is_text), "a list of strings")
_WHOLES = _shape(lambda value: _is_list(value, _is_whole), "a list of whole numbers")
_SCORES = _shape(
    lambda value: _is_list(value, lambda score: score is None or _is_text(score)), "a list of strings or nulls"
)


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    `engines` is by team, in dark games by seat. `rules` are the limits that the game was played with. `times_ms` and
    `scores` have one entry per move; a score is None if none was reported. `detail` adds to the ending.
    """

    game: int = field(metadata=_WHOLE)
    variant: str = field(metadata=_TEXT)
    visibility: str = field(metadata=_TEXT)
    engines: dict[str, dict[str, Any]] = field(metadata=_ENGINES)
    seed: Seed = field(metadata=_SEED)
    rules: dict[str, Any] = field(metadata=_TABLE)
    lineups: dict[str, str] = field(metadata=_TEXTS_BY_SEAT)
    first: str = field(metadata=_TEXT)
    moves: list[str] = field(default_factory=list, metadata=_TEXTS)
    times_ms: list[int] = field(default_factory=list, metadata=_WHOLES)
    scores: list[str | None] = field(default_factory=list, metadata=_SCORES)
    result: str = field(default=DRAW, metadata=_TEXT)
    ending: Ending = field(default=Ending.INTERRUPTED, metadata=_TEXT)
    detail: str = field(default="", metadata=_TEXT)

    def as_line(self) -> str:
        """The record as one line of JSON, without its newline."""
        line = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))
        if any("\ud800" <= char <= "\udfff" for char in line):  # a name that is not UTF-8 on the command line
            line = json.dumps(asdict(self), separators=(",", ":"))
        return line

    @classmethod
    def from_line(cls, line: str) -> "GameRecord":
        """The inverse of `as_line`. Unknown keys are ignored; a ValueError says what is wrong."""
        table = read_json(line)
        if not isinstance(table, Mapping):
            raise ValueError("not a JSON object")
        values = {}
        for entry in fields(cls):
            if entry.name not in table:
                raise ValueError(f"{entry.name} is missing")
            values[entry.name] = table[entry.name]
            if not entry.metadata["is_valid"](values[entry.name]):
                raise ValueError(f"{entry.name} is not {entry.metadata['what']}")
        if isinstance(values["rules"], dict):
            values["rules"] = {"version": FIRST_RULES} | values["rules"]
        _check_variant(values)
        game = cls(**{**values, "ending": Ending(values["ending"])})
        plies, times, scores = len(game.moves), len(game.times_ms), len(game.scores)
        if not plies == times == scores:
            raise ValueError(f"there are {plies} moves, but {times} times_ms and {scores} scores")
        return game


def _check_variant(values: dict[str, Any]) -> None:
    """Refuse an unknown variant, and seats, results and rules that it does not have; fill in its own rules."""
    board = BOARDS.get(values["variant"])
    if board is None:
        raise ValueError(f"variant={values['variant']!r} is not one of {', '.join(BOARDS)}")
    seats = f"is not one of the seats {', '.join(board.seats)}"
    if values["first"] not in tuple(board.seats):
        raise ValueError(f"first={values['first']!r} {seats}")
    if values["result"] not in (*board.teams, DRAW):
        raise ValueError(f"result={values['result']!r} is not one of {', '.join(board.teams)}, {DRAW}")
    for seat in values["lineups"]:
        if seat not in tuple(board.seats):
            raise ValueError(f"lineups: {seat!r} {seats}")
    for name in values["rules"]:
        if name not in RULES:
            raise ValueError(f"rules: unknown key {name!r}; known keys: {', '.join(RULES)}")
    try:
        values["rules"] = asdict(Rules.of(board, Rules(**values["rules"])))
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error
