"""What the host's page keeps from one start of the board to the next: its settings, line-ups, solved puzzles.

A browser stores by address, and the board has another port at each start, so the board stores them: in one file beside
the games. The values are texts whose meaning only the page knows.
"""

import json
import os
from pathlib import Path

from tools.board.errors import RequestError

FILE = "board.json"
MAX_NAMES = 60
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 60_000
MAX_FILE_BYTES = 1 << 22


class Keepsakes:
    """The values by name. A file that cannot be read counts as empty; one that cannot be written keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.values: dict[str, str] = _read(self._path)

    def keep(self, name: str, value: str) -> None:
        """Store a value; `RequestError` if there are too many, or the disk refuses."""
        if name not in self.values and len(self.values) >= MAX_NAMES:
            raise RequestError("too-many", f"name: at most {MAX_NAMES} values are kept")
        self.values[name] = value
        new = self._path.with_name(f"{FILE}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(self.values, file, ensure_ascii=False)
            new.replace(self._path)
        except OSError as error:
            raise RequestError("not-kept", f"the setting cannot be kept: {error.strerror}") from None


def _read(path: Path) -> dict[str, str]:
    try:
        with path.open(encoding="utf-8") as file:
            found = json.loads(file.read(MAX_FILE_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    kept = {name: value for name, value in found.items() if isinstance(value, str) and len(value) <= MAX_VALUE_CHARS}
    return dict(list(kept.items())[:MAX_NAMES])
