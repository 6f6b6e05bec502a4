"""`python -m tools.training.selfplay FOLDER [--variant V] [--games N] ...`."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.training.command import count, run_command

DESCRIPTION = """\
Play games into a data folder, to learn from. A run that was interrupted, or --games raised later, continues in the
folder; another revision of the program or other options need another folder. docs/training.md describes the files.
"""


def main(words: Sequence[str] | None = None) -> int:
    run = partial(_run, _parser().parse_args(words))
    return run_command("selfplay", run, "interrupted; finished shards are kept, the same command continues")


def _run(arguments: argparse.Namespace) -> int:
    from tools.training.selfplay.run import run
    from tools.training.selfplay.settings import Mixture, Settings

    mixture = Mixture.parse(arguments.mixture) if arguments.mixture else Mixture.around(arguments.nodes)
    settings = Settings(
        arguments.variant, str(mixture), arguments.seed, arguments.random_plies, arguments.near_best,
        arguments.near_lines, arguments.near_margin, arguments.max_plies, not arguments.play_on, arguments.shard,
    )  # fmt: skip
    if arguments.games % settings.shard:
        raise ValueError(f"games: {arguments.games} is not a multiple of the shard, {settings.shard}")
    folder = Path(arguments.folder)
    tally = run(folder, settings, arguments.games, arguments.workers, arguments.scheduler, sys.stderr)
    for line in tally.lines():
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.selfplay", description=DESCRIPTION)
    add = parser.add_argument
    add("folder", help="the data folder; it is created")
    add("--variant", default="siguo", help="siguo or luzhanqi, default %(default)s")
    add("--games", type=count, default=1000, help="games in the folder at the end, default %(default)s")
    add("--nodes", type=count, default=4000, help="nodes a move of most players, default %(default)s")
    mixture = "players and their weights, such as 2.0@4000:12,2.0@1000:2,1.2:1; default: a mixture around --nodes"
    add("--mixture", help=mixture)
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    add("--scheduler", metavar="ADDRESS", help="play on the workers of this Dask scheduler instead")
    add("--seed", type=int, default=1, help="of all games, default %(default)s")
    add("--random-plies", type=int, default=8, help="random plies at the start, default %(default)s")
    near = "share of the later moves drawn from those near the best, default %(default)s"
    add("--near-best", type=float, default=0.1, metavar="SHARE", help=near)
    add("--near-lines", type=int, default=4, help="at most so many moves are near the best, default %(default)s")
    margin = "so far behind at most, in hundredths of a Lieutenant, default %(default)s"
    add("--near-margin", type=int, default=100, help=margin)
    add("--max-plies", type=int, default=1000, help="a game is a draw at this ply, default %(default)s")
    add("--play-on", action="store_true", help="play games out that the referee could decide early")
    add("--shard", type=count, default=50, help="games in a file, default %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
