"""How well belief predicts hidden pieces: `python -m tools.training.calibration [RECORD ...] [--fit]`.

Prints measures over the living hidden pieces of sampled positions, for belief and for the piece counts alone:

- log-loss: the mean of -ln(probability of the true kind), in nats; also by phase and by what a piece has shown
- calibration: for each tenth of probability, the number of predictions, their mean, and how many came true; for each
  phase and class the largest gap between the two
"""

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial

from tools.training.command import run_command
from tools.training.counts import count

FIT_SHARE = 0.8
PULL = 0.02
MOST_PULL = 1e6
EVENT_PLAYERS = ("1.0", "1.1", "1.2")
"""The players that are fast enough to play games for this."""


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("calibration", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from tools.training.belief_fit import fit
    from tools.training.belief_quality import report
    from tools.training.games import play_games, read_games
    from tools.training.samples import samples_of

    games = list(read_games(arguments.records))
    if not arguments.records:
        first, second = arguments.players
        games = list(play_games(arguments.games, first, second, arguments.seed))
    random.Random(arguments.seed).shuffle(games)
    if arguments.fit:
        cut = int(len(games) * FIT_SHARE)
        fit(games[:cut], arguments.every, arguments.seed, arguments.pull)
        games = games[cut:]
        print(f"fitted to {cut} games; measured on the other {len(games)}:")
    report(samples_of(games, arguments.every))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.calibration",
        description="Measure how well belief predicts hidden pieces: log-loss and a calibration table.",
    )
    parser.add_argument("records", nargs="*", metavar="RECORD", help="records of the referee; default: play games")
    parser.add_argument("--games", type=count, default=40, help="games to play without records, default %(default)s")
    parser.add_argument(
        "--players",
        type=_two_players,
        default="1.2,1.1",
        help="two versions that play them, default %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the games and of the fit, default %(default)s")
    parser.add_argument(
        "--every", type=count, default=20, metavar="PLIES", help="plies between two samples, default %(default)s"
    )
    fit_help = f"first fit the terms of what pieces do to {FIT_SHARE:.0%} of the games, then measure on the rest"
    parser.add_argument("--fit", action="store_true", help=fit_help.replace("%", "%%"))
    parser.add_argument(
        "--pull", type=_pull, default=PULL, metavar="X",
        help="how strongly a fit keeps to the terms that it begins with, default %(default)s",
    )  # fmt: skip
    return parser


def _two_players(text: str) -> list[str]:
    versions = text.split(",")
    if len(versions) != 2 or not {*versions} <= {*EVENT_PLAYERS}:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not two of {', '.join(EVENT_PLAYERS)}, such as 1.2,1.1")
    return versions


def _pull(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_PULL:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {MOST_PULL:g}")
    return value


if __name__ == "__main__":
    sys.exit(main())
