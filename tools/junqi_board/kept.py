"""Settings and facts of the host, kept between runs: what its page asks for, whose meaning only the page knows, and the
board's own. Of a setting the last one is kept. Facts, such as solved teasers, are added one by one.

It is in one file beside the games, marked as the board's. A file of that name that anyone else wrote is left alone.
"""

import json
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

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
MOST_FACTS = {"lineups": 30}
"""By kind; of others 400."""
MAX_NAMES = 60
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 60_000
MAX_FILE_BYTES = 4 * (MAX_NAMES * (MAX_VALUE_CHARS + MAX_NAME_CHARS + 8) + 100)
"""So that all that may be kept can be read again: a character has at most four bytes, also one that JSON escapes."""


class HostSettings:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.RLock()
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

    def add_fact(self, kind: str, name: str, value: bool | int | None) -> None:
        """Add a fact to the newest ones of a kind; None removes it."""
        with self._lock:
            facts = _facts(self.values.get(kind, "{}"))
            facts.pop(name, None)
            facts |= {} if value is None else {name: value}
            newest = list(facts.items())[-MOST_FACTS.get(kind, 400) :]
            self.keep(kind, json.dumps(dict(newest), ensure_ascii=False))

    def keep_own(self, name: str, value: str) -> None:
        """Store a value of the board itself. If the disk refuses, the page says so when the game is saved."""
        if self.values.get(name) != value:
            with suppress(Refused):
                self.keep(name, value)

    @property
    def of_pages(self) -> dict[str, str]:
        return {name: value for name, value in self.values.items() if not name.startswith(OWN)}


def _facts(value: str) -> dict[str, Any]:
    """The facts in a value; older boards kept lists of them."""
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        found = json.loads(value)
        if isinstance(found, list):
            found = {one if isinstance(one, str) else one["letters"]: True for one in found}
        return found if isinstance(found, dict) else {}
    return {}


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
