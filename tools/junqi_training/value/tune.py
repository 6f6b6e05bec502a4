"""A linear evaluation tuned by play: `python -m junqi_training tune --variant V --out FILE`.

**What is tuned**: a few dozen numbers, each of which changes many weights together. A *direction* is a name, the
size of a careful step in hundredths of a Lieutenant, and a table (kind, class, point): how much a piece of the own seat
is worth more, as the seat sees the board, when the number grows by 1. One more direction scales a table that was fitted
to results (`fit`), if there is one.

**How**: simultaneous perturbation (Spall 1992). All numbers are moved at once, one half up, one half down, and two
games tell whether that was better than the opposite. At pair k the numbers are moved by c_k = step * max(LEAST_STEP,
(k + 1)^-0.101), the direction of each drawn at random. The pair is played from the same line-ups with the teams
exchanged. With g, the wins of the one side less those of the other, each number changes by rate_k * g * (its direction)
* step^2 / c_k, where rate_k = rate * ((A + 1) / (A + k + 1))^0.602 and A is a tenth of all pairs; these are the
exponents that Spall recommends. A batch of pairs is played with the same numbers, in any order, and its changes are
added up. The result is the mean of the numbers over the second half of the pairs.

A pair depends on the settings, the numbers before its batch, and its own number alone, however many workers play.
"""

import argparse
import random
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np

from junqi_engine.evaluation.features import CLASSES, feature_count
from junqi_engine.evaluation.linear import read_linear
from junqi_engine.information.public_state import PublicClass
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, Board
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, LETTERS, MINE
from junqi_engine.rules.position import Result
from junqi_referee.exit_codes import RefereeError
from junqi_referee.jobs import LineProgress, open_pool
from junqi_training.selfplay.quick import QuickGame
from junqi_training.selfplay.run import draw_lineup
from junqi_training.selfplay.settings import SelfPlaySettings, own_revision
from junqi_training.value.samples import write_weights


def work(given: argparse.Namespace) -> None:
    board = BOARDS[given.variant]
    fitted = None
    if given.fitted and given.begin:
        raise ValueError("--fitted and --begin exclude each other")
    if file := given.fitted or given.begin:
        fitted = read_linear(board, file)["weights"]
        fitted = fitted[: len(TunedWeights(board).weights(dict.fromkeys(steps_of(board, False), 0.0)))]
    match = Match(
        board.variant, given.nodes, given.seed, given.max_plies, b"" if fitted is None else fitted.tobytes(),
        own_revision(),
    )  # fmt: skip
    steps = steps_of(board, fitted is not None)
    first = {name: float(name == FITTED and given.begin is not None) for name in steps}
    tuning = Tuning(steps, given.pairs, given.batch, given.rate, given.seed, numbers=first)
    with (
        LineProgress(sys.stderr, tuning.pairs, 0, "pairs") as progress,
        open_pool(given.workers, given.scheduler) as pool,
    ):
        while not tuning.is_finished:
            done = tuning.done
            tuning.advance(partial(pool.map, partial(play_pair, match)))
            progress.count(tuning.done - done)
    linear = TunedWeights(board, None if fitted is None else fitted.astype(np.float32))
    write_weights(given.out, worth=linear.weights(tuning.result()))
    for name, number in tuning.result().items():
        print(f"{name:<20}{number:>8.2f}")


STEP_POWER, RATE_POWER = 0.101, 0.602
LEAST_STEP = 0.4
WARM_UP_SHARE = 0.1


@dataclass(frozen=True)
class Trial:
    """A pair to play: its number, and the numbers of both sides."""

    pair: int
    plus: dict[str, float]
    minus: dict[str, float]


