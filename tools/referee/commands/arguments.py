"""The arguments of the subcommands of `junqi-referee`. What carries a subcommand out is imported when it runs."""

import argparse
import sys
from typing import Any

from tools.referee.exits import ExitCode, RefereeError, report
from tools.referee.settings.engine import ENGINE_HELP, read_engine_words
from tools.referee.settings.readers import MATCH, REGRESS, TOURNAMENT, options_of
from tools.referee.settings.settings import Settings

WORDS = "KEY=VALUE"
MAX_BOOK = 100_000
ENCODINGS = ("utf-8", "gb18030")


def add_commands(commands: Any) -> None:
    """Add the parsers of all subcommands."""
    for add in (_add_match, _add_files, _add_convert, _add_stats, _add_review, _add_check):
        add(commands)


def _add_match(commands: Any) -> None:
    match = commands.add_parser(MATCH, help="play two engines against each other")
    tournament = commands.add_parser(TOURNAMENT, help="play several engines, as a round robin or a gauntlet")
    regress = commands.add_parser(REGRESS, help="play what a file describes, and check its bounds")
    for parser in (match, tournament):
        parser.add_argument("file", nargs="?", metavar="FILE.toml", help="settings; the command line overrides them")
        parser.add_argument("--engine", nargs="+", action="append", metavar=WORDS, help=ENGINE_HELP)
        parser.add_argument("--each", nargs="+", metavar=WORDS, help="defaults for all engines")
    regress.add_argument("file", metavar="FILE.toml", help="settings and [[bound]] tables, or a packaged one: ladder")
    regress.add_argument(
        "--engine", nargs="+", metavar=WORDS, help="keys of the file's last engine, in a gauntlet its first: rev="
    )
    for name, parser in ((MATCH, match), (TOURNAMENT, tournament), (REGRESS, regress)):
        for option in options_of(Settings).values():
            if name in option.commands and option.takes_words:
                parser.add_argument(f"--{option.key}", nargs="+", metavar=WORDS, help=option.help)
            elif name in option.commands:
                parser.add_argument(f"--{option.key}", help=option.help)
        parser.add_argument("--resume", action="store_true", help="continue where the record ends")
        parser.add_argument("--table", metavar="FILE", help="write the crosstable to this .csv or .html file")
        parser.add_argument("--json", action="store_true", help="print one JSON object at the end of stdout")
    match.set_defaults(work=_match)
    tournament.set_defaults(work=_tournament)
    regress.set_defaults(work=_regress)


def _match(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.commands.playing import play_match

    return play_match(parsed)


def _tournament(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.commands.playing import play_tournament

    return play_tournament(parsed)


def _regress(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.commands.playing import play_regression

    return play_regression(parsed)


def _add_files(commands: Any) -> None:
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
    from tools.referee.schedule.schedule import make_book

    if not 1 <= parsed.count <= MAX_BOOK:
        raise RefereeError(f"book: --count {parsed.count} must be from 1 to {MAX_BOOK}")
    print(make_book(parsed.count, parsed.seed), end="")
    sys.stdout.flush()
    return ExitCode.DONE


def _lineup(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.schedule.schedule import named_lineups, write_jql

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


def _add_convert(commands: Any) -> None:
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


def _add_stats(commands: Any) -> None:
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


def _add_review(commands: Any) -> None:
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


def _add_check(commands: Any) -> None:
    parser = commands.add_parser("check", help="test an engine's conformance to the protocol")
    parser.add_argument(
        "engine", nargs="+", metavar="KEY=VALUE", help="cmd=COMMAND or rev=REVISION, option.NAME=VALUE dir=FOLDER"
    )
    parser.add_argument("--variant", default="siguo")
    parser.add_argument(
        "--level",
        choices=("plays", "analyses", "complete"),
        default="complete",
        help="test only what an engine of this level does (default: %(default)s)",
    )
    parser.add_argument("--strict", action="store_true", help="allow the times of the protocol, not ten times as long")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end of stdout")
    parser.set_defaults(work=_check)


def _check(parsed: argparse.Namespace) -> ExitCode:
    from tools.referee.check.runner import check

    return check(read_engine_words(parsed.engine, "check"), parsed.variant, parsed.strict, parsed.json, parsed.level)
