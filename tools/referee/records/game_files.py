"""Games from files of every format: records of the referee, contest records, `.jgs` files, and folders of these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from junqi_engine.notation.jgs import EVENTS_OFFSET, parse_jgs
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.records.contest_conversion import chosen, games_of
from tools.referee.records.game_record import GameRecord
from tools.referee.records.jgs_conversion import game_of_jgs
from tools.referee.records.record_file import read_record

JGS_SUFFIX = ".jgs"
BYTE_ORDER_MARK_AND_SPACE = b"\xef\xbb\xbf \t\r\n"


class Format(Enum):
    RECORD = auto()
    """The referee's: a JSON object in each line."""
    CONTEST = auto()
    JGS = auto()


@dataclass(frozen=True)
class Games:
    """The games of some files, the formats of these, and an error for each file that could not be read."""

    games: tuple[GameRecord, ...]
    formats: frozenset[Format]
    errors: tuple[RefereeError, ...]


def read_games(paths: Sequence[str], number: int | None = None, with_names: bool = False) -> Games:
    """The games of files and folders, or only the game `number` of a single file.

    Of a folder, the `.jgs` files in it and in its folders are read, ordered by name. Games of several files are
    numbered anew, from 1. Names of players are read from `.jgs` files on request only.
    """
    files = [file for path in paths for file in _files(path)]
    if number is not None and len(files) > 1:
        raise RefereeError(f"the number of a game, {number}, requires a single file; there are {len(files)}")
    games: list[GameRecord] = []
    formats: set[Format] = set()
    errors: list[RefereeError] = []
    for file in files:
        try:
            file_format, found = _read(file, number, with_names)
        except RefereeError as error:
            errors.append(error)
        else:
            formats.add(file_format)
            games += found
    if len(files) > 1:
        games = [replace(game, game=count) for count, game in enumerate(games, 1)]
    return Games(tuple(games), frozenset(formats), tuple(errors))


def _files(path: str) -> Sequence[str]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    found = [file for file in folder.rglob("*") if file.suffix.lower() == JGS_SUFFIX and file.is_file()]
    if not found:
        raise RefereeError(f"folder {path}: it has no {JGS_SUFFIX} files")
    return [str(file) for file in sorted(found)]


def _read(path: str, number: int | None, with_names: bool) -> tuple[Format, Sequence[GameRecord]]:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise RefereeError(f"record {path}: {error.strerror}") from error
    file_format = _format_of(path, data)
    try:
        if file_format == Format.CONTEST:
            return file_format, games_of(data, number)
        is_jgs = file_format == Format.JGS
        games = [game_of_jgs(parse_jgs(data, with_names), 1)] if is_jgs else read_record(path)
        return file_format, [game for _, game in chosen([(game.game, game) for game in games], number)]
    except ValueError as error:
        raise RefereeError(f"record {path}: {error}", ExitCode.FAILED) from error


def _format_of(path: str, data: bytes) -> Format:
    """The format, by the name of the file or how it begins: text has no zero bytes, the head of a `.jgs` file many."""
    if path.lower().endswith(JGS_SUFFIX):
        return Format.JGS
    begin = data.lstrip(BYTE_ORDER_MARK_AND_SPACE)[:1]
    if begin == b"(":
        return Format.CONTEST
    return Format.JGS if begin != b"{" and b"\0" in data[:EVENTS_OFFSET] else Format.RECORD
