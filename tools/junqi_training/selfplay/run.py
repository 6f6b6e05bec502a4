"""A run of self-play: `python -m junqi_training.selfplay FOLDER [--variant V] [--games N] ...`.

It plays the games that a folder lacks, each as a job, and adds them shard by shard. Each team chooses its moves by what
it sees; the referee alone knows the line-ups.

**Line-ups** are of every quality: each is one of `go setup`, or drawn in any of the styles that belief knows, such as
whatever the rules allow (`players/lineup_choice.py`).
**Noise** makes openings and positions differ: random plies first, and later now and then one of the moves that are
nearly as good as the best. **Players** are drawn from a mixture for each team.

**A game ends early** where there is no doubt how it ends. In Siguo, a team has lost if it has at most `FEW` pieces that
can move while the other team has at least `MANY`. A seat must move in its turn, so a single piece cannot wait in a
campsite, and a seat without a piece that can move is eliminated. In Luzhanqi there is always some doubt: a team with a
single piece has won. docs/training.md has the numbers of games that were played on.
"""

import argparse
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

import numpy as np

from junqi_engine.information.belief.styles import stored
from junqi_engine.information.view import SeatView
from junqi_engine.players import lineup_choice
from junqi_engine.players.events import PRIORITIES, choose, random_move
from junqi_engine.players.search_player import SearchPlayer
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.position import WIN_OF_TEAM, Result
from junqi_engine.search.root import SearchLimits
from junqi_engine.version import __version__
from junqi_referee.endings import Ending
from junqi_referee.exits import RefereeError
from junqi_referee.jobs import LineProgress, Workers, workers
from junqi_referee.truth import ending_of
from junqi_training.command import count, run_command
from junqi_training.games import team_view
from junqi_training.selfplay.folder import LARGEST_SCORE, NO_SCORE, DataFolder, Origin, StoredGame
from junqi_training.selfplay.quick import QuickGame
from junqi_training.selfplay.settings import Mixture, Player, SelfPlaySettings, own_revision

DESCRIPTION = """\
Play games into a data folder, to learn from. A run that was interrupted, or --games raised later, continues in the
folder; another revision of the program or other options need another folder. docs/training.md describes the files.
"""


def main(words: Sequence[str] | None = None) -> int:
    run = partial(_run, _parser().parse_args(words))
    return run_command("selfplay", run, "interrupted; finished shards are kept, the same command continues")


def _run(arguments: argparse.Namespace) -> int:
    mixture = Mixture.parse(arguments.mixture) if arguments.mixture else Mixture.around(arguments.nodes)
    settings = SelfPlaySettings(
        arguments.variant, str(mixture), arguments.seed, arguments.random_plies, arguments.near_best,
        arguments.near_lines, arguments.near_margin, arguments.max_plies, not arguments.play_on, arguments.shard,
    )  # fmt: skip
    if arguments.games % settings.shard:
        raise ValueError(f"games: {arguments.games} is not a multiple of the shard, {settings.shard}")
    folder = Path(arguments.folder)
    tally = run(folder, settings, arguments.games, arguments.workers, arguments.scheduler, sys.stderr)
    for line in tally.lines():
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m junqi_training.selfplay", description=DESCRIPTION)
    add = parser.add_argument
    add("folder", help="the data folder; it is created")
    add("--variant", default="siguo", help="siguo or luzhanqi, default %(default)s")
    add("--games", type=count, default=1000, help="games in the folder at the end, default %(default)s")
    add("--nodes", type=count, default=4000, help="nodes a move of most players, default %(default)s")
    mixture = "players and their weights, such as 4.4@4000:12,4.4@1000:2,1.2:1; default: a mixture around --nodes"
    add("--mixture", help=mixture)
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    add("--scheduler", metavar="ADDRESS", help="play on the workers of this Dask scheduler instead")
    add("--seed", type=int, default=1, help="of all games, default %(default)s")
    add("--random-plies", type=int, default=8, help="random plies at the start, default %(default)s")
    near = "share of the later moves drawn from those near the best, default %(default)s"
    add("--near-best", type=float, default=0.1, metavar="SHARE", help=near)
    add("--near-lines", type=int, default=4, help="maximum number of near-best moves, default %(default)s")
    margin = "ignore moves more than this far behind the best (1/100 Lieutenant), default %(default)s"
    add("--near-margin", type=int, default=100, help=margin)
    add("--max-plies", type=int, default=1000, help="a game is a draw at this ply, default %(default)s")
    add("--play-on", action="store_true", help="play games out that the referee could decide early")
    add("--shard", type=count, default=50, help="games in a file, default %(default)s")
    return parser


_of_thread = threading.local()


Played = tuple[StoredGame, float]
"""A game, and the processor time that it took, in seconds."""


