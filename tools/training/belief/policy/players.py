"""Which policy the players of a game belong to: that of the style in which they set up."""

import numpy as np

from junqi_engine.information.policy import POLICIES
from junqi_engine.information.reading_belief import policy_of
from junqi_engine.information.style_belief import Styles, load
from junqi_engine.rules.layout import team_of
from junqi_engine.rules.pieces import PIECES_PER_SEAT
from junqi_engine.rules.setup import lineup_kinds
from tools.training.games import Game

NO_CHANCE = 1e-300


def players_of(game: Game) -> list[int]:
    """By team, the number of its policy in `POLICIES`: of the style that explains both line-ups best."""
    styles = load(game.board.variant)
    shares = styles.of_origins(styles.shares)
    found = []
    for team in range(2):
        odds = np.log(shares)
        for seat, letter in enumerate(game.board.seats):
            if team_of(seat) == team:
                chances = styles.of_origins(styles.shares * _likelihoods(styles, letter, game.lineups[letter]))
                odds += np.log(np.maximum(chances / shares, NO_CHANCE))
        best = int(np.flatnonzero(styles.origins == odds.argmax())[0])
        found.append(POLICIES.index(policy_of(styles.names[best])))
    return found


def _likelihoods(styles: Styles, letter: str, lineup: str) -> np.ndarray:
    """By style, the probability of a line-up, divided by a constant."""
    kinds = lineup_kinds(letter, lineup)
    logarithms = np.log(np.maximum(styles.tables[:, range(PIECES_PER_SEAT), kinds], NO_CHANCE)).sum(axis=1)
    logarithms -= styles.log_sums
    return np.exp(logarithms - logarithms.max())
