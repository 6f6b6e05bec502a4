"""`convert`: games of any files, written in another format."""

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from junqi_engine.files import write_whole
from junqi_engine.notation.jgs import format_jgs
from junqi_engine.rules.board import SIGUO
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.records.contest_conversion import contest_texts
from tools.referee.records.game_files import JGS_SUFFIX, Format, Games, read_games
from tools.referee.records.jgs_conversion import jgs_of, losses

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Faults of the disk, not of the command line."""
RECORD_SUFFIXES = (".jsonl", ".json")


@dataclass(frozen=True)
class Conversion:
    """What to convert, and how. `number` is that of the only game to convert; None means all.

    `target` is a file, or a folder for `.jgs` files; None returns the contents. `side` and `encoding` are those of
    contest records. Names of players are copied from and to `.jgs` files only with `with_names`.
    """

    paths: Sequence[str]
    number: int | None = None
    target: str | None = None
    side: str = "S"
    encoding: str = "utf-8"
    with_names: bool = False
    replaces: bool = False


@dataclass(frozen=True)
class Converted:
    """`contents` if there was no target, else b"". `errors` are the games that were not converted."""

    contents: bytes = b""
    errors: tuple[RefereeError, ...] = ()
    notes: tuple[str, ...] = ()


def convert(wanted: Conversion) -> Converted:
    """Convert games, and write them if there is a target. A file or game at fault does not stop the others.

    The target determines the format. Without one, records become contest records, and everything else a record.
    """
    read = read_games(wanted.paths, wanted.number, wanted.with_names)
    if not read.games:
        return Converted(errors=read.errors)
    if wanted.target is not None and _is_jgs_target(wanted.target):
        return _write_jgs(read, wanted, Path(wanted.target))
    try:
        contents = _text(read, wanted)
    except ValueError as error:
        raise RefereeError(f"record {wanted.paths[0]}: {error}", ExitCode.FAILED) from error
    if wanted.target is None:
        return Converted(contents, read.errors)
    write_file(Path(wanted.target), contents, wanted.replaces)
    return Converted(errors=read.errors)


def write_file(path: Path, contents: bytes, replaces: bool) -> None:
    """Write a file as a whole. A file that exists is replaced only if `replaces`; RefereeError otherwise."""
    if not replaces:
        check_is_new(path)
    try:
        write_whole(path, contents, replaces)
    except OSError as error:
        code = ExitCode.INTERNAL if error.errno in NO_ROOM else ExitCode.USAGE
        raise RefereeError(f"{path}: {error.strerror}", code) from error


def check_is_new(path: Path) -> None:
    if os.path.lexists(path):
        raise RefereeError(f"{path} exists; --overwrite replaces it")


def _is_jgs_target(target: str) -> bool:
    return target.lower().endswith(JGS_SUFFIX) or target.endswith(os.sep) or Path(target).is_dir()


def _text(read: Games, wanted: Conversion) -> bytes:
    is_record = wanted.target is not None and wanted.target.lower().endswith(RECORD_SUFFIXES)
    if is_record or read.formats != {Format.RECORD}:
        return "".join(f"{game.as_line()}\n" for game in read.games).encode()
    try:
        texts = contest_texts(read.games, wanted.side)
    except ValueError as error:
        is_siguo = any(game.variant == SIGUO.variant for game in read.games)
        hint = f"; use --write FILE{JGS_SUFFIX} or --write FOLDER/" if is_siguo else ""
        raise ValueError(f"{error}{hint}") from error
    return "".join(f"{text}\n" for text in texts).encode(wanted.encoding)


def _write_jgs(read: Games, wanted: Conversion, target: Path) -> Converted:
    errors, notes = list(read.errors), []
    contents: dict[int, bytes] = {}
    for game in read.games:
        try:
            contents[game.game] = format_jgs(jgs_of(game, wanted.with_names))
        except ValueError as error:
            errors.append(RefereeError(f"game {game.game}: {error}", ExitCode.FAILED))
        else:
            notes += [f"game {game.game}: {loss}" for loss in losses(game)]
    is_file = target.suffix.lower() == JGS_SUFFIX and not target.is_dir()
    if is_file and len(read.games) > 1:
        raise RefereeError(
            f"{target}: a {JGS_SUFFIX} file holds one game, and there are {len(read.games)}; "
            "add the number of a game, or use --write FOLDER/"
        )
    names = {number: target if is_file else target / f"game-{number:04}{JGS_SUFFIX}" for number in contents}
    if not wanted.replaces:
        for path in names.values():
            check_is_new(path)
    if contents and not is_file:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RefereeError(f"folder {target}: {error.strerror}") from error
    for number, data in contents.items():
        write_file(names[number], data, wanted.replaces)
    return Converted(errors=tuple(errors), notes=tuple(notes))
