"""The record of a game as one JSON object in one line, as `junqi-referee` reads and writes it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from junqi_engine.errors import JunqiError
from junqi_engine.foreign_json import read_json
from junqi_engine.notation.quoting import quoted
from junqi_engine.rules.options import Rules

INTERRUPTED, DRAW = "interrupted", "draw"
FIRST_RULES = 1
"""The version of the rules of a record that names none."""
RULES = tuple(entry.name for entry in fields(Rules))


@dataclass(frozen=True)
class RecordedGame:
    """What a game is played from."""

    variant: str
    lineups: dict[str, str]
    first: str
    rules: Rules
    moves: list[str]


def format_record(
    variant: str,
    lineups: Mapping[str, str],
    first: str,
    rules: Rules,
    moves: Sequence[str],
    result: str | None,
    ending: str | None,
    number: int,
    names: Mapping[str, str] | None,
) -> str:
    """A record without times, scores and seed."""
    table = {
        "game": number,
        "variant": variant,
        "visibility": "partner",
        "engines": {seats: {"name": name} for seats, name in (names or {}).items()},
        "seed": 0,
        "rules": asdict(rules),
        "lineups": dict(lineups),
        "first": first,
        "moves": list(moves),
        "times_ms": [0] * len(moves),
        "scores": [None] * len(moves),
        "result": result or DRAW,
        "ending": ending or INTERRUPTED,
        "detail": "",
    }
    return json.dumps(table, ensure_ascii=False, separators=(",", ":"))


def read_record(record: str | Mapping[str, Any]) -> RecordedGame:
    """The parts of a record that a game is played from; `bad-file` says which one is wrong."""
    table = _object(record) if isinstance(record, str) else record
    lineups = _field(table, "lineups", dict)
    moves = _field(table, "moves", list)
    for name, texts in (("lineups", lineups.values()), ("moves", moves)):
        if not all(isinstance(text, str) for text in texts):
            raise _wrong(f"{name} has an entry that is not a string")
    variant, first = _field(table, "variant", str), _field(table, "first", str)
    return RecordedGame(variant, lineups, first, _rules(_field(table, "rules", dict)), moves)


def _object(line: str) -> Mapping[str, Any]:
    try:
        table = read_json(line)
    except ValueError as error:
        raise _wrong(f"not JSON: {error}") from None
    if not isinstance(table, dict):
        raise _wrong("not a JSON object")
    return table


def _field(table: Mapping[str, Any], name: str, kind: type) -> Any:
    if name not in table:
        raise _wrong(f"{name} is missing")
    if not isinstance(table[name], kind):
        raise _wrong(f"{name} is not a {kind.__name__}")
    return table[name]


def _rules(table: Mapping[str, Any]) -> Rules:
    for name in table:
        if name not in RULES:
            raise _wrong(f"rules: unknown key {quoted(str(name))}; known keys: {', '.join(RULES)}")
    try:
        return Rules(**{"version": FIRST_RULES} | dict(table))
    except ValueError as error:
        raise _wrong(f"rules: {error}") from None


def _wrong(text: str) -> JunqiError:
    return JunqiError("bad-file", f"record: {text}")