@dataclass
class Tuning:
    """The state of a run: `steps` by name, the pairs wanted and done, the numbers, and their sums since half-way.

    `numbers` are 0 where nothing else is given.
    """

    steps: dict[str, float]
    pairs: int
    batch: int
    rate: float
    seed: int
    done: int = 0
    numbers: dict[str, float] = field(default_factory=dict)
    sums: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers = {name: self.numbers.get(name, 0.0) for name in self.steps}
        self.sums = {name: self.sums.get(name, 0.0) for name in self.steps}

    @property
    def is_finished(self) -> bool:
        return self.done >= self.pairs

    def result(self) -> dict[str, float]:
        """The mean over the second half; the numbers themselves before it."""
        late = self.done - self.pairs // 2
        return {name: total / late for name, total in self.sums.items()} if late > 0 else dict(self.numbers)

    def advance(self, play: Callable[[list[Trial]], Iterable[int]]) -> None:
        """Play the next batch. `play` returns for each trial the wins of plus less those of minus, -2 to 2."""
        trials = [self._trial(pair) for pair in range(self.done, min(self.pairs, self.done + self.batch))]
        for trial, gain in zip(trials, play(trials), strict=True):
            rate = self.rate * self._decay(trial.pair)
            for name, step in self.steps.items():
                moved = self._step(name, trial.pair)
                sign = 1 if self._is_up(name, trial.pair) else -1
                self.numbers[name] += rate * gain * sign * step * step / moved
            if trial.pair >= self.pairs // 2:
                for name, number in self.numbers.items():
                    self.sums[name] += number
        self.done += len(trials)

    def _trial(self, pair: int) -> Trial:
        moves = {name: self._step(name, pair) * (1 if self._is_up(name, pair) else -1) for name in self.steps}
        plus = {name: number + moves[name] for name, number in self.numbers.items()}
        minus = {name: number - moves[name] for name, number in self.numbers.items()}
        return Trial(pair, plus, minus)

    def _is_up(self, name: str, pair: int) -> bool:
        return random.Random(f"{self.seed} {pair} {name}").random() < 0.5

    def _step(self, name: str, pair: int) -> float:
        return float(self.steps[name] * max(LEAST_STEP, (pair + 1) ** -STEP_POWER))

    def _decay(self, pair: int) -> float:
        first = WARM_UP_SHARE * self.pairs
        return float(((first + 1) / (first + pair + 1)) ** RATE_POWER)


GROUPS = {"high": (0, 1, 2), "middle": (3, 4, 5), "low": (6, 7, ENGINEER), "bomb": (BOMB,)}
WIDE_STEP, NARROW_STEP = 40.0, 30.0
FITTED = "fitted"
FITTED_STEP = 0.25
LARGEST_WORTH = 10_000
_SHOWN = [PublicClass.MOVED, PublicClass.WINNER]


@dataclass(frozen=True)
class Direction:
    """See the module; `table` is (12, 3, points)."""

    name: str
    step: float
    table: np.ndarray


def directions(board: Board) -> list[Direction]:
    """The directions of a board, without that of a fitted table."""
    points = len(board.points)
    camps = np.array([board.is_campsite(point) for point in board.points])
    is_own = np.arange(points) < BLOCK_POINTS
    found: list[Direction] = []

    def add(name: str, step: float, kinds: Sequence[int], classes: Sequence[int], where: np.ndarray | float) -> None:
        table = np.zeros((KINDS, CLASSES, points), np.float32)
        for kind in kinds:
            for shown in classes:
                table[kind, shown] = where
        found.append(Direction(name, step, table))

    for kind in range(FLAG):
        add(f"worth {LETTERS[kind]}", WIDE_STEP, (kind,), list(PublicClass), 1.0)
    for group, kinds in GROUPS.items():
        add(f"moved {group}", WIDE_STEP, kinds, _SHOWN, 1.0)
        add(f"winner {group}", WIDE_STEP, kinds, [PublicClass.WINNER], 1.0)
        add(f"own campsite {group}", NARROW_STEP, kinds, _SHOWN, camps & is_own)
        add(f"far campsite {group}", NARROW_STEP, kinds, _SHOWN, camps & ~is_own)
        add(f"advance {group}", WIDE_STEP, kinds, _SHOWN, np.array([_advance(board, point) for point in board.points]))
    add("unmoved landmine", NARROW_STEP, (MINE,), [PublicClass.UNMOVED], 1.0)
    return found


