"""`python -m junqi_training COMMAND ...`: the arguments of all commands, and how they end.

What carries a command out is imported when it runs, so `--help` is printed at once.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from junqi_referee.exit_codes import run_command
from junqi_referee.readers import Words, real, whole
from junqi_referee.settings.settings import read_sprt

VARIANTS = ("siguo", "luzhanqi")
count, rate, part = whole(1, 10**9 - 1), real(0, 10**6), real(0, 1)
"""Readers of whole numbers, of rates (with 0, nothing is learned), and of shares."""


def main(words: Sequence[str] | None = None) -> int:
    """The exit code; a ValueError or an ImportError is what a command refuses."""
    given = _parser().parse_args(words)
    return run_command(given.command, partial(_work, given), refusals=(ValueError, ImportError))


def _work(given: argparse.Namespace) -> int:
    import_module(f"junqi_training.{given.module}").work(given)
    return 0


def _parser() -> argparse.ArgumentParser:
    text = "Fit, tune and check the numbers that players use (docs/training.md)."
    parser = argparse.ArgumentParser(prog="python -m junqi_training", description=text)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_add_selfplay, _add_fits, _add_tune, _add_duel, _add_belief, _add_problems):
        add(commands)
    return parser


def _add(commands: Any, name: str, module: str, text: str) -> Any:
    parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    parser.set_defaults(module=module)
    return parser.add_argument


def _add_workers(add: Any) -> None:
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    add("--scheduler", metavar="ADDRESS", help="play on the workers of this Dask scheduler instead")


def _add_selfplay(commands: Any) -> None:
    add = _add(commands, "selfplay", "selfplay.run", "play games between quick players and write them to a data folder")
    add("folder", type=Path, help="the data folder; it is created if it is missing, and the same command continues it")
    add("--variant", default="siguo", choices=VARIANTS, help="default %(default)s")
    add("--games", type=count, default=1000, help="games in the folder at the end, default %(default)s")
    add("--nodes", type=count, default=500, help="nodes per move, default %(default)s")
    _add_workers(add)
    add("--seed", type=int, default=1, help="random seed, default %(default)s")
    add("--random-plies", type=int, default=8, help="random plies at the start, default %(default)s")
    near = "share of the later moves that are drawn from the near-best moves, default %(default)s"
    add("--near-best", type=float, default=0.1, metavar="SHARE", help=near)
    add("--near-lines", type=int, default=4, help="maximum number of near-best moves, default %(default)s")
    margin = "ignore moves more than this far behind the best (1/100 Lieutenant), default %(default)s"
    add("--near-margin", type=int, default=100, help=margin)
    add("--max-plies", type=int, default=1000, help="a game is a draw at this ply, default %(default)s")
    add("--shard", type=count, default=50, help="games per file, default %(default)s")


def _add_fits(commands: Any) -> None:
    for name, text, strength, every, epochs, batch in (
        ("fit", "fit the linear evaluation to the games in data folders", 0.3, 1, 3, 2048),
        ("network", "fit the evaluation network to the games in data folders", 0.75, 2, 4, 8192),
    ):
        add = _add(commands, name, f"value.{name}", text)
        add("folders", nargs="+", type=Path, metavar="FOLDER", help="a data folder; all must have the same variant")
        add("--out", type=output, required=True, help="the file of weights")
        used = "factor applied to the fitted values, default %(default)s, which was found by play"
        add("--strength", type=float, default=strength, help=used)
        add("--every", type=count, default=every, metavar="N", help="take one quiet position in N, default %(default)s")
        add("--epochs", type=count, default=epochs, help="default %(default)s")
        add("--batch", type=count, default=batch, help="positions per step, default %(default)s")
        add("--rate", type=rate, default=2e-3, help="initial learning rate, default %(default)s")
        add("--seed", type=int, default=1, help="default %(default)s")
    add("--decay", type=rate, default=0.003, help="weight decay of the rows per step, default %(default)s")
    trace = "share of the target that comes from the later position, default %(default)s; 1: only the result"
    add("--trace", type=part, default=0.5, help=trace)
    add(
        "--gap",
        type=count,
        default=8,
        help="number of quiet positions between a position and the later one, default %(default)s",
    )


def _add_tune(commands: Any) -> None:
    add = _add(commands, "tune", "value.tune", "tune the linear evaluation or other parameters by play")
    add("--variant", default="siguo", choices=VARIANTS, help="default %(default)s")
    add("--out", type=output, required=True, help="the file of the result")
    fitted = "weights of 'fit'; their factor is tuned too, starting from 0"
    add("--fitted", metavar="FILE", type=Path, help=fitted)
    add("--begin", metavar="FILE", type=Path, help="start from the numbers of this file")
    chosen = "tune these parameters of the hand-written terms instead; a step is a tenth of the number by default"
    add("--parameters", nargs="+", type=parameter, metavar="NAME[:STEP]", help=chosen)
    add("--nodes", type=count, default=800, help="nodes per move, default %(default)s")
    add("--pairs", type=count, default=20_000, help="default %(default)s")
    add("--batch", type=count, default=8, help="pairs that are played with the same numbers, default %(default)s")
    add("--rate", type=rate, default=0.012, help="initial learning rate, default %(default)s")
    add("--max-plies", type=count, default=600, help="a game is a draw at this ply, default %(default)s")
    _add_workers(add)
    add("--seed", type=int, default=1, help="default %(default)s")


def _add_duel(commands: Any) -> None:
    add = _add(commands, "duel", "value.duel", "compare two evaluators by games of quick players")
    side = "packaged, or words with commas between them: threat=600,guard.k=1200,network=FILE (docs/training.md)"
    add("first", metavar="A", help=side)
    add("second", metavar="B", help="the other side, in the same form")
    add("--variant", default="siguo", choices=VARIANTS, help="default %(default)s")
    add("--nodes", type=count, default=1000, help="nodes per move, default %(default)s")
    add("--pairs", type=count, default=1000, help="maximum number of pairs of games, default %(default)s")
    test = "stop when this test decides: elo0= elo1= alpha= beta= model="
    add("--sprt", help=test, action=Words, read=read_sprt, metavar="WORDS")
    add("--max-plies", type=count, default=600, help="a game is a draw at this ply, default %(default)s")
    _add_workers(add)
    add("--seed", type=int, default=1, help="default %(default)s")


def _add_belief(commands: Any) -> None:
    add = _add(commands, "calibration", "belief.calibration", "measure how well belief predicts hidden pieces")
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=20, metavar="PLIES", help="plies between two samples, default %(default)s")
    add = _add(commands, "styles", "belief.styles", "make the styles of line-ups that belief uses")
    text = "a style from the line-ups of a file"
    add("styles", nargs="+", type=style, metavar="NAME:SHARE=FILE", help=text)
    add = _add(commands, "policy", "belief.policy", "fit the move policies and write them")
    add("records", nargs="+", metavar="RECORD", help="records of the referee")
    add("--every", type=count, default=3, metavar="PLIES", help="plies between two choices, default %(default)s")
    text = "the policy that the teams of an engine, or all teams, train; default: inferred from their line-ups"
    add("--player", action="append", metavar="POLICY[=ENGINE]", help=text)
    add("--seed", type=int, default=1, help="random seed of the order of the choices, default %(default)s")


def _add_problems(commands: Any) -> None:
    add = _add(commands, "openings", "openings", "print positions in which neither side is ahead")
    add("variant", choices=VARIANTS, help="the variant of Junqi")
    add("--count", type=count, default=200, help="number of positions (default: %(default)s)")
    add("--seed", type=count, default=1, help="random seed (default: %(default)s)")
    add = _add(commands, "problems", "problems", "print problems for the web board")
    add("records", nargs="+", help="records of the referee with games from line-ups")
    add("--of-a-theme", type=count, default=75, help="maximum number of problems per theme (default: %(default)s)")
    add("--seed", type=count, default=1, help="random seed (default: %(default)s)")
    add("--workers", type=count, default=1, help="number of processes (default: %(default)s)")


def output(text: str) -> Path:
    """The path of a file of results: its folder exists, before hours of work."""
    path = Path(text)
    if not path.parent.is_dir() or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: expected a file in a folder that exists")
    return path


def parameter(text: str) -> tuple[str, int | None]:
    """The name of a parameter, and the step that is given."""
    name, colon, step = text.partition(":")
    return name, count(step) if colon else None


def style(text: str) -> tuple[str, float, str]:
    """A name, a share and a file."""
    head, _, file = text.partition("=")
    name, _, share = head.rpartition(":")
    try:
        value = float(share)
    except ValueError:
        value = 0.0
    if not name or not file or not 0.0 < value <= 1000.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME:SHARE=FILE with a share above 0, at most 1000")
    return name, value, file


if __name__ == "__main__":
    sys.exit(main())
