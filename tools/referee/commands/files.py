"""`replay`, `book` and `lineup`: records and line-ups shown, checked and made."""

import argparse
import sys
from typing import Any

from tools.referee.exits import ExitCode, RefereeError

MAX_BOOK = 100_000


def add_commands(commands: Any) -> None:
    replay = commands.add_parser("replay", help="show the games of a record, checked against the rules")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("game", nargs="?", type=int, metavar="N", help="number of the game (default: list all games)")
    replay.add_argument("--view", metavar="SEATS", help="show only what these seats may see")
    replay.add_argument("--ply", type=int, metavar="K", help="show the position after K plies (default: the last one)")
    replay.set_defaults(work=_replay)

    book = commands.add_parser("book", help="print a book of sensible line-ups")
    book.add_argument("--count", type=int, default=200)
    book.add_argument("--seed", type=int, default=1)
    book.set_defaults(work=_book)

    lineup = commands.add_parser("lineup", help="print the line-ups of .jql files as a book, or write a .jql file")
    lineup.add_argument("lineups", nargs="+", metavar="FILE.jql|LETTERS")
    lineup.add_argument("--write", metavar="FILE.jql", help="write the line-up to this file; there must be one only")
    lineup.add_argument("--mirror", action="store_true", help="exchange left and right")
    lineup.set_defaults(work=_lineup)


def _replay(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.records.replay import listing, show

    if parsed.game is None:
        return listing(parsed.file)
    return show(parsed.file, parsed.game, parsed.view, parsed.ply)


def _book(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.schedule.book import make_book

    if not 1 <= parsed.count <= MAX_BOOK:
        raise RefereeError(f"book: --count {parsed.count} must be from 1 to {MAX_BOOK}")
    print(make_book(parsed.count, parsed.seed), end="")
    sys.stdout.flush()
    return ExitCode.DONE


def _lineup(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.schedule.book import named_lineups, write_jql

    lineups = named_lineups(parsed.lineups, parsed.mirror)
    if parsed.write is None:
        for letters, name in lineups:
            print(f"{letters} ; {name}" if name else letters)
        sys.stdout.flush()
    elif len(lineups) > 1:
        raise RefereeError(f"lineup: --write takes one line-up, there are {len(lineups)}")
    else:
        write_jql(parsed.write, lineups[0][0])
    return ExitCode.DONE
