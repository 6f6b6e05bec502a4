"""The subcommands `match`, `tournament`, `ci` and `ratings`, and the conditions of `--fail-on`."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, Interrupted, RefereeError, how_to_continue, report
from junqi_referee.machine import machine_text, machines_of
from junqi_referee.playing.standings import Standings, as_json, faults_text, standings_of, summary
from junqi_referee.playing.tournament import Progress, Tournament
from junqi_referee.records.record_file import read_record
from junqi_referee.settings.settings import MatchSettings
from junqi_referee.sprt import Sprt, SprtVerdict

DECISIONS = {"H0": SprtVerdict.H0, "H1": SprtVerdict.H1, "undecided": SprtVerdict.CONTINUE}
"""The states of a sequential test at the end, by their words."""
FAULTS = "faults"
"""The word for any ending by a fault of an engine."""
FAIL_ON = (FAULTS, *DECISIONS)


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
    """Test that an engine is no weaker than another one, and that both play without a fault."""
    given = {"--engine": parsed.engine or [["rev=worktree"]], "--against": parsed.against}
    for flag, words in given.items():
        if len(words) > 1:
            raise RefereeError(f"ci plays one engine against another, but {flag} is given {len(words)} times")
    engines = {flag: _named(name, words[0]) for name, (flag, words) in zip(("new", "old"), given.items(), strict=True)}
    return _play(parsed, MatchSettings.of(parsed, engines))


def _named(name: str, words: Sequence[str]) -> list[str]:
    return [f"name={name}", *(word for word in words if not word.startswith("name="))]


def show_ratings(parsed: argparse.Namespace) -> ExitCode:
    """Show the results of finished records, as a match does at its end."""
    standings, ambiguous = standings_of(read_record(path) for path in parsed.records)
    text = f"ratings: games whose two teams have one name are left out: {ambiguous}"
    errors = [RefereeError(text, ExitCode.FAILED)] if ambiguous else []
    if standings.games:
        print(json.dumps(as_json(standings), ensure_ascii=False) if parsed.json else summary(standings))
        sys.stdout.flush()
    elif not ambiguous:
        raise RefereeError(f"ratings: there is no finished game in {', '.join(parsed.records)}")
    return report(errors)


def _play(parsed: argparse.Namespace, settings: MatchSettings) -> ExitCode:
    """Play all games, print the standings, and test the conditions of `--fail-on`."""
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
        print(f"{'PASSED' if finding['holds'] else 'FAILED'}  {finding['text']}", file=out)
    if faults := faults_text(tournament.standings):
        print(faults, file=out)
    if parsed.json:
        table = {**as_json(tournament.standings), "machines": machines}
        if findings:
            table["bounds"] = findings
        print(json.dumps(table, ensure_ascii=False))
    sys.stdout.flush()
    if tournament.failed:
        count = len(tournament.failed)
        raise RefereeError(f"{count} games have no result; --resume plays them again", ExitCode.INTERNAL)
    return ExitCode.DONE if all(finding["holds"] for finding in findings) else ExitCode.FAILED


def read_fail_on(words: str | None, sprt: Sprt | None) -> tuple[str, ...]:
    """Parse the words of `--fail-on WORD,...`; words about a decision need a sequential test."""
    given = tuple(words.split(",")) if words else ()
    if wrong := [word for word in given if word not in FAIL_ON]:
        raise RefereeError(f"--fail-on {words}: {wrong[0]!r} is not one of {', '.join(FAIL_ON)}")
    if sprt is None and not DECISIONS.keys().isdisjoint(given):
        raise RefereeError(f"--fail-on {words}: only --sprt decides; add it, or name {FAULTS} alone")
    return given


def findings_on(words: Sequence[str], standings: Standings) -> list[dict[str, Any]]:
    """Test each condition in each pairing: True under `holds` if it was met, and the facts as `text`."""
    found = []
    test, allowed = standings.test, [word for word in DECISIONS if word not in words]
    for (one, other), standing in standings.by_pairing.items():
        who = f"{standings.engines[one]} vs {standings.engines[other]}"
        if FAULTS in words:
            faults = [one for one in Ending if one.is_fault and standing.endings[one]]
            ended = ", ".join(f"{standing.endings[one]} by {one}" for one in faults) or "none was"
            text = f"{who}: no game may be lost by a fault ({ended})"
            found.append({"holds": not faults, "text": text})
        if test is not None and len(allowed) < len(DECISIONS):
            holds = test.verdict in [DECISIONS[word] for word in allowed]
            found.append({"holds": holds, "text": f"{who}: {test}; passes with {' or '.join(allowed)}"})
    return found


def _interrupted(settings: MatchSettings, played: int, total: int) -> str:
    if settings.record is None:
        return f"interrupted after {played} of {total} games; without --record none of them is kept"
    return f"interrupted; {played} of {total} games are in {settings.record}; {how_to_continue()}"
