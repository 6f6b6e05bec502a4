"""Games from records, `.jgs` files and folders of these, written as one record."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from junqi_engine.api.game_record import DRAW, GameRecord
from junqi_engine.files import write_whole
from junqi_engine.notation.jgs import EVENTS_OFFSET, GameFile, parse_jgs
from junqi_engine.notation.jgs_events import replay
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError, file_error, report
from junqi_referee.full_game import FullGame
from junqi_referee.records.record_file import games_in

VISIBILITY = "partner"
"""The visibility of games from `.jgs` files: players see their partner's pieces."""


def game_of_jgs(file: GameFile, number: int, with_names: bool = False) -> GameRecord:
    """The game of a `.jgs` file; ValueError if it breaks the rules. The players' names are kept only on request.

    A draw that the rules do not give is `agreed`. A file without an end is an interrupted game.
    """
    lineups = dict(zip(SIGUO.seats, file.lineups, strict=True))
    full = FullGame(SIGUO.variant, lineups, SIGUO.seats[file.first], Rules.of(SIGUO))
    end = replay(file.events, full, full.play)
    result = full.result
    ending = full.ending if result is not None else Ending.INTERRUPTED if end is None else Ending.AGREED
    plies = len(full.moves)
    engines = {team: {"name": team} for team in SIGUO.teams}
    if with_names and any(file.names):
        engines = {seat: {"name": name} for seat, name in zip(SIGUO.seats, file.names, strict=True)}
    return GameRecord(
        number, full.board.variant, VISIBILITY, engines, 0, asdict(full.rules),
        full.lineups, full.first, full.moves, [0] * plies, [None] * plies, result or DRAW, ending,
    )  # fmt: skip


JGS_SUFFIX = ".jgs"
BYTE_ORDER_MARK_AND_SPACE = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True)
class Games:
    """The games of some files, and an error for each file that could not be read."""

    games: tuple[GameRecord, ...]
    errors: tuple[RefereeError, ...]
    is_single: bool
    """True if one game was asked for by its number."""


def read_games(words: Sequence[str], with_names: bool = False) -> Games:
    """The games of files and folders; after a single file, `words` may have the number of one game.

    In a folder, all `.jgs` files at any depth are read, ordered by name. Games of several files are renumbered from 1.
    Names of players are read from `.jgs` files on request only.
    """
    number = int(words[-1]) if len(words) > 1 and words[-1].isdecimal() else None
    files = [file for path in (words if number is None else words[:-1]) for file in _files(path)]
    if number is not None and len(files) > 1:
        raise RefereeError(f"game number {number} requires a single file, not {len(files)}")
    games: list[GameRecord] = []
    errors: list[RefereeError] = []
    for file in files:
        try:
            games += _read(file, number, with_names)
        except RefereeError as error:
            errors.append(error)
    if len(files) > 1:
        games = [replace(game, game=count) for count, game in enumerate(games, 1)]
    return Games(tuple(games), tuple(errors), number is not None)


def _files(path: str) -> Sequence[str]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    found = [file for file in folder.rglob("*") if file.suffix.lower() == JGS_SUFFIX and file.is_file()]
    if not found:
        raise RefereeError(f"folder {path}: it has no {JGS_SUFFIX} files")
    return [str(file) for file in sorted(found)]


def _read(path: str, number: int | None, with_names: bool) -> Sequence[GameRecord]:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise file_error(f"record {path}", error) from error
    try:
        games = [game_of_jgs(parse_jgs(data), 1, with_names)] if _is_jgs(path, data) else games_in(data, path)
    except ValueError as error:
        raise RefereeError(f"record {path}: {error}", ExitCode.FAILED) from error
    found = [game for game in games if number in (None, game.game)]
    if not found:
        missing = "there are no games" if number is None else f"there is no game {number}"
        raise RefereeError(f"record {path}: {missing}", ExitCode.FAILED)
    return found


def _is_jgs(path: str, data: bytes) -> bool:
    """True for the name of a `.jgs` file, or a head like that of one: it has many zero bytes, and text has none."""
    is_text = data.lstrip(BYTE_ORDER_MARK_AND_SPACE)[:1] == b"{" or b"\0" not in data[:EVENTS_OFFSET]
    return path.lower().endswith(JGS_SUFFIX) or not is_text


def convert(parsed: argparse.Namespace) -> ExitCode:
    """Write the games of all files as one record. A damaged file does not stop the others."""
    read = read_games(parsed.paths, parsed.names)
    if not read.games:
        return report(read.errors)
    contents = "".join(f"{game.as_line()}\n" for game in read.games).encode()
    if parsed.write is None:
        sys.stdout.buffer.write(contents)
        sys.stdout.flush()
    else:
        write_file(Path(parsed.write), contents, parsed.overwrite)
    return report(read.errors)


def write_file(path: Path, contents: bytes, replaces: bool) -> None:
    """Write a file as a whole. `RefereeError` if it exists, unless `replaces`."""
    if not replaces:
        check_is_new(path)
    try:
        write_whole(path, contents, replaces)
    except OSError as error:
        raise file_error(path, error) from error


def check_is_new(path: Path) -> None:
    if os.path.lexists(path):
        raise RefereeError(f"{path} exists; --overwrite replaces it")
