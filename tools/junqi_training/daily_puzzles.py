"""Makes the list from which the puzzles of the day are taken: `python -m junqi_training.daily_puzzles [SECONDS]`.

It writes `daily.json`, see `junqi_puzzles.daily`. All puzzles are generated and proven. Each level of a kind gets at
most SECONDS, by default 60; what is slow to generate gets fewer puzzles.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

from junqi_puzzles.base import PuzzleError
from junqi_puzzles.daily import FILE
from junqi_puzzles.difficulty import Level, difficulty, generate
from junqi_puzzles.klotski import Klotski, Metric
from junqi_puzzles.knights_tour import KnightsTour
from junqi_puzzles.match3 import Match3
from junqi_puzzles.playing import Puzzle
from junqi_puzzles.submarine import Submarine

OF_A_KIND = 100
FEWEST_STEPS = 4
PLAIN = Klotski()
"""Writes boards of cars as Rush Hour strings, which are read without the option that locks axes."""
LEVELS = [{"level": level} for level in Level]
SIDES = {
    Level.EASY: ((3, 7), (5, 7)),
    Level.MEDIUM: ((7, 9), (8, 9)),
    Level.HARD: ((10, 11), (10, 12)),
    Level.EXPERT: ((12, 13), (12, 13)),
}
"""The least and most rows, and columns, of tours by level."""
Like = tuple[Puzzle[Any], tuple[str, ...], list[dict[str, Any]]]
KINDS: dict[str, Like] = {
    "klotski": (
        Klotski(),
        (
            "AABB/AACC/de../FGHH/FGII goal ..../..../..../AA../AA..",
            "ABBC/ABBC/DEEF/DGHF/I..J goal ..../..../..../.BB./.BB.",
            "ABBC/DBBE/FGGH/I..J goal ..../..../.BB./.BB.",
        ),
        LEVELS,
    ),
    "cars": (Klotski(Metric.LINE, axis_locked=True), ("BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo",), LEVELS),
    "submarine": (Submarine(), (Submarine.start,), LEVELS),
    "match3": (Match3(), ("112233/223344/334411/441122/112233/223344",), [{"steps": 3}, {"steps": 3}, {"steps": 4}]),
}
"""By kind: the puzzle, boards of its kind, and what is wanted."""


def made(kind: str, seconds: float) -> Iterator[list[Any]]:
    """New puzzles: the position, the best number of steps, or points of match-3 in how many swaps, and the level."""
    puzzle, likes, wants = KINDS[kind]
    terms = list(product(likes, wants))
    seen: set[str] = set()
    for seed, (like, wanted) in enumerate(terms):
        count = -(-OF_A_KIND // len(terms))
        stop = bytearray(1)
        timer = Timer(seconds, partial(stop.__setitem__, 0, 1))
        timer.start()
        for one in generate(puzzle, puzzle.parse(like), seed, stop=stop, **wanted):
            name = puzzle.canonical(one.board)
            steps = len(one.moves)
            if name not in seen and (steps >= FEWEST_STEPS or kind == "match3"):
                seen.add(name)
                count -= 1
                position = PLAIN.format(one.board) if kind == "cars" else puzzle.format(one.board)
                best = puzzle.play_all(one.board, one.moves).points if kind == "match3" else steps
                yield [position, best, one.difficulty.level.value, *([steps] if kind == "match3" else [])]
            if not count:
                break
        timer.cancel()


def tours() -> Iterator[list[Any]]:
    """Tours of boards of many sizes: open, closed, or to a given end; as many of each level."""
    puzzle, random = KnightsTour(), Random(0)
    seen: set[str] = set()
    for level, ((fewest_rows, most_rows), (fewest_columns, most_columns)) in SIDES.items():
        wanted = len(seen) + OF_A_KIND // len(Level)
        while len(seen) < wanted:
            rows, columns = random.randint(fewest_rows, most_rows), random.randint(fewest_columns, most_columns)
            start, end = (f"{'abcdefghijklm'[random.randrange(columns)]}{1 + random.randrange(rows)}" for _ in range(2))
            position = f"{rows}x{columns} start {start}{random.choice(['', ' closed', f' end {end}'])}"
            if start == end or position in seen:
                continue
            with suppress(PuzzleError):  # there is no such tour, or it is found too rarely to be rated
                rated = difficulty(puzzle, puzzle.parse(position))
                if rated.level is level:
                    seen.add(position)
                    yield [position, rated.steps, level.value]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    lists = {kind: list(made(kind, seconds)) for kind in KINDS}
    lists["tour"] = list(tours())
    lines = []
    for kind, found in lists.items():
        Random(kind).shuffle(found)
        rows = ",\n".join(json.dumps(one) for one in found)
        lines.append(f'"{kind}": [\n{rows}\n]')
        print(f"{kind}: {len(found)}", flush=True)
    Path(FILE).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
