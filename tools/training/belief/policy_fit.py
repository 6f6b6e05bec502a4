"""The fit of a policy: stochastic gradient descent on the cross-entropy of the choices, by Adagrad (Duchi et al. 2011)
with a cosine schedule.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.information.policy import ROWS
from junqi_engine.kernels import kernel
from junqi_engine.rules.movegen import MAX_MOVES
from junqi_engine.rules.pieces import KINDS
from tools.training.belief.policy.choices import BYTES_TYPE, ROWS_OF_MOVES_TYPE, Choices

RATE, DECAY = 0.1, 1e-4
EPOCHS = 8
TOP = (1, 5)
_TABLE = types.Array(types.float32, 2, "C")
_NUMBERS = types.Array(types.int64, 1, "C")
_SUMS = types.Array(types.float64, 1, "C")


@dataclass(frozen=True)
class Agreement:
    """Over some positions: the mean of -ln(probability of the choice), in nats, and how often the choice is among the
    first moves, by `TOP`.
    """

    loss: float
    top: tuple[float, ...]


@kernel(
    types.void(
        BYTES_TYPE, ROWS_OF_MOVES_TYPE, BYTES_TYPE, _NUMBERS, _NUMBERS, _NUMBERS, _TABLE, _TABLE,
        types.float64, types.boolean, _SUMS,
    )
)  # fmt: skip
def run(kinds, rows, lengths, first, chosen, order, table, squares, rate, learns, sums):
    """Go through positions; learn from each if wanted. `sums` receives the losses, and the ranks below each of `TOP`.

    `squares` are the sums of the squared gradients of all entries of the table.
    """
    scores = np.empty(MAX_MOVES)
    sums[:] = 0.0
    for position in order:
        begin, count = first[position], first[position + 1] - first[position]
        most, total = -1e30, 0.0
        for number in range(count):
            move = begin + number
            scores[number] = 0.0
            for row in range(lengths[move]):
                scores[number] += table[rows[move, row], kinds[move]]
            most = max(most, scores[number])
        for number in range(count):
            total += np.exp(scores[number] - most)
        choice, better = chosen[position], 0
        for number in range(count):
            better += scores[number] > scores[choice] or (scores[number] == scores[choice] and number < choice)
        sums[0] += most + np.log(total) - scores[choice]
        for number in range(len(TOP)):
            sums[1 + number] += better < TOP[number]
        if not learns:
            continue
        for number in range(count):
            move = begin + number
            slope = np.exp(scores[number] - most) / total - (1.0 if number == choice else 0.0)
            for row in range(lengths[move]):
                _descend(table, squares, rows[move, row], kinds[move], slope, rate)


@kernel(types.void(_TABLE, _TABLE, types.int64, types.int64, types.float64, types.float64))
def _descend(table, squares, row, kind, slope, rate):
    slope += DECAY * table[row, kind]
    squares[row, kind] += slope * slope
    table[row, kind] -= rate * slope / np.sqrt(squares[row, kind])


def measure(table: np.ndarray, choices: Choices, positions: np.ndarray) -> Agreement:
    """How well a policy agrees with the choices of some positions."""
    return _pass(table.copy(), new_table(), choices, positions, 0.0, learns=False)


def new_table() -> np.ndarray:
    """A policy to which all moves are alike, (527, 12)."""
    return np.zeros((ROWS, KINDS), np.float32)


def fit(table: np.ndarray, choices: Choices, positions: np.ndarray, seed: int) -> Iterator[Agreement]:
    """Fit a policy from where its table is: its agreement on the way, after each epoch. The same table, choices,
    positions and seed give the same policy.
    """
    rng = np.random.default_rng(seed)
    squares = np.ones_like(table)
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        yield _pass(table, squares, choices, rng.permutation(positions), float(rate), learns=True)


def fitted(table: np.ndarray, choices: Choices, positions: np.ndarray, seed: int) -> np.ndarray:
    """The table that `fit` ends with."""
    for _ in fit(table, choices, positions, seed):
        pass
    return table


def _pass(
    table: np.ndarray, squares: np.ndarray, choices: Choices, positions: np.ndarray, rate: float, *, learns: bool
) -> Agreement:
    sums = np.zeros(1 + len(TOP))
    run(
        choices.kinds, choices.rows, choices.lengths, choices.first, choices.chosen, positions, table, squares, rate,
        learns, sums,
    )  # fmt: skip
    means = sums / max(1, len(positions))
    return Agreement(float(means[0]), tuple(float(mean) for mean in means[1:]))
