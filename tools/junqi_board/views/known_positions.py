"""Puzzle positions to choose from, most of them in `known_puzzles.json`, and those of the day."""

import json
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from junqi_puzzles.daily import daily

Entry = dict[str, Any]


@cache
def known_positions() -> dict[str, list[Entry]]:
    """By variant, names and positions; a page opens a variant with its first position.

    `best` is the least number of moves to the goal by the way of counting (the option `Metric`), under `` if there is
    one way only; it is empty if it is not known, or if there is no solution; a long test repeats it and `level`, as
    `junqi_puzzles.difficulty` rates it. `goal` names the text that states the goal, `piece` the piece that it means.
    `swaps` end a puzzle of match-3, whose `best` are points; 0 if there is no end.
    """
    known = _read("junqi_board", "known_puzzles.json")
    submarine = [
        _entry(f"{level['level']}", level["setup"], "submarine", {"": level["fewest"]}, level["difficulty"])
        for level in _read("junqi_puzzles", "submarine", "levels.json")
    ]
    return {"klotski": known["klotski"], "submarine": submarine} | known


def daily_positions(day: date) -> list[Entry]:
    """The puzzles of a day, each with its `variant`; the name is that of a text."""
    found = []
    for one in daily(day):
        if one.kind == "tour":
            height, width = (int(side) for side in one.position.split()[0].split("x"))
            is_closed = "closed" in one.position.split()
            goal, best = "tour-closed" if is_closed else "tour", {"": height * width - (not is_closed)}
        else:
            goal = "match3-line" if one.kind == "match3" else one.kind
            best = {"move" if one.variant == "klotski" else "": one.best}
        found.append(_entry(one.kind, one.position, goal, best, one.level, one.swaps) | {"variant": one.variant})
    return found


def _read(package: str, *path: str) -> Any:
    return json.loads(resources.files(package).joinpath(*path).read_text(encoding="utf-8"))


def _entry(name: str, position: str, goal: str, best: dict[str, int], level: str = "", swaps: int = 0) -> Entry:
    piece = position.rstrip("./")[-1] if goal == "klotski" else ""
    return {
        "name": name, "position": position, "goal": goal, "best": best, "piece": piece, "level": level, "swaps": swaps,
    }  # fmt: skip
