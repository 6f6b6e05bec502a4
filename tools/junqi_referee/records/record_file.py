"""The file of a match: one record per line, appended and written to disk as each game ends.

It survives a killed process and a power failure. At worst its last line is damaged: it is removed when the file is
opened again, and its game is played again.
"""

import os
import re
import stat
import sys
from pathlib import Path

from junqi_engine.api.game_record import GameRecord
from junqi_engine.files import append_whole, lock
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError, file_error

ONLY_OWNER = 0o600
"""The permissions of a new record, because its seed reveals the line-ups of later games."""
LINE_START = b'{"game":'
"""The beginning of each line of a record."""


class RecordFile:
    """A file to which games are appended, as a context manager. Only one process at a time can open it.

    `games` are the games in the file when it was opened; `was_damaged` is True if its last line was cut off.
    """

    def __init__(self, path: str, resume: bool) -> None:
        """Open or create the file. A file with games is refused unless `resume` is True."""
        self.path = Path(path)
        self.games: list[GameRecord] = []
        self.was_damaged = False
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, ONLY_OWNER)
        except OSError as error:
            raise file_error(f"record {path}", error) from error
        except ValueError as error:  # a null byte in the path
            raise RefereeError(f"record {path}: {error}") from error
        try:
            if not lock(self._file):
                raise RefereeError(f"record {path}: another referee is writing to it")
            self._load(resume)
        except BaseException as error:
            os.close(self._file)
            if isinstance(error, OSError):
                raise RefereeError(f"record {path}: {error.strerror}", ExitCode.INTERNAL) from error
            raise

    def __enter__(self) -> "RecordFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def append(self, game: GameRecord) -> None:
        """Append a game and write it to disk. `RefereeError` if that fails; the file is then unchanged."""
        line = (game.as_line() + "\n").encode()
        try:
            append_whole(self._file, line, self._size)
        except OSError as error:
            raise RefereeError(
                f"record {self.path}: {error.strerror}; game {game.game} is not in it; "
                "free some space, then continue with --resume",
                ExitCode.INTERNAL,
            ) from error
        self._size += len(line)

    def _load(self, resume: bool) -> None:
        if stat.S_ISFIFO(os.fstat(self._file).st_mode):
            raise RefereeError(f"record {self.path}: a pipe cannot be a record; name a file")
        data = self.path.read_bytes() if self.path.is_file() else b""
        self._size = len(data)
        if data and not resume:
            raise RefereeError(f"record {self.path}: it has games; continue with --resume or name another file")
        if not data and self.path.is_file():
            os.chmod(self._file if os.chmod in os.supports_fd else self.path, ONLY_OWNER)
        self.games, good = parse_record(data, str(self.path))
        if not self.games and data.strip() and not _is_cut_off(data):
            raise RefereeError(f"record {self.path}: it holds no game record, so it was not written by the referee")
        if good < len(data):
            self.was_damaged = True
            os.ftruncate(self._file, good)
            self._size = good
        os.lseek(self._file, 0, os.SEEK_END)
        if good and not data[:good].endswith(b"\n"):
            append_whole(self._file, b"\n", self._size)
            self._size += 1


def _is_cut_off(data: bytes) -> bool:
    """True if a file has only the beginning of a first line, because the referee was killed while writing it."""
    return b"\n" not in data and data.startswith(LINE_START[: len(data)])


def read_line(line: str) -> GameRecord:
    """Read one game; ValueError for a line that is not a record, or an ending that the referee does not know."""
    game = GameRecord.from_line(line)
    Ending.of(game)
    return game


def parse_record(data: bytes, name: str) -> tuple[list[GameRecord], int]:
    """Parse a record: return its games, and the offset of the end of its last valid line. `name` is for messages.

    Damage raises `RefereeError`, unless it is in a last line without a newline, which was cut off.
    """
    games: list[GameRecord] = []
    numbers: dict[int, int] = {}
    position = 0
    lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                game = read_line(line.decode("utf-8"))
            except ValueError as error:
                if number == len(lines) and not line.endswith(b"\n"):
                    return games, position
                reason = "not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
                raise RefereeError(f"record {name}, line {number}: {reason}") from error
            if game.game in numbers:
                raise RefereeError(
                    f"record {name}, line {number}: game {game.game} is in line {numbers[game.game]} too"
                )
            numbers[game.game] = number
            games.append(game)
        position += len(line)
    return games, position


def read_record(path: str) -> list[GameRecord]:
    """The games of a record; a last line that was cut off is reported on stderr and ignored."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise file_error(f"record {path}", error) from error
    return games_in(data, path)


def games_in(data: bytes, path: str) -> list[GameRecord]:
    """The games of a record that was read from `path`, as `read_record` returns them."""
    games, good = parse_record(data, path)
    if good < len(data):
        print(f"record {path}: the last line is cut off and ignored", file=sys.stderr)
    return games
