"""What a battle proves about the two pieces.

Everyone sees the outcome of a battle, the revealed flags and the eliminated seats. The *relation code* packs this into
an integer; `PARTNERS` says which pairs of kinds are consistent with it.
"""

import numpy as np
from numba.core import types

from junqi_engine.rules.pieces import BATTLES, KINDS, Battle, Outcome

RELATIONS_TYPE = types.Array(types.uint8, 2, "C")
PARTNERS_TYPE = types.Array(types.uint16, 3, "C", readonly=True)

ATTACKER_SHOWED, DEFENDER_SHOWED, DEFENDER_OUT = 4, 2, 1
"""Flags of a relation code."""
OUTCOME_SHIFT = 3
"""Above the flags is the outcome, less one."""

_CODES = 24


def relation_code(outcome: Outcome, attacker_showed: bool, defender_showed: bool, defender_out: bool) -> int:
    """The index into `PARTNERS` of a battle: who showed a flag, and whether the defender's seat was eliminated."""
    flags = ATTACKER_SHOWED * attacker_showed | DEFENDER_SHOWED * defender_showed | DEFENDER_OUT * defender_out
    return (outcome - 1) << OUTCOME_SHIFT | flags


def _is_consistent(code: int, battle: Battle) -> bool:
    is_out = bool(code & DEFENDER_OUT)
    seen = relation_code(battle.outcome, battle.reveals_attackers_flag, battle.reveals_defenders_flag, is_out)
    # A seat may also be eliminated for lack of a move, but a seat whose flag was taken is always eliminated.
    return code == seen and (is_out or not battle.takes_flag)


def _partners() -> np.ndarray:
    table = np.zeros((_CODES, 2, KINDS), np.uint16)
    for code in range(_CODES):
        for attacker in range(KINDS):
            for defender in range(KINDS):
                if _is_consistent(code, BATTLES[attacker][defender]):
                    table[code, 0, attacker] |= 1 << defender
                    table[code, 1, defender] |= 1 << attacker
    table.flags.writeable = False
    return table


PARTNERS = _partners()
"""(24, 2, 12) masks by relation code, side (0 attacker, 1 defender) and kind: what the other piece may be."""
