"""What an opponent has shown in its last games, as what is expected of it in the next one.

Who plays is a policy and a style of line-ups, mirrored or not (`opponents`). After a game, the posterior share of each
such origin is added to a count of the opponent, of which `KEPT` remains with each game. Before anything is known of the
next game, an origin has the share

    (s + n) / (1 + sum of all n)

where n is its count, and s is its share by `opponents.load_opponents`. So the first game says as much as all that is
known of other players, and all games together at most five times as much.

Only views are used: two games that look the same to the viewer leave the same counts. The opponent is the enemy team;
a partner whose pieces are hidden is believed what is always believed. The opponents whose moves are not read
(`opponents.UNREAD`) stay as they are.
"""

import numpy as np

from junqi_engine.information.belief.chances import Chances
from junqi_engine.information.belief.move_reading import MoveReader
from junqi_engine.information.belief.opponents import Opponents, belief, beliefs_about, enemy_team, load_opponents
from junqi_engine.information.view import SeatView
from junqi_engine.rules.layout import team_of

KEPT = 0.8
"""Chosen by the log-loss on games 2 to 20 against the same opponent (docs/training.md)."""
FEWEST_PLIES = 20
"""Shorter games count as none."""


class OpponentMemory:
    """What is remembered of the opponents of one player, by variant and name. `name` is that of the one it plays."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._counts: dict[tuple[str, str], np.ndarray] = {}

    def belief(self, view: SeatView) -> Chances:
        """See `chances.Belief`: the belief of the newest player, which expects of the enemy what is remembered."""
        return belief(view, self._expected(view))

    def learn(self, view: SeatView) -> None:
        """Remember a game that is over. One that began in the middle, or of which the viewer plays all seats, tells
        nothing.
        """
        team, reader = enemy_team(view), view.follower(MoveReader)
        if team is None or reader is None or view.ply < FEWEST_PLIES:
            return
        expected = self._expected(view)
        read = beliefs_about(view, [expected] * 2, reader)
        found = [expected.styles.of_origins(own.shares) for seat, own in read.items() if team_of(seat) == team]
        if found:
            key = view.board.variant, self.name
            self._counts[key] = KEPT * self._counts.get(key, 0.0) + np.mean(found, axis=0)

    def forget(self) -> None:
        """Forget all opponents."""
        self._counts.clear()

    def _expected(self, view: SeatView) -> Opponents:
        known = load_opponents(view.board.variant)
        counts = self._counts.get((view.board.variant, self.name))
        return known if counts is None else known.expecting((known.shares + counts) / (1 + counts.sum()))
