"""The record of `tools.training.knowledge`: one pair of games per line, appended as each pair ends."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

RECORD = "pairs.jsonl"
"""The name of the file in the folder of a run."""


class RecordError(ValueError):
    """A record cannot be used; the text says why, in one line."""


@dataclass(frozen=True)
class PairKey:
    """Everything that decides how a pair is played: the same key gives the same games in the same revision."""

    variant: str
    player: str
    nodes: int
    seed: int
    told: float
    bend: float
    pair: int


@dataclass(frozen=True)
class PairResult:
    """The points of the aided side in both games, and its belief over both, as in `informed.AidedGame`."""

    key: PairKey
    points: tuple[float, float]
    pieces: int
    plain_nats: float
    aided_nats: float

    def as_line(self) -> str:
        return json.dumps(asdict(self.key) | {name: getattr(self, name) for name in _VALUES}) + "\n"

    @classmethod
    def parse(cls, line: str) -> "PairResult":
        """ValueError if the line is not one of `as_line`."""
        table = json.loads(line)
        if not isinstance(table, dict) or set(table) != {*_KEYS, *_VALUES}:
            raise ValueError(f"its fields must be {', '.join([*_KEYS, *_VALUES])}")
        key = PairKey(**{name: table[name] for name in _KEYS})
        first, second = (_points(value) for value in table["points"])
        return cls(key, (first, second), int(table["pieces"]), float(table["plain_nats"]), float(table["aided_nats"]))


_KEYS = tuple(field.name for field in fields(PairKey))
_VALUES = tuple(field.name for field in fields(PairResult) if field.name != "key")


def _points(value: Any) -> float:
    if value not in (0, 0.5, 1):
        raise ValueError(f"points {value!r} are not 0, 0.5 or 1")
    return float(value)


class Record:
    """The finished pairs of a folder. A last line without its end, of a process that was killed, is removed."""

    def __init__(self, folder: Path) -> None:
        """Make or read the record. RecordError if the folder cannot be used or a line is damaged."""
        self.path = folder / RECORD
        self.results: dict[PairKey, PairResult] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
            whole = text[: text.rfind("\n") + 1]
            self._keep(whole.splitlines())
            self.path.write_text(whole, encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(f"{self.path}: {getattr(error, 'strerror', None) or error}") from error

    def _keep(self, lines: Iterable[str]) -> None:
        for number, line in enumerate(lines, 1):
            try:
                result = PairResult.parse(line)
            except (ValueError, TypeError) as error:
                raise RecordError(f"{self.path}: line {number}: {error}") from error
            self.results[result.key] = result

    def add(self, result: PairResult) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(result.as_line())
        self.results[result.key] = result
