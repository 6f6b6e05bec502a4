"""Puzzle positions to choose from; others can be loaded or typed."""

import json
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from puzzles.daily import daily

KLOTSKI_GOAL = "..../..../..../.{0}{0}./.{0}{0}."
_KLOTSKI = (
    ("横刀立马 L'Âne rouge", "ABBC/ABBC/DEEF/DGHF/I..J", "B"),
    ("Level 05", "ABBC/DEEF/.GG./HHIJ/HHIJ", "H"),
    ("Level 12", "ABCD/ABEF/GGEF/GGHH/I..J", "G"),
    ("Level 13", "ABCD/ABCD/EFGG/HHGG/I..J", "G"),
    ("峰回路转 Century", "aAAb/DAAE/DF.E/cF.d/GGHH", "A"),
    ("走投无路: no solution", "ABBC/ABBC/DEFG/DEHG/I..J", "B"),
)
_KLOTSKI_BEST: tuple[dict[str, int], ...] = (
    {"move": 81, "line": 90, "unit": 116},
    {"move": 5, "line": 6, "unit": 7},
    {"move": 11, "line": 12, "unit": 15},
    {"move": 7, "line": 8, "unit": 11},
    {"move": 99, "line": 111, "unit": 131},
    {},
)
"""By the option `Metric`, the least number of moves, as the solver proves; a long test repeats it."""
_KLOTSKI_LEVELS = ("expert", "easy", "easy", "easy", "expert", "")
"""How hard they are, as `puzzles/difficulty.py` rates them; so says the same test."""
_CARS = (
    ("Rush Hour 1", "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo"),
    ("Rush Hour 40", "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"),
)
_CARS_BEST: tuple[dict[str, int], ...] = ({"move": 8, "line": 8, "unit": 16}, {"move": 51, "line": 51, "unit": 81})
_CARS_LEVELS = ("easy", "expert")
_MATCH3 = (
    ("8 × 4", "3343/3233/2434/1343/3311/3433/1443/1232"),
    ("8 × 8, 5 kinds", "44252113/22355255/14141135/35414542/25245211/21124544/12115235/45253153"),
    (
        "9 × 9, 6 kinds",
        "236216223/162335263/665542126/624663235/341166154/331145346/545651556/116155344/214166422",
    ),
)
_TOURS = (
    ("8 × 8 from a1", "8x8 start a1"),
    ("8 × 8 closed", "8x8 start a1 closed"),
    ("5 × 5 from a1", "5x5 start a1"),
    ("6 × 6 closed", "6x6 start a1 closed"),
    ("3 × 4 from a1", "3x4 start a1"),
    ("8 × 8 from a1 to h8: none", "8x8 start a1 end h8"),
    ("20 × 20 closed", "20x20 start a1 closed"),
)


Entry = dict[str, Any]
Known = dict[str, list[Entry]]


@cache
def known_positions() -> Known:
    """By variant, names and positions; a page opens a variant with its first position.

    `best` is the least number of moves to the goal by the way of counting, under `` if there is one way only; it is
    empty if it is not known, or if there is no solution. `goal` names the text that states the goal. `level` is empty
    if the difficulty is not known. `swaps` end a puzzle of match-3, whose `best` are points; 0 if there is no end.
    """
    klotski = [
        _entry(name, f"{board} goal {KLOTSKI_GOAL.format(piece)}", "klotski", best, level)
        for (name, board, piece), best, level in zip(_KLOTSKI, _KLOTSKI_BEST, _KLOTSKI_LEVELS, strict=True)
    ]
    klotski += [
        _entry(name, position, "cars", best, level)
        for (name, position), best, level in zip(_CARS, _CARS_BEST, _CARS_LEVELS, strict=True)
    ]
    return {
        "klotski": klotski,
        "submarine": [
            _entry(f"{level['level']}", level["setup"], "submarine", {"": level["fewest"]}, level["difficulty"])
            for level in _levels()
        ],
        "match3": [_entry(name, position, "match3", {}) for name, position in _MATCH3],
        "knights-tour": [_tour(name, position) for name, position in _TOURS],
    }


def daily_positions(day: date) -> list[Entry]:
    """The puzzles of a day, each with its `variant`; the name is that of a text."""
    found = []
    for one in daily(day):
        if one.kind == "tour":
            entry = _tour(one.kind, one.position)
        else:
            best = {"move" if one.variant == "klotski" else "": one.best}
            goal = "match3-line" if one.kind == "match3" else one.kind
            entry = _entry(one.kind, one.position, goal, best, one.level, one.swaps)
        found.append(entry | {"variant": one.variant})
    return found


def _tour(name: str, position: str) -> Entry:
    """A tour visits every square once; a closed one returns to its start."""
    height, width = (int(side) for side in position.split()[0].split("x"))
    is_closed = "closed" in position.split()
    has_none = "none" in name
    best = {} if has_none else {"": height * width - (not is_closed)}
    goal = "tour-closed" if is_closed else "tour-end" if "end" in position.split() else "tour"
    return _entry(name, position, goal, best)


def _levels() -> list[dict[str, Any]]:
    """The levels of Submarine Adventure, from the data file of its solver."""
    text = resources.files("puzzles").joinpath("submarine", "levels.json").read_text(encoding="utf-8")
    return list(json.loads(text))


def _entry(name: str, position: str, goal: str, best: dict[str, int], level: str = "", swaps: int = 0) -> Entry:
    piece = position.rstrip("./")[-1] if goal == "klotski" else ""
    return {
        "name": name, "position": position, "goal": goal, "best": best, "piece": piece, "level": level, "swaps": swaps,
    }  # fmt: skip
