"""The record of a game as one JSON object in one line, as `junqi-referee` reads and writes it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from junqi_engine.errors import Refused, quoted
from junqi_engine.foreign_json import json_line, read_json
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
    comments: dict[int, str]
    """By the number of the move that each follows."""
    fen: str = ""
    """Where the game began, if not from line-ups."""


def format_record(
    game: RecordedGame, result: str | None, ending: str | None, number: int, names: Mapping[str, str] | None
) -> str:
    """A record without times, scores and seed."""
    table = {
        "game": number,
        "variant": game.variant,
        "visibility": "partner",
        "engines": {seats: {"name": name} for seats, name in (names or {}).items()},
        "seed": 0,
        "rules": asdict(game.rules),
        "lineups": game.lineups,
        "first": game.first,
        "moves": game.moves,
        "times_ms": [0] * len(game.moves),
        "scores": [None] * len(game.moves),
        "result": result or DRAW,
        "ending": ending or INTERRUPTED,
        "detail": "",
    }
    if game.comments:
        table["comments"] = game.comments
    return json_line(table)


def read_record(record: str | Mapping[str, Any]) -> RecordedGame:
    """The parts of a record that a game is played from; `bad-file` says which one is wrong."""
    table = _object(record) if isinstance(record, str) else record
    lineups = _field(table, "lineups", dict)
    moves = _field(table, "moves", list)
    for name, texts in (("lineups", lineups.values()), ("moves", moves)):
        if not all(isinstance(text, str) for text in texts):
            raise _wrong(f"{name} has an entry that is not a string")
    variant, first = _field(table, "variant", str), _field(table, "first", str)
    rules, comments = _rules(_field(table, "rules", dict)), _comments(table, len(moves))
    fen = _field(table, "fen", str) if "fen" in table else ""
    return RecordedGame(variant, lineups, first, rules, moves, comments, fen)


def _comments(table: Mapping[str, Any], moves: int) -> dict[int, str]:
    comments = _field(table, "comments", dict) if "comments" in table else {}
    by_move = {str(number): number for number in range(moves + 1)}
    for key, text in comments.items():
        if str(key) not in by_move or not isinstance(text, str):
            raise _wrong(f"comments: {quoted(str(key))} is not the number of a move, from 0 to {moves}, with a string")
    return {by_move[str(key)]: text for key, text in comments.items()}


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


def _wrong(text: str) -> Refused:
    return Refused("bad-file", f"record: {text}")
