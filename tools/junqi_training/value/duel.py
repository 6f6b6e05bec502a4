"""A duel: two evaluators compared by games of quick players. `python -m junqi_training duel A B --variant V --pairs P`.

Both sides have the same search and the same nodes a move, so games tell apart what the evaluators are worth at that
depth. `sides` has the words that A and B consist of.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial

from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.rules.board import BOARDS
from junqi_referee.jobs import LineProgress, WorkerPool, open_pool
from junqi_referee.playing.standings import PairingResults, SprtState
from junqi_referee.sprt import Sprt, SprtVerdict
from junqi_training.selfplay.settings import own_revision
from junqi_training.value.pairs import PairPlayer, PairSettings
from junqi_training.value.sides import evaluator_of


def work(given: argparse.Namespace) -> None:
    sides = given.first, given.second
    for side in sides:
        _evaluator(given.variant, side)
    settings = PairSettings(given.variant, given.nodes, given.seed, given.max_plies, own_revision())
    with (
        LineProgress(sys.stderr, given.pairs, 0, "pairs") as progress,
        open_pool(given.workers, given.scheduler) as pool,
    ):
        duel = run(settings, sides, given.pairs, given.sprt, pool, progress)
    print(f"{given.variant}, {given.nodes} nodes, seed {given.seed}: {given.first} against {given.second}")
    for line in duel.lines():
        print(line)


@dataclass
class Duel:
    """The results of the first side, and the sequential test, if there is one."""

    test: SprtState | None = None
    results: PairingResults = field(default_factory=PairingResults)

    @property
    def is_decided(self) -> bool:
        return self.test is not None and self.test.verdict != SprtVerdict.CONTINUE

    def add(self, games: tuple[int, int]) -> None:
        """Count a pair of games: 1, 0 or -1 each."""
        results, half_points = self.results, sum(games) + 2
        results.wins += games.count(1)
        results.losses += games.count(-1)
        results.draws += games.count(0)
        results.pentanomial[half_points] += 1
        if self.test is not None:
            self.test.add(half_points)

    def lines(self) -> Iterator[str]:
        results, found = self.results, self.results.strength
        yield f"{found.pairs} pairs: {results.wins} wins, {results.losses} losses, {results.draws} draws"
        yield f"pairs with 0, 0.5, 1, 1.5 and 2 points: {', '.join(map(str, results.pentanomial))}"
        yield f"Elo {found.elo:+.0f} ({found.elo_low:+.0f} to {found.elo_high:+.0f}, 95%)"
        if self.test is not None:
            yield str(self.test)


def run(
    settings: PairSettings, sides: tuple[str, str], pairs: int, sprt: Sprt | None, pool: WorkerPool,
    progress: LineProgress,
) -> Duel:  # fmt: skip
    """Play up to `pairs` pairs, fewer if the test decides. Pairs count in the order of their numbers, so the result
    does not depend on the workers.
    """
    duel = Duel(None if sprt is None else SprtState(sprt))
    jobs = ((f"pair {number}", partial(_play, settings, sides, number)) for number in range(pairs))
    for results in _in_order(pool.results(jobs)):
        duel.add(results)
        progress.count()
        if duel.is_decided:
            break
    return duel


def _in_order(played: Iterable[tuple[int, tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """The results of pairs by ascending number from 0 on."""
    waiting: dict[int, tuple[int, int]] = {}
    following = 0
    for number, results in played:
        waiting[number] = results
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _play(settings: PairSettings, sides: tuple[str, str], number: int) -> tuple[int, tuple[int, int]]:
    board = BOARDS[settings.variant]
    first, second = (_evaluator(settings.variant, side).weights(board) for side in sides)
    return number, PairPlayer.of_thread(settings).play(number, first, second)


@cache
def _evaluator(variant: str, side: str) -> Evaluator:
    return evaluator_of(BOARDS[variant], side)
