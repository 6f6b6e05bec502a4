"""The command line of `junqi-referee`: parses the arguments, runs the subcommand, turns errors into exit codes.

The module of a subcommand is imported when it runs. This one imports neither rules nor numba, so that `--help` is
printed immediately.
"""

import argparse
import shlex
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from junqi_engine.errors import quoted
from junqi_engine.rules.visibility import Visibility
from junqi_engine.version import __version__
from junqi_referee.exit_codes import ExitCode, RefereeError, run_command
from junqi_referee.readers import Words, one_of, text, whole
from junqi_referee.settings.engine import ENGINE_HELP
from junqi_referee.settings.settings import (
    VARIANT_RULE,
    Format,
    Lineups,
    MatchSettings,
    read_draw,
    read_resign,
    read_seed,
    read_sprt,
    read_variant,
)

WORDS = "KEY=VALUE"
PATHS = "FILE|FOLDER|N"
PATHS_HELP = (
    "records, .jgs files, or folders of .jgs files. After a single file, a game number may follow (default: all games)"
)
CI: dict[str, Any] = {"rounds": 300, "sprt": "elo0=-50 elo1=0", "each": "nodes=2000", "fail_on": "faults,H0"}
"""The defaults of `ci`."""
SEED_HELP = (
    "random seed. Use a number only with engines that you trust: they could guess it and learn the hidden "
    "line-ups. A record's seed repeats its games (default: a new secret)"
)


def run(arguments: Sequence[str]) -> int:
    return run_command("junqi-referee", partial(_run, arguments))


def _run(arguments: Sequence[str]) -> int:
    parsed = parse(arguments)
    module, _, function = parsed.work.partition(":")
    work: Callable[[argparse.Namespace], ExitCode] = getattr(import_module(f"junqi_referee.{module}"), function)
    return work(parsed)


