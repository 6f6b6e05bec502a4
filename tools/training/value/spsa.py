"""Simultaneous perturbation (Spall 1992): all numbers are moved at once, one half up, one half down, and two games tell
whether that was better than the opposite.

At pair k the numbers are moved by c_k = step * max(LEAST_STEP, (k + 1)^-0.101), the direction of each drawn at random.
The pair is played from the same line-ups with the teams exchanged. With g, the wins of the one side less those of the
other, each number changes by rate_k * g * (its direction) * step^2 / c_k, where rate_k = rate * ((A + 1) / (A + k +
1))^0.602 and A is a tenth of all pairs; these are the exponents that Spall recommends. A batch of pairs is played with
the same numbers, in any order, and its changes are added up. The result is the mean of the numbers over the second half
of the pairs.

A pair depends on the settings, the numbers before its batch, and its own number alone, so a run that was interrupted
ends like one that was not.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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

    @classmethod
    def of_table(cls, table: Mapping[str, Any]) -> "Tuning":
        """The state that `as_table` described. KeyError or TypeError for another table."""
        return cls(**table)

    def as_table(self) -> dict[str, Any]:
        return dict(vars(self))

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
