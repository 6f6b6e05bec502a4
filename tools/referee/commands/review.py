"""`review`: what each move of recorded games was worth."""

import argparse
from typing import Any

from tools.referee.exits import ExitCode


def add_commands(commands: Any) -> None:
    parser = commands.add_parser("review", help="show what each move of a game was worth, skill apart from luck")
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE|FOLDER|N",
        help="records, .jgs files, folders of these; after a single file the number of a game (default: all games)",
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the report: a .html or .json file")
    parser.add_argument("--nodes", type=int, default=200_000, metavar="N", help="positions for each search")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another number draws other worlds")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="search processes (default: 1)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="search on the workers of a Dask scheduler instead")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted review")
    parser.add_argument("--overwrite", action="store_true", help="replace the report if it exists")
    parser.add_argument("--unfinished", action="store_true", help="review unfinished games up to where they are")
    parser.add_argument("--names", action="store_true", help="show the names of players of .jgs files")
    parser.add_argument("--live", action="store_true", help="print the review so far on stdout, as lines of JSON")
    parser.set_defaults(work=_review)


def _review(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.review.run import review_games

    return review_games(parsed)
