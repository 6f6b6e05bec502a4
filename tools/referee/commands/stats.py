"""`stats`: how the games of records and `.jgs` files were played."""

import argparse
from typing import Any

from tools.referee.exits import ExitCode


def add_commands(commands: Any) -> None:
    parser = commands.add_parser("stats", help="show how games were played: line-ups, attacks, pieces, endings")
    parser.add_argument("paths", nargs="+", metavar="FILE|FOLDER", help="records, .jgs files, folders of .jgs files")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--svg", metavar="FILE", help="write a heat map of the line-ups to this file")
    parser.add_argument("--mirror", action="store_true", help="mirror line-ups so that the flag is on the left")
    parser.add_argument("--overwrite", action="store_true", help="replace the file of --svg if it exists")
    parser.set_defaults(work=_stats)


def _stats(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.commands.counting import show_statistics

    return show_statistics(parsed)
