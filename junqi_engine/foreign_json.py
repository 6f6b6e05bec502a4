"""Untrusted JSON, and JSON in one line."""

import json
from collections.abc import Mapping
from typing import Any

MAX_CHARS = 1 << 23
"""Characters of a JSON text; a game of 10,000 plies has a quarter of a million."""


def read_json(text: str | bytes, most: int = MAX_CHARS) -> Any:
    """The value of a text of at most `most` characters or bytes; ValueError if it is longer, too deep or not JSON.

    A byte-order mark before it is skipped.
    """
    if len(text) > most:
        raise ValueError(f"longer than {most} characters")
    try:
        return json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_line(table: Mapping[str, Any]) -> str:
    """The JSON of a table in one line, without its newline; it can be encoded as UTF-8."""
    line = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
    if any("\ud800" <= char <= "\udfff" for char in line):  # text that was not UTF-8, as on a command line
        line = json.dumps(table, separators=(",", ":"))
    return line
