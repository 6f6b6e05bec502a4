"""`match`, `tournament` and `regress`: settings in, games played, standings and bounds out."""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from typing import Any

from tools.referee.commands.words import read_engine_words, read_words
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.results.bounds import Bound, read_bounds
from tools.referee.results.report import as_json, summary
from tools.referee.running.progress import progress_for
from tools.referee.running.tournament import Interrupted, Tournament
from tools.referee.settings.engine import ENGINE_HELP
from tools.referee.settings.options import MATCH, REGRESS, TOURNAMENT, options_of
from tools.referee.settings.settings import Settings
from tools.referee.settings.tables import overlay, read_file

WORDS = "KEY=VALUE"


def add_commands(commands: Any) -> None:
    match = commands.add_parser(MATCH, help="play two engines against each other")
    tournament = commands.add_parser(TOURNAMENT, help="play several engines, as a round robin or a gauntlet")
    regress = commands.add_parser(REGRESS, help="play what a file describes, and check its bounds")
    for parser in (match, tournament):
        parser.add_argument("file", nargs="?", metavar="FILE.toml", help="settings; the command line overrides them")
        parser.add_argument("--engine", nargs="+", action="append", metavar=WORDS, help=ENGINE_HELP)
        parser.add_argument("--each", nargs="+", metavar=WORDS, help="defaults for all engines")
    regress.add_argument("file", metavar="FILE.toml", help="settings and [[bound]] tables")
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
    settings = _settings(parsed)
    if len(settings.engines) != 2:
        raise RefereeError(f"a match has two engines, there are {len(settings.engines)}; use tournament for more")
    return _play(parsed, settings, [])


def _tournament(parsed: argparse.Namespace) -> ExitCode:
    return _play(parsed, _settings(parsed), [])


def _regress(parsed: argparse.Namespace) -> ExitCode:
    settings = _settings(parsed)
    names = [engine.name for engine in settings.engines]
    return _play(parsed, settings, read_bounds(read_file(parsed.file), names, parsed.file, settings.sprt is not None))


def _settings(parsed: argparse.Namespace) -> Settings:
    """The settings of the file, if there is one, overridden by those of the command line."""
    given: dict[str, Any] = {}
    match: dict[str, Any] = {}
    for name, option in options_of(Settings).items():
        value = getattr(parsed, name, None)
        if value is not None:
            match[option.key] = read_words(value, f"--{option.key}") if option.takes_words else value
    if match:
        given["match"] = match
    if getattr(parsed, "each", None) is not None:
        given["each"] = read_engine_words(parsed.each, "--each")
    if getattr(parsed, "engine", None) is not None:
        given["engine"] = [
            read_engine_words(words, f"--engine {number}") for number, words in enumerate(parsed.engine, 1)
        ]
    if parsed.resume and "record" not in match and parsed.file is None:
        raise RefereeError("--resume needs --record")
    if parsed.file is None:
        return Settings.read(given, "command line")
    return Settings.read(overlay(read_file(parsed.file), given), parsed.file)


def _play(parsed: argparse.Namespace, settings: Settings, bounds: Sequence[Bound]) -> ExitCode:
    """Play all games, print what they amount to, and check the bounds."""
    tournament = Tournament(settings)
    with progress_for() as progress:
        try:
            tournament.run(progress, parsed.resume)
        except Interrupted:
            progress.say(_how_to_continue(settings, len(tournament.finished), len(tournament.schedule)))
            return ExitCode.INTERRUPTED
    findings = [
        finding
        for bound in bounds
        for finding in bound.check(tournament.standings.between(bound.engine, bound.against))
    ]
    out = sys.stderr if parsed.json else sys.stdout
    print(summary(tournament.standings), file=out)
    for finding in findings:
        print(f"{'holds ' if finding.holds else 'FAILS '} {finding.text}", file=out)
    if parsed.json:
        report = as_json(tournament.standings)
        if bounds:
            report["bounds"] = [{"holds": finding.holds, "text": finding.text} for finding in findings]
        print(json.dumps(report, ensure_ascii=False))
    sys.stdout.flush()
    if tournament.failed:
        count = len(tournament.failed)
        raise RefereeError(f"{count} games have no result; --resume plays them again", ExitCode.INTERNAL)
    return ExitCode.DONE if all(finding.holds for finding in findings) else ExitCode.FAILED


def _how_to_continue(settings: Settings, played: int, total: int) -> str:
    if settings.record is None:
        return f"interrupted after {played} of {total} games; without --record none of them is kept"
    words = [word for word in sys.argv[1:] if word != "--resume"]
    command = shlex.join(["junqi-referee", *words, "--resume"])
    return f"interrupted; {played} of {total} games are in {settings.record}; continue with:\n{command}"
