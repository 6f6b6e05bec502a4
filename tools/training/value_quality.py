"""How well a value predicts the winner: `python -m tools.training.value_quality RECORD ...`.

Compares the number of pieces with the evaluators of all players that search, on sampled positions of records in which
the next move is quiet. Evaluators see the true pieces. With `--nodes` the scores of the newest player's search join
them, which sees what the team to move sees. For each it prints

- log-loss: the mean of -ln(probability of the result), in nats, a draw as half a win. The probability is a logistic
  function of the score, fitted to the games of the other folds
- AUC: the probability that of two positions, one won and one lost by the team to move, the won one has the higher score
- by phase: the log-loss, and the largest gap between a tenth of the predictions and what came true
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from tools.training.command import run_command
from tools.training.counts import count


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("value_quality", partial(_run, arguments))


def _run(arguments: argparse.Namespace) -> int:
    from junqi_engine.rules.board import BOARDS
    from tools.training.games import read_games
    from tools.training.value_measures import FOLDS, measure, report

    games = list(read_games(arguments.records))
    for variant, board in BOARDS.items():
        own = [game for game in games if game.board is board]
        if not own:
            continue
        values = measure(own, arguments.every, arguments.nodes)
        if len(set(values.game.tolist())) < FOLDS:
            raise ValueError(f"{variant}: too few decided games, at least {FOLDS} are needed")
        report(variant, values)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.value_quality",
        description="Measure how well evaluators predict the winner: log-loss, AUC, and calibration by phase.",
    )
    add = parser.add_argument
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=4, metavar="PLIES", help="plies between two samples, default %(default)s")
    add("--nodes", type=count, default=0, help="also search each sample with so many nodes, default: no search")
    return parser


if __name__ == "__main__":
    sys.exit(main())
