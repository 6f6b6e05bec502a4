"""What the board keeps from one start to the next: what the host's page asks it to, such as line-ups and solved
puzzles, whose meaning only the page knows, and its own.

It is in one file beside the games, marked as the board's. A file of that name that anyone else wrote is left alone.
"""

import json
import threading
from contextlib import suppress
from pathlib import Path

from junqi_engine.errors import Refused
from junqi_engine.files import read_regular, write_whole

FILE = "board.json"
MARK = "junqi-board"
"""The only key of the file; its value is the table of what is kept."""
OWN = "."
"""The first character of the names of what the board keeps for itself: no page reads or changes it."""
LADDER = ".ladder"
"""What the host has reached."""
TOKEN, PORT = ".token", ".port"
"""The host's address, which stays the same: bookmarks and open pages work again after a restart."""
GUESTS = ".guests"
"""The seed of the game on the board, and a line for each of its guests: the token and the seats."""
MAX_NAMES = 60
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 60_000
MAX_FILE_BYTES = 4 * (MAX_NAMES * (MAX_VALUE_CHARS + MAX_NAME_CHARS + 8) + 100)
"""So that all that may be kept can be read again: a character has at most four bytes, also one that JSON escapes."""


class HostSettings:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self.values: dict[str, str] = {}
        with suppress(OSError, ValueError):
            self.values = _read(self._path)

    def keep(self, name: str, value: str) -> None:
        """Store a value. `Refused` if there are too many, or the disk refuses."""
        with self._lock:
            values = self.values | {name: value}
            if len(values) > MAX_NAMES:
                raise Refused("too-many", f"name: at most {MAX_NAMES} values are kept")
            try:
                _read(self._path)
                data = json.dumps({MARK: values}, ensure_ascii=False).encode()
                write_whole(self._path, data, replaces=True, mode=0o600)
            except OSError as error:
                raise Refused("not-kept", f"the setting cannot be kept: {error.strerror}") from None
            except ValueError:
                told = f"the setting cannot be kept: {self._path} is not a file of the board; move it away"
                raise Refused("not-kept", told) from None
            self.values = values

    def keep_own(self, name: str, value: str) -> None:
        """Store a value of the board itself. If the disk refuses, the page says so when the game is saved."""
        if self.values.get(name) != value:
            with suppress(Refused):
                self.keep(name, value)

    @property
    def of_pages(self) -> dict[str, str]:
        return {name: value for name, value in self.values.items() if not name.startswith(OWN)}


def _read(path: Path) -> dict[str, str]:
    """The values in a file; none if there is no file. ValueError unless a board wrote it."""
    try:
        found = json.loads(read_regular(path, MAX_FILE_BYTES))
        values = found.pop(MARK)
        if found or not all(isinstance(value, str) for value in values.values()):
            raise ValueError
    except FileNotFoundError:
        return {}
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise ValueError from error
    else:
        return values
