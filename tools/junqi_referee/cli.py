"""The command line of `junqi-referee`: parses the arguments, runs the subcommand, turns errors into exit codes.

What carries a subcommand out is imported when it runs: this module imports neither rules nor numba, so `--help` is
printed at once.
"""

import argparse
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from junqi_engine.version import __version__
from junqi_referee.exits import ExitCode, RefereeError, run_command
from junqi_referee.settings.engine import ENGINE_HELP
from junqi_referee.settings.readers import CI, CI_MATCH, MATCH, REGRESS, TOURNAMENT, options_of
from junqi_referee.settings.settings import MatchSettings

WORDS = "KEY=VALUE"


def run(arguments: Sequence[str]) -> int:
    return run_command("junqi-referee", partial(_run, arguments))


def _run(arguments: Sequence[str]) -> int:
    parsed = _parser().parse_args(arguments)
    return int(parsed.work(parsed))


class _Parser(argparse.ArgumentParser):
    """Raises `RefereeError` for wrong arguments."""

    def error(self, message: str) -> NoReturn:
        raise RefereeError(f"{message} (try {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="junqi-referee", description="Matches, tournaments and regressions between engines.")
    parser.add_argument("--version", action="version", version=f"junqi-referee {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for add in (_add_matches, _add_files, _add_convert, _add_review, _add_check):
        add(commands)
    return parser


def _work(module: str, function: str) -> Callable[[argparse.Namespace], ExitCode]:
    """What carries a subcommand out: a function of a module below this folder, which is imported when it is called."""

    def work(parsed: argparse.Namespace) -> ExitCode:
        code: ExitCode = getattr(import_module(f"junqi_referee.{module}"), function)(parsed)
        return code

    return work


def _add_matches(commands: Any) -> None:
    match = commands.add_parser(MATCH, help="play two engines against each other")
    tournament = commands.add_parser(TOURNAMENT, help="play several engines, as a round robin or a gauntlet")
    regress = commands.add_parser(REGRESS, help="play what a file describes, and check its bounds")
    for parser in (match, tournament):
        parser.add_argument("file", nargs="?", metavar="FILE.toml", help="settings; the command line overrides them")
        parser.add_argument("--engine", nargs="+", action="append", metavar=WORDS, help=ENGINE_HELP)
        parser.add_argument("--each", nargs="+", metavar=WORDS, help="defaults for all engines")
    ci = commands.add_parser(CI, help="play a change against an earlier version; exit code 3 if it is weaker or fails")
    ci.add_argument(
        "--engine", nargs="+", metavar=WORDS, help=f"the changed engine (default: rev=worktree): {ENGINE_HELP}"
    )
    ci.add_argument("--against", nargs="+", required=True, metavar=WORDS, help="what it is played against: rev=HEAD~1")
    ci.add_argument("--each", nargs="+", metavar=WORDS, help="for both (default: nodes=2000)")
    ci.add_argument("--print", action="store_true", help="print the settings as a file for regress, and play nothing")
    described = "settings and [[bound]] tables, a packaged one: ladder, or a folder of such files"
    regress.add_argument("file", metavar="FILE.toml|FOLDER", help=described)
    regress.add_argument(
        "--engine", nargs="+", metavar=WORDS, help="keys of the file's last engine, in a gauntlet its first: rev="
    )
    fail_on = "exit with code 3 if any of these happens: faults, H0, H1, undecided"
    for parser in (match, tournament):
        parser.add_argument("--fail-on", metavar="WORD,...", help=fail_on)
    for name, parser in ((MATCH, match), (TOURNAMENT, tournament), (REGRESS, regress), (CI, ci)):
        for key, option in options_of(MatchSettings).items():
            default = CI_MATCH.get(key, option.default) if name == CI else option.default
            if name in option.commands and option.takes_words:
                parser.add_argument(f"--{key}", nargs="+", metavar=WORDS, help=option.help)
            elif name in option.commands:
                parser.add_argument(f"--{key}", help=option.help_of(default))
        parser.add_argument("--resume", action="store_true", help="continue where the record ends")
        parser.add_argument("--table", metavar="FILE", help="write the crosstable to this .csv or .html file")
        parser.add_argument("--json", action="store_true", help="print one JSON object at the end of stdout")
    match.set_defaults(work=_work("playing.match", "play_match"))
    tournament.set_defaults(work=_work("playing.match", "play_tournament"))
    ci.set_defaults(work=_work("playing.match", "play_ci"))
    regress.set_defaults(work=_work("playing.match", "play_regression"))


def _add_files(commands: Any) -> None:
    replay = commands.add_parser("replay", help="show the games of a record, checked against the rules")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument(
        "game", nargs="?", type=_whole, metavar="N", help="number of the game (default: list all games)"
    )
    replay.add_argument("--view", metavar="SEATS", help="show only what these seats may see")
    replay.add_argument(
        "--ply", type=_whole, metavar="K", help="show the position after K plies (default: the last one)"
    )
    replay.set_defaults(work=_work("records.replay", "replay"))

    ratings = commands.add_parser("ratings", help="show results, Elo and pentanomial of finished records")
    ratings.add_argument("records", nargs="+", metavar="RECORD")
    ratings.add_argument("--json", action="store_true", help="print one JSON object")
    ratings.set_defaults(work=_work("playing.match", "show_ratings"))


def _add_convert(commands: Any) -> None:
    parser = commands.add_parser("convert", help="write the games of .jgs files and records as one record")
    add = parser.add_argument
    paths = "files, folders of .jgs files; after a single file the number of a game (default: all games)"
    add("paths", nargs="+", metavar="FILE|FOLDER|N", help=paths)
    add("--write", metavar="PATH", help="write to this file (default: stdout)")
    add("--overwrite", action="store_true", help="replace files that exist")
    add("--names", action="store_true", help="keep the names of players of .jgs files")
    parser.set_defaults(work=_work("records.conversion", "convert"))


def _add_review(commands: Any) -> None:
    parser = commands.add_parser("review", help="show what each move of a game was worth, skill apart from luck")
    add = parser.add_argument
    paths = "records, .jgs files, folders of these; after a single file the number of a game (default: all games)"
    add("paths", nargs="+", metavar="FILE|FOLDER|N", help=paths)
    add("--out", required=True, metavar="FILE", help="the report: a .html or .json file")
    add("--nodes", type=_whole, default=200_000, metavar="N", help="positions for each search")
    add("--key-nodes", type=_whole, default=0, metavar="N", help="positions to search the moves that decided once more")
    add("--seed", type=_whole, default=0, metavar="N", help="random seed; the same seed gives the same report")
    add("--concurrency", type=_whole, default=1, metavar="N", help="search processes (default: 1)")
    add("--scheduler", metavar="ADDRESS", help="search on the workers of a Dask scheduler instead")
    add("--resume", action="store_true", help="continue an interrupted review")
    add("--overwrite", action="store_true", help="replace the report if it exists")
    add("--unfinished", action="store_true", help="review unfinished games up to where they are")
    add("--names", action="store_true", help="show the names of players of .jgs files")
    add("--live", action="store_true", help="print the review so far on stdout, as lines of JSON")
    parser.set_defaults(work=_work("review", "review_games"))


def _add_check(commands: Any) -> None:
    parser = commands.add_parser("check", help="test an engine's conformance to the protocol")
    add = parser.add_argument
    add("engine", nargs="+", metavar=WORDS, help="cmd=COMMAND or rev=REVISION, option.NAME=VALUE dir=FOLDER")
    add("--variant", default="siguo")
    levels = "test only what an engine of this level does (default: %(default)s)"
    add("--level", choices=("plays", "analyses"), default="analyses", help=levels)
    add("--strict", action="store_true", help="allow the times of the protocol, not ten times as long")
    add("--verbose", action="store_true", help="print every line to and from the engine on stderr")
    add("--json", action="store_true", help="print one JSON object at the end of stdout")
    parser.set_defaults(work=_work("check.steps", "check_engine"))


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
    return int(text)
