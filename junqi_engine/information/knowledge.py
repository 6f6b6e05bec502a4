"""Knowledge: what is proven of every piece, and what follows from it.

Facts come in one by one (a piece narrowed, a battle met) and are only noted; `deduce` then takes in what follows from
all of them together. What comes in may contradict what is known: who takes in a whole move keeps a copy, and goes back
to it when the move is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from junqi_engine.information.deduction import WITNESSES, deduce, deduce_exactly, open_battles
from junqi_engine.information.evidence import PARTNERS
from junqi_engine.rules.pieces import KINDS, UNKNOWN

NO_RELATIONS = np.zeros((0, 3), np.uint8)
NO_WITNESSES = np.zeros((0, 128), np.uint16)
_KIND_OF_MASK = np.full(1 << KINDS, UNKNOWN, np.uint8)
for _kind in range(KINDS):
    _KIND_OF_MASK[1 << _kind] = _kind


@dataclass
class Knowledge:
    """What is known of the pieces `32 * seat + slot`, dead or alive.

    `masks` is (128,) uint16: what each may be, one bit for what is known, 0 where there is no piece. `hidden_seats` has
    a bit for each seat whose counts are to be obeyed. `relations`, (n, 3), are the battles between pieces of which
    neither is certain, and `witnesses`, (w, 128), worlds that vouch for the masks, both as in `deduction`; they are
    replaced, never changed in place. `is_exact` is whether a kind is left only where some world has it; otherwise only
    what the counts of a seat or one battle alone rule out is gone. `is_stale` is whether a fact has come in since
    `deduce`.
    """

    masks: np.ndarray
    hidden_seats: int
    is_exact: bool = True
    relations: np.ndarray = field(default_factory=lambda: NO_RELATIONS)
    witnesses: np.ndarray = field(default_factory=lambda: NO_WITNESSES, repr=False)
    is_stale: bool = False

    def copy(self) -> "Knowledge":
        return Knowledge(
            self.masks.copy(), self.hidden_seats, self.is_exact, self.relations, self.witnesses, self.is_stale
        )

    def kinds(self) -> np.ndarray:
        """The kind of each piece, (128,) uint8; `pieces.UNKNOWN` where more than one is left, or there is none."""
        return _KIND_OF_MASK[self.masks]

    # What comes in

    def narrow(self, piece: int, mask: int) -> bool:
        """Note that a piece is of one of the kinds in `mask`; False, and nothing noted, when it can't be."""
        narrowed = int(self.masks[piece]) & mask
        if narrowed and narrowed != self.masks[piece]:
            self.masks[piece] = narrowed
            self.is_stale = True
        return bool(narrowed)

    def add_battle(self, attacker: int, defender: int, code: int) -> None:
        """Note a battle, one piece of which at least is not certain; `code` is its `deduction.relation_code`."""
        self.relations = np.concatenate([self.relations, np.array([[attacker, defender, code]], np.uint8)])
        self.is_stale = True

    # What follows

    def deduce(self) -> bool:
        """Take in all that follows; False when no world is left, and then the masks mean nothing."""
        self.is_stale = False
        if not self._drive():
            return False
        self._drop_decided()
        return True

    def deduce_one_of(self, pieces: Iterable[int], mask: int) -> bool:
        """Take in that one of the pieces at least is of a kind in `mask`, and all that follows, as `deduce`."""
        before, possible = self.masks, np.zeros_like(self.masks)
        for piece in pieces:
            if int(before[piece]) & mask:
                self.masks = before.copy()
                self.masks[piece] &= mask
                if self._drive():
                    possible |= self.masks
        self.masks = possible
        self._drop_decided()
        return bool(possible.any())

    def _drive(self) -> bool:
        """Drive the masks to their fixed point; False when nothing is possible."""
        hidden_seats = np.uint8(self.hidden_seats)
        if not self.is_exact:
            return bool(deduce(self.masks, hidden_seats, self.relations, PARTNERS))
        witnesses = np.empty((WITNESSES, len(self.masks)), np.uint16)
        witnesses[: len(self.witnesses)] = self.witnesses
        count = deduce_exactly(self.masks, hidden_seats, self.relations, PARTNERS, witnesses, len(self.witnesses))
        self.witnesses = witnesses[: max(count, 0)]
        return bool(count >= 0)

    def _drop_decided(self) -> None:
        """A battle with a piece that is certain has said all it can."""
        if len(self.relations):
            self.relations = open_battles(self.masks, self.relations)
