"""The games on the disk: each in a file of its own, a referee's record of one line, written anew after every move.

A saved game is replaced as a whole or not at all, also if the process is killed or the power fails. While a game goes
on, its file is locked, so that no other board resumes it. Only files that a board wrote are changed: a new game gets a
name that nobody uses, and a file that is no longer the one that was written is left alone.

The library lists all games that boards have saved in a folder, with what can be told of them without their pieces.
"""

import codecs
import errno
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from junqi_board.errors import RequestError
from junqi_board.game.parts import EngineFailed, Events, Happened, MovePlayed
from junqi_board.game.record import MAX_NAME_CHARS, is_unfinished, record_of
from junqi_board.game.state import BoardGame
from junqi_engine.files import lock, open_regular, read_regular, write_and_lock
from junqi_referee.records.game_record import GameRecord

MAX_GAMES_PER_SECOND = 10_000
MAX_GAME_BYTES = 1 << 22
MAX_FILES_READ = 200
MAX_NAMES_KEPT = 400
SHOWN_NAME_CHARS = 2 * MAX_NAME_CHARS
SPARE_FILES = 4
"""File descriptors that are kept for saving, in case that connections and engines use up all others."""
TOO_MANY_OPEN = (errno.EMFILE, errno.ENFILE)
BEGIN = b'{"game":'
"""How every record begins that a board writes."""
_NAME = re.compile(r"\d{4}-\d{2}-\d{2}-\d{6}(-\d{1,4})?\.jsonl")


class SpareFiles:
    """File descriptors in reserve, for all games of a process."""

    def __init__(self) -> None:
        self._files: list[int] = []

    def keep(self) -> None:
        """Open what is missing of the reserve, as far as that is possible now."""
        with suppress(OSError):
            while len(self._files) < SPARE_FILES:
                self._files.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))

    def release(self) -> None:
        while self._files:
            os.close(self._files.pop())


SPARE = SpareFiles()


