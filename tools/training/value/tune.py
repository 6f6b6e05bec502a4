"""`python -m tools.training.value tune STATE --variant V`."""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from junqi_engine.foreign_json import read_json
from tools.training.command import count, rate, run_command
from tools.training.value.spsa import Tuning
from tools.training.value.worths_file import output, write_worths

DESCRIPTION = """\
Tune the worths of the evaluator by play, and write them. STATE is a file of the run, which the same command continues
after an interruption. --fitted names worths of `value fit`; how much of them is used is tuned too, from nothing.
--begin names worths to begin with.
"""
FORMAT = "junqi-tune 3"
SAVE_EVERY = 8
"""Batches between two times that the state is written."""


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("tune", partial(_run, arguments), "interrupted; the same command continues")


def _run(arguments: argparse.Namespace) -> int:
    import numpy as np

    from junqi_engine.evaluation.worths import read_worths
    from junqi_engine.files import write_whole
    from junqi_engine.rules.board import BOARDS
    from tools.jobs import workers
    from tools.progress import LineProgress
    from tools.training.selfplay.settings import own_revision
    from tools.training.value.directions import FITTED, Match, Worths, play_pair, steps_of

    board = BOARDS[arguments.variant]
    fitted = None
    if given := arguments.begin or arguments.fitted:
        fitted = read_worths(board, Path(given))["worth"]
        fitted = fitted[: len(Worths(board).direct(dict.fromkeys(steps_of(board, False), 0.0)))]
    match = Match(
        board.variant, arguments.nodes, arguments.seed, arguments.max_plies,
        b"" if fitted is None else fitted.tobytes(), own_revision(),
    )  # fmt: skip
    steps = steps_of(board, fitted is not None)
    first = {name: float(name == FITTED and arguments.begin is not None) for name in steps}
    tuning = Tuning(steps, arguments.pairs, arguments.batch, arguments.rate, arguments.seed, numbers=first)
    head = {
        "format": FORMAT,
        "variant": match.variant,
        "nodes": match.nodes,
        "max_plies": match.most_plies,
        "fitted": hashlib.sha256(match.fitted).hexdigest(),
        "begins": arguments.begin is not None,
    }
    path = Path(arguments.state)
    if path.exists():
        tuning = _continued(path, head, tuning)
    worths = Worths(board, None if fitted is None else fitted.astype(np.float32))
    batches = 0
    with (
        LineProgress(sys.stderr, tuning.pairs, tuning.done, "pairs") as progress,
        workers(arguments.workers, arguments.scheduler) as hired,
    ):
        while not tuning.is_finished:
            done = tuning.done
            tuning.advance(partial(hired.map, partial(play_pair, match)))
            progress.count(tuning.done - done)
            batches += 1
            if batches % SAVE_EVERY == 0 or tuning.is_finished:
                write_whole(path, json.dumps(head | {"tuning": tuning.as_table()}, indent=1).encode(), replaces=True)
    direct = worths.direct(tuning.result())
    write_worths(arguments.out, direct)
    for name, number in tuning.result().items():
        print(f"{name:<20}{number:>8.2f}")
    return 0


def _continued(path: Path, head: dict, fresh: Tuning) -> Tuning:
    """The state in a file; ValueError if it is of another run."""
    try:
        table = read_json(path.read_bytes())
        found = Tuning.of_table(table.pop("tuning"))
    except (ValueError, AttributeError, KeyError, TypeError):
        raise ValueError(f"{path} is not the state of a tuning") from None
    for name in ("steps", "pairs", "batch", "rate", "seed"):
        if table != head or getattr(found, name) != getattr(fresh, name):
            raise ValueError(f"{path} is of a tuning with other options; continue with those, or name a new file")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.training.value tune", description=DESCRIPTION)
    add = parser.add_argument
    add("state", metavar="STATE", help="the file of the run")
    add("--variant", default="siguo", choices=("siguo", "luzhanqi"), help="default %(default)s")
    add("--out", type=output, required=True, help="the file of worths")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--fitted", metavar="FILE", help="worths of tools.training.value.fit")
    given.add_argument("--begin", metavar="FILE", help="begin with these worths instead of the hand-written evaluator")
    add("--nodes", type=count, default=800, help="nodes a move, default %(default)s")
    add("--pairs", type=count, default=20_000, help="default %(default)s")
    add("--batch", type=count, default=8, help="pairs that are played with the same numbers, default %(default)s")
    add("--rate", type=rate, default=0.012, help="the first rate of learning, default %(default)s")
    add("--max-plies", type=count, default=600, help="a game is a draw at this ply, default %(default)s")
    add("--workers", type=count, default=1, help="processes that play, default %(default)s")
    add("--scheduler", metavar="ADDRESS", help="play on the workers of this Dask scheduler instead")
    add("--seed", type=int, default=1, help="default %(default)s")
    return parser
