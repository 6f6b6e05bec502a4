"""Hostile lines of an engine: of the grammar with any words and numbers, damaged, or any bytes.

The process of `tests/helpers/broken_engines/planned.py` uses it too, and has only what Python itself has.
"""

import random

NUMBERS = ("0", "-1", "--5", "+5", "1e9", "NaN", "5" * 5000, "\xb2", "0x10", "", "1.5", "9" * 19)
WORDS = (
    *("score", "cp", "mate", "depth", "multipv", "pv", "string", "error", "option", "type", "spin", "combo", "min"),
    *("info", "bestmove", "uciok", "readyok", "ponder", "legal", "fen", "solved", "resign:S", "pass:S", "@", "(none)"),
    *("a1a2", "g6h5", "a6b5", "a:0.5", "UCI_Variant", "Player", "siguo", "luzhanqi", "klotski", "<empty>"),
)
LINES = (
    "info depth {n} score cp {n} multipv {n} nodes {n} nps {n} time {n} pv {w} {w}",
    "info string error {w}: {w} {n}",
    "info belief g6 a:{n} b:0.5",
    "bestmove {w} ponder {w}",
    "bestmove @{w}",
    "option name {w} type spin default {n} min {n} max {n}",
    "option name UCI_Variant type combo default {w} var {w} var siguo var luzhanqi",
    "id name {w}",
    "uciok",
    "readyok",
    "{w} {w} {n} {w}",
    "NAME {w}",
    "ARRAY {w}",
    "BESTMOVE {w}",
)


def line(rng: random.Random) -> str:
    """A line of the grammar with any words and numbers, often damaged."""
    words = rng.choice(LINES).split(" ")
    text = " ".join(word.replace("{n}", rng.choice(NUMBERS)).replace("{w}", rng.choice(WORDS)) for word in words)
    return damaged(text, rng) if rng.random() < 0.4 else text


def damaged(text: str, rng: random.Random) -> str:
    """A text with some characters removed, repeated or replaced by any bytes but newlines."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        change = rng.choice(("", noise(rng, 3), text[at : at + 5] * 3))
        text = text[:at] + change + text[at + rng.randint(0, 4) :]
    return text


def noise(rng: random.Random, most: int) -> str:
    """Any bytes but newlines, as characters."""
    return "".join(chr(rng.randint(0, 255)) for _ in range(rng.randint(1, most))).replace("\n", "")
