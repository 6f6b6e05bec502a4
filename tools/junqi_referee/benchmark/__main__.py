"""The console command `junqi-benchmark`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from junqi_engine.version import __version__
from junqi_referee.exits import run_command

MOST = 10**6
DESCRIPTION = """\
Evaluates a player of siguo or luzhanqi: its Elo against players 1.0, 1.1, 1.2 and 2.0 at fixed nodes, how right its
belief is, how it plays beside partners that it does not know, and its score with the luck taken out. FOLDER gets the
games, report.json and report.html; the same command continues an interrupted run.
"""


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code."""
    asked = _parser().parse_args(words)

    def run() -> int:
        # Imported here, so that the help is printed at once.
        from junqi_referee.benchmark import run

        return run.run(asked)

    sys.exit(run_command("junqi-benchmark", run, "interrupted; the same command continues", (ValueError,)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="junqi-benchmark", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"junqi-benchmark {__version__}")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--command", metavar="COMMAND", help="an engine's command; words NAME=VALUE in it are options")
    subject.add_argument("--player", metavar="VERSION", help="a player of this package")
    subject.add_argument(
        "--python", metavar="MODULE:NAME",
        help="a function choose(view), or a class with move(view) and, if it has one, belief(view)",
    )  # fmt: skip
    parser.add_argument("--variant", default="luzhanqi", choices=("siguo", "luzhanqi"), help="default %(default)s")
    parser.add_argument(
        "--visibility", default="partner", choices=("partner", "dark", "open"), help="default %(default)s"
    )
    parser.add_argument(
        "--against", default="", choices=("1.0", "1.1", "1.2", "2.0"), help="the only anchor; default: all four"
    )
    parser.add_argument("--pairs", type=_count, default=50, help="pairs of games against each, default %(default)s")
    parser.add_argument("--nodes", type=_count, default=1000, help="a move, of both sides, default %(default)s")
    parser.add_argument(
        "--luck", type=_count, default=0, metavar="NODES", help="review each game with this many nodes; default: none"
    )
    parser.add_argument(
        "--exploiter", default="", metavar="COMMAND", help="an engine whose games count for the exploitability alone"
    )
    parser.add_argument("--no-partners", action="store_true", help="in siguo, no games beside strangers")
    parser.add_argument(
        "--seed", type=int,
        help="of line-ups and players, to repeat a run; a player can find a number by trying and compute the hidden "
        "line-ups, so the default is that of the games in FOLDER, or a secret",
    )  # fmt: skip
    parser.add_argument("--concurrency", type=_count, default=1, help="games at a time, default %(default)s")
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 1 to {MOST}")
    return int(text)


if __name__ == "__main__":
    main()
