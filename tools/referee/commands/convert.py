"""`convert`: games from one format to another."""

import argparse
import sys
from typing import Any

from tools.referee.exits import ExitCode, report

ENCODINGS = ("utf-8", "gb18030")


def add_commands(commands: Any) -> None:
    parser = commands.add_parser("convert", help="convert records, contest records and .jgs files")
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE|FOLDER|N",
        help="files, folders of .jgs files; after a single file the number of a game (default: all games)",
    )
    parser.add_argument("--write", metavar="PATH", help="write to a .jgs file, a folder of them, or a .jsonl record")
    parser.add_argument("--overwrite", action="store_true", help="replace files that exist")
    parser.add_argument("--names", action="store_true", help="copy the names of players from and to .jgs files")
    parser.add_argument("--side", choices=("S", "N"), default="S", help="side whose contest record is written")
    parser.add_argument("--encoding", choices=ENCODINGS, default=ENCODINGS[0], help="of contest records")
    parser.set_defaults(work=_convert)


def _convert(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.records.conversion import Conversion, convert

    paths, number = list(parsed.paths), None
    if len(paths) > 1 and paths[-1].isdecimal():
        number = int(paths.pop())
    done = convert(
        Conversion(paths, number, parsed.write, parsed.side, parsed.encoding, parsed.names, parsed.overwrite)
    )
    sys.stdout.buffer.write(done.contents)
    sys.stdout.flush()
    return report(done.errors, done.notes)
