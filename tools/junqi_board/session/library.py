"""The library: all games that boards have saved in a folder, with what can be told of them without their pieces."""

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from junqi_board.errors import RequestError
from junqi_board.game.record import MAX_NAME_CHARS, is_unfinished
from junqi_board.session.saving import BEGIN, MAX_GAME_BYTES, is_game_name, is_locked, saved_games
from junqi_engine.files import read_regular
from junqi_referee.records.game_record import GameRecord

MAX_NAMES_KEPT = 400
SHOWN_NAME_CHARS = 2 * MAX_NAME_CHARS


@dataclass(frozen=True)
class Summary:
    """A saved game in the list. `state` is `running`, `unfinished` (it can be resumed) or `over`."""

    name: str
    state: str
    variant: str = ""
    players: tuple[tuple[str, str], ...] = ()
    """The seats and the name of each party."""
    moves: int = 0
    result: str = ""
    ending: str = ""


def summaries(folder: Path) -> list[Summary]:
    """The games of a folder, the newest first. What no board has written is omitted."""
    found = []
    for path in saved_games(folder):
        with suppress(OSError):
            about = path.stat()
            summary = _summary(path, about.st_mtime_ns, about.st_size)
            if summary is not None:
                state = "running" if summary.state != "over" and is_locked(path) else summary.state
                found.append(Summary(**{**vars(summary), "state": state}))
    return found


def read_over(folder: Path, name: str) -> str:
    """The record of a game that is over; `RequestError` for any other: its record would show hidden pieces."""
    path = _path(folder, name)
    line = _read(path)
    if line is None:
        raise RequestError("no-such-game", "the saved game cannot be read")
    if is_unfinished(GameRecord.from_line(line)):
        raise RequestError("game-running", "this game is not over: resume it, or delete it")
    return line


def delete(folder: Path, name: str) -> None:
    """Remove a saved game; `RequestError` for one that is being played, or that no board has written."""
    path = _path(folder, name)
    if _read(path) is None:
        raise RequestError("no-such-game", "the saved game cannot be read")
    if is_locked(path):
        raise RequestError("busy", "this game is on a board now: begin another one first")
    try:
        path.unlink()
    except OSError as error:
        raise RequestError("no-such-game", f"the saved game cannot be deleted: {error.strerror}") from None


def _path(folder: Path, name: str) -> Path:
    if not is_game_name(name):
        raise RequestError("no-such-game", "name: this is not the file of a saved game")
    return folder / name


def _read(path: Path) -> str | None:
    """The record in a file; None if it is not one of a board."""
    try:
        data = read_regular(path, MAX_GAME_BYTES)
        return data.decode("utf-8") if data.startswith(BEGIN) and GameRecord.from_line(data.decode()) else None
    except (OSError, ValueError):
        return None


@lru_cache(MAX_NAMES_KEPT)
def _summary(path: Path, _mtime_ns: int, _bytes: int) -> Summary | None:
    """The summary of a file that has not changed since."""
    line = _read(path)
    if line is None:
        return None
    try:
        record = GameRecord.from_line(line)
        players = tuple((seats, str(entry["name"])[:SHOWN_NAME_CHARS]) for seats, entry in record.engines.items())
    except (ValueError, KeyError, json.JSONDecodeError):
        return None
    state = "unfinished" if is_unfinished(record) else "over"
    ended = (record.result, record.ending.value) if state == "over" else ("", "")
    return Summary(path.name, state, record.variant, players, len(record.moves), *ended)
