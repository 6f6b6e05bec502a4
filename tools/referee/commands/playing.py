"""What `match`, `tournament` and `regress` do: settings in, games played, standings and bounds out."""

import argparse
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tools.referee.exits import ExitCode, Interrupted, RefereeError
from tools.referee.results.bounds import Bound, read_bounds
from tools.referee.results.report import as_json, summary
from tools.referee.results.table import check_table, write_table
from tools.referee.running.progress import progress_for
from tools.referee.running.tournament import Tournament
from tools.referee.settings.engine import PROGRAM_KEYS, read_engine_words
from tools.referee.settings.readers import options_of
from tools.referee.settings.settings import Format, Settings
from tools.referee.settings.tables import overlay, read_file, read_words, table_in, tables_in


def play_match(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `match`."""
    settings = _settings(parsed)
    if len(settings.engines) != 2:
        raise RefereeError(f"a match has two engines, there are {len(settings.engines)}; use tournament for more")
    return _play(parsed, settings, [])


def play_tournament(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `tournament`."""
    return _play(parsed, _settings(parsed), [])


def play_regression(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `regress`."""
    file = read_file(parsed.file)
    if parsed.engine is not None:
        engines = list(tables_in(file, "engine", parsed.file)) or [{}]
        other = 0 if table_in(file, "match", parsed.file).get("format") == Format.GAUNTLET else -1
        engines[other] = _with_words(engines[other], read_engine_words(parsed.engine, "--engine"))
        file["engine"] = engines
    settings = Settings.read(overlay(file, _given(parsed)), parsed.file)
    names = [engine.name for engine in settings.engines]
    return _play(parsed, settings, read_bounds(file, names, parsed.file, settings.sprt is not None))


def _settings(parsed: argparse.Namespace) -> Settings:
    """The settings of the file, if there is one, overridden by those of the command line."""
    given = _given(parsed)
    if getattr(parsed, "engine", None) is not None:
        given["engine"] = [
            read_engine_words(words, f"--engine {number}") for number, words in enumerate(parsed.engine, 1)
        ]
    if parsed.resume and parsed.record is None and parsed.file is None:
        raise RefereeError("--resume needs --record")
    if parsed.file is None:
        return Settings.read(given, "command line")
    return Settings.read(overlay(read_file(parsed.file), given), parsed.file)


def _given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The tables `match` and `each` of the command line."""
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
    return given


def _with_words(engine: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """A table `[[engine]]` with keys of the command line in place of its own; another program replaces its program."""
    is_replaced = not PROGRAM_KEYS.keys().isdisjoint(words)
    return {key: value for key, value in engine.items() if not (is_replaced and key in PROGRAM_KEYS)} | dict(words)


def _play(parsed: argparse.Namespace, settings: Settings, bounds: Sequence[Bound]) -> ExitCode:
    """Play all games, print what they amount to, and check the bounds."""
    check_table(parsed.table, parsed.resume)
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
    if parsed.table is not None:
        write_table(parsed.table, tournament.standings, parsed.resume)
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
