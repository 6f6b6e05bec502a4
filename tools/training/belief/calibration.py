"""How well belief predicts hidden pieces: `python -m tools.training.belief calibration [RECORD ...] [--fit]`.

Prints measures over the living hidden pieces of sampled positions, for belief and for the piece counts alone:

- log-loss: the mean of -ln(probability of the true kind), in nats; also by phase and by what a piece has shown
- calibration: for each tenth of probability, the number of predictions, their mean, and how many came true; for each
  phase and class the largest gap between the two
"""

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from junqi_engine.information.belief.chances import scale_to_counts
from junqi_engine.information.public_game import PublicClass
from junqi_engine.rules.pieces import KINDS
from tools.training.belief.samples import Sample
from tools.training.command import count, run_command

FIT_SHARE = 0.8
PULL = 0.02
MOST_PULL = 1e6
EVENT_PLAYERS = ("1.0", "1.1", "1.2")
"""The players that are fast enough to play games for this."""


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("calibration", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from tools.training.belief.samples import fit, samples_of
    from tools.training.games import play_games, read_games

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
        prog="python -m tools.training.belief calibration",
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


PHASES = (("over 2/3 on the board", 2 / 3, 1.01), ("1/3 to 2/3", 1 / 3, 2 / 3), ("up to 1/3", 0.0, 1 / 3))
"""Names and bounds, by the share of all pieces of the game that are on the board."""
ENOUGH = 500
"""Entries of a tenth from which its gap counts."""


def report(samples: Iterable[Sample]) -> None:
    """Print the log-loss of belief and of the counts alone, in all and by phase and public class, and the calibration
    table. ValueError if there is no sample.
    """
    samples = list(samples)
    if not samples:
        raise ValueError("no samples: there are no games, or they are shorter than --every")
    allowed = np.stack([sample.allowed for sample in samples])
    is_asked = np.stack([sample.is_asked for sample in samples])
    truth = np.stack([sample.truth for sample in samples])
    believed = scale_to_counts(allowed * np.exp(np.stack([sample.weights for sample in samples])))
    counted = scale_to_counts(allowed)
    print(f"{len(samples)} samples, {is_asked.sum()} living hidden pieces")
    for name, chances in (("counts alone", counted), ("belief", believed)):
        print(f"log-loss, {name:<14}{log_loss(chances, truth, is_asked):8.4f} nats")
    print(f"{'pieces':<24}{'number':>8}{'belief':>9}{'counts':>9}{'largest gap':>13}")
    for name, among in _groups(samples):
        asked = is_asked & among
        if asked.any():
            gaps = [abs(mean - true) for _, count, mean, true in _tenths(believed, allowed, truth, asked)
                    if count >= ENOUGH]  # fmt: skip
            losses = f"{log_loss(believed, truth, asked):>9.3f}{log_loss(counted, truth, asked):>9.3f}"
            print(f"{name:<24}{asked.sum():>8}{losses}{max(gaps, default=0.0):>13.3f}")
    print(f"{'predicted':>16}{'entries':>10}{'mean':>8}{'came true':>11}")
    for tenth, entries, mean, true in _tenths(believed, allowed, truth, is_asked):
        print(f"{tenth / 10:>9.1f} to {tenth / 10 + 0.1:.1f}{entries:>10}{mean:>8.3f}{true:>11.3f}")


def _groups(samples: Sequence[Sample]) -> Iterator[tuple[str, np.ndarray]]:
    """Names of groups of pieces, and which pieces belong to them, (n, 25) or (n, 1)."""
    on_board = np.array([sample.on_board for sample in samples])[:, None]
    for name, least, most in PHASES:
        yield name, (on_board > least) & (on_board <= most)
    classes = np.stack([sample.classes for sample in samples])
    for each in PublicClass:
        yield each.name.lower(), classes == each


def _tenths(
    chances: np.ndarray, allowed: np.ndarray, truth: np.ndarray, is_asked: np.ndarray
) -> Iterator[tuple[int, int, float, float]]:
    """For each tenth of probability: its number, its entries, their mean and the share of them that came true."""
    entries, may = chances[is_asked], allowed[is_asked].astype(bool)
    happened = np.eye(KINDS, dtype=bool)[truth[is_asked]]
    for tenth in range(10):
        inside = (entries >= tenth / 10) & (entries < (tenth + 1) / 10 + (tenth == 9)) & may
        if inside.any():
            yield tenth, int(inside.sum()), float(entries[inside].mean()), float(happened[inside].mean())


def log_loss(chances: np.ndarray, truth: np.ndarray, is_asked: np.ndarray) -> float:
    """The mean of -ln(probability of the true kind) over the asked pieces, in nats; infinite if one is 0.

    `chances` (n, 25, 12), `truth` and `is_asked` (n, 25).
    """
    given = np.take_along_axis(chances, truth[..., None], axis=-1)[..., 0]
    with np.errstate(divide="ignore"):
        return float(-np.log(given[is_asked]).mean())
