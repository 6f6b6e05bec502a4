"""No regular expression takes more than linear time, whatever text it meets.

The patterns are collected from the code, each with the methods by which the code uses it. Each is run on long lines
that are made of its own words: what makes a pattern go back and try again is text that fits it almost.
"""

import ast
import importlib
import re
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from types import FrameType
from typing import NamedTuple

import pytest

from tests.helpers.modules import all_modules

LINE_CHARS = 1 << 16
LIMIT_S, LONGEST_S = 0.4, 10.0
"""Processor time for a line from which on it is compared with a quarter of the line, and at which a search is ended."""
MOST_RATIO = 8
"""A linear pattern takes four times as long for four times the line, a quadratic one sixteen times."""
METHODS = frozenset("match fullmatch search findall finditer split sub".split())
PIECES = ("1", "a", " ", "a1", ".", "[", "\\", "[\\", ":", "-1 ", "A[a]", "\n", "é")
"""What lines repeat besides the words of the pattern."""
GIVEN = ("pattern", "self.pattern")
"""Names of arguments. The patterns that they stand for are collected where `GIVEN_TO` is called."""
GIVEN_TO = {"says": 1, "String": 3}
"""By the function, which of its arguments is a pattern, for `fullmatch`."""
READ_OURSELVES = ("junqi_speed", "junqi_referee.revisions")
"""Tools that read what this project has written."""


class Use(NamedTuple):
    """A pattern as the code uses it."""

    pattern: str
    flags: int
    method: str
    of_bytes: bool


def uses() -> Iterator[tuple[str, Use]]:
    """Every use of a regular expression on text of others, by the place in the code."""
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
                text, used, flags = node.args[0], methods[named[node]] & METHODS or METHODS, node.args[1:]
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
    """Beginnings of what the pattern looks for, followed by one part of it, again and again."""
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
    """Processor time; `LONGEST_S` for a search that is ended then."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    compiled = re.compile(use.pattern.encode() if use.of_bytes else use.pattern, use.flags)
    arguments = ("", line) if use.method == "sub" else (line,)
    before, began_s = signal.signal(signal.SIGVTALRM, stop), time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_S)
    try:
        found = getattr(compiled, use.method)(*(each.encode() if use.of_bytes else each for each in arguments))
        list(found) if use.method == "finditer" else None
    except TimeoutError:
        return LONGEST_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - began_s


def is_slow(use: Use, line: str) -> bool:
    took_s = seconds(use, line)
    return took_s > LIMIT_S and took_s > MOST_RATIO * seconds(use, line[: len(line) // 4])


@pytest.mark.long
def test_every_pattern_takes_linear_time() -> None:
    found = list(uses())
    assert len(found) > 50
    for where, use in found:
        for line in hostile_lines(use.pattern):
            assert not is_slow(use, line), f"{where}: {use.pattern!r} by {use.method} on {line[:100]!r}..."
