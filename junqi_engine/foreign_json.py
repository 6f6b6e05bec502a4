"""JSON that others have written, or that a disk may have damaged."""

import json
from typing import Any

MOST_CHARS = 1 << 23
"""A game of 10,000 plies has a quarter of a million."""


def read_json(text: str | bytes, most: int = MOST_CHARS) -> Any:
    """The value of a text of at most `most` characters or bytes; ValueError if it is longer, too deep or not JSON."""
    if len(text) > most:
        raise ValueError(f"longer than {most}")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
