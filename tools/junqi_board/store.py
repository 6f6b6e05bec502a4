"""Settings and facts of the host, kept between runs in board.json beside the games.

Of a setting the last value stays. Facts are added one by one, by kind and id, so two tabs lose nothing of each other.
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
"""The only key of the file. A file of that name without it was not written by a board, and is left alone."""
OWN = "."
"""The first character of the board's own settings and kinds of facts: no page reads or changes them."""
LADDER, PROBLEMS = ".ladder", ".problems"
"""The host's results in games, and in problems."""
TOKEN, PORT = ".token", ".port"
"""The host's address, which stays the same: bookmarks and open pages work again after a restart."""
GUESTS = ".guests"
"""The seed of the game on the board, and a line for each of its guests: the token and the seats."""
LEARNED, TIP, PROBLEM, DAY, TEASER, LINEUP = "learned", "tip", "problem", "day", "teaser", "lineup"
OWN_TEASER = "own_teaser"
"""The kinds of facts that pages read."""
LATER_TRY = 2
"""The value of a problem that was answered wrong first and right later; others have that of the first answer."""
REMOVABLE = {LINEUP, OWN_TEASER}
"""The kinds of facts that a page may remove."""
OWN_PROBLEMS = ".own"
"""Problems from the host's games, with their answers."""
EVENING = ".evening"
"""The chat and the score of games, by their ids."""
MOST_FACTS = {LINEUP: 30, OWN_TEASER: 30, OWN_PROBLEMS: 60, EVENING: 20}
"""The newest facts of a kind that are kept; of other kinds 400."""
POINTS = "match3|"
"""Prefix of the ids of teasers whose results are points."""
MAX_SETTINGS = 60
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 60_000
MAX_ID_CHARS = 2_000
MAX_FILE_BYTES = 4 * (MAX_SETTINGS * (MAX_VALUE_CHARS + MAX_NAME_CHARS + 8) + 6 * 400 * (MAX_ID_CHARS + 20))
"""So that all that may be kept can be read again: a character has at most four bytes, also one that JSON escapes."""

Facts = dict[str, dict[str, Any]]


class Store:
    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.RLock()
        self.settings: dict[str, str] = {}
        self.facts: Facts = {}
        """By kind, by id, the newest last."""
        with suppress(OSError, ValueError):
            self.settings, self.facts = _read(self._path)

    def set(self, name: str, value: str) -> None:
        """Store a setting. `Refused` if there are too many, or the disk refuses."""
        with self._lock:
            settings = self.settings | {name: value}
            if len(settings) > MAX_SETTINGS:
                raise Refused("too-many", f"name: at most {MAX_SETTINGS} settings are kept")
            self._write(settings, self.facts)

    def set_own(self, name: str, value: str) -> None:
        """Store a setting of the board itself. If the disk refuses, the page says so when the game is saved."""
        if self.settings.get(name) != value:
            with suppress(Refused):
                self.set(name, value)

    def add(self, kind: str, id: str, value: Any = True) -> bool:
        """Add a fact to the newest ones of its kind; True if it changed something."""
        with self._lock:
            before = self.facts.get(kind, {})
            if id in before and not _is_better(kind, id, value, before[id]):
                return False
            newest = [*({id: value} | {one: before[one] for one in reversed(before) if one != id}).items()]
            kept = dict(reversed(newest[: MOST_FACTS.get(kind, 400)]))
            self._write(self.settings, self.facts | {kind: kept})
            return True

    def remove(self, kind: str, id: str) -> None:
        with self._lock:
            others = {one: value for one, value in self.facts.get(kind, {}).items() if one != id}
            self._write(self.settings, self.facts | {kind: others})

    @property
    def page_settings(self) -> dict[str, str]:
        return {name: value for name, value in self.settings.items() if not name.startswith(OWN)}

    @property
    def page_facts(self) -> Facts:
        return {kind: facts for kind, facts in self.facts.items() if not kind.startswith(OWN)}

    def _write(self, settings: dict[str, str], facts: Facts) -> None:
        try:
            _read(self._path)
            data = json.dumps({MARK: {"settings": settings, "facts": facts}}, ensure_ascii=False).encode()
            write_whole(self._path, data, replaces=True, mode=0o600)
        except OSError as error:
            raise Refused("not-kept", f"the setting cannot be kept: {error.strerror}") from None
        except ValueError:
            told = f"the setting cannot be kept: {self._path} is not a file of the board; move it away"
            raise Refused("not-kept", told) from None
        self.settings, self.facts = settings, facts


def _is_better(kind: str, id: str, value: Any, old: Any) -> bool:
    """True if a fact replaces the one that is known: a problem solved later, a better result of a teaser."""
    if kind == TEASER:
        return bool(value > old if id.startswith(POINTS) else value < old)
    return kind == EVENING or (kind == PROBLEM and value > old)


def _read(path: Path) -> tuple[dict[str, str], Facts]:
    """The settings and facts in a file; none if there is no file. ValueError unless a board wrote it."""
    try:
        found = json.loads(read_regular(path, MAX_FILE_BYTES))
        values = found.pop(MARK)
        if "facts" not in values:
            values = _of_older_file(values)
        settings, facts = values["settings"], values["facts"]
        if found or not all(isinstance(value, str) for value in settings.values()):
            raise ValueError
        return settings, {kind: dict(facts[kind]) for kind in facts}
    except FileNotFoundError:
        return {}, {}
    except (AttributeError, KeyError, TypeError, RecursionError) as error:
        raise ValueError from error


OLDER_NAMES = {PROBLEM: "quiz", DAY: "daily", TEASER: "solved", LEARNED: "learned", TIP: "coached", LINEUP: "lineups"}


def _of_older_file(values: dict[str, str]) -> dict[str, Any]:
    """The settings and facts of a file in which each kind of facts was a setting: a list, or a table."""
    settings, facts = dict(values), {}
    for kind, name in OLDER_NAMES.items():
        with suppress(ValueError, AttributeError, TypeError, KeyError, RecursionError):
            old = json.loads(settings.pop(name, "{}"))
            if kind == PROBLEM:
                settings[PROBLEMS], old = json.dumps(old), old.get("done", [])
            is_table = isinstance(old, dict)
            facts[kind] = old if is_table else {one if isinstance(one, str) else one["letters"]: True for one in old}
    return {"settings": settings, "facts": facts}
