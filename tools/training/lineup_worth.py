"""The worth of each piece in each place of a line-up: `python -m tools.training.lineup_worth FOLDER ...`.

Reads folders of `tools.training.selfplay` of one variant, with line-ups of every quality, and fits a logistic
regression to the results: the line-ups of a team that wins are worth more. Prints the log-loss on games outside of the
fit, beside that of the worths in use and of even odds. `--write` writes the worths of
`junqi_engine/players/lineup_worths.json`, by which `lineup_population` draws.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.training.command import run_command


def main(words: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    return run_command("lineup_worth", partial(_run, _parser().parse_args(given), given))


def _run(arguments: argparse.Namespace, given: Sequence[str]) -> int:
    import numpy as np

    from junqi_engine.players.lineup_population import WORTHS_FILE, worths_of
    from tools.training.lineup_fit import FOLDS, as_table, fitted, held_out_loss, loss, results_of
    from tools.training.selfplay.data_folder import read_folder

    files = [file for folder in arguments.folders for file in read_folder(Path(folder))]
    variants = sorted({file.board.variant for file in files})
    if len(variants) != 1:
        raise ValueError(f"the folders have games of {' and '.join(variants) or 'no variant'}; expected one variant")
    (variant,) = variants
    results = results_of(files)
    if len(results.won) < FOLDS:
        raise ValueError(f"{len(results.won)} decided games are too few, at least {FOLDS} needed")
    in_use = np.array(worths_of(variant)).ravel()
    print(f"{variant}: {len(results.won)} decided games; log-loss in nats, cross-validated: ", end="")
    print(f"{held_out_loss(results):.4f}, worths in use {loss(results, in_use):.4f}, even odds {np.log(2):.4f}")
    if arguments.write:
        text = json.loads(WORTHS_FILE.read_text(encoding="utf-8"))
        text["made by"][variant] = shlex.join(["python", "-m", "tools.training.lineup_worth", *given])
        text["variants"][variant] = as_table(fitted(results))
        WORTHS_FILE.write_text(_as_text(text), encoding="utf-8")
        worths_of.cache_clear()
    return 0


def _as_text(text: dict) -> str:
    """JSON with one line for each place."""
    variants = ",\n".join(
        f' "{variant}": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n ]"
        for variant, rows in text["variants"].items()
    )
    return f'{{"made by": {json.dumps(text["made by"], indent=1)},\n"variants": {{\n{variants}\n}}}}\n'


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.lineup_worth",
        description="Fit the worth of each piece in each place of a line-up to the results of self-play.",
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="folders of tools.training.selfplay, one variant")
    parser.add_argument("--write", action="store_true", help="write the worths of the population")
    return parser


if __name__ == "__main__":
    sys.exit(main())
