"""The worth of each piece in each place of a line-up: `python -m tools.training.lineup_worth`.

Player 2.0 plays itself from line-ups of all qualities, three games of luzhanqi to one of siguo. A logistic regression
fits the results to the places of the pieces of both teams at the start. Prints the tables of
`junqi_engine/players/lineup_choice.py` in hundredths of a logit, and the log-loss on games outside the fit.
"""

import argparse
import sys
from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    import numpy as np

    from junqi_engine.players.registry import newest_search
    from tools.training.lineup_fit import FOLDS, fitted, held_out_loss, loss, matrix, play, show, worths_in_use

    searches = newest_search().new_search(4), newest_search().new_search(4)
    played = [play(arguments.seed, number, arguments.nodes, searches) for number in range(arguments.games)]
    games = [game for game in played if game is not None]
    if len(games) < FOLDS:
        print(f"{len(games)} decided games are too few for a fit, at least {FOLDS} are needed", file=sys.stderr)
        return 1
    design, won = matrix(games)
    print(f"{len(games)} decided games; log-loss in nats: cross-validation {held_out_loss(design, won):.4f}, ", end="")
    print(f"even odds {np.log(2):.4f}, tables in use {loss(design, won, worths_in_use() / 100):.4f}")
    show(100 * fitted(design, won))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.lineup_worth",
        description="Play games from line-ups of all qualities and fit the worth of each piece in each place.",
    )
    parser.add_argument("--games", type=int, default=6000, help="games to play, default %(default)s")
    parser.add_argument("--nodes", type=int, default=8000, help="nodes per move, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of line-ups and players, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
