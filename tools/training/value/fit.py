"""`python -m tools.training.value fit FOLDER ... --out FILE`."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.training.command import count, positive, rate, run_command
from tools.training.value.worths_file import output, write_worths

DESCRIPTION = """\
Fit the worths of pieces to the games of data folders (tools.training.selfplay), and write them. One game in ten is held
out. Prints their loss in nats, for the hand-written score and for the worths, after each epoch. The same games and
options give the same file.
"""
PHASES = 3


def main(words: Sequence[str] | None = None) -> int:
    return run_command("fit", partial(_run, _parser().parse_args(words)))


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    from tools.training.games import of_games
    from tools.training.selfplay.data_folder import read_folder
    from tools.training.value.model import Fit, Model, cross_entropy, fit, logistic
    from tools.training.value.positions import positions_of

    files = [file for folder in arguments.folders for file in read_folder(folder)]
    if len({file.board.variant for file in files}) != 1:
        raise ValueError("the folders have games of two variants, or none; expected one variant")
    positions = positions_of(files, arguments.every)
    board = files[0].board
    train, held_out = (of_games(positions.game, is_held_out) for is_held_out in (False, True))
    settings = Fit(
        arguments.epochs, arguments.batch, arguments.rate, arguments.decay, arguments.result_share,
        arguments.spread, arguments.seed,
    )  # fmt: skip
    if not len(held_out) or len(train) < settings.batch:
        raise ValueError(f"{len(positions)} positions are too few for a batch of {settings.batch}")
    print(f"{board.variant}: {len(train)} positions to fit, {len(held_out)} held out")
    result = positions.result[held_out]
    spreads = np.arange(500, 12_001, 250)
    hand = min(cross_entropy(logistic(positions.hand[held_out] / spread), result) for spread in spreads)
    search = min(cross_entropy(logistic(positions.search[held_out] / spread), result) for spread in spreads)
    print(f"held-out loss: hand-written {hand:.4f} nats, search {search:.4f}, each with its best scale")

    def report(epoch: int, model: Model) -> None:
        chances = logistic(model.log_odds(positions, held_out))
        by_phase = []
        for phase in range(PHASES):
            part = (positions.phase[held_out] * PHASES).astype(int) == phase
            by_phase.append(f"{cross_entropy(chances[part], result[part]):.4f}")
        loss = cross_entropy(chances, result)
        print(f"epoch {epoch}: {loss:.4f} nats; by third of the game {', '.join(by_phase)}", flush=True)

    model = fit(board, positions, train, settings, report)
    size = write_worths(arguments.out, model.as_integers(arguments.strength))
    print(f"{arguments.out}: {size} bytes; strength {arguments.strength}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.value fit", description=DESCRIPTION)
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER", help="a data folder; all of one variant")
    add("--out", type=output, required=True, help="the file of worths")
    strength = "how much of the fit is used, default %(default)s; found by play"
    add("--strength", type=float, default=0.3, help=strength)
    add("--every", type=count, default=1, metavar="N", help="take one quiet position in N, default %(default)s")
    add("--epochs", type=count, default=3, help="default %(default)s")
    add("--batch", type=count, default=2048, help="positions a step, default %(default)s")
    add("--rate", type=rate, default=2e-3, help="the first rate of learning, default %(default)s")
    add("--decay", type=float, default=3e-3, help="how fast unused worths shrink, default %(default)s")
    add("--result-share", type=float, default=0.5, help="of the target; the rest is the search's, default %(default)s")
    add("--spread", type=positive, default=2000.0, help="the score with even odds of e, default %(default)s")
    add("--seed", type=int, default=1, help="default %(default)s")
    return parser
