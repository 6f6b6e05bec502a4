"""`python -m tools.training.policy RECORD ...`."""

import argparse
import sys
from collections.abc import Sequence

from tools.training.counts import count

DESCRIPTION = """\
Fit a fast policy to the choices of the players of records: the probability of each move from what a team knows. One
game in ten is held out. Prints on those games, by variant, the loss in nats beside that of a uniform choice, how often
the choice is the first of the policy, or among its first five, and the time a position for all of its moves.
"""
FOLD = 10


def main(words: Sequence[str] | None = None) -> int:
    parser = _parser()
    arguments = parser.parse_args(words)
    import numpy as np

    from junqi_engine.rules.board import BOARDS
    from tools.referee.exits import RefereeError
    from tools.training.games import read_games
    from tools.training.policy.choices import choices_of
    from tools.training.policy.fit import fit, measure, new_policy
    from tools.training.policy.timing import microseconds_a_position

    try:
        games = list(read_games(arguments.records))
    except RefereeError as error:
        parser.error(str(error))
    for variant, board in BOARDS.items():
        own = [game for game in games if game.board is board]
        if len(own) < FOLD:
            if own:
                print(f"policy: {variant}: {len(own)} games are too few, at least {FOLD} needed", file=sys.stderr)
                return 1
            continue
        choices = choices_of(own, arguments.every)
        learned, held_out = choices.of_games(False, FOLD), choices.of_games(True, FOLD)
        print(f"{variant}: {len(own)} games, {len(learned)} choices fitted, {len(held_out)} held out")
        policy = new_policy()
        for agreement in fit(policy, choices, learned, arguments.seed):
            print(f"fitted to {agreement.loss:.4f} nats", file=sys.stderr, flush=True)
        found, moves = measure(policy, choices, held_out), np.diff(choices.first)[held_out]
        print(f"held out: {found.loss:.4f} nats, uniform {np.log(moves).mean():.4f}; ", end="")
        print(f"first {found.top[0]:.1%}, among the first five {found.top[1]:.1%}")
        spent = microseconds_a_position(own[0], policy)
        print(f"{spent:.1f} microseconds a position with {moves.mean():.0f} moves, without the belief")
        if arguments.out:
            np.savez_compressed(arguments.out.replace("VARIANT", variant), policy=np.asarray(policy))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.policy", description=DESCRIPTION)
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=3, metavar="PLIES", help="plies between two choices, default %(default)s")
    add("--out", metavar="FILE", help="write the policy; the word VARIANT in the name becomes the variant")
    add("--seed", type=int, default=1, help="of the order of the choices, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
