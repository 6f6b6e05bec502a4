"""The limits and the results of a search by an engine: `Limit`, `PlayResult`, and `Analysis`, a running search."""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from junqi_engine.client.engine_client import NO_DEADLINE_S, EngineClient, Patience, Reply
from junqi_engine.client.engine_lines import Info
from junqi_engine.errors import Refused

if TYPE_CHECKING:
    from junqi_engine.api.move import Move


@dataclass(frozen=True)
class Limit:
    """The limits of a search; None is no limit.

    `time_ms` and `inc_ms` are the clock of the seat to move and its increment. Floats must be whole: `Refused` for
    others, TypeError for anything but a number.

    >>> from junqi_engine import Engine, Game, Limit
    >>> with Engine(options={"Seed": 1}) as engine:
    ...     result = engine.play(Game("luzhanqi", seed=1).view("S"), Limit(depth=2, time_ms=60_000))
    >>> result.info.depth
    2
    """

    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    time_ms: int | None = None
    inc_ms: int | None = None

    def __post_init__(self) -> None:
        for name in (entry.name for entry in fields(self)):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else _whole(name, value))

    def go(self, searchmoves: Iterable[str] = (), otherwise: str = "") -> str:
        """The command `go`; `otherwise` follows it if there is no limit."""
        words = ["go"]
        values = (self.movetime_ms, self.nodes, self.depth, self.time_ms, self.inc_ms)
        for name, value in zip(("movetime", "nodes", "depth", "time", "inc"), values, strict=True):
            words += [] if value is None else [name, str(value)]
        if len(words) == 1 and otherwise:
            words.append(otherwise)
        moves = tuple(searchmoves)
        return " ".join([*words, "searchmoves", *moves] if moves else words)

    @property
    def is_limited(self) -> bool:
        return any(value is not None for value in (self.movetime_ms, self.nodes, self.depth, self.time_ms))

    def patience_s(self, patience: Patience) -> float:
        """Seconds to wait for the answer: the time limit plus a grace period, or the patience."""
        times = [time for time in (self.movetime_ms, self.time_ms) if time is not None]
        return min(*times, int(NO_DEADLINE_S) * 1000) / 1000 + EngineClient.GRACE_S if times else patience.unclocked_s


def _whole(name: str, value: object) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise Refused("bad-argument", f"{name}: {value!r} is not a whole number")
    return int(value)  # type: ignore[call-overload]


@dataclass(frozen=True)
class PlayResult:
    """The answer to `Engine.play`: the move, and the last report about the best line.

    `move` is a `Move` for a view, and a plain string for a position that was passed as a text, such as a puzzle. It is
    None if the engine has none: the puzzle is solved or has no solution, the search was stopped before it found one, or
    the game is over. `info` is then the last report, whose `string` may say why.

    >>> from junqi_engine import Engine, Game
    >>> with Engine(options={"Player": "1.2", "Seed": 1}) as engine:
    ...     result = engine.play(Game("luzhanqi", seed=1).view("S"), nodes=100)
    >>> result.info.depth, result.info.pv == (result.move,), result.info.score
    (1, True, None)
    """

    move: "Move | Any | None"
    info: Info
    time_ms: float


class Analysis(Iterator[Info]):
    """The reports of a search as it deepens. Leaving a loop over it, or a `with` block, ends the search.

    >>> from junqi_engine import Engine, Game
    >>> with Engine(options={"Seed": 1}) as engine:
    ...     with engine.analysis(Game("luzhanqi", seed=1).view("S"), multipv=2) as analysis:
    ...         for info in analysis:
    ...             if info.depth == 2:
    ...                 analysis.stop()
    ...     best, second = analysis.multipv
    >>> best == analysis.info, best.score.cp >= second.score.cp
    (True, True)
    """

    def __init__(self, infos: Generator[Info, None, Reply | None], stop: Callable[[], None]) -> None:
        self._infos, self._stop = infos, stop
        self._lines: dict[int, Info] = {}
        self.last = Info()
        self.reply: Reply | None = None

    @property
    def info(self) -> Info:
        """The last report about the best line; empty before the first one."""
        return self._lines.get(1, Info())

    @property
    def multipv(self) -> list[Info]:
        """The last report about each line, the best line first."""
        return [self._lines[number] for number in sorted(self._lines)]

    def wait(self) -> Info:
        """Wait for the end of the search, and return the last report about the best line."""
        for _ in self:
            continue
        return self.info

    def stop(self) -> None:
        """Stop the search; its earlier reports can still be read. May be called from another thread."""
        self._stop()

    def close(self) -> None:
        """Stop the search and discard the reports that were not read."""
        self._stop()
        self._infos.close()

    def __next__(self) -> Info:
        try:
            self.last = next(self._infos)
        except StopIteration as end:
            self.reply = end.value or self.reply
            raise
        if self.last.depth is not None:
            self._lines[self.last.multipv] = self.last
        return self.last

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
