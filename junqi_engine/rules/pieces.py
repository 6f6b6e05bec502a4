"""The twelve kinds of piece: letters, ranks, counts, and the outcomes of battles.

Kinds are small integers in the order of their letters `a`..`l`; the nine ranked kinds are in the order of rank, highest
first. A *mask* is an integer with bit `kind` set for each kind that a piece may be.
"""

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from junqi_engine.rules.layout import contains

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
    NO_BATTLE = 0
    ATTACKER_WON = 1
    DEFENDER_WON = 2
    BOTH_REMOVED = 3


class Battle(NamedTuple):
    """The effects of a battle: its outcome, the flags that it reveals, and whether it takes a flag."""

    outcome: Outcome
    reveals_attackers_flag: bool = False
    reveals_defenders_flag: bool = False
    takes_flag: bool = False


OUTCOME_FIELD = 0b11
"""The bits of a battle's code with its `Outcome`; the code of a move without a battle is 0."""
REVEALS_ATTACKERS_FLAG, REVEALS_DEFENDERS_FLAG, TAKES_FLAG = 1 << 2, 1 << 3, 1 << 4


def battle(attacker: int, defender: int) -> Battle:
    """The battle when kind `attacker`, which can move, moves onto kind `defender`."""
    outcome = _outcome(attacker, defender)
    return Battle(
        outcome,
        reveals_attackers_flag=attacker == MARSHAL and outcome != Outcome.ATTACKER_WON,
        reveals_defenders_flag=defender == MARSHAL and outcome != Outcome.DEFENDER_WON,
        takes_flag=defender == FLAG,
    )


def _outcome(attacker: int, defender: int) -> Outcome:
    if BOMB in (attacker, defender):
        return Outcome.BOTH_REMOVED
    if defender == FLAG:
        return Outcome.ATTACKER_WON
    if defender == MINE:
        return Outcome.ATTACKER_WON if attacker == ENGINEER else Outcome.DEFENDER_WON
    if attacker == defender:
        return Outcome.BOTH_REMOVED
    return Outcome.ATTACKER_WON if attacker < defender else Outcome.DEFENDER_WON


BATTLES = tuple(tuple(battle(attacker, defender) for defender in range(KINDS)) for attacker in range(KINDS))
"""The battles by attacking and defending kind."""

BATTLE_CODES = [
    [
        one.outcome
        | one.reveals_attackers_flag * REVEALS_ATTACKERS_FLAG
        | one.reveals_defenders_flag * REVEALS_DEFENDERS_FLAG
        | one.takes_flag * TAKES_FLAG
        for one in row
    ]
    for row in BATTLES
]
"""The battles as codes for kernels: `OUTCOME_FIELD` and the flags after it."""


def mask_of(letters: str) -> int:
    """The mask of a text of letters; ValueError for a character that is not the letter of a kind."""
    return sum({1 << LETTERS.index(letter) for letter in letters})


@cache
def letters_of(mask: int) -> str:
    return "".join(letter for kind, letter in enumerate(LETTERS) if contains(mask, kind))
