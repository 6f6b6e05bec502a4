"""Hostile input for everything that reads what others write: damaged samples, tables with a wrong value at every place,
and long lines for every regular expression (docs/testing.md).
"""

import ast
import copy
import importlib
import json
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import FrameType
from typing import Any, NamedTuple

import pytest

from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import Refused
from junqi_engine.notation.fen import start_view
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import SIGUO
from junqi_referee.cli import parse
from junqi_referee.exit_codes import RefereeError
from junqi_referee.records.record_file import parse_record
from junqi_referee.records.replay import verify
from tests.helpers.marking import long_after, seeds
from tests.helpers.modules import all_modules
from tests.helpers.proof.fuzz_samples import records
from tests.helpers.proof.fuzz_targets import RECORD, TARGETS, accepted, run

# Damaged samples

EXAMPLES = 100
"""Inputs for each target and seed."""


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("seed", long_after(1, range(2 * len(seeds(1)))))
def test_hostile_input_is_refused_or_parsed(name: str, seed: int) -> None:
    run(name, seed, EXAMPLES)


NEST = "[" * 100_000
REFEREE_FILES = [
    (lambda: parse_record(f'{NEST}\n{{"game":1}}\n'.encode(), "r"), "record r, line 1: not JSON: nested too deeply"),
    (lambda: parse(["match", "--variant", "a\nb"]), r"argument --variant: 'a\nb' is not one of siguo, luzhanqi"),
    (lambda: parse(["match", "--rounds", "9" * 5000]), f"argument --rounds: '{'9' * 40}...' is not a whole number"),
    (lambda: parse(["x" * 9000]), f"argument COMMAND: invalid choice: '{'x' * 1400}"),
]


@pytest.mark.parametrize(("read", "text"), REFEREE_FILES)
def test_inputs_found_by_fuzzing_are_refused_in_one_line(read: Callable[[], object], text: str) -> None:
    with pytest.raises(RefereeError) as refusal:
        read()
    assert str(refusal.value).startswith(text)


def test_long_recorded_move_is_cut_in_message() -> None:
    (game,), _ = parse_record(records()[0], "r")
    game.moves[0] += "!" + "[" * 5000
    fault = verify(game)
    assert fault is not None and fault.startswith(f"move 1: {game.moves[0][:20]}")
    assert len(fault) < 2000


def test_long_word_is_cut_in_message() -> None:
    for words in (
        f"fen A=B/#.#/... goal .../.../A.. gates {'[' * 3000}",
        f"fen A=B/#.#/... goal .../.../A.. gates a{'0' * 3000}1",
        f"startpos moves G{'lr' * 3000}",
        f"startpos moves {'G' * 3000}",
    ):
        TARGETS["position-klotski"].check(words.encode())


def test_refused_move_changes_no_knowledge() -> None:
    """The view noted what the move proves before it found the outcome impossible."""
    view = start_view(SIGUO, viewer="S")
    view.observe(parse_move(SIGUO, "g6g7"))
    for move in ("l7l6x", "l7k7=!q8"):
        with pytest.raises(Refused):
            view.observe(parse_move(SIGUO, move))
    assert not view.known["is_stale"]


# Tables

AWKWARD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 1.5, -0.0, 1e308, float("nan"), float("inf"), 10**30, 10**400),
    *("", "x", "1", "-1", "nan", "inf", "\n", "\0", "司", "9" * 5000, "1:" + "9" * 5000),
    *([], [1], [None], [[]], ["x"], {}, {"a": 1}, {"": None}, {"name": []}),
)


