"""What `match`, `tournament` and `regress` do: settings in, games played, standings and bounds out.

A bound is what must hold after the games of a regression. A new kind of bound is one entry of `KINDS`.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, Interrupted, RefereeError, how_to_continue
from junqi_referee.playing.standings import PairingResults, as_json, check_table, elo_text, summary, write_table
from junqi_referee.playing.tournament import Tournament, progress_for
from junqi_referee.settings.engine import PROGRAM_KEYS, read_engine_words
from junqi_referee.settings.readers import check_keys, options_of, overlay, read_file, read_words, table_in, tables_in
from junqi_referee.settings.settings import Format, MatchSettings
from junqi_referee.sprt import SprtVerdict, elo_of_score, score_interval

MAX_VALUE = 10_000
"""The upper limit of a number in a bound; Elo needs the most."""
FEWEST_PAIRS = 10
"""A bound of the Elo interval does not hold with fewer."""
SPRT = "sprt"
DECISIONS = (SprtVerdict.H0, SprtVerdict.H1)


@dataclass(frozen=True)
class Finding:
    """Whether a bound holds, with the measured value as text."""

    holds: bool
    text: str


@dataclass(frozen=True)
class Kind:
    """A kind of bound.

    `read` checks the value of its key; a ValueError says what it must be. `check` compares the value with a standing,
    seen from the side of `engine`.
    """

    read: Callable[[Any], Any]
    check: Callable[[Any, PairingResults], list[Finding]]


def _read_number(value: Any) -> float:
    if type(value) not in (int, float) or not -MAX_VALUE <= value <= MAX_VALUE:
        raise ValueError(f"must be a number from {-MAX_VALUE} to {MAX_VALUE}")
    return value


def _read_endings(value: Any) -> tuple[Ending, ...]:
    names = [str(ending) for ending in Ending]
    if not isinstance(value, list) or any(name not in names for name in value):
        raise ValueError(f"must be a list of endings: {', '.join(names)}")
    return tuple(map(Ending, value))


def _read_verdict(value: Any) -> SprtVerdict:
    if value not in DECISIONS:
        raise ValueError(f"is not one of {', '.join(DECISIONS)}")
    return SprtVerdict(value)


def _check_score(minimum: float, standing: PairingResults) -> list[Finding]:
    score = standing.score
    measured = "no game" if score is None else f"{score:.4f}"
    return [Finding(score is not None and score >= minimum, f"score {measured}, at least {minimum:g}")]


def _check_elo(minimum: float, standing: PairingResults) -> list[Finding]:
    low = elo_of_score(score_interval(standing.pentanomial)[0])
    text = f"lower end of the Elo interval {elo_text(low)}, at least {minimum:g}; {standing.pairs} pairs"
    return [Finding(low >= minimum and standing.pairs >= FEWEST_PAIRS, f"{text}, at least {FEWEST_PAIRS}")]


def _check_endings(excluded: Sequence[Ending], standing: PairingResults) -> list[Finding]:
    counts = {ending: standing.endings.get(ending, 0) for ending in excluded}
    return [Finding(count == 0, f"{count} games ended by {ending}, none allowed") for ending, count in counts.items()]


def _check_test(expected: SprtVerdict, standing: PairingResults) -> list[Finding]:
    test = standing.test
    if test is None:
        return [Finding(False, f"no sequential test, {expected} must be accepted")]
    return [Finding(test.verdict == expected, f"{test}, {expected} must be accepted")]


KINDS: Mapping[str, Kind] = {
    "score-min": Kind(_read_number, _check_score),
    "elo-min": Kind(_read_number, _check_elo),
    "no-endings": Kind(_read_endings, _check_endings),
    SPRT: Kind(_read_verdict, _check_test),
}
"""The kinds of bounds by their keys in `[[bound]]`."""
PAIRING = ("engine", "against")


@dataclass(frozen=True)
class Bound:
    """What must hold for `engine` in its games against `against`: values by the key of their kind."""

    engine: str
    against: str
    values: Mapping[str, Any]

    @classmethod
    def parse(cls, table: Mapping[str, Any], names: Sequence[str], where: str, has_test: bool) -> "Bound":
        """Read a table `[[bound]]`; `names` are those of the engines. A `RefereeError` names what is wrong.

        `has_test` says whether the match has a sequential test, which a bound on its decision requires.
        """
        check_keys(table, (*PAIRING, *KINDS), where)
        for key in PAIRING:
            if table.get(key) not in names:
                raise RefereeError(f"{where}: {key}={table.get(key)!r} is not one of the engines {', '.join(names)}")
        if table["engine"] == table["against"]:
            raise RefereeError(f"{where}: engine and against are both {table['engine']!r}")
        values = {}
        for key, kind in KINDS.items():
            if key in table:
                try:
                    values[key] = kind.read(table[key])
                except ValueError as error:
                    raise RefereeError(f"{where}: {key}={table[key]!r} {error}") from error
        if all(value == () for value in values.values()):
            raise RefereeError(f"{where}: sets no bound; give one of {', '.join(KINDS)}")
        if SPRT in values and not has_test:
            raise RefereeError(f"{where}: {SPRT} needs a sequential test; set {SPRT} in [match]")
        if SPRT in values and table["engine"] != names[0]:
            raise RefereeError(f"{where}: {SPRT} tests the first engine, {names[0]!r}, not {table['engine']!r}")
        return cls(table["engine"], table["against"], values)

    def check(self, standing: PairingResults) -> list[Finding]:
        """The findings on a pairing; `standing` is seen from the side of `engine`."""
        findings = [finding for key, value in self.values.items() for finding in KINDS[key].check(value, standing)]
        return [Finding(finding.holds, f"{self.engine} against {self.against}: {finding.text}") for finding in findings]


def read_bounds(tables: Mapping[str, Any], names: Sequence[str], where: str, has_test: bool = False) -> list[Bound]:
    """The tables `[[bound]]` of a file, at least one; `has_test` as for `Bound.parse`."""
    entries = tables_in(tables, "bound", where)
    if not entries:
        raise RefereeError(f"{where}: there is no [[bound]] to check")
    return [Bound.parse(table, names, f"{where}, bound {number}", has_test) for number, table in enumerate(entries, 1)]


def play_match(parsed: argparse.Namespace) -> ExitCode:
    settings = _settings(parsed)
    if len(settings.engines) != 2:
        raise RefereeError(f"a match has two engines, there are {len(settings.engines)}; use tournament for more")
    return _play(parsed, settings, [])


def play_tournament(parsed: argparse.Namespace) -> ExitCode:
    return _play(parsed, _settings(parsed), [])


def play_regression(parsed: argparse.Namespace) -> ExitCode:
    file = read_file(parsed.file)
    if parsed.engine is not None:
        engines = list(tables_in(file, "engine", parsed.file)) or [{}]
        other = 0 if table_in(file, "match", parsed.file).get("format") == Format.GAUNTLET else -1
        engines[other] = _with_words(engines[other], read_engine_words(parsed.engine, "--engine"))
        file["engine"] = engines
    settings = MatchSettings.read(overlay(file, _given(parsed)), parsed.file)
    names = [engine.name for engine in settings.engines]
    return _play(parsed, settings, read_bounds(file, names, parsed.file, settings.sprt is not None))


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


def _play(parsed: argparse.Namespace, settings: MatchSettings, bounds: Sequence[Bound]) -> ExitCode:
    """Play all games, print what they amount to, and check the bounds."""
    check_table(parsed.table, parsed.resume)
    tournament = Tournament(settings)
    with progress_for() as progress:
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
    print(summary(tournament.standings), file=out)
    for finding in findings:
        print(f"{'holds ' if finding.holds else 'FAILS '} {finding.text}", file=out)
    if parsed.json:
        report = as_json(tournament.standings)
        if bounds:
            report["bounds"] = [{"holds": finding.holds, "text": finding.text} for finding in findings]
        print(json.dumps(report, ensure_ascii=False))
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
