"""The games on the disk: each in a file of its own, a referee's record of one line, written anew after every move.

A saved game is replaced as a whole or not at all, also if the process is killed or the power fails: the new record is
written to a file beside it, which is renamed once the disk has it. While a game goes on, its file is locked, so that no
other board resumes it. Only files that a board wrote are changed.
"""

import errno
import fcntl
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.board.errors import RequestError
from tools.board.game.events import (
    EngineFailed,
    EngineReady,
    Events,
    GameEnded,
    GameStarted,
    MovePlayed,
    MovesTakenBack,
)
from tools.board.game.record import is_unfinished, record_of
from tools.board.game.state import Game
from tools.referee.records.game_record import GameRecord

CHANGES_RECORD = (GameStarted, MovePlayed, MovesTakenBack, EngineFailed, EngineReady, GameEnded)
"""The events after which the record of a game differs."""
MAX_GAMES_PER_SECOND = 10_000
MAX_GAME_BYTES = 1 << 22
MAX_FILES_READ = 200
MAX_LISTED = 10
NEW = ".new"
"""The suffix of a record that is being written."""
BEGIN = b'{"game":'
"""How every record begins that a board writes."""
_NAME = re.compile(r"\d{4}-\d{2}-\d{2}-\d{6}(-\d{1,4})?\.jsonl")


@dataclass(frozen=True)
class Unfinished:
    """A saved game that can be resumed: the name of its file, and its record."""

    name: str
    record: GameRecord


class SavedGame:
    """Saves a game whenever its record changes. The first save creates the file.

    `failure` says why the last save failed, None if it did not.
    """

    def __init__(
        self, game: Game, folder: Path, on_failure: Callable[[str], None], resumed: "Held | None" = None
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

    def receive(self, events: Events) -> None:
        if any(isinstance(event, CHANGES_RECORD) for event in events):
            self.save()

    def save(self) -> None:
        """Write the record of a game that has started."""
        if self._game.truth is None:
            return
        had_failed = self.failure is not None
        try:
            self._write(self._line())
            self.failure = None
        except OSError as error:
            self.failure = str(error.strerror or error)
            if not had_failed:
                self._on_failure(self.failure)

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
        """Replace the file as a whole or not at all; OSError if that fails."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path, new = self._free_names() if self.path is None else (self.path, _new_of(self.path))
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _lock(file)
            data = memoryview(line.encode())
            while data:
                data = data[os.write(file, data) :]
            os.fsync(file)
            new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            os.close(file)
            raise
        self._unlock()
        self.path, self._lock = path, file
        _sync_folder(self._folder)

    def _free_names(self) -> tuple[Path, Path]:
        """A name for the file, by the time, and the name under which it is written."""
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        for number in range(1, MAX_GAMES_PER_SECOND):
            path = self._folder / f"{stamp}{f'-{number}' if number > 1 else ''}.jsonl"
            if not os.path.lexists(path) and not os.path.lexists(_new_of(path)):
                return path, _new_of(path)
        raise OSError(f"no file name is free for {stamp}")

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@dataclass(frozen=True)
class Held:
    """A saved game whose lock this process holds."""

    path: Path
    lock: int
    record: GameRecord

    def release(self) -> None:
        os.close(self.lock)


def unfinished_games(folder: Path) -> list[Unfinished]:
    """The games in a folder that can be resumed, the newest first. What no board has written is skipped."""
    found = []
    for path in saved_games(folder):
        with suppress(RequestError):
            held = hold(folder, path.name)
            held.release()
            found.append(Unfinished(path.name, held.record))
        if len(found) == MAX_LISTED:
            break
    return found


def hold(folder: Path, name: str) -> Held:
    """Lock and read a saved game that can be resumed; `RequestError` says why it cannot."""
    path = folder / name
    if not _NAME.fullmatch(name):
        raise RequestError("no-such-game", "name: this is not the file of a saved game")
    try:
        lock = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise RequestError("no-such-game", f"the saved game cannot be read: {error.strerror}") from None
    try:
        # A board that plays the game may have replaced the file since it was opened.
        if not _lock(lock) or not os.path.samestat(os.fstat(lock), os.stat(path)):
            raise RequestError("busy", "this game is being played on a board")
        data = os.read(lock, MAX_GAME_BYTES)
        record = GameRecord.from_line(data.decode("utf-8"))
        if not is_unfinished(record):
            raise RequestError("no-such-game", "this is not an unfinished game of the board")
    except (OSError, ValueError) as error:
        os.close(lock)
        if isinstance(error, RequestError):
            raise
        raise RequestError("no-such-game", "the saved game cannot be read") from None
    return Held(path, lock, record)


def remove_remains(folder: Path) -> None:
    """Remove records that a killed board was writing: files with the name of a saved game and `.new`, not locked."""
    with suppress(OSError):
        for path in folder.glob(f"*.jsonl{NEW}"):
            if _NAME.fullmatch(path.name.removesuffix(NEW)):
                _remove_unlocked(path)


def _remove_unlocked(path: Path) -> None:
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            # Only what a board writes: nothing yet, or the beginning of a record.
            if _lock(file) and os.read(file, len(BEGIN)) in (b"", BEGIN):
                path.unlink()
        finally:
            os.close(file)


def is_game_name(name: str) -> bool:
    """Whether a file with this name can be a saved game."""
    return _NAME.fullmatch(name) is not None


def is_locked(path: Path) -> bool:
    """Whether a board plays or shows the game in a file; OSError if the file cannot be opened."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        return not _lock(file)
    finally:
        os.close(file)


def saved_games(folder: Path) -> Iterator[Path]:
    """The files of a folder that have the name of a saved game, the newest first."""
    try:
        names = sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return
    yield from names[:MAX_FILES_READ]


def _new_of(path: Path) -> Path:
    return path.with_name(path.name + NEW)


def _lock(file: int) -> bool:
    """Lock an open file; False if another process has locked it. A file system without locks locks nothing."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Write the new name of a file to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot do it
            raise
    finally:
        os.close(handle)
