"""A run of self-play: `python -m junqi_training selfplay FOLDER [--variant V] [--games N] ...`.

It plays the games that a folder lacks, each as a job, and adds them shard by shard.

**Line-ups** are of every quality: each is one of `go setup`, or drawn in any of the styles that belief knows, such as
whatever the rules allow (`players/lineup_choice.py`).
**Noise** makes openings and positions differ: random plies first, and later now and then one of the moves that are
nearly as good as the best.
"""

import argparse
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TextIO

from junqi_engine.information.belief.styles import read_styles
from junqi_engine.players import lineup_choice
from junqi_engine.version import __version__
from junqi_referee.exit_codes import RefereeError
from junqi_referee.full_game import ending_of
from junqi_referee.jobs import LineProgress, WorkerPool, open_pool
from junqi_training.selfplay.folder import NO_SCORE, DataFolder, Origin, StoredGame
from junqi_training.selfplay.quick import QuickGame
from junqi_training.selfplay.settings import SelfPlaySettings, own_revision


def work(given: argparse.Namespace) -> None:
    settings = SelfPlaySettings(**{each.name: getattr(given, each.name) for each in fields(SelfPlaySettings)})
    if given.games % settings.shard:
        raise ValueError(f"games: {given.games} is not a multiple of the shard, {settings.shard}")
    for line in run(given.folder, settings, given.games, given.workers, given.scheduler, sys.stderr).lines():
        print(line)


_of_thread = threading.local()


Played = tuple[StoredGame, float]
"""A game, and the processor time that it took, in seconds."""


def play_games(
    pool: WorkerPool, settings: SelfPlaySettings, numbers: Iterable[int], revision: str | None = None
) -> Iterator[Played]:
    """Play the games of `numbers`, in any order. With a revision, a worker that has another one is an error."""
    return pool.results((f"game {number}", partial(_play, settings, number, revision)) for number in numbers)


def _play(settings: SelfPlaySettings, number: int, revision: str | None) -> Played:
    if revision is not None and own_revision() != revision:
        raise RefereeError(f"a worker has revision {own_revision()}, not {revision}")
    generator = getattr(_of_thread, "generator", None)
    if generator is None or generator.settings != settings:
        generator = _of_thread.generator = Generator(settings)
    before = time.thread_time()
    game = generator.play(number)
    return game, time.thread_time() - before


CORES = 2
"""The rate is printed for this many cores."""


@dataclass
class Tally:
    """Totals of a run: games by result and by ending, positions, and processor time."""

    games: int = 0
    positions: int = 0
    cpu_s: float = 0.0
    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    def add(self, game: StoredGame, cpu_s: float) -> None:
        self.games += 1
        self.positions += len(game.moves)
        self.cpu_s += cpu_s
        self.results[game.result.name.lower()] += 1
        self.endings[game.ending] += 1

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


def run(folder: Path, settings: SelfPlaySettings, games: int, count: int, scheduler: str | None, out: TextIO) -> Tally:
    """Play until the folder has `games` games, a multiple of the shard, by this many processes or on a cluster.
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
            open_pool(min(count, games - known), scheduler) as pool,
        ):
            for game, cpu_s in play_games(pool, settings, numbers, revision):
                tally.add(game, cpu_s)
                progress.count()
                first = game.number - game.number % settings.shard
                in_shard = open_shards.setdefault(first, [])
                in_shard.append(game)
                if len(in_shard) == settings.shard:
                    shard = sorted(open_shards.pop(first), key=lambda game: game.number)
                    path, count_of = data.add(shard), sum(len(game.moves) for game in shard)
                    total = len(data.shards) * settings.shard
                    progress.say(f"{path.name}: {count_of} positions; {total} of {games} games")
    return tally


SHARE_OF_SETUP = 0.6
"""This many line-ups are drawn as `go setup` does; the others in any of the styles that belief knows."""
EXAMPLES = 400
"""This many line-ups tell the quick players how frequent each kind is on each place."""


class Generator:
    """Plays the games of a run, one at a time. A game depends on the settings and its number alone."""

    def __init__(self, settings: SelfPlaySettings) -> None:
        self.settings = settings
        rng = random.Random(EXAMPLES)
        self._quick = QuickGame(settings, [draw_lineup(rng, settings.variant) for _ in range(EXAMPLES)])

    def play(self, number: int) -> StoredGame:
        settings = self.settings
        rng = random.Random(f"{settings.seed} {number}")
        lineups = {letter: draw_lineup(rng, settings.variant) for letter in settings.board.seats}
        state, moves, scores = self._quick.play(list(lineups.values()), rng.getrandbits(63))
        found = tuple(None if score == NO_SCORE else score for score in scores)
        ending = ending_of(state, lineups)
        return StoredGame(settings, number, tuple(lineups.values()), state.result, ending, tuple(moves), found)


def draw_lineup(rng: random.Random, variant: str) -> str:
    """A line-up of any quality."""
    if rng.random() < SHARE_OF_SETUP:
        return lineup_choice.draw(rng)
    return lineup_choice.draw_style(rng, rng.choice([style["name"] for style in read_styles(variant)]), variant)
