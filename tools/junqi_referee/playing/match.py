"""What `match`, `tournament` and `ci` do: settings in, games played, standings out."""

import argparse
import json
import sys
from collections.abc import Sequence

from junqi_referee.exits import ExitCode, Interrupted, RefereeError, how_to_continue
from junqi_referee.machine import machine_text, machines_of
from junqi_referee.playing.fail_on import findings_on, read_fail_on
from junqi_referee.playing.standings import as_json, faults_text, standings_of, summary
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.records.game_record import read_record
from junqi_referee.settings.settings import MatchSettings


def play_match(parsed: argparse.Namespace) -> ExitCode:
    if len(parsed.engine) > 2:
        raise RefereeError(f"a match has two engines, there are {len(parsed.engine)}; use tournament for more")
    return _play(parsed, settings_of(parsed))


def play_tournament(parsed: argparse.Namespace) -> ExitCode:
    return _play(parsed, settings_of(parsed))


def settings_of(parsed: argparse.Namespace) -> MatchSettings:
    """The settings of the arguments of `match` or `tournament`."""
    engines = {f"--engine {number}": words for number, words in enumerate(parsed.engine, 1)}
    return MatchSettings.of(parsed, engines)


def play_ci(parsed: argparse.Namespace) -> ExitCode:
    """Is an engine no weaker than another one, and do both play without a fault?"""
    given = {"--engine": parsed.engine or [["rev=worktree"]], "--against": parsed.against}
    for flag, words in given.items():
        if len(words) > 1:
            raise RefereeError(f"ci plays one engine against another, but {flag} is given {len(words)} times")
    engines = {flag: _named(name, words[0]) for name, (flag, words) in zip(("new", "old"), given.items(), strict=True)}
    return _play(parsed, MatchSettings.of(parsed, engines))


def _named(name: str, words: Sequence[str]) -> list[str]:
    return [f"name={name}", *(word for word in words if not word.startswith("name="))]


def show_ratings(parsed: argparse.Namespace) -> ExitCode:
    """The results of finished records, as a match ends with them."""
    standings, ambiguous = standings_of(read_record(path) for path in parsed.records)
    same_name = f"games left out, because both of their teams have one name: {ambiguous}"
    if not standings.games:
        reason = f"; {same_name}" if ambiguous else ""
        raise RefereeError(f"ratings: there is no finished game in {', '.join(parsed.records)}{reason}")
    if ambiguous:
        print(f"ratings: {same_name}", file=sys.stderr)
    print(json.dumps(as_json(standings), ensure_ascii=False) if parsed.json else summary(standings))
    sys.stdout.flush()
    return ExitCode.DONE


def _play(parsed: argparse.Namespace, settings: MatchSettings) -> ExitCode:
    """Play all games, print what they amount to, and check what must not happen."""
    if parsed.resume and settings.record is None:
        raise RefereeError("--resume needs --record")
    fail_on = read_fail_on(parsed.fail_on, settings.sprt)
    tournament = Tournament(settings)
    with Progress(sys.stderr) as progress:
        try:
            tournament.run(progress, parsed.resume)
        except Interrupted:
            progress.say(_interrupted(settings, len(tournament.finished), len(tournament.schedule)))
            return ExitCode.INTERRUPTED
    findings = findings_on(fail_on, tournament.standings)
    out = sys.stderr if parsed.json else sys.stdout
    print(summary(tournament.standings), file=out)
    if len({engine.time_control for engine in settings.engines}) > 1:
        print("limits: " + "; ".join(f"{each.name} {each.time_control}" for each in settings.engines), file=out)
    machines = machines_of(game.run for game in tournament.finished.values() if game.run)
    for machine in machines:
        print(machine_text(machine), file=out)
    for finding in findings:
        print(f"{'holds ' if finding.holds else 'FAILS '} {finding.text}", file=out)
    if faults := faults_text(tournament.standings):
        print(faults, file=out)
    if parsed.json:
        table = {**as_json(tournament.standings), "machines": machines}
        if findings:
            table["bounds"] = [{"holds": finding.holds, "text": finding.text} for finding in findings]
        print(json.dumps(table, ensure_ascii=False))
    sys.stdout.flush()
    if tournament.failed:
        count = len(tournament.failed)
        raise RefereeError(f"{count} games have no result; --resume plays them again", ExitCode.INTERNAL)
    return ExitCode.DONE if all(finding.holds for finding in findings) else ExitCode.FAILED


def _interrupted(settings: MatchSettings, played: int, total: int) -> str:
    if settings.record is None:
        return f"interrupted after {played} of {total} games; without --record none of them is kept"
    return f"interrupted; {played} of {total} games are in {settings.record}; {how_to_continue()}"
