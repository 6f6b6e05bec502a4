"""The parameters of the hand-written terms, one record for each side of a game.

`PARAMETERS`, in hundredths of a Lieutenant where no other unit is given:

| field | shape | meaning |
|---|---|---|
| min_rank_value, max_rank_value | scalars | a ranked piece that beats no ranked piece of the enemy, or all of them |
| engineer_value | scalar | the least value of an Engineer |
| mine_value | scalar | a Landmine, and the least value of a Bomb |
| bomb_permille | scalar | the value of a Bomb, in permille of the best enemy piece |
| secret_flag | scalar | bonus of a Field Marshal whose flag is not revealed |
| seat_value | scalar | a seat that is not eliminated |
| approach | (12,) | by kind: bonus next to an enemy flag; it decreases with the distance |
| half_distance | scalar | the distance at which half of `approach` remains, in quarters of a move |
| second_flag | scalar | the farther of two flags counts for one part in this many |
| threat | scalar | additional bonus one step from an enemy flag; a quarter of it two steps away |
| guard | (12,) | by kind: bonus one step from the own flag, where an attacker must pass |
| late_guard_rank, late_guard_bomb, late_ring_rank, late_ring_bomb | scalars | flag safety; `flag_safety` |
| min_lead, max_lead | scalars | the mop-up begins above the first and grows up to the second |
| min_quiet | scalar | plies without a battle before the mop-up starts |
| step_permille | scalar | the mop-up's bonus for one row, in permille of the lead |

Between `min_rank_value` and `max_rank_value` the value grows with the third power of the share that the piece beats;
an equal piece counts half. A file of parameters is a JSON object with a whole number for each of `NAMES`; that of the
package is `weights/VARIANT.json`.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from junqi_engine.evaluation.weights_file import WEIGHTS_FOLDER
from junqi_engine.foreign_json import read_json
from junqi_engine.kernels import record_type
from junqi_engine.rules.pieces import KINDS, LETTERS

SCALARS = (
    *("min_rank_value", "max_rank_value", "engineer_value", "mine_value", "bomb_permille", "secret_flag"),
    *("seat_value", "half_distance", "second_flag", "threat"),
    *("late_guard_rank", "late_guard_bomb", "late_ring_rank", "late_ring_bomb"),
    *("min_lead", "max_lead", "min_quiet", "step_permille"),
)
BY_KIND = ("approach", "guard")
PARAMETERS = np.dtype(
    [*((name, np.int64) for name in SCALARS), *((name, np.int64, KINDS) for name in BY_KIND)], align=True
)
PARAMETERS_TYPE = record_type(PARAMETERS)
NAMES = (*SCALARS, *(f"{name}.{letter}" for name in BY_KIND for letter in LETTERS))
"""The names of all numbers, in the order of the record: `guard.a` is that of the first kind."""
MAX_PARAMETER = 8000
"""Largest parameter in either direction: the terms of a piece on a point fit 16 bits."""
DIVISORS = ("half_distance", "second_flag")
"""These are at least 1."""


def minimum_of(name: str) -> int:
    """The least number with this name."""
    return 1 if name in DIVISORS else -MAX_PARAMETER


def parameters_of(numbers: Mapping[str, int]) -> np.void:
    """The record with a number for each of `NAMES`. ValueError if one is missing, unknown or out of range."""
    if wrong := sorted(set(NAMES).symmetric_difference(numbers)):
        raise ValueError(f"parameter {wrong[0]}: {'missing' if wrong[0] in NAMES else 'unknown'}")
    for name, number in numbers.items():
        if type(number) is not int or not minimum_of(name) <= number <= MAX_PARAMETER:
            raise ValueError(f"parameter {name}: expected a whole number from {minimum_of(name)} to {MAX_PARAMETER}")
    return np.array([numbers[name] for name in NAMES], np.int64).view(PARAMETERS)[0]


def numbers_of(parameters: np.void) -> dict[str, int]:
    """The numbers of a record by name."""
    return dict(zip(NAMES, np.array([parameters]).view(np.int64).tolist(), strict=True))


def read_parameters(path: Path) -> np.void:
    """Read a file of parameters. OSError, or ValueError if it is not one."""
    numbers = read_json(path.read_bytes())
    if not isinstance(numbers, dict):
        raise ValueError("expected a JSON object of parameters")
    return parameters_of(numbers)


@cache
def packaged_parameters(variant: str) -> np.void:
    """The parameters of the package for a variant."""
    return read_parameters(WEIGHTS_FOLDER / f"{variant}.json")
