"""Numbers of the evaluation tuned by play: `python -m junqi_training tune --variant V --out FILE`.

**What is tuned**: with `--parameters`, numbers of the hand-written terms, and the result is a file of parameters.
Otherwise the linear evaluation, by a few dozen numbers, each of which changes many weights together, and the result is
a file of weights. A *direction* is then a name, the
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
import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import numpy as np

from junqi_engine.evaluation.evaluator import PACKAGED
from junqi_engine.evaluation.features import CLASSES, feature_count
from junqi_engine.evaluation.linear import read_linear
from junqi_engine.evaluation.parameters import (
    MAX_PARAMETER,
    minimum_of,
    numbers_of,
    packaged_parameters,
    parameters_of,
    read_parameters,
)
from junqi_engine.files import write_whole
from junqi_engine.information.public_state import PublicClass
from junqi_engine.rules.board import BLOCK_POINTS, BOARDS, Board
from junqi_engine.rules.pieces import BOMB, ENGINEER, FLAG, KINDS, LETTERS, MINE
from junqi_referee.jobs import LineProgress, open_pool
from junqi_training.selfplay.settings import own_revision
from junqi_training.value.pairs import PairPlayer, PairSettings
from junqi_training.value.samples import write_weights
from junqi_training.value.sides import names_of


def work(given: argparse.Namespace) -> None:
    board = BOARDS[given.variant]
    if given.fitted and given.begin:
        raise ValueError("--fitted and --begin exclude each other")
    if given.parameters and given.fitted:
        raise ValueError("--fitted and --parameters exclude each other")
    tuned = _tuned_parameters(board, given) if given.parameters else _tuned_linear(board, given)
    settings = PairSettings(given.variant, given.nodes, given.seed, given.max_plies, own_revision())
    tuning = Tuning(tuned.steps(), given.pairs, given.batch, given.rate, given.seed, numbers=tuned.first())
    with (
        LineProgress(sys.stderr, tuning.pairs, 0, "pairs") as progress,
        open_pool(given.workers, given.scheduler) as pool,
    ):
        while not tuning.is_finished:
            done = tuning.done
            tuning.advance(partial(pool.map, partial(play_pair, settings, tuned)))
            progress.count(tuning.done - done)
    tuned.write(given.out, tuning.result())
    for name, number in tuning.result().items():
        print(f"{name:<20}{number:>8.2f}")


def _tuned_linear(board: Board, given: argparse.Namespace) -> "TunedLinear":
    fitted = None
    if file := given.fitted or given.begin:
        fitted = read_linear(board, file)["weights"][: feature_count(board)]
    return TunedLinear(board.variant, b"" if fitted is None else fitted.tobytes(), given.begin is not None)


def _tuned_parameters(board: Board, given: argparse.Namespace) -> "TunedParameters":
    begin = read_parameters(given.begin) if given.begin else packaged_parameters(board.variant)
    numbers, steps = numbers_of(begin), {}
    for parameter, step in given.parameters:
        for name in names_of(parameter):
            steps[name] = step or abs(numbers[name]) * STEP_SHARE
            if not steps[name] and "." not in name:
                raise ValueError(f"{name} is 0 at the start; give its step, like {name}:50")
    chosen = tuple((name, step) for name, step in steps.items() if step)
    return TunedParameters(board.variant, tuple(numbers.items()), chosen)


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
STEP_SHARE = 0.1
"""The careful step of a parameter, as a share of its number at the start, if no other is given."""
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
    """Distance of a point from South's last row: 0 there, 1 in South's front row, less than 2 in the other blocks."""
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
        # The features of the seat's own pieces come first.
        of_own = np.array([numbers[direction.name] for direction in self._directions], np.float32) @ self._matrix
        total[: len(of_own)] = of_own
        if self._fitted is not None:
            total += np.float32(numbers[FITTED]) * self._fitted
        return np.rint(np.clip(total, -LARGEST_WORTH, LARGEST_WORTH)).astype(np.int16)


@dataclass(frozen=True)
class TunedLinear:
    """The linear evaluation as what is tuned. `fitted` are the bytes of int16 weights, empty for none."""

    variant: str
    fitted: bytes
    begins_with_fitted: bool

    def steps(self) -> dict[str, float]:
        return steps_of(BOARDS[self.variant], bool(self.fitted))

    def first(self) -> dict[str, float]:
        return {FITTED: 1.0} if self.begins_with_fitted else {}

    def weights(self, numbers: Mapping[str, float]) -> np.void:
        """`WEIGHTS` of the package with these numbers."""
        weights = PACKAGED.weights(BOARDS[self.variant]).copy()
        linear = _tuned_weights(self).weights(numbers)
        weights["linear"]["weights"][: len(linear)] = linear
        return weights

    def write(self, path: Path, numbers: Mapping[str, float]) -> None:
        write_weights(path, worth=_tuned_weights(self).weights(numbers))


@cache
def _tuned_weights(tuned: TunedLinear) -> TunedWeights:
    fitted = np.frombuffer(tuned.fitted, np.int16).astype(np.float32) if tuned.fitted else None
    return TunedWeights(BOARDS[tuned.variant], fitted)


@dataclass(frozen=True)
class TunedParameters:
    """Parameters of the hand-written terms as what is tuned: all numbers at the start, and the steps of some."""

    variant: str
    start: tuple[tuple[str, int], ...]
    chosen: tuple[tuple[str, float], ...]

    def steps(self) -> dict[str, float]:
        return dict(self.chosen)

    def first(self) -> dict[str, float]:
        start = dict(self.start)
        return {name: float(start[name]) for name, _ in self.chosen}

    def weights(self, numbers: Mapping[str, float]) -> np.void:
        """`WEIGHTS` of the package with these numbers."""
        weights = PACKAGED.weights(BOARDS[self.variant]).copy()
        weights["parameters"] = parameters_of(self._all(numbers))
        return weights

    def write(self, path: Path, numbers: Mapping[str, float]) -> None:
        write_whole(path, json.dumps(self._all(numbers), indent=1).encode() + b"\n", replaces=True)

    def _all(self, numbers: Mapping[str, float]) -> dict[str, int]:
        tuned = {name: min(MAX_PARAMETER, max(minimum_of(name), round(number))) for name, number in numbers.items()}
        return dict(self.start) | tuned


def play_pair(settings: PairSettings, tuned: TunedLinear | TunedParameters, trial: Trial) -> int:
    """Play a pair in this thread: the wins of plus less those of minus."""
    plus, minus = (tuned.weights(numbers) for numbers in (trial.plus, trial.minus))
    return sum(PairPlayer.of_thread(settings).play(trial.pair, plus, minus))
