"""A run: plays the games that a folder lacks, each as a job, and adds them shard by shard."""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

from junqi_engine.version import __version__
from tools.jobs import Workers, workers
from tools.progress import LineProgress
from tools.referee.exits import RefereeError
from tools.training.selfplay.data_folder import DataFolder, Origin
from tools.training.selfplay.game_file import StoredGame
from tools.training.selfplay.play import Generator
from tools.training.selfplay.settings import Settings, own_revision

_of_thread = threading.local()


@dataclass(frozen=True)
class Played:
    """A game, and the processor time that it took."""

    game: StoredGame
    cpu_s: float


def play_games(
    workers: Workers, settings: Settings, numbers: Iterable[int], revision: str | None = None
) -> Iterator[Played]:
    """Play the games of `numbers`, in any order. With a revision, a worker that has another one is an error."""
    return workers.results((f"game {number}", partial(_play, settings, number, revision)) for number in numbers)


def _play(settings: Settings, number: int, revision: str | None) -> Played:
    """The job."""
    if revision is not None and own_revision() != revision:
        raise RefereeError(f"a worker has revision {own_revision()}, not {revision}")
    generator = getattr(_of_thread, "generator", None)
    if generator is None or generator.settings != settings:
        generator = _of_thread.generator = Generator(settings)
    before = time.thread_time()
    game = generator.play(number)
    return Played(game, time.thread_time() - before)


CORES = 2
"""The rate is printed for so many cores."""


@dataclass
class Tally:
    """What a run has played: games by result and by ending, positions, and the processor time."""

    games: int = 0
    positions: int = 0
    cpu_s: float = 0.0
    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def add(self, played: Played) -> None:
        self.games += 1
        self.positions += len(played.game.moves)
        self.cpu_s += played.cpu_s
        self.results[played.game.result.name.lower()] += 1
        self.endings[played.game.ending] += 1

    def lines(self) -> Iterator[str]:
        if not self.games:
            yield "no games are missing"
            return
        per_position_s = self.cpu_s / max(1, self.positions)
        yield f"{self.games} games, {self.positions} positions, {self.positions / self.games:.0f} a game"
        for what, counts in (("results", self.results), ("endings", self.endings)):
            shares = (f"{name} {100 * count / self.games:.1f}%" for name, count in counts.most_common())
            yield f"{what}: {', '.join(shares)}"
        rate = CORES * 3600 / per_position_s if per_position_s else 0.0
        cpu = f"{1000 * per_position_s:.2f} ms of processor time a position"
        yield f"{cpu}: {rate / 1e6:.2f} million an hour on {CORES} cores"


def run(folder: Path, settings: Settings, games: int, count: int, scheduler: str | None, out: TextIO) -> Tally:
    """Play until the folder has `games` games, a multiple of the shard, by so many processes or on a cluster.
    `FolderError` or `RefereeError` if that fails.
    """
    origin = Origin(__version__, own_revision(), settings)
    tally = Tally()
    with DataFolder(folder, origin) as data:
        missing = [first for first in range(0, games, settings.shard) if first not in data.shards]
        numbers = (first + number for first in missing for number in range(settings.shard))
        if not missing:
            return tally
        known = games - len(missing) * settings.shard
        revision = origin.revision if scheduler else None
        open_shards: dict[int, list[StoredGame]] = {}
        with (
            LineProgress(out, games, known, "games") as progress,
            workers(min(count, games - known), scheduler) as hired,
        ):
            for done in play_games(hired, settings, numbers, revision):
                tally.add(done)
                progress.count()
                first = done.game.number - done.game.number % settings.shard
                in_shard = open_shards.setdefault(first, [])
                in_shard.append(done.game)
                if len(in_shard) == settings.shard:
                    shard = data.add(sorted(open_shards.pop(first), key=lambda game: game.number))
                    total = sum(one.games for one in data.shards.values())
                    progress.say(f"{shard.name}: {shard.positions} positions; {total} of {games} games")
    return tally
