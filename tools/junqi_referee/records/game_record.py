"""The record of one game: one JSON object in one line. A new field is one field of `GameRecord`.

The file of a match has a record per line, appended and written to disk as each game ends. It survives a killed process
and a power failure. At worst its last line is damaged; that line is moved to another file when the record is opened
again.
"""

import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from junqi_engine.files import append_whole, lock, write_whole
from junqi_engine.foreign_json import json_line, read_json
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_engine.rules.position import lineup_kinds
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, RefereeError, file_error
from junqi_referee.settings.settings import Seed, is_secret

DRAW = "draw"
FIRST_RULES = 1
"""The version of the rules of a record that names none."""
RULES = tuple(entry.name for entry in fields(Rules))


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63  # a JSON true is an int in Python


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any, is_valid: Callable[[Any], bool] = lambda value: True) -> bool:
    return isinstance(value, dict) and all(map(is_valid, value.values()))


def _is_list(value: Any, is_valid: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(is_valid, value))


def _is_engine(value: Any) -> bool:
    if not _is_table(value) or not _is_text(value.get("name")):
        return False
    limits = value.get("limits", {})
    return _is_table(limits) and _is_whole(limits.get("base_ms", 0))


def _is_run(value: Any) -> bool:
    if not _is_table(value) or not _is_table(value.get("machine", {}), lambda each: type(each) in (int, str)):
        return False
    load = value.get("load", [None, None])
    return _is_list(load, lambda each: each is None or type(each) in (int, float)) and len(load) == 2


def _shape(is_valid: Callable[[Any], bool], what: str) -> dict[str, Any]:
    """The metadata of a field: whether a value read from a file is valid, and what it must be."""
    return {"is_valid": is_valid, "what": what}


_WHOLE = _shape(_is_whole, "a whole number")
_SEED = _shape(lambda value: _is_whole(value) or is_secret(value), "a whole number or 32 hexadecimal digits")
_TEXT = _shape(_is_text, "a string")
_TABLE = _shape(_is_table, "a table")
_TEXTS_BY_SEAT = _shape(lambda value: _is_table(value, _is_text), "a table of strings")
_TEXTS_BY_MOVE = _shape(lambda value: _is_table(value, _is_text), "a table of strings by the number of a move")
_ENGINES = _shape(lambda value: _is_table(value, _is_engine), "a table of engines with names")
_TEXTS = _shape(lambda value: _is_list(value, _is_text), "a list of strings")
_WHOLES = _shape(lambda value: _is_list(value, _is_whole), "a list of whole numbers")
_NUMBERS = _shape(
    lambda value: _is_list(value, lambda number: number is None or _is_whole(number)),
    "a list of whole numbers or nulls",
)
_SCORES = _shape(
    lambda value: _is_list(value, lambda score: score is None or _is_text(score)), "a list of strings or nulls"
)
_RUN = _shape(_is_run, "a table with a table machine, and two numbers or nulls as its load")


