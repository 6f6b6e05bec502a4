"""The time control of a player, its clock, and the `go` command that tells both to an engine.

The referee and the web board share this file. Nothing here reads a clock: callers pass the time in milliseconds, on any
scale that only moves forward.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from junqi_referee.readers import Reader, Wrong, clock, read_values, seconds, whole

MARGIN_MS = 50
"""The default of `margin_ms`."""
KEYS: Mapping[str, str] = {
    "tc": "MOVES/MINUTES:SECONDS+INCREMENT|inf",
    "st": "SECONDS",
    "nodes": "N",
    "depth": "N",
    "margin": "MS",
    "patience": "SECONDS",
}
"""The keys that `TimeControl.parse` reads, and the form of their values."""
_READERS: Mapping[str, Reader[Any]] = {
    "tc": clock,
    "st": seconds(),
    "nodes": whole(),
    "depth": whole(),
    "margin": whole(0),
    "patience": seconds(),
}


@dataclass(frozen=True)
class TimeControl:
    """The limits of a player: a clock for the whole game, a fixed time per move, or limits on the search.

    | field | key | meaning |
    |---|---|---|
    | `base_ms`, `increment_ms` | `tc` | clock for the whole game, and what each move adds to it |
    | `moves` | `tc` | moves after which the clock gets `base_ms` again |
    | `move_ms` | `st` | time per move; excludes `tc` |
    | `nodes`, `depth` | `nodes`, `depth` | limits on the search |
    | `margin_ms` | `margin` | time by which a reply may be late |
    | `patience_s` | `patience` | longest silence of a search without a clock |

    None means: not set.
    """

    base_ms: int | None = None
    increment_ms: int = 0
    move_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin_ms: int = MARGIN_MS
    patience_s: float | None = None
    moves: int | None = None

    @classmethod
    def parse(cls, table: Mapping[str, str]) -> "TimeControl":
        """Read the values of those keys of a table that are in `KEYS`; `Wrong` names the key."""
        if "tc" in table and "st" in table:
            raise Wrong("tc and st exclude each other")
        values = read_values(table, _READERS)
        moves, base_ms, increment_ms = values.get("tc", (None, None, 0))
        return cls(
            base_ms=base_ms,
            increment_ms=increment_ms,
            move_ms=values.get("st"),
            nodes=values.get("nodes"),
            depth=values.get("depth"),
            margin_ms=values.get("margin", MARGIN_MS),
            patience_s=values["patience"] / 1000 if "patience" in values else None,
            moves=moves,
        )

    def __str__(self) -> str:
        """The `key=value` words that `parse` reads, without those at their default."""
        words = []
        if self.base_ms is not None:
            increment = f"+{_seconds_text(self.increment_ms)}" if self.increment_ms else ""
            period = f"{self.moves}/" if self.moves else ""
            words.append(f"tc={period}{_clock_text(self.base_ms)}{increment}")
        if self.move_ms is not None:
            words.append(f"st={_seconds_text(self.move_ms)}")
        words += [
            f"{key}={value}" for key, value in (("nodes", self.nodes), ("depth", self.depth)) if value is not None
        ]
        if self.margin_ms != MARGIN_MS:
            words.append(f"margin={self.margin_ms}")
        if self.patience_s is not None:
            words.append(f"patience={_seconds_text(round(1000 * self.patience_s))}")
        return " ".join(words)

    @property
    def has_limit(self) -> bool:
        """True if `tc`, `st`, `nodes` or `depth` is set."""
        return any(limit is not None for limit in (self.base_ms, self.move_ms, self.nodes, self.depth))

    def as_record(self) -> dict[str, Any]:
        """The entry `limits` of a game record: the limits that are set, and the margin."""
        limits: dict[str, Any] = {}
        if self.base_ms is not None:
            limits |= {"base_ms": self.base_ms, "increment_ms": self.increment_ms}
            limits |= {} if self.moves is None else {"moves": self.moves}
        for name in ("move_ms", "nodes", "depth"):
            if getattr(self, name) is not None:
                limits[name] = getattr(self, name)
        return limits | {"margin_ms": self.margin_ms}


class Clock:
    """One player's clock in one game. Without `base_ms` in its time control it only measures.

    A caller that measures the time itself uses `spend` and `add_increment`. Otherwise `start` and, after a move, `stop`
    do both; `pause` spends the time without a move, `cancel` gives it back, `hold` lets the clock stand at a time that
    is not spent yet.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining_ms = float(control.base_ms or control.increment_ms)
        """The time that remained when the clock last stood still; 0 for a clock that only measures."""
        self._moves_made = 0
        self._started_ms: float | None = None
        self._held_ms: float | None = None

    @property
    def moves_to_go(self) -> int | None:
        """The moves until the clock gets its base again; None without such a period."""
        return None if self.control.moves is None else self.control.moves - self._moves_made % self.control.moves

    @property
    def is_running(self) -> bool:
        return self._started_ms is not None and self._held_ms is None

    @property
    def allowed_ms(self) -> float | None:
        """The time after which a reply is too late, including the margin; None without a clock or a time per move."""
        if self.control.base_ms is not None:
            return self.remaining_ms + self.control.margin_ms
        if self.control.move_ms is not None:
            return self.control.move_ms + self.control.margin_ms
        return None

    def elapsed_ms(self, now_ms: float) -> float:
        """The time since `start`, or up to `hold`; 0 for a clock that stands still."""
        if self._started_ms is None:
            return 0.0
        return now_ms - self._started_ms if self._held_ms is None else self._held_ms

    def remaining_at_ms(self, now_ms: float) -> float | None:
        """The time that remains at `now_ms`; None for a clock that only measures."""
        return None if self.control.base_ms is None else max(0.0, self.remaining_ms - self.elapsed_ms(now_ms))

    def start(self, now_ms: float) -> None:
        """Let the clock run; a running clock keeps running."""
        if self._started_ms is None:
            self._started_ms = now_ms

    def stop(self, now_ms: float) -> float:
        """Stop after a move: spend the elapsed time, add the increment, and return the elapsed time."""
        elapsed_ms = self.pause(now_ms)
        self.add_increment()
        return elapsed_ms

    def pause(self, now_ms: float) -> float:
        """Stop without a move: spend the elapsed time and return it."""
        elapsed_ms = self.elapsed_ms(now_ms)
        self.cancel()
        self.spend(elapsed_ms)
        return elapsed_ms

    def cancel(self) -> None:
        """Stop as if the clock had never been started."""
        self._started_ms = self._held_ms = None

    def hold(self, elapsed_ms: float) -> None:
        """Let a running clock stand at a time since its start, until it is stopped or cancelled."""
        self._held_ms = elapsed_ms

    def spend(self, time_ms: float) -> None:
        """Subtract a time, down to 0."""
        if self.control.base_ms is not None:
            self.remaining_ms = max(0.0, self.remaining_ms - time_ms)

    def refill(self) -> None:
        """Set the clock back to its base; for a clock that limits each turn."""
        self.remaining_ms = float(self.control.base_ms or self.control.increment_ms)

    def add_increment(self) -> None:
        """Add the increment, and after a period the base."""
        self._moves_made += 1
        if self.control.base_ms is not None:
            self.remaining_ms += self.control.increment_ms
            if self.control.moves is not None and self._moves_made % self.control.moves == 0:
                self.remaining_ms += self.control.base_ms


