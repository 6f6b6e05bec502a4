"""What `match`, `tournament`, `regress` and `ci` do: settings in, games played, standings and bounds out."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from junqi_referee.exits import ExitCode, Interrupted, RefereeError, file_error, how_to_continue, one_line, report
from junqi_referee.machine import machine_text, machines_of
from junqi_referee.playing.bounds import FAULTS, UNDECIDED, Bound, bounds_of, read_bounds
from junqi_referee.playing.standings import as_json, check_table, faults_text, standings_of, summary, write_table
from junqi_referee.playing.tournament import Tournament, progress_for
from junqi_referee.records.game_record import read_record
from junqi_referee.revisions import WORKTREE
from junqi_referee.settings.engine import PROGRAM_KEYS, read_engine_words
from junqi_referee.settings.readers import (
    CI_MATCH,
    as_toml,
    options_of,
    overlay,
    read_file,
    read_words,
    table_in,
    tables_in,
)
from junqi_referee.settings.schedule import pairings
from junqi_referee.settings.settings import Format, MatchSettings


def play_match(parsed: argparse.Namespace) -> ExitCode:
    settings = _settings(parsed)
    if len(settings.engines) != 2:
        raise RefereeError(f"a match has two engines, there are {len(settings.engines)}; use tournament for more")
    return _play(parsed, settings, _fail_on(parsed, settings))


def play_tournament(parsed: argparse.Namespace) -> ExitCode:
    settings = _settings(parsed)
    return _play(parsed, settings, _fail_on(parsed, settings))


def show_ratings(parsed: argparse.Namespace) -> ExitCode:
    """The results of finished records, as a match ends with them."""
    standings = standings_of(read_record(path) for path in parsed.records)
    if not standings.games:
        raise RefereeError(f"ratings: there is no finished game in {', '.join(parsed.records)}")
    print(json.dumps(as_json(standings), ensure_ascii=False) if parsed.json else summary(standings))
    sys.stdout.flush()
    return ExitCode.DONE


def _fail_on(parsed: argparse.Namespace, settings: MatchSettings) -> list[Bound]:
    if parsed.fail_on is None:
        return []
    names = [engine.name for engine in settings.engines]
    return bounds_of(parsed.fail_on, names, pairings(len(names), settings.format), settings.test)


NEW, OLD = "new", "old"
CI_EACH: Mapping[str, Any] = {"nodes": 2000}
CI_BOUND: Mapping[str, Any] = {"engine": NEW, "against": OLD, "sprt": ["H1", UNDECIDED], "no-endings": [FAULTS]}
"""How `ci` plays if nothing else is said, and what must hold."""


def play_ci(parsed: argparse.Namespace) -> ExitCode:
    """Is an engine no weaker than another one, and do both play without a fault?"""
    given = _given(parsed)
    words = {NEW: parsed.engine or [f"rev={WORKTREE}"], OLD: parsed.against}
    tables = {
        "match": {**CI_MATCH, **given.get("match", {})},
        "each": given.get("each", CI_EACH),
        "engine": [{**read_engine_words(each, f"ci, {name}"), "name": name} for name, each in words.items()],
        "bound": [CI_BOUND],
    }
    settings = MatchSettings.read(tables, "ci")
    bounds = read_bounds(tables, [NEW, OLD], "ci", settings.test)
    if parsed.print:
        print(as_toml(tables), end="", flush=True)
        return ExitCode.DONE
    return _play(parsed, settings, bounds)


def play_regression(parsed: argparse.Namespace) -> ExitCode:
    """Play a file, or each file of a folder in the order of their names; all are read before the first is played."""
    if not Path(parsed.file).is_dir():
        return _play(parsed, *_regression(parsed, parsed.file, _given(parsed)))
    files = sorted(Path(parsed.file).glob("*.toml"))
    if not files:
        raise RefereeError(f"regress {parsed.file}: there is no .toml file in it")
    if parsed.table is not None:
        raise RefereeError(f"regress {parsed.file}: --table is of one file, not of a folder")
    asked = {file.stem: _regression(parsed, str(file), _of_file(parsed, file)) for file in files}
    if parsed.record is not None:
        try:
            Path(parsed.record).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(f"--record {parsed.record}", error) from error
    codes, errors = [ExitCode.DONE], []
    for name, (settings, bounds) in asked.items():
        try:
            codes.append(_play(parsed, settings, bounds, name))
        except RefereeError as error:
            errors.append(RefereeError(f"{name}: {error}", error.code))
        if codes[-1] == ExitCode.INTERRUPTED:
            break
    return max(report(errors), *codes)


def _of_file(parsed: argparse.Namespace, file: Path) -> dict[str, Any]:
    """The tables of the command line for one file of a folder, whose `--record` is a folder, too."""
    given = _given(parsed)
    if parsed.record is not None:
        given["match"]["record"] = str(Path(parsed.record) / f"{file.stem}.jsonl")
    return given


def _regression(
    parsed: argparse.Namespace, path: str, given: Mapping[str, Any]
) -> tuple[MatchSettings, Sequence[Bound]]:
    """The settings and the bounds of a file, with what is given on the command line."""
    tables = overlay(read_file(path), given)
    if parsed.engine is not None:
        engines = list(tables_in(tables, "engine", path)) or [{}]
        match = table_in(tables, "match", path)
        other = 0 if match.get("format") == Format.GAUNTLET and "difference" not in match else -1
        engines[other] = _with_words(engines[other], read_engine_words(parsed.engine, "--engine"))
        tables["engine"] = engines
    settings = MatchSettings.read(tables, path)
    return settings, read_bounds(tables, [engine.name for engine in settings.engines], path, settings.test)


def _settings(parsed: argparse.Namespace) -> MatchSettings:
    """The settings of the file, if there is one, overridden by those of the command line."""
    given = _given(parsed)
    if getattr(parsed, "engine", None) is not None:
        given["engine"] = [
            read_engine_words(words, f"--engine {number}") for number, words in enumerate(parsed.engine, 1)
        ]
    if parsed.resume and parsed.record is None and parsed.file is None:
        raise RefereeError("--resume needs --record")
    if parsed.file is None:
        return MatchSettings.read(given, "command line")
    return MatchSettings.read(overlay(read_file(parsed.file), given), parsed.file)


def _given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The tables `match` and `each` of the command line."""
    given: dict[str, Any] = {}
    for key, option in options_of(MatchSettings).items():
        value = getattr(parsed, key.replace("-", "_"), None)
        if value is not None:
            table = given.setdefault("match", {})
            table[key] = read_words(value, f"--{key}") if option.takes_words else value
    if getattr(parsed, "each", None) is not None:
        given["each"] = read_engine_words(parsed.each, "--each")
    return given