@dataclass(frozen=True)
class GameRecord:
    """A finished game.

    `engines` is by team, in dark games by seat. `rules` are the limits that the game was played with. `times_ms` and
    `scores` have one entry per move; a score is None if none was reported. `detail` adds to the ending. Those after it
    may be empty: what the engine reported for each move, when the game began, the FEN that it began from, which a game
    from line-ups has not, and remarks by the number of the move that they follow. `run` has the `command` of the
    referee, the `machine`, the `versions` of the engines as they call themselves, by the keys of `engines`, and the
    `load` at the start and at the end, None if unknown.
    """

    game: int = field(metadata=_WHOLE)
    variant: str = field(metadata=_TEXT)
    visibility: str = field(metadata=_TEXT)
    engines: dict[str, dict[str, Any]] = field(metadata=_ENGINES)
    seed: Seed = field(metadata=_SEED)
    rules: dict[str, Any] = field(metadata=_TABLE)
    lineups: dict[str, str] = field(metadata=_TEXTS_BY_SEAT)
    first: str = field(metadata=_TEXT)
    moves: list[str] = field(default_factory=list, metadata=_TEXTS)
    times_ms: list[int] = field(default_factory=list, metadata=_WHOLES)
    scores: list[str | None] = field(default_factory=list, metadata=_SCORES)
    result: str = field(default=DRAW, metadata=_TEXT)
    ending: Ending = field(default=Ending.INTERRUPTED, metadata=_TEXT)
    detail: str = field(default="", metadata=_TEXT)
    depths: list[int | None] = field(default_factory=list, metadata=_NUMBERS)
    nodes: list[int | None] = field(default_factory=list, metadata=_NUMBERS)
    date: str = field(default="", metadata=_TEXT)
    event: str = field(default="", metadata=_TEXT)
    fen: str = field(default="", metadata=_TEXT)
    comments: dict[str, str] = field(default_factory=dict, metadata=_TEXTS_BY_MOVE)
    run: dict[str, Any] = field(default_factory=dict, metadata=_RUN)

    def engine_of(self, seat: str) -> dict[str, Any]:
        """The entry of the engine that played a seat; empty if there is none."""
        return next((engine for seats, engine in self.engines.items() if seat in seats), {})

    def as_line(self) -> str:
        """The record as one line of JSON, without its newline."""
        return json_line({name: value for name, value in vars(self).items() if value or name not in OPTIONAL})

    @classmethod
    def from_line(cls, line: str) -> "GameRecord":
        """The inverse of `as_line`. Unknown keys are ignored; a ValueError says what is wrong."""
        table = read_json(line)
        if not isinstance(table, Mapping):
            raise ValueError("not a JSON object")
        values = {}
        for entry in fields(cls):
            if entry.name not in table and entry.name in OPTIONAL:
                continue
            if entry.name not in table:
                raise ValueError(f"{entry.name} is missing")
            values[entry.name] = table[entry.name]
            if not entry.metadata["is_valid"](values[entry.name]):
                raise ValueError(f"{entry.name} is not {entry.metadata['what']}")
        if isinstance(values["rules"], dict):
            values["rules"] = {"version": FIRST_RULES} | values["rules"]
        _check_variant(values)
        game = cls(**{**values, "ending": Ending(values["ending"])})
        plies, times, scores = len(game.moves), len(game.times_ms), len(game.scores)
        if not plies == times == scores:
            raise ValueError(f"there are {plies} moves, but {times} times_ms and {scores} scores")
        for name in ("depths", "nodes"):
            if len(values.get(name) or game.moves) != plies:
                raise ValueError(f"there are {plies} moves, but {len(values[name])} {name}")
        for number in game.comments.keys() - set(map(str, range(plies + 1))):
            raise ValueError(f"comments: {number!r} is not the number of a move, from 0 to {plies}")
        return game


FROM_FEN = "it began from a FEN, without line-ups"
"""Why a record cannot be used where line-ups are needed."""
OPTIONAL = ("depths", "nodes", "date", "event", "fen", "comments", "run")
"""The fields that a record may lack; empty ones are not written."""


def _check_variant(values: dict[str, Any]) -> None:
    """Refuse an unknown variant, and seats, results and rules that it does not have; fill in its own rules."""
    board = BOARDS.get(values["variant"])
    if board is None:
        raise ValueError(f"variant={values['variant']!r} is not one of {', '.join(BOARDS)}")
    seats = f"is not one of the seats {', '.join(board.seats)}"
    if values["first"] not in tuple(board.seats):
        raise ValueError(f"first={values['first']!r} {seats}")
    if values["result"] not in (*board.teams, DRAW):
        raise ValueError(f"result={values['result']!r} is not one of {', '.join(board.teams)}, {DRAW}")
    for seat, letters in values["lineups"].items():
        if seat not in tuple(board.seats):
            raise ValueError(f"lineups: {seat!r} {seats}")
        lineup_kinds(seat, letters)
    for name in values["rules"]:
        if name not in RULES:
            raise ValueError(f"rules: unknown key {name!r}; known keys: {', '.join(RULES)}")
    try:
        values["rules"] = asdict(Rules.of(board, Rules(**values["rules"])))
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error


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
                if isinstance(error, json.JSONDecodeError):
                    reason = f"not JSON: {error.msg} at column {error.colno}"
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
