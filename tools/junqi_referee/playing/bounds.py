"""Bounds: what must hold after the games of a regression, or of a match with `--fail-on`.

A new kind of bound is one entry of `KINDS`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from junqi_referee.endings import Ending
from junqi_referee.exits import RefereeError
from junqi_referee.playing.standings import PairingResults, elo_text
from junqi_referee.settings.readers import check_keys, tables_in
from junqi_referee.sprt import SequentialTest, SprtVerdict, elo_of_score, score_interval

MAX_VALUE = 10_000
"""The upper limit of a number in a bound; Elo needs the most."""
FEWEST_PAIRS = 10
"""A bound of the Elo interval does not hold with fewer."""
SPRT = "sprt"
UNDECIDED = "undecided"
DECISIONS = {"H0": SprtVerdict.H0, "H1": SprtVerdict.H1, UNDECIDED: SprtVerdict.CONTINUE}
"""How a sequential test may stand at the end, by the words of bounds and of `--fail-on`."""
FAULTS = "faults"
"""Stands for every ending that is an engine's fault."""
FAULT_ENDINGS = tuple(ending for ending in Ending if ending.is_fault)


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
    if not isinstance(value, list) or any(name not in (*names, FAULTS) for name in value):
        raise ValueError(f"must be a list of endings: {', '.join(names)}, or {FAULTS} for all that are an engine's")
    endings = [ending for name in value for ending in (FAULT_ENDINGS if name == FAULTS else [Ending(name)])]
    return tuple(dict.fromkeys(endings))


def _read_decisions(value: Any) -> tuple[str, ...]:
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, list | tuple) or not words or any(word not in DECISIONS for word in words):
        raise ValueError(f"is not one of {', '.join(DECISIONS)}, nor a list of these")
    return tuple(words)


def _check_score(minimum: float, standing: PairingResults) -> list[Finding]:
    score = standing.score
    measured = "no game" if score is None else f"{score:.4f}"
    return [Finding(score is not None and score >= minimum, f"score {measured}, at least {minimum:g}")]


def _check_most(maximum: float, standing: PairingResults) -> list[Finding]:
    score = standing.score
    measured = "no game" if score is None else f"{score:.4f}"
    return [Finding(score is not None and score <= maximum, f"score {measured}, at most {maximum:g}")]


def _check_elo(minimum: float, standing: PairingResults) -> list[Finding]:
    low = elo_of_score(score_interval(standing.pentanomial)[0])
    text = f"lower end of the Elo interval {elo_text(low)}, at least {minimum:g}; {standing.pairs} pairs"
    return [Finding(low >= minimum and standing.pairs >= FEWEST_PAIRS, f"{text}, at least {FEWEST_PAIRS}")]


def _check_endings(excluded: Sequence[Ending], standing: PairingResults) -> list[Finding]:
    counts = {ending: standing.endings[ending] for ending in excluded if standing.endings[ending]}
    found = ", ".join(f"{count} by {ending}" for ending, count in counts.items()) or "none"
    what = "an engine's fault" if set(excluded) == set(FAULT_ENDINGS) else " or ".join(excluded)
    return [Finding(not counts, f"no game may end by {what}; ended so: {found}")]


def _check_test(allowed: Sequence[str], standing: PairingResults) -> list[Finding]:
    test, words = standing.test, " or ".join(allowed)
    if test is None:
        return [Finding(False, f"no sequential test, which must end with {words}")]
    return [Finding(test.verdict in [DECISIONS[word] for word in allowed], f"{test}; it must end with {words}")]


KINDS: Mapping[str, Kind] = {
    "score-min": Kind(_read_number, _check_score),
    "score-max": Kind(_read_number, _check_most),
    "elo-min": Kind(_read_number, _check_elo),
    "no-endings": Kind(_read_endings, _check_endings),
    SPRT: Kind(_read_decisions, _check_test),
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
    def parse(
        cls, table: Mapping[str, Any], names: Sequence[str], where: str, test: SequentialTest | None = None
    ) -> "Bound":
        """Read a table `[[bound]]`; `names` are those of the engines. A `RefereeError` names what is wrong.

        `test` is the sequential test of the games, which a bound on its decision requires.
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
        if SPRT in values and test is None:
            raise RefereeError(f"{where}: {SPRT} needs a sequential test; set {SPRT} or difference in [match]")
        if SPRT in values and test is not None and test.pairing(names) != (table["engine"], table["against"]):
            tested, against = test.pairing(names)
            raise RefereeError(f"{where}: the test is of {tested!r} against {against!r}, not of {table['engine']!r}")
        return cls(table["engine"], table["against"], values)

    def check(self, standing: PairingResults) -> list[Finding]:
        """The findings on a pairing; `standing` is seen from the side of `engine`."""
        findings = [finding for key, value in self.values.items() for finding in KINDS[key].check(value, standing)]
        return [Finding(finding.holds, f"{self.engine} against {self.against}: {finding.text}") for finding in findings]


def read_bounds(
    tables: Mapping[str, Any], names: Sequence[str], where: str, test: SequentialTest | None = None
) -> list[Bound]:
    """The tables `[[bound]]` of a file, at least one; `test` as for `Bound.parse`."""
    entries = tables_in(tables, "bound", where)
    if not entries:
        raise RefereeError(f"{where}: there is no [[bound]] to check")
    return [Bound.parse(table, names, f"{where}, bound {number}", test) for number, table in enumerate(entries, 1)]


FAIL_ON = (FAULTS, *DECISIONS)


def bounds_of(
    words: str, engines: Sequence[str], pairings: Sequence[tuple[int, int]], test: SequentialTest | None
) -> list[Bound]:
    """The bounds of `--fail-on WORD,...`: that what a word names does not happen, in any pairing or in the test."""
    given = words.split(",")
    if wrong := [word for word in given if word not in FAIL_ON]:
        raise RefereeError(f"--fail-on {words}: {wrong[0]!r} is not one of {', '.join(FAIL_ON)}")
    bounds = []
    if FAULTS in given:
        bounds += [Bound(engines[one], engines[other], {"no-endings": FAULT_ENDINGS}) for one, other in pairings]
    if any(word in DECISIONS for word in given):
        if test is None:
            decides = "only --sprt decides, in a tournament --difference"
            raise RefereeError(f"--fail-on {words}: {decides}; add it, or name {FAULTS} alone")
        allowed = tuple(word for word in DECISIONS if word not in given)
        bounds.append(Bound(*test.pairing(engines), {SPRT: allowed}))
    return bounds
