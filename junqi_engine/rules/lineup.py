"""Line-ups: 25 letters in index order (front row first, from the owner's left), without the campsites."""

import numpy as np

from junqi_engine.errors import BadLineup
from junqi_engine.rules.board import HEADQUARTERS_INDICES, LINEUP_INDICES
from junqi_engine.rules.layout import contains
from junqi_engine.rules.pieces import ALL_MASK, BOMB, COUNTS, FLAG, KINDS, LETTERS, MINE

DEFAULT = "cbfahdehgegidcfkjkijgjhli"
"""The built-in line-up."""
DEFAULT_KINDS = [LETTERS.index(letter) for letter in DEFAULT]

MASK_AT: tuple[int, ...] = tuple(
    ALL_MASK
    & ~(1 << MINE if index < 20 else 0)
    & ~(1 << BOMB if index < 5 else 0)
    & ~(1 << FLAG if index not in HEADQUARTERS_INDICES else 0)
    for index in LINEUP_INDICES
)
"""The kinds that the rules allow on each of the 25 places, as masks."""

MIRRORED_PLACES: tuple[int, ...] = tuple(LINEUP_INDICES.index(index - 2 * (index % 5) + 4) for index in LINEUP_INDICES)
"""By place, the mirrored place: left and right exchanged."""

LEFT_FLAG_PLACE = LINEUP_INDICES.index(HEADQUARTERS_INDICES[0])


def check(lineup: str) -> None:
    """Raise `bad-lineup` with the broken rule unless a line-up is legal."""
    if len(lineup) != len(LINEUP_INDICES):
        raise BadLineup("bad-lineup", f"a line-up has {len(LINEUP_INDICES)} letters; this one has {len(lineup)}")
    for place, letter in enumerate(lineup):
        if letter not in LETTERS:
            raise BadLineup("bad-lineup", f"letter {place + 1} is {letter!r}; expected a letter from a to l")
    for kind, letter in enumerate(LETTERS):
        if lineup.count(letter) != COUNTS[kind]:
            raise BadLineup("bad-lineup", f"{lineup.count(letter)} pieces '{letter}'; expected {COUNTS[kind]}")
    for place, letter in enumerate(lineup):
        if not contains(MASK_AT[place], LETTERS.index(letter)):
            reason = {"j": "a landmine must be in the two back rows", "k": "a bomb must not be in the front row"}
            told = reason.get(letter, "the flag must be in a headquarters")
            raise BadLineup("bad-lineup", f"letter {place + 1}: {told}")


def mirror(lineup: str) -> str:
    return "".join(lineup[place] for place in MIRRORED_PLACES)


def with_flag_left(lineup: str) -> str:
    """The line-up, or its mirror image if the flag is in the right headquarters."""
    return lineup if lineup[LEFT_FLAG_PLACE] == LETTERS[FLAG] else mirror(lineup)


def allowed_with_flag_left() -> np.ndarray:
    """(25, 12): 1 for the kinds that the rules allow on each place if the flag is in the left headquarters."""
    allowed = contains(np.array(MASK_AT)[:, None], np.arange(KINDS)).astype(float)
    allowed[:, FLAG] = 0.0
    allowed[LEFT_FLAG_PLACE] = np.arange(KINDS) == FLAG
    return allowed
