"""Whether an engine accepts a draw. The protocol has no command for it, so the engine's reported scores decide."""

from tools.board.game.seating import Party
from tools.referee.truth import Truth

QUIET_PLIES = 20
"""An engine that reports no scores accepts after this many plies without a battle."""


def engine_accepts(truth: Truth, offering: Party, engine: Party, last_score: str | None) -> bool:
    """A partner always accepts; an opponent does unless its last score says that it is ahead.

    `last_score` is `cp N` or `mate N` as the engine reported it, or None.
    """
    if any(offering.seats[0] in team and engine.seats[0] in team for team in truth.board.teams):
        return True
    if last_score is None:
        return truth.view(engine.viewer).quiet >= QUIET_PLIES
    kind, value = last_score.split()
    return int(value) <= 0 if kind == "cp" else int(value) < 0
