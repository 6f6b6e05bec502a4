"""Ending a game by the scores that the engines report; only on request."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.referee.settings.settings import DrawRule, ResignRule

MATE_CP = 100_000
"""The score of a mate, less one centipawn per move to it."""


@dataclass(frozen=True)
class Decision:
    """The result of an adjudicated game: the winning team by number, None for a draw."""

    winner: int | None
    reason: str


def adjudicate(
    resign: ResignRule | None, draw: DrawRule | None, scores: Sequence[str | None], teams: Sequence[int]
) -> Decision | None:
    """The decision on a game after its last move, if a rule applies.

    `scores` holds one score per ply, as reported, from the view of the team that moved; `teams` those teams.
    """
    if resign is not None and resign.movecount and teams:
        mover = teams[-1]
        last = _last_scores(mover, resign.movecount, scores, teams)
        if len(last) == resign.movecount and all(score is not None and score <= -resign.score for score in last):
            return Decision(1 - mover, f"{resign.movecount} scores at or below {-resign.score}")
    if draw is not None and draw.movecount and len(scores) >= draw.movenumber:
        recent = [score for team in (0, 1) for score in _last_scores(team, draw.movecount, scores, teams)]
        if len(recent) == 2 * draw.movecount and all(
            score is not None and abs(score) <= draw.score for score in recent
        ):
            return Decision(None, f"{draw.movecount} scores of each team within {draw.score} of 0")
    return None


def _last_scores(team: int, count: int, scores: Sequence[str | None], teams: Sequence[int]) -> list[int | None]:
    """The last scores of a team in centipawns, latest first, at most `count`."""
    last: list[int | None] = []
    for score, mover in zip(reversed(scores), reversed(teams), strict=True):
        if mover == team:
            last.append(centipawns(score))
            if len(last) == count:
                break
    return last


def centipawns(score: str | None) -> int | None:
    """`cp N` or `mate N` as a number of centipawns; None without a score."""
    if score is None:
        return None
    kind, _, number = score.partition(" ")
    value = int(number)
    if kind == "cp":
        return value
    return MATE_CP - value if value > 0 else -MATE_CP - value
