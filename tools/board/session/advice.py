"""What an adviser's search lines say of a position: several moves with the chance of winning after each."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

LINES_SHOWN = 3
_MULTIPV = re.compile(r" multipv (\d+) ")
_CHANCES = re.compile(r" wdl (\d{1,4}) (\d{1,4}) (\d{1,4})(?: |$)")
_MOVE = re.compile(r" pv (\S+)")


def advice(move: str, legal: Mapping[str, Mapping[str, str]], lines: Iterable[str]) -> dict[str, Any] | None:
    """The advice to play `move`; None if it is not one of the moves `legal`, which are as in `junqi.targets`.

    `win_before` is the probability of winning that the first line of the search gives, before it looked further ahead;
    that of each move comes from the last line about it. They are None for an engine that prints no `wdl`.
    """
    places = {text: (int(start), int(target)) for start, found in legal.items() for target, text in found.items()}
    if move not in places:
        return None
    before: float | None = None
    latest: dict[int, tuple[str, float | None]] = {}
    for line in lines:
        found = _MOVE.search(line)
        if found is None or found[1] not in places:
            continue
        number, chances = _MULTIPV.search(line), _CHANCES.search(line)
        win = None if chances is None else int(chances[1]) / 1000
        before = win if before is None else before
        latest[1 if number is None else int(number[1])] = (found[1], win)
    wins = dict(latest[number] for number in sorted(latest, reverse=True))
    ranked = [move, *(other for _, (other, _) in sorted(latest.items()) if other != move)][:LINES_SHOWN]
    shown = [
        {"move": one, "from": places[one][0], "to": places[one][1], "win": wins.get(one)}
        for one in dict.fromkeys(ranked)
    ]
    return {"type": "advice", "win_before": before, **shown[0], "others": shown[1:]}
