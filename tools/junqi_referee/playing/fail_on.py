"""What must not happen in a match: the words of `--fail-on`, and whether they did."""

from collections.abc import Sequence
from dataclasses import dataclass

from junqi_referee.endings import Ending
from junqi_referee.exits import RefereeError
from junqi_referee.playing.standings import PairingResults, SprtState, Standings
from junqi_referee.sprt import Sprt, SprtVerdict

DECISIONS = {"H0": SprtVerdict.H0, "H1": SprtVerdict.H1, "undecided": SprtVerdict.CONTINUE}
"""How a sequential test may stand at the end."""
FAULTS = "faults"
"""Any ending that is an engine's fault."""
FAIL_ON = (FAULTS, *DECISIONS)


@dataclass(frozen=True)
class Finding:
    """Whether what was asked holds, with the measured value as text."""

    holds: bool
    text: str


def read_fail_on(words: str | None, sprt: Sprt | None) -> tuple[str, ...]:
    """The words of `--fail-on WORD,...`; those about a decision need a sequential test."""
    given = tuple(words.split(",")) if words else ()
    if wrong := [word for word in given if word not in FAIL_ON]:
        raise RefereeError(f"--fail-on {words}: {wrong[0]!r} is not one of {', '.join(FAIL_ON)}")
    if sprt is None and not DECISIONS.keys().isdisjoint(given):
        raise RefereeError(f"--fail-on {words}: only --sprt decides; add it, or name {FAULTS} alone")
    return given


def findings_on(words: Sequence[str], standings: Standings) -> list[Finding]:
    """Whether what the words name has not happened, in each pairing and in the test."""
    found = []
    names = standings.engines
    if FAULTS in words:
        for (one, other), standing in standings.by_pairing.items():
            found.append(_no_faults(f"{names[one]} against {names[other]}", standing))
    if standings.test is not None and not DECISIONS.keys().isdisjoint(words):
        allowed = [word for word in DECISIONS if word not in words]
        found.append(_decision(f"{names[0]} against {names[1]}", standings.test, allowed))
    return found


def _no_faults(who: str, standing: PairingResults) -> Finding:
    counts = {ending: standing.endings[ending] for ending in Ending if ending.is_fault and standing.endings[ending]}
    ended = ", ".join(f"{count} by {ending}" for ending, count in counts.items()) or "none"
    return Finding(not counts, f"{who}: no game may end by an engine's fault; ended so: {ended}")


def _decision(who: str, test: SprtState, allowed: Sequence[str]) -> Finding:
    holds = test.verdict in [DECISIONS[word] for word in allowed]
    return Finding(holds, f"{who}: {test}; it must end with {' or '.join(allowed)}")
