"""The value of knowledge: `python -m tools.training.knowledge FOLDER`.

Plays pairs of games between the newest player with an aid and without one, from the same line-ups with the teams
exchanged, at a limit of positions per move. There are two aids, each a curve of Elo against knowledge:

- `--probabilities`: each hidden enemy piece is told with this probability, once for the whole game
- `--bend`: this number is added to the logarithm of the weight that belief gives to the true kind of each piece

The log-loss is the mean of -ln(probability of the true kind) over the living enemy pieces that are not certain by the
rules alone, in all positions that the aided side searches: without the aid, and with it.

**Secrecy**, what it costs that the enemy knows a part of our pieces, is the same match seen by the other side: its Elo
is the same number with the other sign. The tables print both. That holds because nothing else differs between the
sides: who is known does not know it, and plays as always.

Finished pairs are in FOLDER, outside of the checkout, and are not played again.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from protocol.catalogue import JUNQI_VARIANTS
from tools.revisions.repository import ROOT
from tools.training.command import run_command
from tools.training.counts import count
from tools.training.knowledge_results import PairKey, Record, RecordError

PROBABILITIES = "0.1,0.25,0.5,1"
LARGEST_BEND = 20.0
FEW_PAIRS = 500


def main(words: Sequence[str] | None = None) -> int:
    arguments = _parser().parse_args(words)
    return run_command("knowledge", partial(_run, arguments), "interrupted; the same command continues")


def _run(arguments: argparse.Namespace) -> int:
    from tools.training.knowledge_pairs import play_all, table

    record = Record(_outside(arguments.folder))
    wanted = list(_wanted(arguments))
    for result in play_all([key for key in wanted if key not in record.results], arguments.concurrency):
        record.add(result)
    print(f"{arguments.variant}, {arguments.nodes} nodes per move, seed {arguments.seed}; log-loss in nats per piece")
    print("\n".join(table([record.results[key] for key in wanted])))
    if arguments.pairs < FEW_PAIRS:
        print(f"Fewer than {FEW_PAIRS} pairs are a hint only.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.training.knowledge",
        description="Measure what knowledge of hidden pieces is worth, in Elo, and what it costs if the enemy has it.",
    )
    parser.add_argument("folder", help="folder of the record; finished pairs in it are not played again")
    parser.add_argument("--variant", choices=JUNQI_VARIANTS, default=JUNQI_VARIANTS[0], help="default %(default)s")
    parser.add_argument("--pairs", type=count, default=100, help="pairs of games for each aid, default %(default)s")
    parser.add_argument("--nodes", type=count, default=20_000, help="positions per move, default %(default)s")
    parser.add_argument(
        "--probabilities",
        type=_numbers(0.0, 1.0),
        help=f"of telling a piece, from 0 to 1; default {PROBABILITIES}, or none if --bend is given",
    )
    parser.add_argument(
        "--bend", type=_numbers(-LARGEST_BEND, LARGEST_BEND), default=(), help="numbers to bend belief by"
    )
    parser.add_argument("--seed", type=int, default=1, help="of line-ups, told pieces and players, default %(default)s")
    parser.add_argument("--concurrency", type=count, default=1, help="processes that play, default %(default)s")
    return parser


def _numbers(least: float, most: float) -> Callable[[str], tuple[float, ...]]:
    """A reader of numbers with commas between them, each from `least` to `most`."""

    def read(text: str) -> tuple[float, ...]:
        numbers = []
        for word in text.split(","):
            try:
                number = float(word)
            except ValueError:
                number = math.nan
            if not least <= number <= most:
                raise argparse.ArgumentTypeError(f"{word!r} is not a number from {least:g} to {most:g}")
            numbers.append(number)
        return tuple(numbers)

    return read


def _outside(folder: str) -> Path:
    """The folder, which must not be in the checkout: a record of games does not belong there."""
    path = Path(folder)
    if path.resolve().is_relative_to(ROOT):
        raise RecordError(f"folder {folder}: it is inside the checkout {ROOT}; name one outside of it")
    return path


def _wanted(arguments: argparse.Namespace) -> Iterator[PairKey]:
    """The pairs to play. All aids advance together, so that an interrupted run has every point of the curve."""
    from junqi_engine.players.registry import newest_search

    told = arguments.probabilities
    if told is None:
        told = () if arguments.bend else _numbers(0.0, 1.0)(PROBABILITIES)
    aids = [(one, 0.0) for one in told] + [(0.0, one) for one in arguments.bend]
    player = newest_search().version
    for pair in range(arguments.pairs):
        for told_share, bend in aids:
            yield PairKey(arguments.variant, player, arguments.nodes, arguments.seed, told_share, bend, pair)


if __name__ == "__main__":
    sys.exit(main())
