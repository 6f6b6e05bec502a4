"""Whether an engine agrees to a draw. The protocol has no word for it, so its scores speak."""

from tools.board.chairs import Chair
from tools.referee.truth import Truth

QUIET_PLIES = 20
"""An engine that reports no scores agrees after so many plies without a battle."""


def engine_agrees(truth: Truth, asking: Chair, engine: Chair) -> bool:
    """A partner always agrees; an opponent when it does not think itself ahead."""
    if any(asking.party.seats[0] in team and engine.party.seats[0] in team for team in truth.board.teams):
        return True
    if engine.last_score is None:
        return truth.view(engine.party.viewer).quiet >= QUIET_PLIES
    kind, value = engine.last_score.split()
    return int(value) <= 0 if kind == "cp" else int(value) < 0
