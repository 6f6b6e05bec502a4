"""The games on the disk: each in a file of its own, a referee's record of one line, written anew after every move.

A saved game is replaced as a whole or not at all, also if the process is killed or the power fails. A new game gets a
name that nobody uses. One board at a time uses a folder (`junqi_engine.files.sole_writer`).

The library lists all games that boards have saved in a folder, with what can be told of them without their pieces.
"""

import codecs
import errno
import re
import sys
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from junqi_board.game.game import BoardGame, has_surrendered
from junqi_board.game.record import MAX_NAME_CHARS, host_seats, is_unfinished, record_of, would_be_lost
from junqi_board.messages import records
from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import Refused
from junqi_engine.files import read_regular, write_whole
from junqi_referee.records.record_file import read_line

MAX_GAMES_PER_SECOND = 10_000
MAX_GAME_BYTES = 1 << 22
MAX_FILES_READ = 200
MAX_NAMES_KEPT = 400
SHOWN_NAME_CHARS = 2 * MAX_NAME_CHARS
BEGIN = '{"game":'
"""How every record begins that a board writes."""
_NAME = re.compile(r"\d{4}-\d{2}-\d{2}-\d{6}(-\d{1,4})?\.jsonl")


class SavedGame:
    """Saves a game whenever its record has changed, in a new file or in the one from which it was resumed.

    `failure` says why the last save failed, None if it did not; the game goes on.
    """

    def __init__(self, game: BoardGame, folder: Path, path: Path | None = None) -> None:
        self.path = path
        self.failure: str | None = None
        self._game = game
        self._folder = folder
        self._saved: tuple[object, ...] = ()

    def follow(self) -> bool:
        """Write the record of a game that has started, if it has changed; whether that begins to fail."""
        game = self._game
        # What changes whenever the record does.
        state = len(game.history), game.history[-1:], game.result, game.fault, game.is_rated
        if game.full is None or state == self._saved:
            return False
        before, self.failure = self.failure, None
        try:
            self._write(self._line().encode())
        except OSError as error:
            self.failure = str(error.strerror or error)
        self._saved = state
        return self.failure is not None and before is None

    def close(self) -> None:
        """Save a game in progress. A record that cannot be written is printed on stderr."""
        if self._game.result is None or self.failure is not None:
            self._saved = ()
            self.follow()
        if self.failure is not None:
            text = f"junqi-board: the game cannot be saved in {self._folder}: {self.failure}; its record is:"
            print(text, self._line(), sep="\n", end="", file=sys.stderr, flush=True)

    def _line(self) -> str:
        return record_of(self._game).as_line() + "\n"

    def _write(self, data: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self.path is None:
            self.path = write_new(self._folder, data)
        else:
            write_whole(self.path, data, replaces=True, mode=0o600)


def write_new(folder: Path, data: bytes) -> Path:
    """Write the file of a new game, named by the time; of several in a second, the later ones have a number."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    for number in range(1, MAX_GAMES_PER_SECOND):
        path = folder / f"{stamp}{f'-{number}' if number > 1 else ''}.jsonl"
        with suppress(FileExistsError):
            write_whole(path, data, replaces=False, mode=0o600)
            return path
    raise OSError(errno.EEXIST, "no file name is free")


def add(folder: Path, record: GameRecord) -> str:
    """Save a record that is over, unless one of the newest games is the same; the name of its file."""
    data = (record.as_line() + "\n").encode()
    for path in saved_games(folder)[:MAX_FILES_READ]:
        with suppress(OSError):
            if path.stat().st_size == len(data) and read_regular(path, len(data)) == data:
                return path.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_new(folder, data).name
    except OSError as error:
        raise Refused("not-kept", f"the record cannot be saved: {error.strerror}") from None


def path_of(folder: Path, name: str) -> Path:
    """The file of a saved game; `Refused` if it is not the name of one."""
    if not _NAME.fullmatch(name):
        raise Refused("no-such-game", "name: this is not the file of a saved game")
    return folder / name


def read_over(path: Path) -> str:
    """The record of a game that is over; `Refused` for any other: its record would show hidden pieces."""
    line, record = read(path)
    if is_unfinished(record):
        raise Refused("game-running", "this game is not over: resume it, or delete it")
    return line


def interrupted(folder: Path, seed: str) -> Path | None:
    """The file of the game that was written last, if it has this seed."""
    with suppress(OSError, ValueError):
        path = max(saved_games(folder), key=lambda path: path.stat().st_mtime_ns)
        return path if str(read(path)[1].seed) == seed else None
    return None


def delete(path: Path, running: Path | None) -> None:
    """Remove a saved game; `Refused` for the one on the board, or one that no board has written."""
    read(path)
    if path == running:
        raise Refused("game-running", "this game is on the board now: begin another one first")
    try:
        path.unlink()
    except OSError as error:
        raise Refused("no-such-game", f"the saved game cannot be deleted: {error.strerror}") from None


def summaries(folder: Path, running: Path | None) -> list[records.SavedGame]:
    """Summaries of the newest games of a folder, without records that no board has written; `running` is the game on
    the board. `state` is `running`, `unfinished` (it can be resumed) or `over`.
    """
    found = []
    for path in saved_games(folder)[:MAX_FILES_READ]:
        with suppress(OSError):
            about = path.stat()
            summary = _summary(path, about.st_mtime_ns, about.st_size)
            if summary is not None:
                is_running = summary.state != "over" and path == running
                found.append(replace(summary, state="running") if is_running else summary)
    return found


@lru_cache(MAX_NAMES_KEPT)
def _summary(path: Path, _mtime_ns: int, _bytes: int) -> records.SavedGame | None:
    try:
        _, record = read(path)
        players = [(seats, str(entry["name"])[:SHOWN_NAME_CHARS]) for seats, entry in record.engines.items()]
    except (ValueError, KeyError):
        return None
    mine, is_over = host_seats(record), not is_unfinished(record)
    return records.SavedGame(
        name=path.name,
        state="over" if is_over else "unfinished",
        variant=record.variant,
        players=players,
        mine=mine,
        moves=len(record.moves),
        result=record.result if is_over else "",
        ending=record.ending if is_over else "",
        rated=would_be_lost(record),
        surrendered=has_surrendered(record.moves, mine),
    )


def saved_games(folder: Path) -> list[Path]:
    """The files of a folder that have the name of a saved game, the newest first."""
    try:
        return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return []


def read(path: Path) -> tuple[str, GameRecord]:
    """The line in a file and its record; `Refused` if it is not one of a board."""
    with suppress(OSError, ValueError):
        # An editor may have put a byte-order mark before it.
        line = read_regular(path, MAX_GAME_BYTES).removeprefix(codecs.BOM_UTF8).decode("utf-8")
        if line.startswith(BEGIN):
            return line, read_line(line)
    raise Refused("no-such-game", "the saved game cannot be read")
