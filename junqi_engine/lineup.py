"""Line-ups: the rules for them, and random sensible ones.

A line-up is 25 letters in index order (front row first, from the owner's left), the campsites left out.
"""

import random

from junqi_engine.board import HEADQUARTERS_INDICES, LINEUP_INDICES
from junqi_engine.errors import JunqiError
from junqi_engine.pieces import ALL_MASK, BOMB, COUNTS, FLAG, LETTERS, MINE, PIECES_PER_SEAT

DEFAULT = "cbfahdehgegidcfkjkijgjhli"
CANDIDATES = 60

MASK_AT: tuple[int, ...] = tuple(
    ALL_MASK
    & ~(1 << MINE if index < 20 else 0)
    & ~(1 << BOMB if index < 5 else 0)
    & ~(1 << FLAG if index not in HEADQUARTERS_INDICES else 0)
    for index in LINEUP_INDICES
)
"""What the rules allow at each of the 25 places, as masks."""


def check(lineup: str) -> None:
    """Refuse (`bad-lineup`) a line-up that breaks a rule, and say which."""
    if len(lineup) != PIECES_PER_SEAT:
        raise JunqiError("bad-lineup", f"a line-up has 25 letters, this one {len(lineup)}")
    for place, letter in enumerate(lineup):
        if letter not in LETTERS:
            raise JunqiError("bad-lineup", f"letter {place + 1} is {letter!r}, no piece (a to l)")
    for kind, letter in enumerate(LETTERS):
        if lineup.count(letter) != COUNTS[kind]:
            raise JunqiError("bad-lineup", f"{lineup.count(letter)} pieces '{letter}', not {COUNTS[kind]}")
    for place, letter in enumerate(lineup):
        if not MASK_AT[place] >> LETTERS.index(letter) & 1:
            where = f"letter {place + 1} (index {LINEUP_INDICES[place]}): "
            reason = {"j": "a landmine stands in rows 4 and 5 only", "k": "no bomb stands in row 0"}
            raise JunqiError("bad-lineup", where + reason.get(letter, "the flag stands in a headquarters"))


def sensible(rng: random.Random) -> str:
    """A line-up as a good player might choose one: the best by `score` of a few drawn with the flag well guarded."""
    return max((_draw(rng) for _ in range(CANDIDATES)), key=score)


def mirror(lineup: str) -> str:
    """The same line-up with left and right exchanged."""
    by_index = dict(zip(LINEUP_INDICES, lineup, strict=True))
    return "".join(by_index[index - 2 * (index % 5) + 4] for index in LINEUP_INDICES)


def _draw(rng: random.Random) -> str:
    """A legal line-up with a minor piece in the headquarters that has no flag.

    One to three of the three points beside the flag are mined: who closes it in always shows where it is.
    """
    flag = rng.choice(HEADQUARTERS_INDICES)
    other = HEADQUARTERS_INDICES[0] + HEADQUARTERS_INDICES[1] - flag
    placed = {flag: "l", other: rng.choice("gh")}
    guards = [flag - 5, flag - 1, flag + 1]
    back = [index for index in range(20, 30) if index not in (flag, other, *guards)]
    close = rng.choices((1, 2, 3), weights=(7, 9, 4))[0]
    mines = rng.sample(guards, close) + rng.sample(back, 3 - close)
    placed |= dict.fromkeys(mines, "j")
    rest = list("".join(letter * COUNTS[kind] for kind, letter in enumerate(LETTERS)))
    for letter in placed.values():
        rest.remove(letter)
    rng.shuffle(rest)
    # Bombs first, since the front row is closed to them.
    rest.sort(key=lambda letter: letter != "k")
    free = [index for index in LINEUP_INDICES if index not in placed]
    for letter in rest:
        choices = [index for index in free if letter != "k" or index >= 5]
        index = rng.choice(choices)
        free.remove(index)
        placed[index] = letter
    return "".join(placed[index] for index in LINEUP_INDICES)


# Row by row, how well a kind stands there. Commanders behind the front where a railway takes them anywhere, majors and
# colonels ahead to open the fight, bombs within reach of what breaks in, engineers kept back for the end.
_ROW_WORTH = {
    "a": (0, 3, 3, 2, 0, -4),
    "b": (2, 3, 2, 2, 0, -4),
    "c": (3, 2, 2, 1, 0, -3),
    "d": (3, 2, 2, 1, 0, -3),
    "e": (3, 2, 1, 1, 0, -2),
    "f": (2, 2, 1, 0, 0, -1),
    "g": (1, 1, 1, 0, 0, 1),
    "h": (1, 1, 0, 0, 0, 2),
    "i": (-4, 0, 1, 2, 3, 1),
    "j": (0, 0, 0, 0, 1, 1),
    "k": (0, 1, 2, 3, 2, -2),
}
_STRENGTH = {"a": 9, "b": 8, "c": 6, "d": 5, "e": 4, "f": 3, "g": 2, "h": 1}


def score(lineup: str) -> int:
    """A rough worth of a line-up, for choosing among drawn ones; higher is better."""
    at = dict(zip(LINEUP_INDICES, lineup, strict=True))
    total = sum(_ROW_WORTH[letter][index // 5] for index, letter in at.items() if letter != "l")
    left = sum(_STRENGTH.get(letter, 0) for index, letter in at.items() if index % 5 < 2)
    right = sum(_STRENGTH.get(letter, 0) for index, letter in at.items() if index % 5 > 2)
    total -= abs(left - right) // 2
    marshal, general = (next(index for index, letter in at.items() if letter == kind) for kind in "ab")
    total += 3 if abs(marshal % 5 - general % 5) >= 2 else 0
    # The rail columns are the roads into the block: something strong or a bomb belongs on each.
    for column in (0, 4):
        total += 2 if any(at[5 * row + column] in "abcdk" for row in range(3)) else -2
    return total
