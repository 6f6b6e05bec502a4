"""How well belief predicts hidden pieces: `python -m tools.training.calibration [RECORD ...] [--fit]`.

Prints two measures over the living hidden pieces of sampled positions, for belief and for the piece counts alone:

- log-loss: the mean of -ln(probability of the true kind), in nats
- calibration: for each tenth of probability, the number of predictions, their mean, and how many came true
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence

import numpy as np

from junqi_engine.information.belief import WEIGHTS_FILE, scale_to_counts
from junqi_engine.rules.pieces import KINDS
from tools.training.belief_fit import fit
from tools.training.games import play_games, read_games
from tools.training.samples import Sample, samples_of

FIT_SHARE = 0.8


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    games = list(read_games(arguments.records))
    if not arguments.records:
        first, second = arguments.players.split(",")
        games = list(play_games(arguments.games, first, second, arguments.seed))
    random.Random(arguments.seed).shuffle(games)
    if arguments.fit:
        cut = int(len(games) * FIT_SHARE)
        fit(games[:cut], arguments.every, arguments.seed)
        games = games[cut:]
        print(f"{WEIGHTS_FILE}: fitted to {cut} games; measured on the other {len(games)}:")
    report(samples_of(games, arguments.every))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.calibration",
        description="Measure how well belief predicts hidden pieces: log-loss and a calibration table.",
    )
    parser.add_argument("records", nargs="*", metavar="RECORD", help="records of the referee; default: play games")
    parser.add_argument("--games", type=int, default=40, help="games to play without records, default %(default)s")
    parser.add_argument("--players", default="1.2,1.1", help="two versions that play them, default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the games and of the fit, default %(default)s")
    parser.add_argument(
        "--every", type=int, default=20, metavar="PLIES", help="plies between two samples, default %(default)s"
    )
    fit_help = f"first fit {WEIGHTS_FILE.name} to {FIT_SHARE:.0%} of the games, then measure on the rest"
    parser.add_argument("--fit", action="store_true", help=fit_help.replace("%", "%%"))
    return parser


def report(samples: Iterable[Sample]) -> None:
    """Print the log-loss of belief and of the counts alone, and the calibration table."""
    samples = list(samples)
    allowed = np.stack([sample.allowed for sample in samples])
    is_asked = np.stack([sample.is_asked for sample in samples])
    truth = np.stack([sample.truth for sample in samples])
    believed = scale_to_counts(allowed * np.exp(np.stack([sample.weights for sample in samples])))
    counted = scale_to_counts(allowed)
    print(f"{len(samples)} samples, {is_asked.sum()} living hidden pieces")
    for name, chances in (("counts alone", counted), ("belief", believed)):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, is_asked):8.4f} nats")
    print(f"{'predicted':>16}{'entries':>10}{'mean':>8}{'came true':>11}")
    entries = believed[is_asked]
    happened = np.eye(KINDS, dtype=bool)[truth[is_asked]]
    for tenth in range(10):
        inside = (entries >= tenth / 10) & (entries < (tenth + 1) / 10 + (tenth == 9)) & allowed[is_asked].astype(bool)
        if inside.any():
            mean, true = entries[inside].mean(), happened[inside].mean()
            print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{inside.sum():>10}{mean:>8.3f}{true:>11.3f}")


def log_loss(chances: np.ndarray, truth: np.ndarray, is_asked: np.ndarray) -> float:
    """The mean of -ln(probability of the true kind) over the asked pieces, in nats; infinite if one is 0.

    `chances` (n, 25, 12), `truth` and `is_asked` (n, 25).
    """
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[is_asked]).mean())


if __name__ == "__main__":
    sys.exit(main())
