"""TODO."""

from dataclasses import dataclass, field

from junqi_engine.rules.pieces import Outcome


@dataclass(frozen=True)
class SeenMove:
    """What all seats see of a ply, or of a resignation (`resigned` is then the seat, and the points are -1).

    `shown_flags` are points, the attacker's flag first; `eliminated` are seats, the owner of a taken flag first.
    As it comes from a move list without a suffix, `outcome` is `NO_BATTLE` and the rest empty. `seat` is who moved;
    the text of a move does not say it, so it is -1 until the move has been played or observed, and no part of
    equality.
    """

    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    shown_flags: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    resigned: int | None = None
    seat: int = field(default=-1, compare=False)

    @property
    def is_bare(self) -> bool:
        """Whether only the two points are known."""
        return self.outcome == Outcome.NO_BATTLE and not self.shown_flags and not self.eliminated
