"""Tables that others write: every wrong value at every place of a valid table."""

import copy
import datetime
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from junqi_referee.exits import RefereeError
from junqi_referee.records.contest import contest_of
from junqi_referee.records.game_record import GameRecord, parse_record
from junqi_referee.settings.settings import MatchSettings
from tests.helpers.marking import long_after
from tests.helpers.proof.fuzz_checks import check_line, check_record
from tests.helpers.proof.fuzz_samples import records

AWKWARD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.5, -0.0, 1e308, float("nan"), float("inf"), 10**30, 10**400),
    *("", "x", "1", "-1", "nan", "inf", "\n", "\0", "司", "9" * 5000, "1:" + "9" * 5000),
    *([], [1], [None], [[]], ["x"], {}, {"a": 1}, {"": None}, {"name": []}),
)
SETTINGS: dict[str, Any] = {
    "match": {
        "variant": "siguo", "visibility": "partner", "format": "round-robin", "rounds": 1, "concurrency": 1,
        "seed": 1, "lineups": "book", "book": "b", "record": "r", "log": "l", "scheduler": "here:1",
        "no-contact": 70, "no-contact-result": "draw", "max-plies": 500,
        "sprt": {"elo0": 0, "elo1": 5, "alpha": 0.05, "beta": 0.05, "model": "normalized"},
        "resign": {"movecount": 3, "score": 900},
        "draw": {"movenumber": 30, "movecount": 3, "score": 1},
    },
    "each": {"tc": "1:30+0.5", "margin": 20, "patience": 3, "option": {"Hash": 1}, "dir": "d", "dialect": "protocol"},
    "engine": [
        {"name": "a", "cmd": "x"},
        {"name": "b", "cmd": ["x", "y"], "nodes": 5, "depth": 3, "st": 0.1, "option": {"Hash": 2}},
    ],
}  # fmt: skip


def places(table: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of keys to every value; of a long list, the first three entries."""
    if isinstance(table, dict | list):
        for key in table if isinstance(table, dict) else range(min(3, len(table))):
            yield (*above, key)
            yield from places(table[key], (*above, key))


def put(table: Any, place: tuple[Any, ...], value: Any) -> Any:
    spoilt = copy.deepcopy(table)
    inner = spoilt
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return spoilt


def refused(read: Callable[[], object]) -> str | None:
    """The message of the refusal, one line, or None; other exceptions are faults of the reader."""
    try:
        read()
    except RefereeError as error:
        check_line(str(error))
        return str(error)
    return None


@pytest.mark.parametrize("place", list(places(SETTINGS)), ids=lambda place: "-".join(map(str, place)))
def test_settings_with_a_value_that_does_not_belong_there(place: tuple[Any, ...]) -> None:
    values = (*AWKWARD, datetime.date(2026, 1, 1))  # which TOML has too
    answers = [refused(lambda value=value: MatchSettings.read(put(SETTINGS, place, value), "t")) for value in values]
    assert any(answers)


@pytest.mark.parametrize("sample", long_after(1, records()), ids=lambda sample: f"{len(sample)}-bytes")
def test_records_with_a_value_that_does_not_belong_there(sample: bytes) -> None:
    line, *_ = sample.decode().splitlines()
    for place in places(json.loads(line)):
        for value in AWKWARD:
            spoilt = json.dumps(put(json.loads(line), place, value)).encode()
            check_record(spoilt)
            for game in parse_record(spoilt, "r")[0]:
                _as_a_contest_record(game)


def _as_a_contest_record(game: GameRecord) -> None:
    try:
        contest_of(game, "S").as_text()
    except ValueError as error:
        check_line(str(error)[:1000])


SPOILT_RECORDS = [
    ({"variant": "chess"}, "variant='chess' is not one of siguo, luzhanqi"),
    ({"first": "SE"}, "first='SE' is not one of the seats S, E, N, W"),
    ({"result": "S"}, "result='S' is not one of SN, EW, draw"),
    ({"moves": ["g6g7", 3]}, "moves is not a list of strings"),
    ({"moves": ["g6g7"]}, "there are 1 moves, but 60 times_ms and 60 scores"),
    ({"engines": {"SN": {}}}, "engines is not a table of engines with names"),
    ({"lineups": {"X": ""}}, "lineups: 'X' is not one of the seats S, E, N, W"),
    ({"rules": {"luck": 1}}, "rules: unknown key 'luck'; known keys: no_contact, no_contact_loses, max_plies, version"),
    ({"rules": {"max_plies": -1}}, "rules: max_plies: -1 is not a whole number from 0 to 1000000"),
    ({"rules": {"no_contact_loses": 1}}, "rules: no_contact_loses: 1 is not true or false"),
    ({"game": True}, "game is not a whole number"),
]


@pytest.mark.parametrize(("change", "text"), SPOILT_RECORDS, ids=lambda value: str(value)[:40])
def test_a_record_says_what_is_wrong_with_it(change: dict[str, Any], text: str) -> None:
    table = json.loads(records()[0].decode().splitlines()[0]) | change
    with pytest.raises(ValueError) as refusal:
        GameRecord.from_line(json.dumps(table))
    assert str(refusal.value) == text
