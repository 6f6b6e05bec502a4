"""Ending a game by the scores that the engines report. Never done unless it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.referee.settings.settings import Adjudication

MATE_CP = 100_000


@dataclass(frozen=True)
class Decision:
    """`winner` is a team, None for a draw."""

    winner: int | None
    reason: str


def adjudicate(asked: Adjudication, scores: Sequence[str | None], teams: Sequence[int]) -> Decision | None:
    """Whether the game is decided; `teams` says whose each score is. Scores are from the mover's team's view."""
    if asked.resign_moves and teams:
        mover = teams[-1]
        last = _last_of(mover, asked.resign_moves, scores, teams)
        if len(last) == asked.resign_moves and all(score is not None and score <= -asked.resign_cp for score in last):
            return Decision(1 - mover, f"{asked.resign_moves} scores at or below {-asked.resign_cp}")
    if asked.draw_moves and len(scores) >= asked.draw_after:
        recent = [score for team in (0, 1) for score in _last_of(team, asked.draw_moves, scores, teams)]
        if len(recent) == 2 * asked.draw_moves and all(
            score is not None and abs(score) <= asked.draw_cp for score in recent
        ):
            return Decision(None, f"{asked.draw_moves} scores of each team within {asked.draw_cp} of 0")
    return None


def _last_of(team: int, count: int, scores: Sequence[str | None], teams: Sequence[int]) -> list[int | None]:
    """A team's last scores in centipawns, newest first."""
    found: list[int | None] = []
    for score, mover in zip(reversed(scores), reversed(teams), strict=True):
        if mover == team:
            found.append(centipawns(score))
            if len(found) == count:
                break
    return found


def centipawns(score: str | None) -> int | None:
    """`cp N` or `mate N` as one number; None if there was none."""
    if score is None:
        return None
    kind, _, number = score.partition(" ")
    value = int(number)
    if kind == "cp":
        return value
    return MATE_CP - value if value > 0 else -MATE_CP - value
