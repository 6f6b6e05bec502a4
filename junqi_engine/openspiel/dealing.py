"""How chance deals a line-up, place by place, so that every legal line-up is equally likely."""

from functools import cache
from math import comb, factorial, prod

from junqi_engine.rules.layout import contains
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import BOMB, COUNTS, FLAG, LETTERS, MINE

BOUND_KINDS = (FLAG, MINE, BOMB)
"""The kinds that may not stand everywhere. The places of each contain those of the ones before it."""


@cache
def _free_places(kind: int, begin: int) -> int:
    """The places from `begin` on where a kind may stand."""
    return sum(int(contains(mask, kind)) for mask in MASK_AT[begin:])


def completions(dealt: str) -> int:
    """In how many ways a line-up can be completed that begins with these letters; 0 if they break a rule."""
    remaining = [count - dealt.count(letter) for count, letter in zip(COUNTS, LETTERS, strict=True)]
    is_legal = all(contains(mask, LETTERS.index(letter)) for mask, letter in zip(MASK_AT, dealt, strict=False))
    if min(remaining) < 0 or not is_legal:
        return 0
    ways, taken = 1, 0
    for kind in BOUND_KINDS:
        ways *= comb(max(0, _free_places(kind, len(dealt)) - taken), remaining[kind])
        taken += remaining[kind]
    others = [count for kind, count in enumerate(remaining) if kind not in BOUND_KINDS]
    return ways * factorial(sum(others)) // prod(map(factorial, others))


def deal_chances(dealt: str) -> list[tuple[int, float]]:
    """The kinds that may follow in a line-up that begins with these letters, each with its probability."""
    ways = [completions(dealt + letter) for letter in LETTERS]
    total = sum(ways)
    return [(kind, number / total) for kind, number in enumerate(ways) if number]
