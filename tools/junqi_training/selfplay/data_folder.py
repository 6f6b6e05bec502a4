"""A folder of self-play: shards of games, and a manifest that says how they were made.

A shard is a file `games-NUMBER.jqg` (`game_file`) with the games from that number on. It is written whole or not at
all, and then listed in `manifest.json` with its games, positions, size in bytes and SHA-256. The manifest names the
settings, seed included, the version of the program and its git revision. A run continues in its folder only if all of
them are the same, so all games of a folder are of one kind.

A folder with any other file is refused and not changed. A shard that is not listed, because the program was killed
before it wrote the manifest, is taken over if it holds the games that the settings demand. A listed shard that is
missing or has another checksum is an error: nothing is repaired silently.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from junqi_engine.files import sole_writer, write_whole
from junqi_engine.foreign_json import read_json
from junqi_training.selfplay.game_file import (
    LARGEST_FILE,
    GameFile,
    GameFileError,
    StoredGame,
    count_positions,
    format_games,
    parse_games,
)
from junqi_training.selfplay.settings import Mixture, Settings

MANIFEST = "manifest.json"
FORMAT = "junqi-selfplay 1"
LARGEST_MANIFEST = 1 << 26
"""Bytes."""
_SHARD = re.compile(r"games-([0-9]{9})\.jqg")
_KEYS = {"format", "program", "revision", "settings", "shards"}


class FolderError(ValueError):
    """A data folder cannot be used; the text says why, in one line."""


@dataclass(frozen=True)
class Origin:
    """What made the games: version and git revision of the program (`unknown` outside a repository), settings."""

    program: str
    revision: str
    settings: Settings


@dataclass(frozen=True)
class Shard:
    """A file of games as the manifest lists it: its name, the numbers of its games, and what it holds."""

    name: str
    first: int
    games: int
    positions: int
    size: int
    sha256: str

    @classmethod
    def of(cls, games: Sequence[StoredGame], data: bytes) -> "Shard":
        first = games[0].number
        digest = hashlib.sha256(data).hexdigest()
        return cls(shard_name(first), first, len(games), count_positions(games), len(data), digest)


def shard_name(first: int) -> str:
    """The name of the shard that begins with game `first`."""
    return f"games-{first:09}.jqg"


class DataFolder:
    """A folder that shards are added to, as a context manager. Only one process at a time can open it."""

    def __init__(self, folder: Path, origin: Origin) -> None:
        """Open or create the folder. `FolderError` if it is not ours, damaged, or made from something else."""
        self.folder, self.origin = folder, origin
        self.shards: dict[int, Shard] = {}
        """By the number of the first game."""
        with ExitStack() as stack:
            try:
                stack.enter_context(sole_writer(folder))
                self._open()
            except OSError as error:
                raise FolderError(f"{folder}: {error.strerror or error}") from error
            except FolderError:
                raise
            except ValueError as error:  # another program writes to it, or a null byte in the path
                raise FolderError(f"{folder}: {str(error).removeprefix(f'{folder}: ')}") from error
            self._held = stack.pop_all()

    def __enter__(self) -> "DataFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def add(self, games: Sequence[StoredGame]) -> Shard:
        """Write a shard and list it. `games` are those of one shard, by ascending number. OSError if it fails."""
        data = format_games(self._file(games))
        shard = Shard.of(games, data)
        write_whole(self.folder / shard.name, data, replaces=False)
        self._list(shard)
        return shard

    def _open(self) -> None:
        manifest = self.folder / MANIFEST
        names = {path.name for path in self.folder.iterdir()} - {f".{MANIFEST}.junqi-engine.new"}
        foreign = sorted(name for name in names if name != MANIFEST and not _SHARD.fullmatch(name))
        if foreign:
            raise FolderError(f"{self.folder}: {foreign[0][:100]!r} is not a file of self-play; name another folder")
        if MANIFEST not in names:
            if names:
                raise FolderError(f"{self.folder}: it has files, but no {MANIFEST}; name another folder")
            self._write_manifest()
            return
        origin, shards = read_manifest(self.folder)
        _expect_same(manifest, origin, self.origin)
        for shard in shards:
            _read_shard(self.folder, shard)
            self.shards[shard.first] = shard
        for name in sorted(names - {MANIFEST} - {shard.name for shard in shards}):
            self._adopt(name)

    def _adopt(self, name: str) -> None:
        """List a shard that is there, but not in the manifest."""
        path = self.folder / name
        data = _read(path, LARGEST_FILE)
        try:
            file = parse_games(data)
        except GameFileError as error:
            raise FolderError(f"{path}: not in {MANIFEST}, and not readable: {error}") from None
        first, size = int(name[6:15]), self.origin.settings.shard
        expected = list(range(first, first + size))
        if first % size or [game.number for game in file.games] != expected or file != self._file(file.games):
            raise FolderError(f"{path}: not in {MANIFEST}, and not a shard of these settings; name another folder")
        self._list(Shard.of(file.games, data))

    def _file(self, games: Sequence[StoredGame]) -> GameFile:
        settings = self.origin.settings
        players = Mixture.parse(settings.mixture).players
        return GameFile(settings.board, settings.rules, settings.seed, players, True, tuple(games))

    def _list(self, shard: Shard) -> None:
        self.shards[shard.first] = shard
        self._write_manifest()

    def _write_manifest(self) -> None:
        table = {
            "format": FORMAT,
            "program": self.origin.program,
            "revision": self.origin.revision,
            "settings": self.origin.settings.as_table(),
        }
        rows = ",\n".join(f"  {json.dumps(asdict(shard))}" for _, shard in sorted(self.shards.items()))
        text = f'{json.dumps(table, indent=1)[:-2]},\n "shards": [\n{rows}\n ]\n}}\n'
        write_whole(self.folder / MANIFEST, text.encode(), replaces=True)


def read_folder(folder: Path) -> Iterator[GameFile]:
    """The shards of a folder in the order of their numbers. `FolderError` if one is damaged."""
    _, shards = read_manifest(folder)
    for shard in shards:
        yield _read_shard(folder, shard)


def read_manifest(folder: Path) -> tuple[Origin, list[Shard]]:
    """What made the games of a folder, and its shards by ascending number. `FolderError` names what is wrong."""
    path = folder / MANIFEST
    data = _read(path, LARGEST_MANIFEST)
    try:
        table = read_json(data, LARGEST_MANIFEST)
        if not isinstance(table, dict) or set(table) != _KEYS or table["format"] != FORMAT:
            raise ValueError(f"not a manifest of {FORMAT}")
        if not all(isinstance(table[name], str) for name in ("program", "revision")):
            raise ValueError("program and revision must be texts")
        origin = Origin(table["program"], table["revision"], Settings(**table["settings"]))
        shards = sorted((_shard_of(row, origin.settings) for row in table["shards"]), key=lambda shard: shard.first)
    except (ValueError, TypeError) as error:
        raise FolderError(f"{path}: {_line(error)}") from None
    if len({shard.first for shard in shards}) < len(shards):
        raise FolderError(f"{path}: a shard appears twice")
    return origin, shards


def _shard_of(row: Any, settings: Settings) -> Shard:
    shard = Shard(**row)
    numbers = shard.first, shard.games, shard.positions, shard.size
    if not all(type(number) is int and number >= 0 for number in numbers) or type(shard.sha256) is not str:
        raise ValueError(f"shard {str(row)[:100]}: a wrong value")
    if shard.first % settings.shard or shard.games != settings.shard or shard.name != shard_name(shard.first):
        raise ValueError(f"shard {str(row)[:100]}: name and numbers do not fit the settings")
    return shard


def _read_shard(folder: Path, shard: Shard) -> GameFile:
    path = folder / shard.name
    data = _read(path, LARGEST_FILE)
    if hashlib.sha256(data).hexdigest() != shard.sha256:
        raise FolderError(f"{path}: its SHA-256 is not that of {MANIFEST}: damaged or changed")
    try:
        return parse_games(data)
    except GameFileError as error:
        raise FolderError(f"{path}: {error}") from None


def _read(path: Path, largest: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror or error}") from None
    if len(data) > largest:
        raise FolderError(f"{path}: more than {largest} bytes")
    return data


def _expect_same(path: Path, found: Origin, wanted: Origin) -> None:
    before = {"program": found.program, "revision": found.revision} | found.settings.as_table()
    now = {"program": wanted.program, "revision": wanted.revision} | wanted.settings.as_table()
    for name, value in before.items():
        if value != now[name]:
            raise FolderError(f"{path}: {name} is {value}, not {now[name]}; name another folder, or use the same")


def _line(error: Exception) -> str:
    text = str(error)[:200]
    return "".join(char if char.isprintable() else "?" for char in text)