class _Parser(argparse.ArgumentParser):
    """Raises `RefereeError` for wrong arguments. A file of arguments has the words of a shell, and comments."""

    def error(self, message: str) -> NoReturn:
        raise RefereeError(f"{message} (try {self.prog} --help)")

    def convert_arg_line_to_args(self, arg_line: str) -> list[str]:
        line = arg_line.removeprefix("\ufeff")
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            self.error(f"in a file of arguments, {quoted(line, 60)}: {error}")
        if inner := next((word for word in words if word.startswith("@")), None):
            self.error(f"in a file of arguments, {quoted(inner, 60)}: such a file cannot include another one")
        return words


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command line; `RefereeError` for wrong ones."""
    description = "Matches, tournaments and regression tests between engines."
    epilog = (
        "@FILE stands for the arguments in a file: words as in a shell, in any number of lines; # begins a comment."
    )
    parser = _Parser(prog="junqi-referee", description=description, epilog=epilog, fromfile_prefix_chars="@")
    parser.add_argument("--version", action="version", version=f"junqi-referee {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for add in (_add_matches, _add_files, _add_convert, _add_review, _add_check):
        add(commands)
    try:
        return parser.parse_args(words)
    except UnicodeDecodeError as error:
        raise RefereeError(f"a file of arguments is not UTF-8: {error}") from error


def _add_matches(commands: Any) -> None:
    match = commands.add_parser("match", help="play two engines against each other")
    tournament = commands.add_parser("tournament", help="play several engines, as a round robin or a gauntlet")
    ci = commands.add_parser(
        "ci", help="play a changed engine against an earlier version; exit code 3 if it is weaker or has faults"
    )
    for parser in (match, tournament):
        parser.add_argument("--engine", nargs="+", action="append", default=[], metavar=WORDS, help=ENGINE_HELP)
    changed = f"the changed engine (default: rev=worktree): {ENGINE_HELP}"
    ci.add_argument("--engine", nargs="+", action="append", default=[], metavar=WORDS, help=changed)
    against = "the version that it plays against, such as rev=HEAD~1"
    ci.add_argument("--against", nargs="+", action="append", required=True, metavar=WORDS, help=against)
    defaults = {entry.name: entry.default for entry in fields(MatchSettings)}
    for parser in (match, tournament, ci):
        known = defaults | (CI if parser is ci else {})

        def add(name: str, help: str, parser: Any = parser, known: Any = known, **how: Any) -> None:
            default = known.get(name.replace("-", "_"))
            given = "" if default is None else f" (default: {default})"
            parser.add_argument(f"--{name}", help=f"{help}{given}", **how)

        add("each", "settings for all engines; those of --engine take precedence", nargs="+", metavar=WORDS)
        add("variant", "the variant of Junqi", type=read_variant)
        add("visibility", f"one of {', '.join(Visibility)}", type=one_of(Visibility))
        if parser is tournament:
            add("format", f"one of {', '.join(Format)}", type=one_of(Format))
        add("rounds", "pairs of games per pairing of two engines", type=whole(1, 10**7))
        add("concurrency", "games played at a time", type=whole(1, 1024))
        add("seed", SEED_HELP, type=read_seed)
        add("lineups", f"one of {', '.join(Lineups)}", type=one_of(Lineups))
        add("book", "file of line-ups (default: the packaged book)", type=text)
        add(
            "openings",
            "positions to start from: a file, a record, or 'balanced' for the packaged ones",
            type=text,
        )
        add(
            "opening-ply",
            "if --openings is a record: start each game after this many plies",
            type=whole(0, 10**6),
        )
        add("record", "append finished games to this file", type=text)
        add("log", "folder for the stderr of engines (default: RECORD.logs)", type=text)
        add("transcript", "write every line to and from the engines, with times, to files in this folder", type=text)
        add(
            "no-contact",
            "plies without a battle that end a game; 0: no limit, -1: the limit of the variant",
            type=whole(-1, 1000),
        )
        at_limit = "result at the limit of --no-contact: variant, draw or loss; engines are not told"
        add("no-contact-result", at_limit, type=one_of((VARIANT_RULE, "draw", "loss")))
        add("max-plies", "plies after which a game is a draw; 0: no limit", type=whole(0, 100_000))
        sprt = "stop the match when this test decides: elo0= elo1= alpha= beta= model="
        add("sprt", sprt, action=Words, read=read_sprt, metavar=WORDS)
        if parser is not ci:
            by = "by the scores of the engines"
            add("resign", f"adjudicate losses {by}: movecount= score=", action=Words, read=read_resign, metavar=WORDS)
            draw = f"adjudicate draws {by}: movenumber= movecount= score="
            add("draw", draw, action=Words, read=read_draw, metavar=WORDS)
        add("scheduler", "play the games on the workers of the Dask scheduler at this address", type=text)
        add("fail-on", "exit with code 3 if any of these happens: faults, H0, H1, undecided", metavar="WORD,...")
        parser.add_argument("--resume", action="store_true", help="continue where the record ends")
        parser.add_argument("--json", action="store_true", help="print one JSON object at the end of stdout")
    match.set_defaults(work="playing.match:play_match")
    tournament.set_defaults(work="playing.match:play_tournament")
    read = {"sprt": read_sprt(CI["sprt"].split()), "each": CI["each"].split()}
    ci.set_defaults(work="playing.match:play_ci", **CI | read)


def _add_files(commands: Any) -> None:
    replay = commands.add_parser(
        "replay", help="list games and check them against the rules, or show one game move by move"
    )
    replay.add_argument("paths", nargs="+", metavar=PATHS, help=PATHS_HELP)
    replay.add_argument("--view", metavar="SEATS", help="show only what these seats may see, such as SN")
    replay.add_argument(
        "--ply", type=whole(0), metavar="K", help="show the position after K plies (default: the last one)"
    )
    replay.set_defaults(work="records.replay:replay")

    ratings = commands.add_parser("ratings", help="show results, Elo and pentanomial counts of records")
    ratings.add_argument("records", nargs="+", metavar="RECORD")
    ratings.add_argument("--json", action="store_true", help="print one JSON object")
    ratings.set_defaults(work="playing.match:show_ratings")


def _add_convert(commands: Any) -> None:
    parser = commands.add_parser("convert", help="write the games of .jgs files and records as one record")
    add = parser.add_argument
    add("paths", nargs="+", metavar=PATHS, help=PATHS_HELP)
    add("--write", metavar="PATH", help="write to this file (default: stdout)")
    add("--overwrite", action="store_true", help="replace files that exist")
    add("--names", action="store_true", help="keep the names of players of .jgs files")
    parser.set_defaults(work="records.conversion:convert")


def _add_review(commands: Any) -> None:
    parser = commands.add_parser("review", help="rate each move of a game, separating skill from luck")
    add = parser.add_argument
    add("paths", nargs="+", metavar=PATHS, help=PATHS_HELP)
    add("--out", required=True, metavar="FILE", help="the report, a JSON file")
    nodes = "nodes per search, at least 1000 (default: %(default)s)"
    add("--nodes", type=_review_nodes, default=200_000, metavar="N", help=nodes)
    again = "nodes for a second search of the decisive moves, at least 1000 (default: no second search)"
    add("--key-nodes", type=_review_nodes, metavar="N", help=again)
    add("--seed", type=whole(0), default=0, metavar="N", help="random seed; the same seed gives the same report")
    add("--concurrency", type=whole(1, 256), default=1, metavar="N", help="search processes (default: 1)")
    add("--overwrite", action="store_true", help="replace the report if it exists")
    add("--unfinished", action="store_true", help="review unfinished games up to their last move")
    add("--names", action="store_true", help="show the names of players of .jgs files")
    add("--live", action="store_true", help="print the review on stdout while it is made, as lines of JSON")
    parser.set_defaults(work="review:review_games")


def _review_nodes(text: str) -> int:
    from junqi_engine.game_review.evaluation import MIN_NODES

    return whole(MIN_NODES)(text)


def _add_check(commands: Any) -> None:
    parser = commands.add_parser("check", help="test whether an engine conforms to the protocol")
    add = parser.add_argument
    add("engine", nargs="+", metavar=WORDS, help="cmd=COMMAND or rev=REVISION, option.NAME=VALUE dir=FOLDER")
    add("--variant", default="siguo", help="the variant of Junqi (default: %(default)s)")
    levels = "test only the steps of this level and the lower ones (default: %(default)s)"
    add("--level", choices=("plays", "analyses"), default="analyses", help=levels)
    add(
        "--strict",
        action="store_true",
        help="enforce the time limits of the protocol (by default ten times as long is allowed)",
    )
    add("--verbose", action="store_true", help="print every line to and from the engine on stderr")
    add("--json", action="store_true", help="print one JSON object at the end of stdout")
    parser.set_defaults(work="check.runner:check_engine")
