"""`match`, `tournament` and `regress`: their arguments."""

import argparse
from typing import Any

from tools.referee.exits import ExitCode
from tools.referee.settings.engine import ENGINE_HELP
from tools.referee.settings.options import MATCH, REGRESS, TOURNAMENT, options_of
from tools.referee.settings.settings import Settings

WORDS = "KEY=VALUE"


def add_commands(commands: Any) -> None:
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
