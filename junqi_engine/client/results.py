"""What an engine is asked and what it answers: `Limit`, `PlayResult`, and `Analysis`, a search whose reports a program
reads while it goes on.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypedDict

from junqi_engine.client.engine_client import FOREVER_S, Patience
from junqi_engine.client.engine_lines import Info, Score, Wdl
from junqi_engine.errors import Refused

if TYPE_CHECKING:
    from junqi_engine.api.move import Move


class LimitWords(TypedDict, total=False):
    """The entries of `Limit` that are the same for every seat."""

    movetime_ms: int | None
    nodes: int | None
    depth: int | None
    time_ms: int | None
    inc_ms: int | None


@dataclass(frozen=True)
class Limit:
    """How far a search may go. None: this does not limit it.

    `time_ms` and `inc_ms` are the clock of the seat to move and its increment. `clocks_ms` and `incs_ms` are those of
    all players, by seat or by team, such as `{"SN": 60_000, "EW": 45_000}`; a search gets that of the seat to move.
    Floats are taken if they are whole; `Refused` for others, TypeError for what is not a number.

    >>> from junqi_engine import Engine, Game, Limit
    >>> with Engine(options={"Player": "2.0", "Seed": 1}) as engine:
    ...     result = engine.play(Game("luzhanqi", seed=1).view("S"), Limit(depth=2, clocks_ms={"S": 60_000, "N": 0}))
    >>> result.depth
    2
    """

    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    time_ms: int | None = None
    inc_ms: int | None = None
    clocks_ms: Mapping[str, int] | None = None
    incs_ms: Mapping[str, int] | None = None

    def __new__(cls, *values: Any, **named: Any) -> "Limit":
        """TypeError for a name of another library, such as `time`."""
        if "time" in named:
            raise TypeError("Limit has no 'time': movetime_ms is the time of the move, time_ms the clock")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name in (entry.name for entry in fields(self)):
            value = getattr(self, name)
            if name in ("clocks_ms", "incs_ms"):
                known = value and {player: _whole(name, amount) for player, amount in value.items()}
            else:
                known = None if value is None else _whole(name, value)
            object.__setattr__(self, name, known)

    def at(self, turn: str) -> "Limit":
        """The limit with the clock of the seat to move as `time_ms` and `inc_ms`; `Refused` if that has none."""
        if self.clocks_ms is None:
            return self
        time_ms = _entry_of(turn, self.clocks_ms)
        if time_ms is None:
            raise Refused(
                "bad-argument", f"clocks_ms: there is no clock of {turn}, only of {', '.join(self.clocks_ms)}"
            )
        return replace(self, time_ms=time_ms, inc_ms=_entry_of(turn, self.incs_ms or {}), clocks_ms=None, incs_ms=None)

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
        """Whether a search under it ends by itself."""
        return any(value is not None for value in (self.movetime_ms, self.nodes, self.depth, self.time_ms))

    def patience_s(self, patience: Patience) -> float:
        """How long to wait for the answer: the time that the search may take and some more."""
        times = [time for time in (self.movetime_ms, self.time_ms) if time is not None]
        return min(*times, int(FOREVER_S) * 1000) / 1000 + patience.grace_s if times else patience.unclocked_s


def _whole(name: str, value: object) -> int:
    if isinstance(value, float):
        if not value.is_integer():
            raise Refused("bad-argument", f"{name}: {value!r} is not a whole number")
        return int(value)
    return int(value)  # type: ignore[call-overload]


def _entry_of(turn: str, by_player: Mapping[str, int]) -> int | None:
    return next((value for seats, value in by_player.items() if turn in seats), None)


@dataclass(frozen=True)
class PlayResult:
    """The answer to `Engine.play`: the move, and the last report about the best line.

    `move` is a `Move` in a view. In a position that was given as a text, such as a puzzle, it is the engine's word, a
    plain string. It is None if the engine has none: the puzzle is solved or has no solution, the search was stopped
    before it found one, or the game is over. `reason` then says why, in the engine's words.

    >>> from junqi_engine import Engine, Game
    >>> with Engine(options={"Player": "1.2", "Seed": 1}) as engine:
    ...     result = engine.play(Game("luzhanqi", seed=1).view("S"), nodes=100)
    >>> result.depth, result.pv == (result.move,), result.score
    (1, True, None)
    """

    move: "Move | Any | None"
    info: Info
    time_ms: float
    reason: str = ""

    @property
    def score(self) -> Score | None:
        """What the position is worth for the team to move."""
        return self.info.score

    @property
    def wdl(self) -> Wdl | None:
        """The chances of a win, a draw and a loss in permille, if the option `UCI_ShowWDL` is set."""
        return self.info.wdl

    @property
    def pv(self) -> tuple[str, ...]:
        """The line of best moves."""
        return self.info.pv

    @property
    def depth(self) -> int | None:
        """The depth of the search."""
        return self.info.depth


class Analysis(Iterator[Info]):
    """The reports of a search as it deepens. Leaving a loop over it, or a `with` block, ends the search.

    >>> from junqi_engine import Engine, Game
    >>> with Engine(options={"Player": "2.0", "Seed": 1}) as engine:
    ...     with engine.analysis(Game("luzhanqi", seed=1).view("S"), multipv=2) as analysis:
    ...         for info in analysis:
    ...             if info.depth == 2:
    ...                 analysis.stop()
    ...     best, second = analysis.multipv
    >>> best == analysis.info, best.score.cp >= second.score.cp
    (True, True)
    """

    def __init__(
        self, infos: Generator[Info, None, None], stop: Callable[[], None], turn: AbstractContextManager[object]
    ) -> None:
        """`turn` is held while the engine is read."""
        self._infos, self._stop, self._turn = infos, stop, turn
        self._lines: dict[int, Info] = {}

    @property
    def info(self) -> Info:
        """The last report about the best line; empty before the first one."""
        return self._lines.get(1, Info())

    @property
    def multipv(self) -> list[Info]:
        """The last report about each line, the best line first."""
        return [self._lines[number] for number in sorted(self._lines)]

    def wait(self) -> Info:
        """Read to the end of the search; the last report about the best line."""
        for _ in self:
            continue
        return self.info

    def stop(self) -> None:
        """End the search; the reports that it has made can still be read."""
        self._stop()

    def close(self) -> None:
        """End the search and forget what it has not reported yet."""
        self._stop()
        with self._turn:
            self._infos.close()

    def __next__(self) -> Info:
        with self._turn:
            info = next(self._infos)
        if info.depth is not None:
            self._lines[info.multipv] = info
        return info

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
