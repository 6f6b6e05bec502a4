"""The packaged parameters: every number has a name, and a record returns what it was made from."""

import pytest

from junqi_engine.evaluation.parameters import NAMES, numbers_of, packaged_parameters, parameters_of
from junqi_engine.rules.board import BOARDS


@pytest.mark.parametrize("variant", BOARDS)
def test_parameters_round_trip(variant: str) -> None:
    numbers = numbers_of(packaged_parameters(variant))
    assert tuple(numbers) == NAMES
    record = parameters_of(dict(reversed(numbers.items())))
    assert numbers_of(record) == numbers
    assert record["guard"][10] == numbers["guard.k"] and record["threat"] == numbers["threat"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threats": 1}, "parameter threats: unknown"),
        ({"threat": 1.0}, "parameter threat: expected a whole number"),
        ({"threat": True}, "parameter threat: expected a whole number"),
        ({"threat": -8001}, "from -8000 to 8000"),
        ({"second_flag": 0}, "from 1 to 8000"),
    ],
)
def test_refusal_of_wrong_parameter_names_it(change: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parameters_of(numbers_of(packaged_parameters("siguo")) | change)
    missing = numbers_of(packaged_parameters("siguo"))
    del missing["threat"]
    with pytest.raises(ValueError, match="parameter threat: missing"):
        parameters_of(missing)
