"""The styles of line-ups that belief knows: `python -m junqi_training styles NAME:SHARE=FILE ...`.

Makes `junqi_engine/information/belief/styles.json` anew. Each FILE adds a style, or replaces the one of that name. A
FILE is a book of the referee (a line-up of letters in each line). SHARE is the share of a style before anything is
known; the shares are relative to each other, and `people` has 2.5. Styles that are not named stay as they are.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from junqi_engine.information.belief.marginals import normalise_to_counts
from junqi_engine.information.belief.policy import ENGINE, OTHER_STRANGERS, OTHERS, PEOPLE, POLICIES, STRANGERS
from junqi_engine.information.belief.styles import MIRRORED, STYLES_FILE, load_styles, read_styles
from junqi_engine.players.lineup_choice import OWN_STYLES
from junqi_engine.rules import lineup
from junqi_engine.rules.pieces import LETTERS, PIECES_PER_SEAT
from junqi_referee.settings.schedule import Book


def work(given: argparse.Namespace) -> None:
    made = [Style(name, share, table_of(Book.read(file).lineups)) for name, share, file in given.styles]
    styles = {(style.name, style.variant): style for style in (*stored_styles(), *made)}
    write_styles(list(styles.values()))
    print(f"{STYLES_FILE}: {', '.join(dict.fromkeys(style.name for style in styles.values()))}")


SMOOTHING = 8.0
"""Line-ups that are added to those of a style, spread evenly over what the rules allow."""
SHARE_DIGITS, DEED_DIGITS = 4, 2
PEOPLE_FACTOR, CROSSED = 2.0, 0.1
"""Weights of a style for people, and for players that prefer another, relative to players that prefer it."""
EQUAL = 5.0
"""The share of this engine in each style in which it sets up now (`lineup_choice.OWN_STYLES`)."""
BOOK = "book"
"""The style of the line-ups that the referee gives to any player."""


@dataclass(frozen=True)
class Style:
    """A style as the file has it: the share that it has before anything is known, (25, 12) by place and kind, and the
    variant, if it is of one alone.
    """

    name: str
    share: float
    places: np.ndarray
    variant: str | None = None


def shares_of(style: Style) -> dict[str, float]:
    """The share of a style with each policy before anything is known: a program sets up in its own style, strangers in
    any, and anyone may copy a line-up.
    """
    owner = policy_of(style.name)
    likely = POLICIES if style.name == BOOK else (owner, STRANGERS, OTHER_STRANGERS)
    shares = {policy: (1.0 if policy in likely else CROSSED) * style.share for policy in POLICIES}
    shares[PEOPLE] = PEOPLE_FACTOR * style.share
    if style.name in OWN_STYLES:
        shares[ENGINE] = EQUAL
    return {policy: round(share, SHARE_DIGITS) for policy, share in shares.items()}


def policy_of(style: str) -> str:
    """The policy of the players that set up in a style, mirrored or not: that of the same name, or `OTHERS`."""
    name = style.removesuffix(MIRRORED)
    return name if name in POLICIES else OTHERS


def table_of(lineups: Iterable[str]) -> np.ndarray:
    """The share of each kind on each place, (25, 12), with the flag in the left headquarters."""
    counts = SMOOTHING * normalise_to_counts(lineup.allowed_with_flag_left())
    for letters in lineups:
        one = lineup.with_flag_left(letters)
        counts[np.arange(PIECES_PER_SEAT), [LETTERS.index(letter) for letter in one]] += 1
    return normalise_to_counts(counts)


def stored_styles() -> list[Style]:
    """The styles of the file."""
    return [
        Style(style["name"], style["share"], np.array(style["places"]), style.get("variant")) for style in read_styles()
    ]


def write_styles(styles: Sequence[Style]) -> None:
    """Write the file, and let belief read it again."""
    table = {
        "kinds": LETTERS,
        "styles": [
            {"name": style.name, "share": style.share}
            | ({} if style.variant is None else {"variant": style.variant})
            | {"players": shares_of(style), "places": style.places.round(SHARE_DIGITS).tolist()}
            for style in styles
        ],
    }
    STYLES_FILE.write_text(json_text(table) + "\n", encoding="utf-8")
    load_styles.cache_clear()


def json_text(value: Any) -> str:
    """JSON in which a list or a table of plain values has one line, and each entry of another a line of its own."""
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if not any(isinstance(entry, dict | list) for entry in entries):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{\n" + ",\n".join(f"{json.dumps(name)}: {json_text(entry)}" for name, entry in value.items()) + "\n}"
    return "[\n" + ",\n".join(map(json_text, value)) + "\n]"
