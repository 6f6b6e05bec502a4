"""`python -m tools.training.policy RECORD ...`."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from tools.training.command import run_command
from tools.training.counts import count

DESCRIPTION = """\
Fit policies to the choices of the players of records: the probability of each move from what everybody sees and the
kind of the piece. One game in ten is held out. Prints on those games, by variant, the loss in nats beside that of a
uniform choice, how often the choice is the first of the policy, or among its first five, and the time a position for
all of its moves; first of one policy for all players, then of the policies of belief, each for the teams whose line-ups
are of its styles. --player says whose games they are instead; games from the line-ups of go setup need it, since these
are of several styles.
"""
FOLD = 10


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("policy", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    from junqi_engine.information.policy import POLICIES
    from junqi_engine.rules.board import BOARDS
    from tools.training.games import read_games
    from tools.training.policy.choices import choices_of
    from tools.training.policy.fit import fitted, measure, new_table
    from tools.training.policy.tables import FEWEST, write
    from tools.training.policy.timing import microseconds_a_position

    if arguments.player not in (None, *POLICIES):
        raise ValueError(f"--player {arguments.player!r}: expected one of {', '.join(map(repr, POLICIES))}")
    games = list(read_games(arguments.records))
    by_variant = {variant: [game for game in games if game.board is board] for variant, board in BOARDS.items()}
    for variant, own in by_variant.items():
        if not games or 0 < len(own) < FOLD:
            raise ValueError(f"{variant}: {len(own)} games are too few, at least {FOLD} needed")
        if not own:
            continue
        choices = choices_of(own, arguments.every, arguments.player)
        learned, held_out = choices.of_games(False, FOLD), choices.of_games(True, FOLD)
        general = fitted(new_table(), choices, learned, arguments.seed)
        print(f"{variant}: {len(own)} games, {microseconds_a_position(own[0], general):.1f} microseconds a position")
        print(f"{'policy':<28}{'fitted':>8}{'held out':>9}{'nats':>8}{'uniform':>8}{'first':>7}{'five':>7}")
        tables = {}
        for player, name in [(None, "all"), *enumerate(POLICIES)]:
            ours, theirs = (
                positions if player is None else positions[choices.players[positions] == player]
                for positions in (learned, held_out)
            )
            table = general if player is None else fitted(general.copy(), choices, ours, arguments.seed)
            found, moves = measure(table, choices, theirs), np.diff(choices.first)[theirs]
            uniform = np.log(moves).mean() if len(moves) else 0.0
            print(f"{name:<28}{len(ours):>8}{len(theirs):>9}{found.loss:>8.3f}{uniform:>8.3f}", end="")
            print("".join(f"{share:>7.1%}" for share in found.top), flush=True)
            if player is not None and len(ours) >= FEWEST:
                everything = np.flatnonzero(choices.players == player)
                tables[name] = fitted(general.copy(), choices, everything, arguments.seed)
        if arguments.write:
            print(f"written: {write(variant, tables, general)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.policy", description=DESCRIPTION)
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=3, metavar="PLIES", help="plies between two choices, default %(default)s")
    add("--player", metavar="NAME", help="the policy of all teams, such as engine; default: as their line-ups tell")
    add("--write", action="store_true", help="write the policies of belief, fitted to all games")
    add("--seed", type=int, default=1, help="of the order of the choices, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