def go_command(mover: Clock, teams: tuple[Clock, Clock] | None = None) -> str:
    """The `go` command for the player whose clock is `mover`.

    `teams` are the clocks of South's team and of the other team, if each team has one clock. They are sent as `wtime`
    and `btime` if both are clocks for the whole game; otherwise only the mover's clock is sent, as `time`.
    """
    control = mover.control
    words = ["go"]
    if control.base_ms is not None:
        if teams is not None and all(clock.control.base_ms is not None for clock in teams):
            south, other = teams
            words.append(f"wtime {int(south.remaining_ms)} btime {int(other.remaining_ms)}")
            words.append(f"winc {south.control.increment_ms} binc {other.control.increment_ms}")
        else:
            words.append(f"time {int(mover.remaining_ms)} inc {control.increment_ms}")
        if mover.moves_to_go is not None:
            words.append(f"movestogo {mover.moves_to_go}")
    for word, value in (("movetime", control.move_ms), ("nodes", control.nodes), ("depth", control.depth)):
        if value is not None:
            words.append(f"{word} {value}")
    return " ".join(words)


def _clock_text(time_ms: int) -> str:
    minutes, rest_ms = divmod(time_ms, 60_000)
    return f"{minutes}:{_seconds_text(rest_ms)}" if minutes else _seconds_text(rest_ms)


def _seconds_text(time_ms: int) -> str:
    seconds, rest_ms = divmod(time_ms, 1000)
    return f"{seconds}.{rest_ms:03}".rstrip("0") if rest_ms else str(seconds)
