"""The file of a match: a record per line, appended and written to disk as each game ends.

It survives a killed process and a power failure. At worst its last line is damaged; that line is moved to another file
when the record is opened again.
"""

import os
import re
import stat
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from junqi_engine.api import game_record
from junqi_engine.api.game_record import DRAW as DRAW
from junqi_engine.files import append_whole, lock, write_whole
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError, file_error


@dataclass(frozen=True)
class GameRecord(game_record.GameRecord):
    """A finished game, with an ending of the referee."""

    ending: Ending = Ending.INTERRUPTED

    def __post_init__(self) -> None:
        object.__setattr__(self, "ending", Ending(self.ending))


ONLY_OWNER = 0o600
"""The permissions of a new record: the seed in it tells the line-ups of the games to come."""
LINE_START = b'{"game":'
"""How each line of a record begins."""
MAX_DAMAGED = 1000


class RecordFile:
    """A record that games are appended to, as a context manager. Only one process at a time can open it.

    `games` are those that the file held when it was opened. `damaged_path` is where a damaged last line was moved to,
    None if there was none.
    """

    def __init__(self, path: str, resume: bool) -> None:
        """Open or create the file. A file with games is refused unless `resume` is True."""
        self.path = Path(path)
        self.games: list[GameRecord] = []
        self.damaged_path: Path | None = None
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, ONLY_OWNER)
        except OSError as error:
            raise file_error(f"record {path}", error) from error
        except ValueError as error:  # a null byte in the path
            raise RefereeError(f"record {path}: {error}") from error
        try:
            self._lock()
            self._load(resume)
        except OSError as error:
            os.close(self._file)
            raise RefereeError(f"record {path}: {error.strerror}", ExitCode.INTERNAL) from error
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "RecordFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def append(self, game: GameRecord) -> None:
        """Append a game and write it to disk.

        If that fails, the file stays as it was, the game is saved elsewhere, and a `RefereeError` says where.
        """
        line = (game.as_line() + "\n").encode()
        try:
            self._write(line)
        except OSError as error:
            raise RefereeError(
                f"record {self.path}: {error.strerror}; game {game.game} is not in it, but {_rescue(line)}; "
                "the record is not damaged: once there is room, continue with --resume",
                ExitCode.INTERNAL,
            ) from error
        self._size += len(line)

    def _write(self, line: bytes) -> None:
        append_whole(self._file, line, self._size)

    def _save_damaged(self, data: bytes) -> Path:
        """Save a damaged line in a new file; returns its path."""
        for number in range(1, MAX_DAMAGED):
            path = self.path.with_name(
                f"{self.path.name}.damaged" if number == 1 else f"{self.path.name}.damaged{number}"
            )
            try:
                write_whole(path, data, replaces=False, mode=ONLY_OWNER)
            except FileExistsError:
                continue
            except OSError as error:
                text = f"record {self.path}: its last line is damaged and cannot be saved in {path}: {error.strerror}"
                raise RefereeError(text, ExitCode.INTERNAL) from error
            return path
        raise RefereeError(f"record {self.path}: there are too many files {self.path.name}.damaged*")

    def _lock(self) -> None:
        if not lock(self._file):
            raise RefereeError(f"record {self.path}: another referee is writing to it")

    def _load(self, resume: bool) -> None:
        if stat.S_ISFIFO(os.fstat(self._file).st_mode):
            raise RefereeError(f"record {self.path}: a pipe keeps no games; name a file")
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
            self.damaged_path = self._save_damaged(data[good:] + b"\n")
            os.ftruncate(self._file, good)
            self._size = good
        os.lseek(self._file, 0, os.SEEK_END)
        if good and not data[:good].endswith(b"\n"):
            self._write(b"\n")
            self._size += 1


def _is_cut_off(data: bytes) -> bool:
    """Whether a file holds only the beginning of a first line, as when the referee was killed while it wrote it."""
    return b"\n" not in data and data.startswith(LINE_START[: len(data)])


def parse_record(data: bytes, name: str, is_last_checked: bool = False) -> tuple[list[GameRecord], int]:
    """The games of a record, and the position where its last valid line ends; `name` is for messages.

    Damage before the last line raises a `RefereeError`; in the last line it does so only if the line `is_last_checked`
    and has its newline, so that it was not cut off.
    """
    games: list[GameRecord] = []
    numbers: dict[int, int] = {}
    position = 0
    lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                game = GameRecord.from_line(line.decode("utf-8"))
            except ValueError as error:
                if number == len(lines) and not (is_last_checked and line.endswith(b"\n")):
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
    """The games of a record that was read from `path`; as `read_record`."""
    games, good = parse_record(data, path, is_last_checked=True)
    if good < len(data):
        print(f"record {path}: the last line is cut off and ignored", file=sys.stderr)
    return games


def _rescue(line: bytes) -> str:
    """Save the line of a game that could not be recorded; returns where it is, as text."""
    try:
        with tempfile.NamedTemporaryFile("wb", prefix="junqi-referee-", suffix=".jsonl", delete=False) as file:
            file.write(line)
        return f"in {file.name}"
    except OSError:
        sys.stderr.write(line.decode())
        return "printed above"
