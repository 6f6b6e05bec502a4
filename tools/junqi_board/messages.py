"""Messages of a page: one JSON object per frame, with a `type`, exactly the fields of that type, and perhaps an `id`.

The functions here check the shape of a field. Which messages there are is defined by the views that answer them.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from junqi_board.errors import RequestError

MAX_FRAME_BYTES = 256 * 1024
MAX_NUMBER = 10**9
MAX_TEXT_CHARS = 100

Check = Callable[[Any], bool]
_NOT_PLAIN = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def text(max_chars: int = MAX_TEXT_CHARS) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= max_chars and _is_plain(value)


def number(minimum: int, maximum: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def one_of(*values: str) -> Check:
    return lambda value: isinstance(value, str) and value in values


def optional(check: Check) -> Check:
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


def table(key: Check, value_check: Check, max_entries: int = 16) -> Check:
    """An object with at most `max_entries` entries."""
    return lambda value: (
        isinstance(value, dict)
        and len(value) <= max_entries
        and all(key(name) and value_check(entry) for name, entry in value.items())
    )


SEAT = text(1)
LINEUP = text(40)
LONG_TEXT = text(240 * 1024)
"""A recorded game, a position, a file."""


def parse(frame: str | bytes) -> dict[str, Any]:
    """The JSON object in a frame; `RequestError` for anything else."""
    try:
        message = json.loads(frame, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RequestError("bad-message", "the message is not valid JSON") from None
    if not isinstance(message, dict):
        raise RequestError("bad-message", "the message is not a JSON object")
    return message


def check(message: dict[str, Any], shapes: Mapping[str, Mapping[str, Check]]) -> tuple[str, dict[str, Any], int | None]:
    """The type, the fields and the `id` of a message, which the answer repeats; `RequestError` names what is wrong.

    `shapes` has the checks of the fields by message type.
    """
    fields = dict(message)
    message_id = fields.pop("id", None)
    if message_id is not None and not number(0, MAX_NUMBER)(message_id):
        raise RequestError("bad-message", f"id: expected a whole number from 0 to {MAX_NUMBER}")
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in shapes:
        raise RequestError("bad-message", "type: no such message")
    shape = shapes[kind]
    for name in fields:
        if name not in shape:
            raise RequestError("bad-message", f"{kind}: unknown field; expected {', '.join(shape) or 'no fields'}")
    for name, is_right in shape.items():
        if name not in fields:
            raise RequestError("bad-message", f"{kind}: field {name} is missing")
        if not is_right(fields[name]):
            raise RequestError("bad-message", f"{kind}: field {name} has the wrong type or size")
    return kind, fields, message_id


def _is_plain(value: str) -> bool:
    """Whether a text can be part of one line of the protocol: no control characters, no lone surrogates."""
    return _NOT_PLAIN.search(value) is None


def _refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which Python's parser accepts."""
    raise ValueError(f"{name} is not JSON")
