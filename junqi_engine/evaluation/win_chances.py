"""From a score to the chances of a win, a draw and a loss: what `wdl` prints.

A score is a sum of values, not a probability: the same one is worth more when the game is nearly over. For a score s
for the team to move after p plies, with x = c tanh(s / c), u = min(p, q) / q and the logistic function f:

    win = f((x - a) / b)      loss = f((-x - a) / b)      draw = 1 - win - loss
    a = exp(a0 + a1 u + a2 u^2)      b = exp(b0 + b1 u + b2 u^2)

c bounds what a score can prove: a large one may come from a few worlds only. `win_chances.json` has c (`most_cp`), q
(`plies`), the a (`draw_width`) and the b (`spread`) by variant; `python -m junqi_training.value wdl` fits them to games
of the player against itself. The form is that of Stockfish's `win_rate_model`.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CHANCES_FILE = Path(__file__).with_name("win_chances.json")
PERMILLE = 1000


@dataclass(frozen=True)
class ChanceModel:
    """The numbers of one variant. `draw_width` is None if games of the variant are never drawn."""

    most_cp: float
    plies: int
    draw_width: tuple[float, ...] | None
    spread: tuple[float, ...]

    def chances(self, score_cp: float, ply: int) -> tuple[float, float, float]:
        """The probabilities of a win, a draw and a loss for the team to move; `score_cp` is not a mate."""
        bounded = self.most_cp * math.tanh(score_cp / self.most_cp)
        phase = min(ply, self.plies) / self.plies
        width = 0.0 if self.draw_width is None else math.exp(_polynomial(self.draw_width, phase))
        spread = math.exp(_polynomial(self.spread, phase))
        win, loss = _logistic((bounded - width) / spread), _logistic((-bounded - width) / spread)
        return win, max(0.0, 1 - win - loss), loss


@cache
def chance_models() -> dict[str, ChanceModel]:
    table = json.loads(CHANCES_FILE.read_text(encoding="utf-8"))["variants"]
    return {variant: model_of(numbers) for variant, numbers in table.items()}


def model_of(numbers: dict) -> ChanceModel:
    width = numbers["draw_width"]
    return ChanceModel(
        numbers["most_cp"], numbers["plies"], None if width is None else tuple(width), tuple(numbers["spread"])
    )


def wdl_permille(variant: str, score_cp: float, ply: int) -> tuple[int, int, int]:
    """The chances of a win, a draw and a loss for the team to move, in permille; their sum is 1000."""
    win, _, loss = chance_models()[variant].chances(score_cp, ply)
    wins, losses = round(PERMILLE * win), round(PERMILLE * loss)
    return wins, max(0, PERMILLE - wins - losses), min(losses, PERMILLE - wins)


def _polynomial(coefficients: Sequence[float], value: float) -> float:
    return sum(coefficient * value**power for power, coefficient in enumerate(coefficients))


def _logistic(value: float) -> float:
    """1 / (1 + exp(-value)), which does not overflow."""
    return (1 + math.tanh(value / 2)) / 2