def _with_words(engine: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """A table `[[engine]]` with keys of the command line in place of its own; another program replaces its program."""
    is_replaced = not PROGRAM_KEYS.keys().isdisjoint(words)
    return {key: value for key, value in engine.items() if not (is_replaced and key in PROGRAM_KEYS)} | dict(words)


def _play(
    parsed: argparse.Namespace, settings: MatchSettings, bounds: Sequence[Bound], name: str | None = None
) -> ExitCode:
    """Play all games, print what they amount to, and check the bounds; `name` is that of one file of several."""
    check_table(parsed.table, parsed.resume)
    tournament = Tournament(settings)
    with progress_for() as progress:
        progress.rating_interval = settings.rating_interval
        try:
            tournament.run(progress, parsed.resume)
        except Interrupted:
            progress.say(_interrupted(settings, len(tournament.finished), len(tournament.schedule)))
            return ExitCode.INTERRUPTED
    findings = [
        finding
        for bound in bounds
        for finding in bound.check(tournament.standings.between(bound.engine, bound.against))
    ]
    out = sys.stderr if parsed.json else sys.stdout
    if name is not None:
        print(one_line(f"{name}:"), file=out)
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
        table = {**({} if name is None else {"file": name}), **as_json(tournament.standings), "machines": machines}
        if bounds:
            table["bounds"] = [{"holds": finding.holds, "text": finding.text} for finding in findings]
        print(json.dumps(table, ensure_ascii=False))
    sys.stdout.flush()
    if parsed.table is not None:
        write_table(parsed.table, tournament.standings, parsed.resume)
    if tournament.failed:
        count = len(tournament.failed)
        raise RefereeError(f"{count} games have no result; --resume plays them again", ExitCode.INTERNAL)
    return ExitCode.DONE if all(finding.holds for finding in findings) else ExitCode.FAILED


def _interrupted(settings: MatchSettings, played: int, total: int) -> str:
    if settings.record is None:
        return f"interrupted after {played} of {total} games; without --record none of them is kept"
    return f"interrupted; {played} of {total} games are in {settings.record}; {how_to_continue()}"
