"""Styles of line-ups: a gallery with one line-up of each, and the style that the engines of each level set up."""

import random

from junqi_engine.rules import lineup

GALLERY = {
    "balanced": "cfhed" + "ikb" + "daei" + "ckg" + "hjgji" + "gljhf",
    "left": "acehg" + "bki" + "dkhi" + "cih" + "dejgf" + "fgjlj",
    "right": "hgebc" + "ika" + "ihkd" + "gic" + "jjfed" + "jlfhg",
    "fortress": "fdheg" + "ici" + "ekdh" + "bca" + "gjkfi" + "jljhg",
    "trap": "gdhfe" + "kik" + "cabe" + "icd" + "fhjgi" + "hgjlj",
    "decoy": "dfgce" + "ibi" + "adhc" + "kgf" + "hjgke" + "jhjli",
}
"""By style, 25 letters: row by row, the front row first, from the owner's left."""
FIRST_LEVELS = {"beginner": "balanced", "novice": "right", "casual": "fortress"}
OF_LEVELS = {
    "siguo": FIRST_LEVELS | {"regular": "left", "strong": "trap", "expert": "decoy"},
    "luzhanqi": FIRST_LEVELS | {"regular": "decoy", "strong": "left", "expert": "trap"},
}
"""By variant and level, the name of its style, in an order in which each level beats the one below (docs/players.md,
*Limited strength*). At full strength an engine sets up its pieces itself.
"""
SIDED = ("left", "right")
"""The styles that are named after a side, so their front is not mirrored."""
BACK_ROWS = 15
"""The first place of the two back rows."""
EXCHANGED = "cdefghi"
TRIES = 40
"""Number of random pairs of pieces that are tried; a pair of neighbouring ranks is exchanged."""


def draw(rng: random.Random, style: str) -> str:
    """A line-up in a style: neighbouring ranks are exchanged, and the front and the back may be mirrored, each by
    itself. So the style does not tell where the flag is.
    """
    letters = [*GALLERY[style]]
    for _ in range(TRIES):
        one, other = rng.sample(range(len(letters)), 2)
        ranks = [EXCHANGED.find(letters[place]) for place in (one, other)]
        if min(ranks) >= 0 and abs(ranks[0] - ranks[1]) == 1:
            letters[one], letters[other] = letters[other], letters[one]
    text = "".join(letters)
    front, back = (rng.choice((text, lineup.mirror(text))) for _ in range(2))
    return (text if style in SIDED else front)[:BACK_ROWS] + back[BACK_ROWS:]
