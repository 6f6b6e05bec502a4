"""The game on the disk: a file of its own, a referee's record of one line, written anew after every move."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tools.board.game.events import (
    EngineFailed,
    EngineReady,
    Events,
    GameEnded,
    GameStarted,
    MovePlayed,
    MovesTakenBack,
)
from tools.board.game.record import record_of
from tools.board.game.state import Game
from tools.referee.records.game_record import GameRecord

CHANGES_RECORD = (GameStarted, MovePlayed, MovesTakenBack, EngineFailed, EngineReady, GameEnded)
"""The events after which the record of a game differs."""
MAX_GAMES_PER_SECOND = 10_000


class SavedGame:
    """Saves a game whenever its record changes. The first save creates the file."""

    def __init__(self, game: Game, folder: Path, on_failure: Callable[[str], None]) -> None:
        """`on_failure` is called with the reason when the disk refuses the file; the game goes on."""
        self.path: Path | None = None
        self._game = game
        self._folder = folder
        self._on_failure = on_failure

    def receive(self, events: Events) -> None:
        if any(isinstance(event, CHANGES_RECORD) for event in events):
            self.save()

    def save(self) -> None:
        """Write the record of a game that has started."""
        if self._game.truth is None:
            return
        try:
            self._write(record_of(self._game))
        except OSError as error:
            self._on_failure(str(error.strerror))

    def _write(self, record: GameRecord) -> None:
        """Replace the file as a whole or not at all; OSError if that fails."""
        if self.path is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.path = self._create_file()
        new = self.path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                file.write(record.as_line() + "\n")
            new.replace(self.path)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise

    def _create_file(self) -> Path:
        """An empty file, named by the time."""
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        for number in range(1, MAX_GAMES_PER_SECOND):
            path = self._folder / f"{stamp}{f'-{number}' if number > 1 else ''}.jsonl"
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
        raise OSError(f"no file name is free for {stamp}")
