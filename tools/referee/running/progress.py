"""The progress of a run, on stderr: a live table on a terminal, plain lines elsewhere."""

import sys
import time
from types import TracebackType
from typing import Any, TextIO

from tools.progress import Pace
from tools.referee.records.game_record import GameRecord
from tools.referee.results.report import Standing, Standings, elo_text, sprt_line
from tools.referee.schedule.schedule import PlannedGame

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Plain lines: each fault of an engine as it occurs, and the score every few seconds."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self._last = time.monotonic()
        self._pace = Pace(0, 0)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def say(self, text: str) -> None:
        """Print a line at once."""
        print(text, file=self.out, flush=True)

    def begin(self, standings: Standings, total: int, before: int) -> None:
        """Start: `total` games, of which `before` are in the record already."""
        self._last = time.monotonic()
        self._pace = Pace(total, before)
        if before:
            self.say(f"{before} of {total} games are in the record; continuing")

    def game_over(self, standings: Standings, plan: PlannedGame, game: GameRecord) -> None:
        """A game has ended and been counted."""
        self._pace.count()
        if game.ending.is_fault:
            teams = [standings.engines[index] for index in plan.teams]
            self.say(f"game {game.game}, {teams[0]} against {teams[1]}: {game.ending}: {game.detail}")
        self._show(standings)

    def _show(self, standings: Standings) -> None:
        if time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            self.say(self.state(standings))

    def state(self, standings: Standings) -> str:
        """The current results, in one line."""
        parts = [f"{self._pace.done}/{self._pace.total} games"]
        if len(standings.by_pairing) == 1:
            parts.append(_score_text(next(iter(standings.by_pairing.values()))))
        if standings.sprt is not None:
            parts.append(sprt_line(standings.sprt, standings.llr, standings.verdict))
        parts.append(f"{self._pace.remaining()} remaining")
        return ", ".join(parts)


class LiveProgress(Progress):
    """A table that is redrawn in place, by rich."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        from rich.console import Console
        from rich.live import Live

        self._console = Console(file=out)
        self._live = Live(console=self._console, refresh_per_second=4, transient=True)

    def __enter__(self) -> "Progress":
        self._live.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._live.stop()

    def say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def begin(self, standings: Standings, total: int, before: int) -> None:
        super().begin(standings, total, before)
        self._show(standings)

    def _show(self, standings: Standings) -> None:
        self._live.update(self._table(standings))

    def _table(self, standings: Standings) -> Any:
        from rich.table import Table

        done = f"{self._pace.done} of {self._pace.total} games, {self._pace.remaining()} remaining"
        if standings.sprt is not None:
            done += f"\n{sprt_line(standings.sprt, standings.llr, standings.verdict)}"
        table = Table(caption=done, caption_justify="left")
        for heading in ("engine", "against", "won", "lost", "drawn", "score", "Elo", "+/-", "nElo", "+/-", "pairs 0-2"):
            table.add_column(heading, justify="left" if heading in ("engine", "against") else "right")
        for (one, other), standing in standings.by_pairing.items():
            score = "" if standing.score is None else f"{100 * standing.score:.1f}%"
            table.add_row(
                *(standings.engines[one], standings.engines[other]),
                *map(str, (standing.wins, standing.losses, standing.draws)),
                *(score, elo_text(standing.strength.elo), elo_text(standing.strength.elo_error)),
                *(elo_text(standing.strength.nelo), elo_text(standing.strength.nelo_error)),
                " ".join(map(str, standing.pentanomial)),
            )
        return table


def progress_for(out: TextIO | None = None) -> Progress:
    """The live table if `out`, by default stderr, is a terminal and rich is installed; otherwise plain lines."""
    out = out or sys.stderr
    if out.isatty():
        try:
            return LiveProgress(out)
        except ImportError:
            pass  # rich is an extra
    return Progress(out)


def _score_text(standing: Standing) -> str:
    strength = standing.strength
    results = f"{standing.wins}-{standing.losses}-{standing.draws}"
    elo = f"Elo {elo_text(strength.elo)} +/- {elo_text(strength.elo_error)}"
    return f"{results}, {elo}, nElo {elo_text(strength.nelo)} +/- {elo_text(strength.nelo_error)}"
