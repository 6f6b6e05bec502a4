"""The twelve kinds of piece: letters, ranks, counts and the battle table.

Kinds are small integers in the order of their letters `a`..`l`, which for the nine ranked kinds is the order of rank,
highest first. A *mask* is an integer with bit `kind` set for each kind that a piece may be.
"""

from enum import IntEnum

import numpy as np

LETTERS = "abcdefghijkl"
COUNTS = (1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1)
NAMES = (
    "Field Marshal 司令",
    "General 军长",
    "Major General 师长",
    "Brigadier 旅长",
    "Colonel 团长",
    "Major 营长",
    "Captain 连长",
    "Lieutenant 排长",
    "Engineer 工兵",
    "Landmine 地雷",
    "Bomb 炸弹",
    "Flag 军旗",
)
PIECES_PER_SEAT = 25
KINDS = 12

MARSHAL, GENERAL, MAJOR_GENERAL, BRIGADIER, COLONEL, MAJOR, CAPTAIN, LIEUTENANT = range(8)
ENGINEER, MINE, BOMB, FLAG = range(8, 12)
UNKNOWN = 12

ALL_MASK = (1 << KINDS) - 1
RANKED_MASK = (1 << MINE) - 1
IMMOBILE_MASK = 1 << MINE | 1 << FLAG
MOVABLE_MASK = ALL_MASK & ~IMMOBILE_MASK


class Outcome(IntEnum):
    """How a move ended for the two pieces; the values are those of the kernels."""

    NO_BATTLE = 0
    ATTACKER_WON = 1
    DEFENDER_WON = 2
    BOTH_LEFT = 3


def battle(attacker: int, defender: int) -> Outcome:
    """The outcome when kind `attacker` (one that moves) moves onto kind `defender`."""
    if BOMB in (attacker, defender):
        return Outcome.BOTH_LEFT
    if defender == FLAG:
        return Outcome.ATTACKER_WON
    if defender == MINE:
        return Outcome.ATTACKER_WON if attacker == ENGINEER else Outcome.DEFENDER_WON
    if attacker == defender:
        return Outcome.BOTH_LEFT
    return Outcome.ATTACKER_WON if attacker < defender else Outcome.DEFENDER_WON


BATTLE_TABLE = np.array([[battle(a, d) for d in range(KINDS)] for a in range(KINDS)], np.uint8)


def mask_of(letters: str) -> int:
    """The mask with a bit for each of `letters`; ValueError for a character that is no letter of a piece."""
    return sum({1 << LETTERS.index(letter) for letter in letters})


def letters_of(mask: int) -> str:
    """The letters of a mask, ascending."""
    return "".join(letter for kind, letter in enumerate(LETTERS) if mask >> kind & 1)
