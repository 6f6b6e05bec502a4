"""The fit of a policy: stochastic gradient descent on the cross-entropy of the choices, by Adagrad (Duchi et al. 2011)
with a cosine schedule.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba.core import types

from junqi_engine.kernels import kernel
from junqi_engine.rules.movegen import MAX_MOVES
from tools.training.policy.choices import Choices
from tools.training.policy.features import FEATURES, POLICY, POLICY_TYPE

RATE, DECAY = 0.1, 1e-4
EPOCHS = 8
TOP = (1, 5)
_COLUMN = types.Array(types.uint8, 1, "C")
_ROWS = types.Array(types.float32, 2, "C")
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
        _COLUMN, _COLUMN, _COLUMN, _COLUMN, _ROWS, _NUMBERS, _NUMBERS, _NUMBERS, POLICY_TYPE, POLICY_TYPE,
        types.float64, types.boolean, _SUMS,
    )
)  # fmt: skip
def run(kind, leaves, enters, meets, features, first, chosen, order, policy, squares, rate, learns, sums):
    """Go through positions; learn from each if wanted. `sums` receives the losses, and the ranks below each of `TOP`.

    `squares` are the sums of the squared gradients of all terms.
    """
    scores = np.empty(MAX_MOVES)
    sums[:] = 0.0
    for position in order:
        begin, count = first[position], first[position + 1] - first[position]
        most, total = -1e30, 0.0
        for number in range(count):
            row = begin + number
            piece = kind[row]
            score = policy.leaves[piece, leaves[row]] + policy.enters[piece, enters[row]]
            score += policy.meets[piece, meets[row]]
            for feature in range(len(FEATURES)):
                score += policy.features[piece, feature] * features[row, feature]
            scores[number] = score
            most = max(most, score)
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
            row = begin + number
            piece = kind[row]
            slope = np.exp(scores[number] - most) / total - (1.0 if number == choice else 0.0)
            _descend(policy.leaves, squares.leaves, piece, leaves[row], slope, rate)
            _descend(policy.enters, squares.enters, piece, enters[row], slope, rate)
            _descend(policy.meets, squares.meets, piece, meets[row], slope, rate)
            for feature in range(len(FEATURES)):
                if features[row, feature] != 0:
                    _descend(
                        policy.features, squares.features, piece, np.uint8(feature), slope * features[row, feature],
                        rate,
                    )  # fmt: skip


@kernel(types.void(_ROWS, _ROWS, types.uint8, types.uint8, types.float64, types.float64))
def _descend(terms, squares, row, column, slope, rate):
    slope += DECAY * terms[row, column]
    squares[row, column] += slope * slope
    terms[row, column] -= rate * slope / np.sqrt(squares[row, column])


def measure(policy: np.void, choices: Choices, positions: np.ndarray) -> Agreement:
    """How well a policy agrees with the choices of some positions."""
    return _pass(policy, new_policy(), choices, positions, 0.0, learns=False)


def new_policy() -> np.void:
    """A policy to which all moves are alike."""
    return np.zeros(1, POLICY)[0]


def fit(policy: np.void, choices: Choices, positions: np.ndarray, seed: int) -> Iterator[Agreement]:
    """Fit a new policy: its agreement on the way, after each epoch. Same choices, positions and seed, same policy."""
    rng = np.random.default_rng(seed)
    squares = new_policy()
    for name in POLICY.names or ():
        squares[name] = 1.0
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        yield _pass(policy, squares, choices, rng.permutation(positions), float(rate), learns=True)


def _pass(
    policy: np.void, squares: np.void, choices: Choices, positions: np.ndarray, rate: float, *, learns: bool
) -> Agreement:
    sums = np.zeros(1 + len(TOP))
    run(
        choices.kind, choices.leaves, choices.enters, choices.meets, choices.features, choices.first, choices.chosen,
        positions, policy, squares, rate, learns, sums,
    )  # fmt: skip
    means = sums / max(1, len(positions))
    return Agreement(float(means[0]), tuple(float(mean) for mean in means[1:]))