def places(table: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of keys to every value, in a long list to the first three entries."""
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


@pytest.mark.parametrize("number", long_after(1, range(2)))
def test_records_with_wrong_values_are_refused(number: int) -> None:
    table = json.loads(records()[number])
    for place in places(table):
        for value in AWKWARD:
            spoilt = json.dumps(put(table, place, value)).encode()
            RECORD.check(spoilt)
            accepted(lambda spoilt=spoilt: parse_record(spoilt, "r"), RefereeError)


SPOILT_RECORDS = [
    ({"variant": "chess"}, "variant='chess' is not one of siguo, luzhanqi"),
    ({"first": "SE"}, "first='SE' is not one of the seats S, E, N, W"),
    ({"result": "S"}, "result='S' is not one of SN, EW, draw"),
    ({"moves": ["g6g7", 3]}, "moves is not a list of strings"),
    ({"moves": ["g6g7"]}, "there are 1 moves, but 60 times_ms"),
    ({"engines": {"SN": {}}}, "engines is not a table of engines with names"),
    ({"lineups": {"X": ""}}, "lineups: 'X' is not one of the seats S, E, N, W"),
    ({"rules": {"luck": 1}}, "rules: unknown key 'luck'; known keys: no_contact, no_contact_loses, max_plies, version"),
    ({"rules": {"max_plies": -1}}, "rules: max_plies: -1 is not a whole number from 0 to 1000000"),
    ({"rules": {"no_contact_loses": 1}}, "rules: no_contact_loses: 1 is not true or false"),
    ({"game": True}, "game is not a whole number"),
]


@pytest.mark.parametrize(("change", "text"), SPOILT_RECORDS, ids=lambda value: str(value)[:40])
def test_refusal_of_record_names_the_field(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError) as refusal:
        GameRecord.from_line(json.dumps(json.loads(records()[0]) | change))
    assert str(refusal.value) == text


# Regular expressions

LINE_CHARS = 1 << 16
LIMIT_S, MAX_S = 0.4, 10.0
"""Processor times of a search: from the first on, a quarter of the line is measured too; at the second it is ended."""
MAX_RATIO = 8
"""A linear pattern takes four times as long for four times the line, a quadratic one sixteen times."""
METHODS = frozenset("match fullmatch search findall finditer split sub".split())
PIECES = ("1", "a", " ", "a1", ".", "[", "\\", "[\\", ":", "-1 ", "A[a]", "\n", "é")
"""Texts that are repeated in the lines, besides the words of the pattern."""
GIVEN = ("pattern", "self.pattern")
"""Names of arguments. The patterns that they stand for are collected where `GIVEN_TO` is called."""
GIVEN_TO = {"says": 1}
"""The argument of each function that is a pattern, for `fullmatch`."""
READ_OURSELVES = ("junqi_speed", "junqi_referee.revisions")
"""Tools that read what this project has written."""


class Use(NamedTuple):
    """A pattern as the code uses it."""

    pattern: str
    flags: int
    method: str
    of_bytes: bool


def uses() -> Iterator[tuple[str, Use]]:
    """Every use of a regular expression on foreign text, by its place in the code."""
    for name, path in sorted(all_modules().items()):
        if name.startswith(READ_OURSELVES):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        methods = defaultdict(set)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                methods[ast.unparse(node.value)].add(node.attr)
        named = {node.value: ast.unparse(node.targets[0]) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
        for node in calls:
            called = ast.unparse(node.func)
            if called in GIVEN_TO and len(node.args) > GIVEN_TO[called]:
                text, used, flags = node.args[GIVEN_TO[called]], {"fullmatch"}, []
            elif called == "re.compile":
                text, used, flags = node.args[0], methods[named.get(node, "")] & METHODS or METHODS, node.args[1:]
            elif called.removeprefix("re.") in METHODS and called.startswith("re."):
                text, used = node.args[0], {called.removeprefix("re.")}
                flags = [each for each in node.args if ast.unparse(each).startswith("re.")]
            else:
                continue
            if ast.unparse(text) in GIVEN:
                continue
            scope = vars(importlib.import_module(name)) | {"re": re}
            pattern, *flags = (eval(ast.unparse(each), scope) for each in (text, *flags))
            for method in sorted(used):
                plain = pattern.decode() if isinstance(pattern, bytes) else pattern
                yield f"{name}:{node.lineno}", Use(plain, sum(flags), method, isinstance(pattern, bytes))


def hostile_lines(pattern: str) -> Iterator[str]:
    """Beginnings of matches of the pattern, each followed by many copies of one part of it."""
    words = re.findall("[A-Za-z][A-Za-z ]*", re.sub(r"\\.|\[[^]]*\]", "|", pattern))[:6]
    starts = [" ".join(words[:count]) + " " * bool(count) for count in range(len(words) + 1)]
    parts = [f"{word}{end}" for word in words for end in ("", " ", "1 ", " 1 ", " cp 1 ")]
    parts += [f"{first} {second} " for first, second in pairwise(words)]
    for start in starts:
        for part in (*parts, *PIECES):
            line = start + part * (LINE_CHARS // len(part))
            yield line
            yield f"{line}\0"


def seconds(use: Use, line: str) -> float:
    """The processor time of a search; `MAX_S` if it was ended."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    compiled = re.compile(use.pattern.encode() if use.of_bytes else use.pattern, use.flags)
    arguments = ("", line) if use.method == "sub" else (line,)
    before, began_s = signal.signal(signal.SIGVTALRM, stop), time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_S)
    try:
        found = getattr(compiled, use.method)(*(each.encode() if use.of_bytes else each for each in arguments))
        list(found) if use.method == "finditer" else None
    except TimeoutError:
        return MAX_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - began_s


def is_slow(use: Use, line: str) -> bool:
    took_s = seconds(use, line)
    return took_s > LIMIT_S and took_s > MAX_RATIO * seconds(use, line[: len(line) // 4])


@pytest.mark.long
def test_every_pattern_takes_linear_time() -> None:
    """The patterns are collected from the code, each with the methods by which the code uses it, and run on long lines
    of its own words: what makes a pattern go back and try again is text that fits it almost.
    """
    found = list(uses())
    assert len(found) > 50
    for where, use in found:
        for line in hostile_lines(use.pattern):
            assert not is_slow(use, line), f"{where}: {use.pattern!r} by {use.method} on {line[:100]!r}..."
