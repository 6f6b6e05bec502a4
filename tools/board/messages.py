"""The shapes of what a page may send: one JSON object a frame, its `type` and that type's fields, nothing else."""

import json
from collections.abc import Callable, Mapping
from typing import Any

LARGEST_FRAME_BYTES = 256 * 1024
LARGEST_NUMBER = 10**9
LONGEST_TEXT = 100

Check = Callable[[Any], bool]


class BadMessage(ValueError):
    """A message that is refused: a code, and what is wrong where."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def text(longest: int = LONGEST_TEXT) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= longest and _is_plain(value)


def number(least: int, most: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def one_of(*values: str) -> Check:
    return lambda value: isinstance(value, str) and value in values


def maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def record(**fields: Check) -> Check:
    """An object with exactly these keys."""

    def is_record(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == fields.keys()
            and all(check(value[name]) for name, check in fields.items())
        )

    return is_record


def table(key: Check, value_check: Check, most: int = 16) -> Check:
    """An object of up to `most` entries."""
    return lambda value: (
        isinstance(value, dict)
        and len(value) <= most
        and all(key(name) and value_check(entry) for name, entry in value.items())
    )


SEAT = text(1)
LINEUP = text(40)
ENGINE = {"program": text(), "player": text()}
MATERIAL = 240 * 1024
"""The longest text that is material to work on: a recorded game, a position, a file."""

SHAPES: Mapping[str, Mapping[str, Check]] = {
    "new_game": {
        "variant": text(),
        "visibility": one_of("partner", "dark", "open"),
        "seats": table(SEAT, record(who=one_of("me", "guest", "engine"), **ENGINE)),
        "first": SEAT,
        "clock": maybe(record(base_s=number(1, 86_400), increment_s=number(0, 3_600))),
        "move_ms": number(1, 3_600_000),
        "pace_ms": number(0, 10_000),
        "no_contact": maybe(number(0, 1_000)),
        "max_plies": number(0, 100_000),
    },
    "ready": {"lineups": table(SEAT, LINEUP)},
    "move": {"ply": number(0, LARGEST_NUMBER), "move": text(12)},
    "resign": {},
    "draw": {},
    "draw_answer": {"accept": flag},
    "take_back": {},
    "new_engine": {"seats": text(8), **ENGINE},
    "pause": {"on": flag},
    "pace": {"ms": number(0, 10_000)},
    "advice": {"ms": number(1, 600_000)},
    "advice_stop": {},
    "belief": {"on": flag},
    "record": {},
    "lineup_check": {"lineup": LINEUP},
    "lineup_random": {},
    "lineup_mirror": {"lineup": LINEUP},
    "lineup_load": {"data": text(4_000)},
    "lineup_save": {"lineup": LINEUP},
    "replay_open": {"line": text(MATERIAL)},
    "replay_show": {"ply": number(0, LARGEST_NUMBER), "eyes": text(8)},
    "puzzle_open": {
        "variant": text(),
        "position": text(MATERIAL),
        "options": table(text(), text(), 12),
        "moves": text(MATERIAL),
    },
    "puzzle_move": {"move": text()},
    "puzzle_back": {},
    "puzzle_restart": {},
    "puzzle_solve": {"what": one_of("hint", "solution"), "depth": number(0, 100)},
    "puzzle_stop": {},
}


def parse(frame: str | bytes) -> dict[str, Any]:
    """The object in a frame; `BadMessage` unless it is JSON."""
    try:
        found = json.loads(frame, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadMessage("bad-message", "the message is no JSON") from None
    if not isinstance(found, dict):
        raise BadMessage("bad-message", "the message is no JSON object")
    return found


def check(message: dict[str, Any]) -> tuple[str, dict[str, Any], int | None]:
    """The type, the fields and the number (`id`, which the answer repeats) of a message; `BadMessage` names a fault."""
    fields = dict(message)
    identity = fields.pop("id", None)
    if identity is not None and not number(0, LARGEST_NUMBER)(identity):
        raise BadMessage("bad-message", "id is no whole number")
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in SHAPES:
        raise BadMessage("bad-message", "the type of the message is unknown")
    shape = SHAPES[kind]
    for name in fields:
        if name not in shape:
            raise BadMessage("bad-message", f"{kind} has no field of that name")
    for name, is_right in shape.items():
        if name not in fields:
            raise BadMessage("bad-message", f"{kind}: {name} is missing")
        if not is_right(fields[name]):
            raise BadMessage("bad-message", f"{kind}: {name} is not of its shape")
    return kind, fields, identity


def _is_plain(value: str) -> bool:
    """Whether a text can go into one line of the protocol, and be encoded at all."""
    return not any(char < " " or "\ud800" <= char <= "\udfff" or char == "\x7f" for char in value)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
