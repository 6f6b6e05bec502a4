"""Positions for the safety suite: `python -m tools.training.find_unsafe >> tools/training/safety_VARIANT.txt`.

Plays games of the newest player against itself and prints a line of the suite (`safety_suite`) for each position in
which the team that lost the game

- played an unsafe move (`unsafe_moves`) although it had a safe one,
- was punished: the attacker was removed, or before the same seat moved again a bomb took a Field Marshal of the team,
  or an enemy took one of its flags,
- and had a better move by a search of the true position, in which nothing is hidden: the best safe move is at least
  `lost_games.CLEAR_CP` better than the best unsafe one.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial

from protocol.catalogue import JUNQI_VARIANTS
from tools.training.command import run_command
from tools.training.counts import count

HASH_MB = 4


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("find_unsafe", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from junqi_engine.players.registry import newest_search
    from junqi_engine.rules.board import BOARDS
    from tools.training.lost_games import lines_of, play

    board, searches = BOARDS[arguments.variant], [newest_search().new_search(HASH_MB) for _ in range(2)]
    for number in range(arguments.first, arguments.first + arguments.games):
        rng = random.Random(f"{arguments.seed} {number}")
        game = play(board, rng, arguments.nodes, searches)
        for line in lines_of(game, arguments.check_nodes, searches[0]):
            print(line, flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.find_unsafe",
        description="Play games and print the positions in which a lost game had an unsafe move.",
    )
    parser.add_argument("--variant", choices=JUNQI_VARIANTS, default=JUNQI_VARIANTS[0], help="default %(default)s")
    parser.add_argument("--games", type=count, default=100, help="games to play, default %(default)s")
    parser.add_argument("--first", type=int, default=0, help="number of the first game, default %(default)s")
    parser.add_argument("--nodes", type=count, default=4000, help="positions per move, default %(default)s")
    parser.add_argument(
        "--check-nodes", type=count, default=100_000, help="positions of the search that checks, default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, help="of line-ups and players, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
