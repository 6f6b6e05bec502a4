"""What everyone sees of a game: the public record, ply by ply."""

from dataclasses import dataclass, field

from junqi_engine.rules.layout import move_of
from junqi_engine.rules.pieces import Outcome


@dataclass(frozen=True)
class SeenMove:
    """What all seats see of a ply, or of an event between plies: a resignation (`resigned` is the seat), or a turn that
    passes because a clock ran out (`passed` is the seat). The points of an event are -1.

    `shown_flags` are the points of revealed flags, the attacker's first. `eliminated` are seats, the owner of a
    captured flag first. A move list may leave out the suffix; then `outcome` is `NO_BATTLE` and the rest is empty.
    `seat` is the mover. The text of a move does not contain it, so it is -1 until the move has been played or
    observed, and two moves can be equal although it differs.
    """

    from_point: int
    to_point: int
    outcome: Outcome = Outcome.NO_BATTLE
    shown_flags: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    resigned: int | None = None
    passed: int | None = None
    seat: int = field(default=-1, compare=False)

    @property
    def move(self) -> int:
        """The move as a number (`layout.move_of`)."""
        return move_of(self.from_point, self.to_point)

    @property
    def is_ply(self) -> bool:
        """Whether it is a move, not an event between plies."""
        return self.resigned is None and self.passed is None

    @property
    def is_bare(self) -> bool:
        """Whether the move has no suffix."""
        return self.outcome == Outcome.NO_BATTLE and not self.shown_flags and not self.eliminated
