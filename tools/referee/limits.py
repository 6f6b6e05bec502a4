"""What a player may spend on a move: its limits, and the clock that runs through a game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MARGIN_MS = 50
MOST_HOURS = 1000
"""Of a clock or its increment: what is more is a slip, and a number without end none at all."""
KEYS = ("tc", "st", "nodes", "depth", "margin", "patience")


@dataclass(frozen=True)
class Limits:
    """The limits of one engine, None where not given.

    `base_ms` and `increment_ms` are a clock for the game, `move_ms` is a time for each move. `margin_ms` is what an
    answer may be late. `patience_s` is how long a search without any clock may stay silent.
    """

    base_ms: int | None = None
    increment_ms: int = 0
    move_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin_ms: int = MARGIN_MS
    patience_s: float | None = None

    @classmethod
    def parse(cls, table: Mapping[str, Any]) -> "Limits":
        """From `tc`, `st`, `nodes`, `depth`, `margin`, `patience`; ValueError names what is wrong."""
        base_ms, increment_ms = _time_control(str(table["tc"])) if "tc" in table else (None, 0)
        limits = cls(
            base_ms=base_ms,
            increment_ms=increment_ms,
            move_ms=_milliseconds(table["st"], "st") if "st" in table else None,
            nodes=_whole(table["nodes"], "nodes") if "nodes" in table else None,
            depth=_whole(table["depth"], "depth") if "depth" in table else None,
            margin_ms=_whole(table["margin"], "margin", least=0) if "margin" in table else MARGIN_MS,
            patience_s=_milliseconds(table["patience"], "patience") / 1000 if "patience" in table else None,
        )
        if limits.base_ms is not None and limits.move_ms is not None:
            raise ValueError("tc and st exclude each other")
        return limits

    @property
    def is_empty(self) -> bool:
        return self.base_ms is None and self.move_ms is None and self.nodes is None and self.depth is None

    def as_record(self) -> dict[str, Any]:
        """The limits that were given, for the record, with their units in their names."""
        given: dict[str, Any] = {}
        if self.base_ms is not None:
            given |= {"base_ms": self.base_ms, "increment_ms": self.increment_ms}
        for name in ("move_ms", "nodes", "depth"):
            if getattr(self, name) is not None:
                given[name] = getattr(self, name)
        return given | {"margin_ms": self.margin_ms}


class Clock:
    """A player's time in one game."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left_ms = float(limits.base_ms or 0)

    @property
    def allowed_ms(self) -> float | None:
        """When an answer is too late, margin included; None when no clock runs."""
        if self.limits.base_ms is not None:
            return self.left_ms + self.limits.margin_ms
        if self.limits.move_ms is not None:
            return self.limits.move_ms + self.limits.margin_ms
        return None

    def spend(self, time_ms: float) -> None:
        """An answer came in time."""
        if self.limits.base_ms is not None:
            self.left_ms = max(0.0, self.left_ms - time_ms) + self.limits.increment_ms


def go_command(mover: Clock, teams: tuple[Clock, Clock] | None) -> str:
    """The `go` for the player to move. `teams` are the clocks of South's team and of the other, if teams have one."""
    limits = mover.limits
    words = ["go"]
    if limits.base_ms is not None:
        if teams is not None and all(clock.limits.base_ms is not None for clock in teams):
            ours, theirs = teams
            words.append(
                f"wtime {int(ours.left_ms)} btime {int(theirs.left_ms)}"
                f" winc {ours.limits.increment_ms} binc {theirs.limits.increment_ms}"
            )
        else:
            words.append(f"time {int(mover.left_ms)} inc {limits.increment_ms}")
    if limits.move_ms is not None:
        words.append(f"movetime {limits.move_ms}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    return " ".join(words)


def _time_control(text: str) -> tuple[int, int]:
    """`minutes:seconds+increment`, minutes and increment optional, into milliseconds."""
    found = re.fullmatch(r"(?:(\d+):)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text)
    if not found:
        raise ValueError(f"tc={text} is not of the form minutes:seconds+increment, such as 1:30+0.5 or 10+0.1")
    minutes, seconds, increment = found.groups(default="0")
    if max(float(minutes) / 60, float(seconds) / 3600, float(increment) / 3600) > MOST_HOURS:
        raise ValueError(f"tc={text} is more than {MOST_HOURS} hours")
    base_ms = round(1000 * (60 * int(minutes) + float(seconds)))
    if base_ms == 0:
        raise ValueError(f"tc={text} leaves no time to begin with")
    return base_ms, round(1000 * float(increment))


def _milliseconds(value: Any, name: str) -> int:
    try:
        seconds = float(value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"{name}={value} is no number of seconds") from None
    if not 0.001 <= seconds <= 1e6:
        raise ValueError(f"{name}={value} is not from 0.001 to 1,000,000 seconds")
    return round(1000 * seconds)


def _whole(value: Any, name: str, least: int = 1) -> int:
    text = str(value)
    if not re.fullmatch(r"\d{1,17}", text) or int(text) < least:
        raise ValueError(f"{name}={value} is no whole number from {least}")
    return int(text)
