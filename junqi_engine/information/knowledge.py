"""Knowledge: what is proven about every piece.

Facts (a narrowed piece, a battle) are added one by one; `deduce` then derives what follows from all of them. New facts
may contradict what is known, so a caller that observes a move keeps a copy and returns to it if the move is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from junqi_engine.information.deduction import NEVER, WITNESSES, deduce, deduce_exactly, new_budget, open_battles
from junqi_engine.information.evidence import PARTNERS
from junqi_engine.rules.layout import contains
from junqi_engine.rules.pieces import COUNTS, FLAG, IMMOBILE_MASK, KINDS, MINE, MOVABLE_MASK, UNKNOWN

NO_RELATIONS = np.zeros((0, 3), np.uint8)
NO_WITNESSES = np.zeros((0, 128), np.uint16)
_KIND_OF_MASK = np.full(1 << KINDS, UNKNOWN, np.uint8)
for _kind in range(KINDS):
    _KIND_OF_MASK[1 << _kind] = _kind


@dataclass
class Knowledge:
    """What is known about the pieces, on the board or removed.

    `masks` is (128,) uint16 by piece: the kinds that it may have, 0 if the piece does not exist. `hidden_seats` is the
    set of seats to which the counts apply. `relations`, (n, 3), are the battles in which neither piece is certain, and
    `witnesses`, (w, 128), are worlds that prove the masks, both as in `deduction`; they are replaced, never changed in
    place. If `is_exact`, a kind remains only if some world has it; otherwise the counts of one seat or one battle alone
    may not rule it out. `is_stale` is whether facts were added since the last `deduce`. By seat,
    `mobile_groups` has pieces of which at least one can move: otherwise the seat would have been eliminated.

    `budget` limits the work of `deduce`, of all copies together; see `deduction.new_budget`. When it is used up, the
    knowledge is no longer exact: a record that needs so much was not played, and each further ply would need as much.
    """

    masks: np.ndarray
    hidden_seats: int
    is_exact: bool = True
    relations: np.ndarray = field(default_factory=lambda: NO_RELATIONS)
    witnesses: np.ndarray = field(default_factory=lambda: NO_WITNESSES, repr=False)
    is_stale: bool = False
    mobile_groups: dict[int, tuple[int, ...]] = field(default_factory=dict)
    budget: np.ndarray = field(default_factory=new_budget, repr=False)

    def copy(self) -> "Knowledge":
        return Knowledge(
            self.masks.copy(),
            self.hidden_seats,
            self.is_exact,
            self.relations,
            self.witnesses,
            self.is_stale,
            dict(self.mobile_groups),
            self.budget,
        )

    def kinds(self) -> np.ndarray:
        """The kind of each piece, (128,) uint8; `pieces.UNKNOWN` if it is not certain or there is no such piece."""
        return _KIND_OF_MASK[self.masks]

    # Facts

    def narrow(self, piece: int, mask: int) -> bool:
        """Add that the kind of a piece is in `mask`. False, and nothing is added, if that is impossible."""
        narrowed = int(self.masks[piece]) & mask
        if narrowed and narrowed != self.masks[piece]:
            self.masks[piece] = narrowed
            self.is_stale = True
        return bool(narrowed)

    def add_battle(self, attacker: int, defender: int, code: int) -> None:
        """Add a battle in which at least one piece is not certain; `code` is its `evidence.relation_code`."""
        self.relations = np.concatenate([self.relations, np.array([[attacker, defender, code]], np.uint8)])
        self.is_stale = True

    def add_mobile_group(self, seat: int, pieces: tuple[int, ...]) -> None:
        """Add that at least one of a seat's pieces can move. It replaces an older group of the seat, which follows."""
        self.mobile_groups[seat] = pieces
        self.is_stale = True

    # Deduction

    def deduce(self) -> bool:
        """Derive all that follows. False if no world is possible; the masks are then undefined."""
        return self._deduce_choices([])

    def deduce_one_of(self, pieces: Iterable[int], mask: int) -> bool:
        """Derive what follows if at least one of the pieces has a kind in `mask`. False as in `deduce`."""
        return self._deduce_choices([[(piece, mask) for piece in pieces]])

    def open_groups(self) -> list[tuple[int, ...]]:
        """The groups of `mobile_groups` of which the masks and the counts alone do not say that a piece is mobile."""
        groups = self.mobile_groups.values()
        return [pieces for pieces in groups if self.can_all_be_immobile(pieces)]

    def can_all_be_immobile(self, pieces: Iterable[int]) -> bool:
        """Whether the masks and the counts of one seat allow that all of its `pieces` are landmines and flags."""
        masks = [int(self.masks[piece]) for piece in pieces]
        most = sum(COUNTS[kind] for kind in (MINE, FLAG) if any(contains(mask, kind) for mask in masks))
        return len(masks) <= most and all(mask & IMMOBILE_MASK for mask in masks)

    def generalise(self, masks: np.ndarray, before: "Knowledge") -> None:
        """Know only what several explanations of a ply have in common: their `masks`, combined, and the battles and
        groups that were known `before` it.
        """
        self.masks, self.relations, self.witnesses = masks, before.relations, before.witnesses
        self.mobile_groups = dict(before.mobile_groups)
        self._drop_decided()

    def _deduce_choices(self, choices: list[list[tuple[int, int]]]) -> bool:
        """Derive what follows if at least one pair (piece, mask) of every choice holds, and the mobile groups.

        Narrows the masks once for each combination of pairs; what any of them allows is possible.
        """
        self.is_stale = False
        choices = choices + [[(piece, MOVABLE_MASK) for piece in group] for group in self.open_groups()]
        before, possible = self.masks, np.zeros_like(self.masks)
        for combination in product(*choices):
            self.masks = before.copy()
            for piece, mask in combination:
                self.masks[piece] &= mask
            if all(self.masks[piece] for piece, _ in combination) and self._drive():
                possible |= self.masks
        self.masks = possible
        if not possible.any():
            return False
        self._drop_decided()
        return True

    def _drive(self) -> bool:
        """Narrow the masks to their fixed point; False if nothing is possible."""
        hidden_seats = np.uint8(self.hidden_seats)
        if not self.is_exact:
            return bool(deduce(self.masks, hidden_seats, self.relations, PARTNERS))
        witnesses = np.empty((WITNESSES, len(self.masks)), np.uint16)
        witnesses[: len(self.witnesses)] = self.witnesses
        known = len(self.witnesses)
        count = deduce_exactly(self.masks, hidden_seats, self.relations, PARTNERS, witnesses, known, self.budget, NEVER)
        self.is_exact = bool(self.budget[0] > 0)
        self.witnesses = witnesses[: max(count, 0)] if self.is_exact else NO_WITNESSES
        return bool(count >= 0)

    def _drop_decided(self) -> None:
        """Forget battles with a certain piece: they prove nothing more."""
        if len(self.relations):
            self.relations = open_battles(self.masks, self.relations)
