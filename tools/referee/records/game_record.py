"""The record of games: one JSON object a line, appended and brought to the disk as each game ends.

What is in the file survives a killed process and a power cut; at worst the last line is cut short, and then it is set
aside when the file is next opened.
"""

import fcntl
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from tools.referee.endings import Ending
from tools.referee.exits import ExitCode, RefereeError


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63  # JSON's true is an int to Python


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_table(value: Any, fits: Callable[[Any], bool] = lambda value: True) -> bool:
    return isinstance(value, dict) and all(map(fits, value.values()))


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_engine(value: Any) -> bool:
    if not _is_table(value) or not _is_text(value.get("name")):
        return False
    limits = value.get("limits", {})
    return _is_table(limits) and _is_whole(limits.get("base_ms", 0))


SHAPES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "game": (_is_whole, "whole number"),
    "variant": (_is_text, "text"),
    "visibility": (_is_text, "text"),
    "engines": (lambda value: _is_table(value, _is_engine), "table of engines with names"),
    "seed": (_is_whole, "whole number"),
    "rules": (_is_table, "table"),
    "lineups": (lambda value: _is_table(value, _is_text), "table of texts"),
    "first": (_is_text, "text"),
    "moves": (lambda value: _is_list(value, _is_text), "list of texts"),
    "times_ms": (lambda value: _is_list(value, _is_whole), "list of whole numbers"),
    "scores": (lambda value: _is_list(value, lambda score: score is None or _is_text(score)), "list of texts or nulls"),
    "result": (_is_text, "text"),
    "ending": (_is_text, "text"),
    "detail": (_is_text, "text"),
}
"""What a record must hold: whether a value is right, and what it should be."""

RULES = tuple(field.name for field in fields(Rules))


@dataclass(frozen=True)
class GameRecord:
    """A finished game. `times_ms` and `scores` go with `moves`, entry by entry; a score is None if none was reported.

    `engines` is by team, in dark games by seat; `rules` are those that were played by; `detail` says more of the
    ending.
    """

    game: int
    variant: str
    visibility: str
    engines: dict[str, dict[str, Any]]
    seed: int
    rules: dict[str, Any]
    lineups: dict[str, str]
    first: str
    moves: list[str] = field(default_factory=list)
    times_ms: list[int] = field(default_factory=list)
    scores: list[str | None] = field(default_factory=list)
    result: str = "draw"
    ending: Ending = Ending.INTERRUPTED
    detail: str = ""

    def as_line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> "GameRecord":
        """The inverse of `as_line`; ValueError for anything else. Keys that it does not know are left out."""
        try:
            table = json.loads(line)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if not isinstance(table, Mapping):
            raise ValueError("no JSON object")
        for name, (fits, words) in SHAPES.items():
            if name not in table:
                raise ValueError(f"{name} is missing")
            if not fits(table[name]):
                raise ValueError(f"{name} is no {words}")
        _check_rules(table)
        game = cls(**{name: table[name] for name in SHAPES if name != "ending"}, ending=Ending(table["ending"]))
        plies, times, scores = len(game.moves), len(game.times_ms), len(game.scores)
        if not plies == times == scores:
            raise ValueError(f"there are {plies} moves, but {times} times_ms and {scores} scores")
        return game


def _check_rules(table: Mapping[str, Any]) -> None:
    """Refuse what is of no known variant or names what its board or its rules don't have."""
    board = BOARDS.get(table["variant"])
    if board is None:
        raise ValueError(f"variant={table['variant']!r} is none of {', '.join(BOARDS)}")
    if table["first"] not in tuple(board.seats):
        raise ValueError(f"first={table['first']!r} is none of the seats {', '.join(board.seats)}")
    if table["result"] not in (*board.teams, "draw"):
        raise ValueError(f"result={table['result']!r} is none of {', '.join(board.teams)}, draw")
    for seat in table["lineups"]:
        if seat not in tuple(board.seats):
            raise ValueError(f"lineups: {seat!r} is none of the seats {', '.join(board.seats)}")
    for name in table["rules"]:
        if name not in RULES:
            raise ValueError(f"rules: unknown key {name!r}; known are {', '.join(RULES)}")
    try:
        Rules(**table["rules"])
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error


class RecordFile:
    """A record that games are appended to. Use it as a context; one process at a time."""

    def __init__(self, path: str, resume: bool) -> None:
        """Open or create it. A file with games in it is only taken up when `resume` says so."""
        self.path = Path(path)
        self.games: list[GameRecord] = []
        self.set_aside: Path | None = None
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise RefereeError(f"record {path}: {error.strerror}") from error
        try:
            self._lock()
            self._take_up(resume)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "RecordFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def append(self, game: GameRecord) -> None:
        """Add a game and bring it to the disk. If that fails the file is as before and the game is kept elsewhere."""
        line = (game.as_line() + "\n").encode()
        try:
            self._write(line)
        except OSError as error:
            raise RefereeError(
                f"record {self.path}: {error.strerror}; game {game.game} is not in it, but {_rescue(line)}; "
                "what is in it is whole, so --resume can go on once there is room",
                ExitCode.INTERNAL,
            ) from error
        self._size += len(line)

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._file, view) :]
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):  # a device, not a file, has nothing to restore
                os.ftruncate(self._file, self._size)
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RefereeError(f"record {self.path}: another referee is writing to it") from error

    def _take_up(self, resume: bool) -> None:
        data = self.path.read_bytes() if self.path.is_file() else b""
        self._size = len(data)
        if data and not resume:
            raise RefereeError(f"record {self.path}: there are games in it; go on with --resume or name another")
        self.games, good = parse_record(data, str(self.path))
        if good < len(data):
            self.set_aside = self.path.with_name(self.path.name + ".damaged")
            with self.set_aside.open("ab") as file:
                file.write(data[good:] + b"\n")
            os.ftruncate(self._file, good)
            self._size = good
        os.lseek(self._file, 0, os.SEEK_END)
        if good and not data[:good].endswith(b"\n"):
            self._write(b"\n")
            self._size += 1


def parse_record(data: bytes, name: str) -> tuple[list[GameRecord], int]:
    """The games of a record, and where the last whole line ends. Damage before the last line is an error."""
    games: list[GameRecord] = []
    numbers: dict[int, int] = {}
    position = 0
    lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                game = GameRecord.from_line(line.decode("utf-8"))
            except ValueError as error:
                if number == len(lines):
                    return games, position
                raise RefereeError(f"record {name}, line {number}: {error}") from error
            if game.game in numbers:
                raise RefereeError(
                    f"record {name}, line {number}: game {game.game} is in line {numbers[game.game]} too"
                )
            numbers[game.game] = number
            games.append(game)
        position += len(line)
    return games, position


def read_record(path: str) -> list[GameRecord]:
    """The games of a record that is only read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RefereeError(f"record {path}: {error.strerror}") from error
    games, good = parse_record(data, path)
    if good < len(data):
        print(f"record {path}: the last line is damaged and left out", file=sys.stderr)
    return games


def _rescue(line: bytes) -> str:
    """Save a game that its record has no room for; where it is, in words."""
    try:
        with tempfile.NamedTemporaryFile("wb", prefix="junqi-referee-", suffix=".jsonl", delete=False) as file:
            file.write(line)
        return f"in {file.name}"
    except OSError:
        sys.stderr.write(line.decode())
        return "printed above"