def _advance(board: Board, point: int) -> float:
    """How far a point is from South's last row: 0 there, 1 in South's front row, less than 2 in the other blocks."""
    row = board.row(point)
    if row is None:
        return 1.3
    return (5 - row) / 5 if board.owner(point) == 0 else (5 + 4 + (5 - row) / 2) / 5


def steps_of(board: Board, has_fitted: bool) -> dict[str, float]:
    """The names and the careful steps of all numbers."""
    steps = {direction.name: direction.step for direction in directions(board)}
    return steps | {FITTED: FITTED_STEP} if has_fitted else steps


class TunedWeights:
    """Weights from the numbers."""

    def __init__(self, board: Board, fitted: np.ndarray | None = None) -> None:
        """`fitted` are weights, (features,), which the number `FITTED` scales."""
        self._directions = directions(board)
        self._matrix = np.stack([direction.table.ravel() for direction in self._directions])
        self._fitted = fitted
        self._count = feature_count(board)

    def weights(self, numbers: Mapping[str, float]) -> np.ndarray:
        """(features,), int16."""
        total = np.zeros(self._count, np.float32)
        # The features of the own pieces come first.
        of_own = np.array([numbers[direction.name] for direction in self._directions], np.float32) @ self._matrix
        total[: len(of_own)] = of_own
        if self._fitted is not None:
            total += np.float32(numbers[FITTED]) * self._fitted
        return np.rint(np.clip(total, -LARGEST_WORTH, LARGEST_WORTH)).astype(np.int16)


LINEUPS = 1500
"""Games begin with line-ups from a list of this many, of every quality."""
WINS = {Result.TEAM_0: 1, Result.TEAM_1: -1}
_of_thread = threading.local()


@dataclass(frozen=True)
class Match:
    """What all pairs have in common. `fitted` are the bytes of int16 weights, empty for none."""

    variant: str
    nodes: int
    seed: int
    most_plies: int
    fitted: bytes
    revision: str


class _Table:
    """The memory of one thread that plays."""

    def __init__(self, match: Match) -> None:
        self.match = match
        settings = SelfPlaySettings(match.variant, match.nodes, max_plies=match.most_plies)
        self._lineups = _lineups(match.variant, match.seed)
        self._game = QuickGame(settings, self._lineups)
        self._seats = len(settings.board.seats)
        fitted = np.frombuffer(match.fitted, np.int16).astype(np.float32) if match.fitted else None
        self._weights = TunedWeights(settings.board, fitted)

    def play(self, trial: Trial) -> int:
        """Both games of a pair: the wins of plus less those of minus."""
        rng = random.Random(f"{self.match.seed} {trial.pair}")
        lineups = [rng.choice(self._lineups) for _ in range(self._seats)]
        seed = rng.getrandbits(63)
        plus, minus = (self._weights.weights(numbers) for numbers in (trial.plus, trial.minus))
        return self._won((plus, minus), lineups, seed) - self._won((minus, plus), lineups, seed)

    def _won(self, teams: tuple[np.ndarray, np.ndarray], lineups: list[str], seed: int) -> int:
        for team, direct in enumerate(teams):
            self._game.linear["weights"][team, : len(direct)] = direct
        state, _, _ = self._game.play(lineups, seed)
        return WINS.get(Result(state.result), 0)


@cache
def _lineups(variant: str, seed: int) -> list[str]:
    rng = random.Random(f"line-ups {seed}")
    return [draw_lineup(rng, variant) for _ in range(LINEUPS)]


def play_pair(match: Match, trial: Trial) -> int:
    """Play a pair in this thread. RefereeError if this program is of another revision."""
    if own_revision() != match.revision:
        raise RefereeError(f"a worker has revision {own_revision()}, not {match.revision}")
    table = getattr(_of_thread, "table", None)
    if table is None or table.match != match:
        table = _of_thread.table = _Table(match)
    return table.play(trial)
