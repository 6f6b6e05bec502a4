"""TODO."""

import numpy as np
from numba.core import types

from junqi_engine.rules.pieces import BATTLE_TABLE, FLAG, KINDS, MARSHAL, Outcome

RELATIONS_TYPE = types.Array(types.uint8, 2, "C")
PARTNERS_TYPE = types.Array(types.uint16, 3, "C", readonly=True)


def relation_code(outcome: Outcome, attacker_showed: bool, defender_showed: bool, defender_out: bool) -> int:
    """The index into `PARTNERS` of what everyone saw of a battle."""
    return 8 * (outcome - 1) + 4 * attacker_showed + 2 * defender_showed + defender_out


def _is_consistent(code: int, attacker: int, defender: int) -> bool:
    outcome = Outcome(code // 8 + 1)
    attacker_left, defender_left = outcome != Outcome.ATTACKER_WON, outcome != Outcome.DEFENDER_WON
    return bool(
        BATTLE_TABLE[attacker, defender] == outcome
        and (attacker == MARSHAL and attacker_left) == bool(code & 4)
        and (defender == MARSHAL and defender_left) == bool(code & 2)
        # A seat may also go out for want of a move; one whose flag was taken never stays.
        and (defender != FLAG or bool(code & 1))
    )


def _partners() -> np.ndarray:
    table = np.zeros((24, 2, KINDS), np.uint16)
    for code in range(24):
        for attacker in range(KINDS):
            for defender in range(KINDS):
                if _is_consistent(code, attacker, defender):
                    table[code, 0, attacker] |= 1 << defender
                    table[code, 1, defender] |= 1 << attacker
    table.flags.writeable = False
    return table


PARTNERS = _partners()
"""(24, 2, 12) masks: by relation and side (0 attacker, 1 defender), what the other may be for each kind of this one."""
