"""What is reviewed, and the values found so far, in a file beside the result: one JSON object per line.

The first line says what is reviewed and how. Each other line has the values before one step of one game, written as
soon as they are known. The file survives a killed process: at worst its last line is cut off, and is found again.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from junqi_engine.analysis.evaluation import Choice, Settings, StepValues
from junqi_engine.analysis.reviewed_game import VISIBILITIES, ReviewedGame
from junqi_engine.files import lock, write_all
from junqi_engine.foreign_json import read_json
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_engine.version import __version__
from tools.referee.endings import Ending
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.records.game_record import GameRecord
from tools.referee.records.replay import verify


@dataclass(frozen=True)
class ReviewRequest:
    """A game of a record, by its number, and what is told about it."""

    number: int
    game: ReviewedGame
    names: tuple[tuple[str, str], ...]
    ending: str

    @classmethod
    def of(cls, record: GameRecord, takes_unfinished: bool = False) -> "ReviewRequest":
        """The request for a game; `RefereeError` if it cannot be reviewed."""
        where = f"game {record.game}"
        if len(record.lineups) < len(BOARDS[record.variant].seats):
            raise _refused(
                f"{where}: it has no line-ups; a game from a FEN cannot be reviewed, "
                "because what its players had seen before is not known"
            )
        if record.visibility not in VISIBILITIES:
            raise _refused(f"{where}: visibility={record.visibility!r} is not one of {', '.join(VISIBILITIES)}")
        if not record.moves:
            raise _refused(f"{where}: it has no moves")
        fault = verify(record)
        if fault is not None:
            raise _refused(f"{where}: it breaks the rules: {fault}")
        is_finished = record.ending != Ending.INTERRUPTED
        if not is_finished and not takes_unfinished:
            raise _refused(
                f"{where}: it is unfinished, interrupted after {len(record.moves)} steps; "
                "--unfinished reviews it up to there"
            )
        game = ReviewedGame(
            record.variant,
            record.visibility,
            tuple(record.lineups.items()),
            record.first,
            Rules(**record.rules),
            tuple(record.moves),
            record.result if is_finished else None,
            record.ending.is_fault,
        )
        names = tuple((seats, str(engine["name"])) for seats, engine in record.engines.items())
        return cls(record.game, game, names, record.ending.value)

    def name_of(self, player: str) -> str:
        """The name of a player, who plays these seats; empty if the record has none."""
        return next((name for seats, name in self.names if set(player) <= set(seats)), "")


def _refused(text: str) -> RefereeError:
    return RefereeError(text, ExitCode.FAILED)


SUFFIX = ".part"


class WorkFile:
    """An open file of values, as a context manager; only one process at a time can open it.

    `values` are those found so far, by game and step.
    """

    def __init__(
        self, path: Path, settings: Settings, requests: Sequence[ReviewRequest], resume: bool, replaces: bool
    ) -> None:
        """Open or create the file. One with values is refused unless `resume` or `replaces` is True."""
        self.path = path
        self.values: dict[tuple[int, int], StepValues] = {}
        head = {"review": __version__, **asdict(settings), "games": {str(one.number): _digest(one) for one in requests}}
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except (OSError, ValueError) as error:
            raise RefereeError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
        try:
            self._begin(head, resume, replaces)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "WorkFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def add(self, game: int, values: StepValues) -> None:
        """Write the values before one step; `RefereeError` if there is no room."""
        self.values[game, values.step] = values
        self._write({"game": game, **asdict(values)})

    def remove(self) -> None:
        """Remove the file: what it held is in the result."""
        self.path.unlink(missing_ok=True)

    def _begin(self, head: Mapping[str, Any], resume: bool, replaces: bool) -> None:
        if not lock(self._file):
            raise RefereeError(f"{self.path}: another review is writing to it")
        data = b"" if replaces and not resume else self.path.read_bytes()
        if data and not resume:
            raise RefereeError(f"{self.path}: an interrupted review; --resume continues it, --overwrite begins anew")
        good = self._load(data, head) if data else 0
        os.ftruncate(self._file, good)
        os.lseek(self._file, 0, os.SEEK_END)
        if not good:
            self._write(head)

    def _load(self, data: bytes, head: Mapping[str, Any]) -> int:
        """Read the values; returns where the last whole line ends."""
        good = 0
        for number, line in enumerate(data.splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                break
            try:
                table = read_json(line)
                if number == 0:
                    self._check_head(table, head)
                else:
                    game, values = table.pop("game"), _values_of(table)
                    self.values[game, values.step] = values
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RefereeError(f"{self.path}, line {number + 1}: not a value of a review: {error}") from error
            good += len(line)
        return good

    def _check_head(self, found: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        for name, value in head.items():
            if found.get(name) != value:
                what = "the games differ" if name == "games" else f"{name} {found.get(name)}, now {value}"
                raise RefereeError(f"{self.path}: it belongs to another review: {what}; --overwrite begins anew")

    def _write(self, table: Mapping[str, Any]) -> None:
        data = (json.dumps(table, separators=(",", ":")) + "\n").encode()
        try:
            write_all(self._file, data)
        except OSError as error:
            raise RefereeError(f"{self.path}: {error.strerror}", ExitCode.INTERNAL) from error


def _values_of(table: dict[str, Any]) -> StepValues:
    choice = table.pop("choice")
    if choice is not None:
        choice = Choice(**{**choice, "line": tuple(choice["line"])})
    return StepValues(**table, choice=choice)


def _digest(request: ReviewRequest) -> str:
    return hashlib.blake2b(repr(request).encode(), digest_size=16).hexdigest()
