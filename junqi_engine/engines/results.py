"""What an engine answers: `PlayResult`, and `Analysis`, a search whose reports a program reads while it goes on."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from junqi_engine.engines.engine_lines import Info, Score


@dataclass(frozen=True)
class PlayResult:
    """The answer to `Engine.play`: the move, and the last report about the best line.

    `move` is empty if a position that was given as text has no move.

    >>> from junqi_engine import Engine, Game
    >>> with Engine(options={"Player": "1.2", "Seed": 1}) as engine:
    ...     result = engine.play(Game("luzhanqi", seed=1).view("S"), nodes=100)
    >>> result.depth, result.pv == (result.move,), result.score
    (1, True, None)
    """

    move: str
    info: Info
    time_ms: float

    @property
    def score(self) -> Score | None:
        """What the position is worth for the team to move."""
        return self.info.score

    @property
    def wdl(self) -> tuple[int, int, int] | None:
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

    def __init__(self, infos: Generator[Info, None, None], stop: Callable[[], None]) -> None:
        self._infos, self._stop = infos, stop
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
        self._infos.close()

    def __next__(self) -> Info:
        info = next(self._infos)
        if info.depth is not None:
            self._lines[info.multipv] = info
        return info

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
