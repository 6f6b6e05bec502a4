"""Folders of self-play: shards of games, and their origin.

A shard is a file `games-NUMBER.npz` with the games from that number on, for `numpy.load`:

| array | shape | contents |
|---|---|---|
| made_by | () | JSON: program, git revision (`unknown` outside a repository), settings, seed included |
| results | (games,) uint8 | `Result` |
| endings | (games,) text | `Ending` |
| lineups | (games, seats) text | 25 letters |
| plies | (games,) uint16 | the length of each game |
| moves | (plies of all games,) uint16 | `layout.move_of`, one game after the other |
| scores | (plies of all games,) int16 | of the position before the move, for its team; `NO_SCORE` for a random move |

Scores are in hundredths of a Lieutenant, as in `junqi_engine.evaluation`. What a move shows follows from
the line-ups, by replay. A shard is written whole or not at all. A run continues in its folder only if the same program
and the same settings made its shards. A folder with any other file, or with a damaged shard, is refused and stays as it
was.
"""

import io
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from junqi_engine.files import read_regular, sole_writer, write_whole
from junqi_engine.foreign_json import read_json
from junqi_engine.rules import lineup
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import from_point_of, to_point_of
from junqi_engine.rules.position import Result
from junqi_referee.endings import Ending
from junqi_training.selfplay.settings import SelfPlaySettings

NO_SCORE = -32_768
LARGEST_SCORE = 32_767
LARGEST_FILE = 1 << 28
"""Bytes."""
_DAMAGED = (
    *(ValueError, KeyError, TypeError, EOFError, IndexError, NotImplementedError, RuntimeError),
    *(MemoryError, BadZipFile, zlib.error),
)
"""Exceptions of `numpy.load` and of the checks for a file that is not a shard."""
_SHARD = re.compile(r"games-([0-9]{9})\.npz")


class FolderError(ValueError):
    """A folder of games cannot be used; the text says why, in one line."""


@dataclass(frozen=True)
class Origin:
    """The program and settings that produced the games of a folder."""

    program: str
    revision: str
    settings: SelfPlaySettings


@dataclass(frozen=True)
class StoredGame:
    """A game of a run: `lineups` by seat, `moves` as numbers (`layout.move_of`), and the score before each move for its
    team, None for a random one. With the settings, the number determines the game.
    """

    settings: SelfPlaySettings
    number: int
    lineups: tuple[str, ...]
    result: Result
    ending: Ending
    moves: tuple[int, ...]
    scores: tuple[int | None, ...]

    def start(self) -> GameState:
        """The game before its first move."""
        return GameState.start(self.settings.board, self.lineup_of(), self.settings.rules)

    def lineup_of(self) -> dict[str, str]:
        """The line-ups by seat letter."""
        return dict(zip(self.settings.board.seats, self.lineups, strict=True))


class DataFolder:
    """A folder that shards are added to, as a context manager. Only one process at a time can open it."""

    def __init__(self, folder: Path, origin: Origin) -> None:
        """Open or create the folder. `FolderError` if it is not ours, damaged, or made from something else."""
        self.folder, self.origin = folder, origin
        self.shards: set[int] = set()
        """The number of the first game of each."""
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

    def add(self, games: Sequence[StoredGame]) -> Path:
        """Write a shard; `games` are those of one shard, by ascending number. OSError if it fails."""
        path, data = self.folder / f"games-{games[0].number:09}.npz", io.BytesIO()
        moves = [move for game in games for move in game.moves]
        scores = [NO_SCORE if score is None else score for game in games for score in game.scores]
        np.savez_compressed(
            data,
            made_by=np.array(json.dumps(asdict(self.origin))),
            results=np.array([game.result for game in games], np.uint8),
            endings=np.array([str(game.ending) for game in games]),
            lineups=np.array([game.lineups for game in games]),
            plies=np.array([len(game.moves) for game in games], np.uint16),
            moves=np.array(moves, np.uint16),
            scores=np.array(scores, np.int16),
        )
        write_whole(path, data.getbuffer(), replaces=False)
        self.shards.add(games[0].number)
        return path

    def _open(self) -> None:
        # A killed program may leave a hidden file where a system has no files without a name.
        for path in sorted(path for path in self.folder.iterdir() if not path.name.startswith(".")):
            if not _SHARD.fullmatch(path.name):
                raise FolderError(f"{self.folder}: {path.name[:100]!r} is not a file of self-play; name another folder")
            origin, games = read_shard(path)
            _expect_same(path, _as_table(origin), _as_table(self.origin))
            self.shards.add(games[0].number)


def _as_table(origin: Origin) -> dict[str, object]:
    return {"program": origin.program, "revision": origin.revision} | asdict(origin.settings)


def _expect_same(path: Path, found: dict[str, object], wanted: dict[str, object]) -> None:
    for name, value in found.items():
        if value != wanted[name]:
            raise FolderError(f"{path}: {name} is {value}, not {wanted[name]}; name another folder, or use the same")


def read_folder(folder: Path) -> Iterator[StoredGame]:
    """The games of a folder by ascending number. `FolderError` if it has none, or a shard is damaged."""
    paths = sorted(path for path in folder.glob("games-*") if _SHARD.fullmatch(path.name))
    if not paths:
        raise FolderError(f"{folder}: there are no games of self-play")
    for path in paths:
        yield from read_shard(path)[1]


def read_shard(path: Path) -> tuple[Origin, list[StoredGame]]:
    """The origin of a shard, and its games, at least one. `FolderError` if it is damaged.

    The line-ups are checked for legality, the moves are not.
    """
    try:
        with np.load(io.BytesIO(read_regular(path, LARGEST_FILE)), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        table = read_json(str(arrays["made_by"]))
        origin = Origin(str(table["program"]), str(table["revision"]), SelfPlaySettings(**table["settings"]))
        return origin, _games(origin.settings, int(path.name[6:15]), arrays)
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror or error}") from None
    except _DAMAGED as error:
        raise FolderError(f"{path}: not a shard of games, or damaged: {_line(error)}") from None


def _games(settings: SelfPlaySettings, first: int, arrays: dict[str, np.ndarray]) -> list[StoredGame]:
    """The games in the arrays of a shard; an exception of `_DAMAGED` if they do not fit."""
    plies, moves, scores, lineups = (arrays[name] for name in ("plies", "moves", "scores", "lineups"))
    ends = np.cumsum(plies, dtype=np.int64)
    if len(plies) != settings.shard or first % settings.shard or not len(moves) == len(scores) == ends[-1]:
        raise ValueError("its games are not those of its settings")
    if np.maximum(from_point_of(moves), to_point_of(moves)).max(initial=0) >= len(settings.board.names):
        raise ValueError("a move is not between points of the board")
    if lineups.shape[1:] != (len(settings.board.seats),):
        raise ValueError("a line-up is missing")
    for letters in np.unique(lineups).tolist():
        lineup.check(letters)
    games = []
    for number, (begin, end) in enumerate(zip(ends - plies, ends, strict=True)):
        result, ending = Result(int(arrays["results"][number])), Ending(str(arrays["endings"][number]))
        known = tuple(None if score == NO_SCORE else score for score in scores[begin:end].tolist())
        own, played = tuple(lineups[number].tolist()), tuple(moves[begin:end].tolist())
        games.append(StoredGame(settings, first + number, own, result, ending, played, known))
    return games


def _line(error: Exception) -> str:
    return "".join(char if char.isprintable() else "?" for char in str(error)[:200])
