"""The win-draw-loss model: the probabilities of the results by score and ply, as `wdl` prints them.

A score is a sum of values, not a probability: the same score means more when the game is nearly over. For a score s
for the team to move after p plies, with x = c tanh(s / c), u = min(p, q) / q and the logistic function f:

    win = f((x - a) / b)      loss = f((-x - a) / b)      draw = 1 - win - loss
    a = exp(a0 + a1 u + a2 u^2)      b = exp(b0 + b1 u + b2 u^2)

c bounds what a score can prove: a large one may come from a few worlds only. `win_chances.json` has c (`most_cp`), q
(`plies`), the a (`draw_width`) and the b (`spread`) by variant; `python -m junqi_training.value wdl` of revision
573d9340 fitted them to games of the player against itself. The form is that of Stockfish's `win_rate_model`.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

CHANCES_FILE = Path(__file__).with_name("win_chances.json")
PERMILLE = 1000


@cache
def _models() -> dict[str, Any]:
    models: dict[str, Any] = json.loads(CHANCES_FILE.read_text(encoding="utf-8"))["variants"]
    return models


def chances(variant: str, score_cp: float, ply: int) -> tuple[float, float, float]:
    """The probabilities of a win, a draw and a loss for the team to move; `score_cp` is not a mate. `draw_width` is
    None if games of the variant are never drawn.
    """
    model = _models()[variant]
    bounded = model["most_cp"] * math.tanh(score_cp / model["most_cp"])
    phase = min(ply, model["plies"]) / model["plies"]
    width = 0.0 if model["draw_width"] is None else math.exp(_polynomial(model["draw_width"], phase))
    spread = math.exp(_polynomial(model["spread"], phase))
    win, loss = _logistic((bounded - width) / spread), _logistic((-bounded - width) / spread)
    return win, max(0.0, 1 - win - loss), loss


def wdl_permille(variant: str, score_cp: float, ply: int) -> tuple[int, int, int]:
    """The chances of a win, a draw and a loss for the team to move, in permille; their sum is 1000."""
    win, _, loss = chances(variant, score_cp, ply)
    wins, losses = round(PERMILLE * win), round(PERMILLE * loss)
    return wins, max(0, PERMILLE - wins - losses), min(losses, PERMILLE - wins)


def _polynomial(coefficients: Sequence[float], value: float) -> float:
    return sum(coefficient * value**power for power, coefficient in enumerate(coefficients))


def _logistic(value: float) -> float:
    """1 / (1 + exp(-value)), which does not overflow."""
    return (1 + math.tanh(value / 2)) / 2
