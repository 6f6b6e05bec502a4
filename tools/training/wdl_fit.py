"""The chances behind a score: `python -m tools.training.wdl_fit RECORD ...`.

Reads records of the referee and fits the numbers of `junqi_engine/evaluation/win_chances.json`, by variant, to the
scores that the engines reported and the results of their games. The games are divided into `FOLDS` parts; each part is
predicted by a fit to the others. Over these predictions it prints

- the log-loss of the three outcomes in nats, beside that of a fit without the phase, and of the shares alone
- the reliability: by tenths of the expected score, the number of positions, the mean prediction, and what came true

The bound of scores with the lowest loss is chosen. Scores of a mate are not fitted: `wdl` prints them as certain.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from junqi_engine.evaluation.win_chances import CHANCES_FILE
from tools.training.command import run_command


def main(words: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    return run_command("wdl_fit", partial(_run, _parser().parse_args(given), given))


def _run(arguments: argparse.Namespace, given: Sequence[str]) -> int:
    import numpy as np

    from junqi_engine.rules.board import BOARDS
    from tools.referee.records.record_file import read_record
    from tools.training.wdl_model import FOLDS, report, samples_of

    played = [game for record in arguments.records for game in read_record(record)]
    variants = {}
    for variant in BOARDS:
        samples = samples_of(played, variant)
        games = len(np.unique(samples.game))
        if games < FOLDS:
            raise ValueError(f"{variant}: {games} games with scores are too few, at least {FOLDS} are needed")
        variants[variant] = report(variant, samples, games)
    if arguments.write:
        _write(variants, shlex.join(["python", "-m", "tools.training.wdl_fit", *given]))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.wdl_fit",
        description="Fit the chances of a win, a draw and a loss to the scores and results of games.",
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="records of the referee")
    parser.add_argument("--write", action="store_true", help=f"write {CHANCES_FILE.name}")
    return parser


def _write(variants: dict[str, dict[str, Any]], command: str) -> None:
    """Write the numbers as JSON, one line for each variant."""
    rows = ",\n".join(f" {json.dumps(variant)}: {json.dumps(numbers)}" for variant, numbers in variants.items())
    CHANCES_FILE.write_text(f'{{"made by": {json.dumps(command)},\n"variants": {{\n{rows}\n}}}}\n', encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
