"""Choosing a line-up: random ones that guard the flag, and a score that picks the best of them."""

import random
from functools import cache

from junqi_engine.rules.board import HEADQUARTERS_INDICES, LINEUP_INDICES
from junqi_engine.rules.pieces import COUNTS, LETTERS

CANDIDATES = 60
ALL_PIECES = "".join(letter * COUNTS[kind] for kind, letter in enumerate(LETTERS))


def sensible(rng: random.Random, candidates: int = CANDIDATES) -> str:
    """A random line-up that a good player might choose: the best by `score` of `candidates` drawn ones."""
    return max((_draw(rng) for _ in range(candidates)), key=score)


def _draw(rng: random.Random) -> str:
    """A legal line-up with a minor piece in the headquarters that does not hold the flag.

    One to three of the three points next to the flag are mined. If it were always three, the mines would show where
    the flag is.
    """
    flag = rng.choice(HEADQUARTERS_INDICES)
    other = HEADQUARTERS_INDICES[0] + HEADQUARTERS_INDICES[1] - flag
    placed = {flag: "l", other: rng.choice("gh")}
    guards = beside_flag(flag)
    back = [index for index in range(20, 30) if index not in (flag, other, *guards)]
    close = rng.choices((1, 2, 3), weights=(7, 9, 4))[0]
    mines = rng.sample(guards, close) + rng.sample(back, 3 - close)
    placed |= dict.fromkeys(mines, "j")
    rest = list(ALL_PIECES)
    for letter in placed.values():
        rest.remove(letter)
    rng.shuffle(rest)
    # Bombs first, because they may not be in the front row.
    rest.sort(key=lambda letter: letter != "k")
    free = [index for index in LINEUP_INDICES if index not in placed]
    for letter in rest:
        index = rng.choice([index for index in free if index >= 5] if letter == "k" else free)
        free.remove(index)
        placed[index] = letter
    return "".join(map(placed.__getitem__, LINEUP_INDICES))


# How much a piece in its place adds to the probability of winning, in hundredths of a logit, from games of 2.0 against
# itself (docs/strength.md). They stay as they are: books and self-play draw by them. By kind and row:
ROW_WORTH = {
    "a": (13, 1, -3, -2, -1, -7),
    "b": (7, -4, -1, -4, 3, -2),
    "c": (-2, 0, -1, 5, -2, 0),
    "d": (-7, -2, 1, 3, 5, -1),
    "e": (-4, -3, -1, 5, 3, 0),
    "f": (-2, -2, 1, -1, 1, 4),
    "g": (-2, -2, -2, -2, -3, 11),
    "h": (-1, -1, -2, -4, -1, 8),
    "i": (-2, 1, 3, -1, 0, -1),
    "k": (0, 13, 4, -1, -8, -9),
}
BESIDE_FLAG_WORTH = dict(zip(ROW_WORTH, (11, 3, 0, -3, -2, -8, -5, -13, -11, -11), strict=True))
# Of a landmine in the two back rows, mirrored so that the flag is in the second column.
MINE_WORTH = ((20, 20, -20, -16, -3), (18, 0, 0, 0, -20))


def score(lineup: str) -> int:
    return sum(map(dict.__getitem__, place_worths(lineup.index("l")), lineup))


@cache
def place_worths(flag: int) -> list[dict[str, int]]:
    """The worth of each letter on each place, with the flag on the place `flag`."""
    left = LINEUP_INDICES[flag] == HEADQUARTERS_INDICES[0]
    beside = beside_flag(LINEUP_INDICES[flag])
    found = []
    for index in LINEUP_INDICES:
        row, column = divmod(index, 5)
        worths = {letter: rows[row] for letter, rows in ROW_WORTH.items()}
        if index in beside:
            worths = {letter: worth + BESIDE_FLAG_WORTH[letter] for letter, worth in worths.items()}
        mine = MINE_WORTH[row - 4][column if left else 4 - column] if row >= 4 else 0
        found.append({**worths, "j": mine, "l": 0})
    return found


def beside_flag(flag: int) -> tuple[int, int, int]:
    """The indices one step from a headquarters."""
    return flag - 5, flag - 1, flag + 1
