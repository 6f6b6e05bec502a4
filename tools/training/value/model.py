"""Worths in floating point, and how they are fitted: cross-entropy, Adam (Kingma and Ba 2015), a cosine schedule.

The chance of the team to move is f((score of the worths) + (hand-written score) * share), where f is the logistic
function and the share is fitted too. The target is a mixture of the result and of f(score of the search / `spread`).

Few features are common, so a worth is a sum of four parts: by (owner, kind, class), by (owner, kind, point), by (owner,
class, point), and by all of them. Each step makes the parts a little smaller (Loshchilov and Hutter 2019), the last
most. What is common is then learned from many positions, and exceptions only where there are enough of them. The order
of the positions is drawn from the seed, and the sums are taken in one thread: the same positions and settings give the
same worths.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.evaluation.worths import CLASSES
from junqi_engine.kernels import kernel
from junqi_engine.rules.board import Board
from junqi_engine.rules.layout import are_enemies
from junqi_engine.rules.pieces import KINDS
from tools.training.value.positions import ABSENT, FEATURES_TYPE, Positions

FIRST_RATE, SECOND_RATE, TINY = 0.9, 0.999, 1e-8
DECAY = (1.0, 1.0, 1.0, 3.0)
"""How fast each part shrinks, beside the setting."""
FIRST_SHARE = 1 / 4000
"""The first share of the hand-written score: what a hundredth of a Lieutenant adds to the logarithm of the odds."""
_FLOATS = types.Array(types.float32, 1, "C")
_ROWS = types.Array(types.int64, 1, "C")
_TEAMS = types.Array(types.uint8, 1, "C")
_absent = int(ABSENT)


@dataclass(frozen=True)
class Fit:
    """The settings of a fit. `result_share` is the part of the result in the target, the rest is the search's."""

    epochs: int = 3
    batch: int = 2048
    rate: float = 2e-3
    decay: float = 3e-3
    result_share: float = 0.5
    spread: float = 2000.0
    seed: int = 1


@dataclass
class Model:
    """`worth` (features,), as a part of the logarithm of the odds, and the share of the hand-written score."""

    worth: np.ndarray
    hand_share: float

    def log_odds(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        """Of the rows, for the team to move: (len(rows),)."""
        found = np.empty(len(rows), np.float32)
        predict(positions.features, rows, positions.team, self.worth, found)
        return found + self.hand_share * positions.hand[rows]

    def as_integers(self, strength: float) -> np.ndarray:
        """The worths in hundredths of a Lieutenant, times `strength`, (features,) int16."""
        limit = np.iinfo(np.int16).max
        return np.rint(np.clip(self.worth * strength / self.hand_share, -limit, limit)).astype(np.int16)


@kernel(types.void(FEATURES_TYPE, _ROWS, _TEAMS, _FLOATS, _FLOATS), fastmath=True)
def predict(features, rows, teams, worth, found):
    """What the worths say in each row, for the team to move."""
    for i in range(len(rows)):
        row = rows[i]
        score = np.float32(0)
        for seat in range(features.shape[1]):
            view = np.float32(0)
            for k in range(features.shape[2]):
                number = features[row, seat, k]
                if number != _absent:
                    view += worth[number]
            score += -view if are_enemies(seat, teams[row]) else view
        found[i] = score


@kernel(types.void(FEATURES_TYPE, _ROWS, _TEAMS, _FLOATS, _FLOATS), fastmath=True)
def add_gradients(features, rows, teams, slopes, worth_slope):
    """Add the gradients of the rows; `slopes` are those of the loss by the score."""
    for i in range(len(rows)):
        row = rows[i]
        for seat in range(features.shape[1]):
            slope = -slopes[i] if are_enemies(seat, teams[row]) else slopes[i]
            for k in range(features.shape[2]):
                number = features[row, seat, k]
                if number != _absent:
                    worth_slope[number] += slope


class _Parts:
    """A table by feature as the sum of four parts, which are 0 at first."""

    def __init__(self, shape: tuple[int, int, int, int]) -> None:
        owners, kinds, classes, points = shape
        sizes = ((owners, kinds, classes, 1), (owners, kinds, 1, points), (owners, 1, classes, points), shape)
        self.shape = shape
        self.parts = [np.zeros(size, np.float32) for size in sizes]

    def table(self) -> np.ndarray:
        return np.ascontiguousarray(sum(self.parts), np.float32).ravel()

    def slopes(self, of_table: np.ndarray) -> list[np.ndarray]:
        full = of_table.reshape(self.shape)
        return [full.sum(axis=3, keepdims=True), full.sum(axis=2, keepdims=True), full.sum(axis=1, keepdims=True), full]


class _Adam:
    """One array and its moments."""

    def __init__(self, values: np.ndarray, decay: float = 0.0) -> None:
        self.values, self.decay = values, decay
        self._mean, self._square, self._steps = np.zeros_like(values), np.zeros_like(values), 0

    def step(self, slope: np.ndarray, rate: float) -> None:
        self._steps += 1
        self._mean += (1 - FIRST_RATE) * (slope - self._mean)
        self._square += (1 - SECOND_RATE) * (slope * slope - self._square)
        mean, square = self._mean / (1 - FIRST_RATE**self._steps), self._square / (1 - SECOND_RATE**self._steps)
        self.values -= rate * mean / (np.sqrt(square) + TINY)
        self.values *= 1 - rate * self.decay


def fit(
    board: Board, positions: Positions, rows: np.ndarray, settings: Fit, report: Callable[[int, Model], None]
) -> Model:
    """Fit a model to the rows. `report` is called with each epoch, from 1 on, and the model after it."""
    rng = np.random.default_rng(settings.seed)
    shape = len(board.seats), KINDS, CLASSES, len(board.points)
    table = _Parts(shape)
    steppers = [_Adam(part, 100 * settings.decay * decay) for part, decay in zip(table.parts, DECAY, strict=True)]
    # In the units of the first share, so that its steps are of the size of the others.
    share = _Adam(np.ones(1))
    chances = logistic(positions.search / settings.spread)
    target = settings.result_share * positions.result + (1 - settings.result_share) * chances
    batches = len(rows) // settings.batch
    steps = settings.epochs * batches
    for epoch in range(settings.epochs):
        order = rng.permutation(rows)
        for number in range(batches):
            chosen = order[number * settings.batch : (number + 1) * settings.batch]
            model = _model(table, share)
            slopes = (logistic(model.log_odds(positions, chosen)) - target[chosen]) / settings.batch
            found = np.zeros_like(model.worth)
            add_gradients(positions.features, chosen, positions.team, slopes.astype(np.float32), found)
            rate = settings.rate * (1 + np.cos(np.pi * (epoch * batches + number) / steps)) / 2
            for stepper, slope in zip(steppers, table.slopes(found), strict=True):
                stepper.step(slope, rate)
            share.step(np.array([slopes @ positions.hand[chosen] * FIRST_SHARE]), rate)
        report(epoch + 1, _model(table, share))
    return _model(table, share)


def _model(table: _Parts, share: _Adam) -> Model:
    return Model(table.table(), float(share.values[0]) * FIRST_SHARE)


def logistic(log_odds: np.ndarray) -> np.ndarray:
    """The chance with these log-odds."""
    return 1 / (1 + np.exp(-log_odds))


def cross_entropy(chances: np.ndarray, results: np.ndarray) -> float:
    """The mean loss in nats of `chances` of a win, where `results` are 1, 0.5 or 0."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-np.mean(results * np.log(chances) + (1 - results) * np.log(1 - chances)))
