"""Games on the disk: each in a file of its own, a referee's record of one line, written anew at every move."""

import os
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tools.referee.records import GameRecord

if TYPE_CHECKING:
    from tools.board.game import Game


def default_folder() -> Path:
    """Where games are kept unless another folder is named."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "junqi-engine" / "games"


class SavedGame:
    """The file of one game; it is made by the first `write`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path: Path | None = None

    def write(self, record: GameRecord) -> None:
        """Bring the record to the disk, whole or not at all; OSError if that fails."""
        if self.path is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.path = self._free_name()
        new = self.path.with_suffix(".new")
        try:
            with new.open("w", encoding="utf-8") as file:
                file.write(record.as_line() + "\n")
            new.replace(self.path)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise

    def _free_name(self) -> Path:
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        for number in range(1, 10_000):
            path = self._folder / f"{stamp}{f'-{number}' if number > 1 else ''}.jsonl"
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
        raise OSError("no name for the game is free")


def record_of(game: "Game") -> GameRecord:
    """The game as a referee's record; one that is not over is `interrupted`."""
    engines = {}
    for chair in game.chairs:
        party = chair.party
        command = " ".join(party.program.command) if party.program else ""
        options = {"Player": party.player} if party.player else {}
        engines[party.seats] = {"name": party.name, "command": command, "options": options}
    fault = "" if game.fault is None else game.fault.text
    return GameRecord(
        game=game.number,
        variant=game.board.variant,
        visibility=game.seating.visibility.value,
        engines=engines,
        seed=game.seed,
        rules=asdict(game.seating.rules),
        lineups=dict(game.lineups),
        first=game.seating.first,
        moves=list(game.truth.moves) if game.truth else [],
        times_ms=[ply.time_ms for ply in game.history],
        scores=[ply.score for ply in game.history],
        result=game.result or "draw",
        ending=game.ending,
        detail=game.detail or fault,
    )