def play_games(
    workers: Workers, settings: SelfPlaySettings, numbers: Iterable[int], revision: str | None = None
) -> Iterator[Played]:
    """Play the games of `numbers`, in any order. With a revision, a worker that has another one is an error."""
    return workers.results((f"game {number}", partial(_play, settings, number, revision)) for number in numbers)


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
    """What a run has played: games by result and by ending, positions, and the processor time."""

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
            workers(min(count, games - known), scheduler) as hired,
        ):
            for game, cpu_s in play_games(hired, settings, numbers, revision):
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


FEW = 1
MANY = 8


def decision(state: GameState) -> Result:
    """The result of an unfinished game if it is beyond doubt, else `ONGOING`."""
    if state.board.variant != SIGUO.variant:
        return Result.ONGOING
    mobile = [0, 0]
    for seat, pieces in enumerate(state.position["movable"].tolist()):
        mobile[team_of(seat)] += pieces.bit_count()
    for team, winner in enumerate(WIN_OF_TEAM):
        if mobile[1 - team] <= FEW and mobile[team] >= MANY:
            return winner
    return Result.ONGOING


SHARE_OF_SETUP = 0.6
"""This many line-ups are drawn as `go setup` does; the others in any of the styles that belief knows."""
EXAMPLES = 400
"""This many line-ups tell the quick players how frequent each kind is on each place."""
HASH_MB = 4
"""Enough for some thousands of nodes; a small table remains in the processor's cache."""


class Generator:
    """Plays the games of a run, one at a time. A game depends on the settings and its number alone."""

    def __init__(self, settings: SelfPlaySettings) -> None:
        self.settings = settings
        self._mixture = Mixture.parse(settings.mixture)
        self._player = SearchPlayer(HASH_MB)
        self._running = np.zeros(1, np.uint8)
        self._quick: QuickGame | None = None

    def play(self, number: int) -> StoredGame:
        settings = self.settings
        rng = random.Random(f"{settings.seed} {number}")
        players = self._mixture.draw(rng), self._mixture.draw(rng)
        lineups = {letter: draw_lineup(rng, settings.board.variant) for letter in settings.board.seats}
        if self._mixture.is_quick:
            return self._play_quick(number, players, lineups, rng.getrandbits(63))
        truth = GameState.start(settings.board, lineups, settings.rules)
        views = [team_view(truth, team) for team in range(2)]
        seed = rng.getrandbits(32)
        moves: list[int] = []
        scores: list[int | None] = []
        result, ending = truth.result, Ending.ADJUDICATED
        while result == Result.ONGOING:
            team = team_of(truth.turn)
            move, score = self._choose(players[team], views[team], seed, rng)
            seen = truth.play(move)
            for view in views:
                view.observe(seen)
            moves.append(move)
            scores.append(score)
            result = truth.result
            if result == Result.ONGOING and settings.is_adjudicated:
                result = decision(truth)
        if truth.result != Result.ONGOING:
            ending = ending_of(truth, lineups)
        return StoredGame(
            settings, number, players, tuple(lineups.values()), result, ending, tuple(moves), tuple(scores)
        )

    def _play_quick(
        self, number: int, players: tuple[Player, Player], lineups: dict[str, str], seed: int
    ) -> StoredGame:
        """A game of quick players, which have the same limit of nodes."""
        if self._quick is None:
            from junqi_training.selfplay.quick import QuickGame

            rng = random.Random(EXAMPLES)
            examples = [draw_lineup(rng, self.settings.variant) for _ in range(EXAMPLES)]
            self._quick = QuickGame(self.settings, examples, players[0].nodes)
        state, moves, scores = self._quick.play(list(lineups.values()), seed)
        found = tuple(None if score == NO_SCORE else score for score in scores)
        ending = ending_of(state, lineups)
        return StoredGame(
            self.settings, number, players, tuple(lineups.values()), state.result, ending, tuple(moves), found
        )

    def _choose(self, player: Player, view: SeatView, seed: int, rng: random.Random) -> tuple[int, int | None]:
        """A move and the score of the position, None without a search."""
        moves = view.legal_moves()
        if view.ply < self.settings.random_plies:
            return random_move(rng, moves), None
        if player.version in PRIORITIES:
            return choose(player.version, view, seed, moves).move, None
        is_noisy = rng.random() < self.settings.near_best
        limits = SearchLimits(nodes=player.nodes, lines=self.settings.near_lines if is_noisy else 1)
        found = self._player.best_moves(view, seed, moves, limits, self._running)
        best = found[0].score
        near = [line.move for line in found if line.score >= best - self.settings.near_margin]
        return rng.choice(near), max(-LARGEST_SCORE, min(LARGEST_SCORE, best))


def draw_lineup(rng: random.Random, variant: str) -> str:
    """A line-up of any quality."""
    if rng.random() < SHARE_OF_SETUP:
        return lineup_choice.draw(rng)
    return lineup_choice.draw_style(rng, rng.choice([style["name"] for style in stored(variant)]), variant)
