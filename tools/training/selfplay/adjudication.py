"""Ending a game early, where there is no doubt how it ends.

In Siguo, a team has lost if it has at most `FEW` pieces that can move while the other team has at least `MANY`. A seat
must move in its turn, so a single piece cannot wait in a campsite, and a seat without a piece that can move is
eliminated. In Luzhanqi there is always some doubt: a team with a single piece has won. docs/training.md has the numbers
of games that were played on.
"""

from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game import GameState
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.position import WIN_OF_TEAM, Result

FEW = 1
MANY = 8


def decision(state: GameState) -> Result:
    """The result of an unfinished game if it is beyond doubt, else `ONGOING`."""
    if state.board.variant != SIGUO.variant:
        return Result.ONGOING
    mobile = [0, 0]
    for seat, pieces in enumerate(state.position["movable"].tolist()):
        mobile[team_of(seat)] += pieces.bit_count()
    for team, winner in enumerate(WIN_OF_TEAM):
        if mobile[1 - team] <= FEW and mobile[team] >= MANY:
            return winner
    return Result.ONGOING