class SavedGame:
    """Saves a game whenever its record changes. The first save creates the file.

    `failure` says why the last save failed, None if it did not.
    """

    def __init__(
        self, game: BoardGame, folder: Path, on_failure: Callable[[str], None], resumed: "Held | None" = None
    ) -> None:
        """`on_failure` is called with the reason when the disk begins to refuse the file; the game goes on.

        `resumed` is the file of a game that is resumed.
        """
        self.path: Path | None = None if resumed is None else resumed.path
        self.failure: str | None = None
        self._game = game
        self._folder = folder
        self._on_failure = on_failure
        self._lock = None if resumed is None else resumed.lock
        SPARE.keep()

    def receive(self, events: Events) -> None:
        for event in events:
            if isinstance(event, MovePlayed | EngineFailed) or (isinstance(event, Happened) and event.changes_record):
                self.save()
                return

    def save(self) -> None:
        """Write the record of a game that has started."""
        if self._game.truth is None:
            return
        had_failed = self.failure is not None
        try:
            try:
                self._write(self._line())
            except OSError as error:
                if error.errno not in TOO_MANY_OPEN:
                    raise
                SPARE.release()
                self._write(self._line())
            self.failure = None
        except OSError as error:
            self.failure = str(error.strerror or error)
            if not had_failed:
                self._on_failure(self.failure)
        finally:
            SPARE.keep()

    def close(self) -> None:
        """Save a game that goes on, and let the file go. A record that the disk refuses is printed on stderr."""
        if self._game.result is None or self.failure is not None:
            self.save()
        if self.failure is not None:
            text = f"junqi-board: the game cannot be saved in {self._folder}: {self.failure}; its record is:"
            print(text, self._line(), sep="\n", end="", file=sys.stderr, flush=True)
        self._unlock()

    def _line(self) -> str:
        return record_of(self._game).as_line() + "\n"

    def _write(self, line: str) -> None:
        """Replace the file as a whole or not at all, or write a new one; OSError if that fails."""
        self._folder.mkdir(parents=True, exist_ok=True)
        data = line.encode()
        if self.path is not None and _is_open_as(self._lock, self.path):
            path, file = self.path, write_and_lock(self.path, data, replaces=True, mode=0o600)
        else:
            path, file = write_new(self._folder, data)
        self._unlock()
        self.path, self._lock = path, file

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def write_new(folder: Path, data: bytes) -> tuple[Path, int]:
    """Write the file of a new game, named by the time, and lock it; of several in a second, the later have a number."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    for number in range(1, MAX_GAMES_PER_SECOND):
        path = folder / f"{stamp}{f'-{number}' if number > 1 else ''}.jsonl"
        with suppress(FileExistsError):
            return path, write_and_lock(path, data, replaces=False, mode=0o600)
    raise OSError(errno.EEXIST, "no file name is free")


@dataclass(frozen=True)
class Held:
    """A saved game whose lock this process holds."""

    path: Path
    lock: int
    record: GameRecord

    def release(self) -> None:
        os.close(self.lock)


def hold(folder: Path, name: str) -> Held:
    """Lock and read a saved game that can be resumed; `RequestError` says why it cannot."""
    path = _path(folder, name)
    try:
        file = open_regular(path)
    except OSError as error:
        raise RequestError("no-such-game", f"the saved game cannot be read: {error.strerror}") from None
    try:
        # A board that plays the game may have replaced the file since it was opened.
        if not lock(file) or not _is_open_as(file, path):
            raise RequestError("busy", "this game is being played on a board")
        data = os.read(file, MAX_GAME_BYTES)
        record = GameRecord.from_line(data.decode("utf-8-sig"))
        if not is_unfinished(record):
            raise RequestError("no-such-game", "this is not an unfinished game of the board")
    except (OSError, ValueError) as error:
        os.close(file)
        if isinstance(error, RequestError):
            raise
        raise RequestError("no-such-game", "the saved game cannot be read") from None
    return Held(path, file, record)


def interrupted(folder: Path, seed: str) -> str | None:
    """The name of the game that was written last, if it has this seed and is not over."""
    with suppress(OSError, ValueError):
        path = max(_saved_games(folder), key=lambda path: path.stat().st_mtime_ns)
        record = GameRecord.from_line(_read(path) or "")
        return path.name if str(record.seed) == seed and is_unfinished(record) else None
    return None


def _path(folder: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise RequestError("no-such-game", "name: this is not the file of a saved game")
    return folder / name


def _is_locked(path: Path) -> bool:
    """Whether a board plays or shows the game in a file; OSError if the file cannot be opened."""
    file = open_regular(path)
    try:
        return not lock(file)
    finally:
        os.close(file)


def _saved_games(folder: Path) -> Iterator[Path]:
    """The files of a folder that have the name of a saved game, the newest first."""
    try:
        names = sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return
    yield from names[:MAX_FILES_READ]


def _is_open_as(file: int | None, path: Path) -> bool:
    """Whether a path, which is not a link, leads to an open file."""
    try:
        return file is not None and os.path.samestat(os.fstat(file), os.lstat(path))
    except FileNotFoundError:
        return False


@dataclass(frozen=True)
class Summary:
    """A saved game in the list. `state` is `running`, `unfinished` (it can be resumed) or `over`."""

    name: str
    state: str
    variant: str = ""
    players: tuple[tuple[str, str], ...] = ()
    """The seats and the name of each party."""
    moves: int = 0
    result: str = ""
    ending: str = ""


def summaries(folder: Path) -> list[Summary]:
    """The games of a folder, the newest first. What no board has written is omitted."""
    found = []
    for path in _saved_games(folder):
        with suppress(OSError):
            about = path.stat()
            summary = _summary(path, about.st_mtime_ns, about.st_size)
            if summary is not None:
                state = "running" if summary.state != "over" and _is_locked(path) else summary.state
                found.append(Summary(**{**vars(summary), "state": state}))
    return found


def read_over(folder: Path, name: str) -> str:
    """The record of a game that is over; `RequestError` for any other: its record would show hidden pieces."""
    path = _path(folder, name)
    line = _read(path)
    if line is None:
        raise RequestError("no-such-game", "the saved game cannot be read")
    if is_unfinished(GameRecord.from_line(line)):
        raise RequestError("game-running", "this game is not over: resume it, or delete it")
    return line


def delete(folder: Path, name: str) -> None:
    """Remove a saved game; `RequestError` for one that is being played, or that no board has written."""
    path = _path(folder, name)
    if _read(path) is None:
        raise RequestError("no-such-game", "the saved game cannot be read")
    if _is_locked(path):
        raise RequestError("busy", "this game is on a board now: begin another one first")
    try:
        path.unlink()
    except OSError as error:
        raise RequestError("no-such-game", f"the saved game cannot be deleted: {error.strerror}") from None


def _read(path: Path) -> str | None:
    """The record in a file; None if it is not one of a board."""
    try:
        # An editor may have put a byte-order mark before it.
        data = read_regular(path, MAX_GAME_BYTES).removeprefix(codecs.BOM_UTF8)
        return data.decode("utf-8") if data.startswith(BEGIN) and GameRecord.from_line(data.decode()) else None
    except (OSError, ValueError):
        return None


@lru_cache(MAX_NAMES_KEPT)
def _summary(path: Path, _mtime_ns: int, _bytes: int) -> Summary | None:
    """The summary of a file that has not changed since."""
    line = _read(path)
    if line is None:
        return None
    try:
        record = GameRecord.from_line(line)
        players = tuple((seats, str(entry["name"])[:SHOWN_NAME_CHARS]) for seats, entry in record.engines.items())
    except (ValueError, KeyError, json.JSONDecodeError):
        return None
    state = "unfinished" if is_unfinished(record) else "over"
    ended = (record.result, record.ending.value) if state == "over" else ("", "")
    return Summary(path.name, state, record.variant, players, len(record.moves), *ended)
