"""How chance deals the line-up of an army, place by place, so that every legal line-up is equally likely."""

from functools import cache
from math import comb, factorial, prod

from junqi_engine.rules.board import Army
from junqi_engine.rules.layout import contains
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.pieces import BOMB, FLAG, LETTERS, MINE

BOUND_KINDS = (FLAG, MINE, BOMB)
"""The kinds that may not stand everywhere. The places of each contain those of the ones before it."""


@cache
def _free_places(army: Army, kind: int, begin: int) -> int:
    """The places from `begin` on where a kind may stand."""
    return sum(int(contains(MASK_AT[slot], kind)) for slot in army.slots[begin:])


def completions(army: Army, dealt: str) -> int:
    """In how many ways a line-up can be completed that begins with these letters; 0 if they break a rule."""
    remaining = [count - dealt.count(letter) for count, letter in zip(army.counts, LETTERS, strict=True)]
    places = zip(army.slots, dealt, strict=False)
    is_legal = all(contains(MASK_AT[slot], LETTERS.index(letter)) for slot, letter in places)
    if min(remaining) < 0 or not is_legal:
        return 0
    ways, taken = 1, 0
    for kind in BOUND_KINDS:
        ways *= comb(max(0, _free_places(army, kind, len(dealt)) - taken), remaining[kind])
        taken += remaining[kind]
    others = [count for kind, count in enumerate(remaining) if kind not in BOUND_KINDS]
    return ways * factorial(sum(others)) // prod(map(factorial, others))


def deal_chances(army: Army, dealt: str) -> list[tuple[int, float]]:
    """The kinds that may follow in a line-up that begins with these letters, each with its probability."""
    ways = [completions(army, dealt + letter) for letter in LETTERS]
    total = sum(ways)
    return [(kind, number / total) for kind, number in enumerate(ways) if number]
