"""A run: plays the games that a folder lacks, and adds them shard by shard.

On a Dask cluster a game is a task; the games of a lost worker are played by others.
"""

import threading
from collections import Counter
from collections.abc import Generator as Producer
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from junqi_engine.version import __version__
from tools.training.selfplay.data_folder import DataFolder, Origin
from tools.training.selfplay.game_file import StoredGame
from tools.training.selfplay.local import Played, RunError, local_games, play_one
from tools.training.selfplay.play import Generator
from tools.training.selfplay.revision import own_revision
from tools.training.selfplay.settings import Settings
from tools.training.workers import cluster_client

AHEAD = 2
"""Games submitted per thread of the cluster, so that no thread waits for the next game."""

_of_thread = threading.local()


def cluster_games(
    settings: Settings, numbers: Iterator[int], scheduler: str, revision: str
) -> Producer[Played, None, None]:
    """Play the games of `numbers`, in any order. `RunError` if a worker has another revision; the errors of
    `cluster_client`.
    """
    with cluster_client(scheduler) as client:
        from distributed import as_completed

        completed = as_completed(loop=client.loop)
        waiting = 0
        while True:
            capacity = AHEAD * max(1, sum(client.nthreads().values()))
            while waiting < capacity and (number := next(numbers, None)) is not None:
                completed.add(client.submit(_play, settings, revision, number, pure=False))
                waiting += 1
            if not waiting:
                return
            done: Any = next(completed).result()
            waiting -= 1
            if isinstance(done, str):
                raise RunError(done)
            yield done


def _play(settings: Settings, revision: str, number: int) -> Played | str:
    """Play a game on a worker; a text says why that is not possible."""
    if own_revision() != revision:
        return f"a worker has revision {own_revision()}, not {revision}"
    generator = getattr(_of_thread, "generator", None)
    if generator is None or generator.settings != settings:
        generator = _of_thread.generator = Generator(settings)
    return play_one(generator, number)


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


def run(folder: Path, settings: Settings, games: int, workers: int, scheduler: str | None, out: TextIO) -> Tally:
    """Play until the folder has `games` games, a multiple of the shard. `FolderError` or `RunError` if that fails."""
    origin = Origin(__version__, own_revision(), settings)
    tally = Tally()
    with DataFolder(folder, origin) as data:
        missing = [first for first in range(0, games, settings.shard) if first not in data.shards]
        numbers = (first + number for first in missing for number in range(settings.shard))
        if not missing:
            return tally
        played = (
            cluster_games(settings, numbers, scheduler, origin.revision)
            if scheduler
            else local_games(settings, numbers, min(workers, len(missing) * settings.shard))
        )
        open_shards: dict[int, list[StoredGame]] = {}
        with closing(played):
            for done in played:
                tally.add(done)
                first = done.game.number - done.game.number % settings.shard
                in_shard = open_shards.setdefault(first, [])
                in_shard.append(done.game)
                if len(in_shard) == settings.shard:
                    shard = data.add(sorted(open_shards.pop(first), key=lambda game: game.number))
                    total = sum(one.games for one in data.shards.values())
                    print(f"{shard.name}: {shard.positions} positions; {total} of {games} games", file=out, flush=True)
    return tally
