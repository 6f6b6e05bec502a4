"""The sides of a duel: evaluators that differ from the packaged one.

A side is a text of words with commas between them:

| word | meaning |
|---|---|
| `packaged` | no change |
| `NAME=VALUE`, `NAME*=FACTOR` | a parameter (`junqi_engine.evaluation.parameters`); of an array for all kinds |
| `NAME.KIND=VALUE`, `NAME.KIND*=FACTOR` | the parameter of one kind, such as `guard.k=1200` |
| `parameters=FILE`, `linear=FILE`, `network=FILE` | from a file |
| `linear=none`, `network=none` | without it |
"""

import math
from pathlib import Path

import numpy as np

from junqi_engine.errors import quoted
from junqi_engine.evaluation.evaluator import Evaluator
from junqi_engine.evaluation.linear import packaged_linear, read_linear, zero_linear
from junqi_engine.evaluation.network import packaged_network, read_network
from junqi_engine.evaluation.parameters import (
    BY_KIND,
    NAMES,
    SCALARS,
    numbers_of,
    packaged_parameters,
    parameters_of,
    read_parameters,
)
from junqi_engine.rules.board import Board

PACKAGED = "packaged"
NONE = "none"
FILES = ("parameters", "linear", "network")


def evaluator_of(board: Board, side: str) -> Evaluator:
    """The evaluator of a side on a board. ValueError, which names the word, if a word or its file is wrong."""
    parameters, linear = packaged_parameters(board.variant), packaged_linear(board.variant)
    network = packaged_network(board.variant)
    for word in [] if side == PACKAGED else side.split(","):
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{quoted(word)}: expected {PACKAGED}, or words like threat=600 with commas between them")
        try:
            if name == "parameters":
                parameters = read_parameters(Path(value))
            elif name == "linear":
                linear = zero_linear(board) if value == NONE else read_linear(board, Path(value))
            elif name == "network":
                network = None if value == NONE else read_network(board, Path(value))
            else:
                parameters = _changed(parameters, name, value)
        except OSError as error:
            raise ValueError(f"{word}: {error.strerror or error}") from error
        except ValueError as error:
            raise ValueError(f"{quoted(word)}: {error}") from None
    return Evaluator(lambda variant: parameters, lambda variant: linear, lambda variant: network)


def names_of(parameter: str) -> list[str]:
    """The names of the numbers of a parameter: one, or one for each kind. ValueError if there is none."""
    found = [name for name in NAMES if name == parameter or name.startswith(f"{parameter}.")]
    if not found:
        raise ValueError(f"unknown parameter {quoted(parameter)}; known: {', '.join((*SCALARS, *BY_KIND, *FILES))}")
    return found


def _changed(parameters: np.void, name: str, value: str) -> np.void:
    """A copy with one parameter changed; a name that ends with `*` is multiplied."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected a number, not {quoted(value)}")
    numbers, is_factor = numbers_of(parameters), name.endswith("*")
    for each in names_of(name.removesuffix("*")):
        numbers[each] = round(numbers[each] * number if is_factor else number)
    return parameters_of(numbers)
