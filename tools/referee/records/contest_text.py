"""Contest records as text: `(;INFO[1.0]PA[name]...;MA[G2F2]RA[1]FA[00];...;EA[1]EB[0])`.

`A` is the side that the record belongs to. All squares are as A sees them, with its own rows at the bottom. A line-up
is written as its owner gave it, front row first, from its left. `F` after a move is the square of the flag of the
mover's opponent, once it has been revealed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from junqi_engine.rules.board import LUZHANQI
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import Outcome
from protocol.contest.notation import (
    ATTACKER_REMOVED,
    ATTACKER_WON,
    BOTH_REMOVED,
    NO_BATTLE,
    NO_FLAG,
    parse_flag,
    parse_outcome,
    shown,
    turned,
)
from protocol.contest.notation import parse_move as parse_squares

VERSION = "1.0"
WON, LOST, ABNORMAL = "1", "0", "2"
SIDES = "AB"
OUTCOME_CODES: Mapping[Outcome, str] = {
    Outcome.NO_BATTLE: NO_BATTLE,
    Outcome.ATTACKER_WON: ATTACKER_WON,
    Outcome.DEFENDER_WON: ATTACKER_REMOVED,
    Outcome.BOTH_REMOVED: BOTH_REMOVED,
}
"""The outcomes of battles in the contest's dialect."""
NO_LIMIT = 1000
"""Plies without a battle that stand for no limit, which the dialect cannot express."""

_PROPERTY = re.compile(r"\s*([A-Z]+)\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_SEPARATORS = re.compile(r"[\s;]*")
_HEAD = {"INFO", "PA", "PB", "TL", "SL", "AA", "AB"}


@dataclass(frozen=True)
class RecordedPly:
    """A move of side `A` or `B`, as squares; `flag` is a square or `00`."""

    side: str
    start: str
    target: str
    outcome: str
    flag: str = NO_FLAG


@dataclass(frozen=True)
class ContestRecord:
    """A game as one side recorded it. Pairs are (A's, B's); `ends` holds the result code of each: 0, 1 or 2."""

    names: tuple[str, str]
    seconds: int
    quiet_plies: int
    lineups: tuple[str, str]
    plies: tuple[RecordedPly, ...] = ()
    ends: tuple[str, str] = (ABNORMAL, ABNORMAL)

    def as_text(self) -> str:
        head = (
            f"INFO[{VERSION}]PA[{_escaped(self.names[0])}]PB[{_escaped(self.names[1])}]"
            f"TL[{self.seconds}]SL[{self.quiet_plies}]"
        )
        moves = "".join(
            f";M{ply.side}[{ply.start}{ply.target}]R{ply.side}[{ply.outcome}]F{ply.side}[{ply.flag}]"
            for ply in self.plies
        )
        lineups = f"AA[{self.lineups[0]}];AB[{self.lineups[1]}]"
        return f"(;{head};{lineups}{moves};EA[{self.ends[0]}]EB[{self.ends[1]}])"

    def seen_by_the_other(self) -> "ContestRecord":
        """The record of the same game by side B."""
        plies = tuple(replace(ply, side=SIDES[1 - SIDES.index(ply.side)]) for ply in self.plies)
        swapped = replace(self, names=self.names[::-1], lineups=self.lineups[::-1], ends=self.ends[::-1], plies=plies)
        return swapped.turned()

    def turned(self) -> "ContestRecord":
        """The same record with the board rotated by half a turn."""
        plies = tuple(
            replace(
                ply,
                start=turned(ply.start),
                target=turned(ply.target),
                flag=ply.flag if ply.flag == NO_FLAG else turned(ply.flag),
            )
            for ply in self.plies
        )
        return replace(self, plies=plies)


def parse_contest(text: str) -> list[ContestRecord]:
    """The records in a text; a ValueError says which one is wrong, and where."""
    records: list[ContestRecord] = []
    rest = text.strip().strip("\0")
    while rest:
        number = len(records) + 1
        if not rest.startswith("("):
            raise ValueError(f"game {number}: expected '(', not {shown(rest[:20])}")
        properties, rest = _properties(rest[1:], number)
        try:
            records.append(_record(properties))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from error
    return records


def _properties(text: str, number: int) -> tuple[list[tuple[str, str]], str]:
    """The names and values up to the closing parenthesis, and the text after it."""
    properties: list[tuple[str, str]] = []
    position = 0
    while True:
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]
        if text.startswith(")", position):
            return properties, text[position + 1 :].strip()
        found = _PROPERTY.match(text, position)
        if found is None:
            where = shown(text[position : position + 20]) if position < len(text) else "the end"
            raise ValueError(f"game {number}: expected NAME[value] or ')', not {where}")
        properties.append((found[1], re.sub(r"\\([\]\\])", r"\1", found[2])))
        position = found.end()


def _record(properties: Sequence[tuple[str, str]]) -> ContestRecord:
    head: dict[str, str] = {}
    ends: dict[str, str] = {}
    plies: list[RecordedPly] = []
    for name, value in properties:
        kind, side = name[:1], name[1:]
        if name in _HEAD or name in ("EA", "EB"):
            table = head if name in _HEAD else ends
            if name in table:
                raise ValueError(f"{name} is given twice")
            table[name] = value.strip()
        elif kind == "M" and side in tuple(SIDES):
            squares = parse_squares(value.strip())
            if squares is None:
                raise ValueError(f"{name}: 0000 is not a move")
            plies.append(RecordedPly(side, *squares, outcome=""))
        elif kind in ("R", "F") and plies and plies[-1].side == side:
            word = value.strip()
            known = {"outcome": parse_outcome(word)} if kind == "R" else {"flag": parse_flag(word) or NO_FLAG}
            plies[-1] = replace(plies[-1], **known)
        else:
            raise ValueError(f"{shown(name)} is not allowed there")
    for name in ("AA", "AB"):
        if name not in head:
            raise ValueError(f"{name} is missing")
    for name, value in ends.items():
        if value not in (WON, LOST, ABNORMAL):
            raise ValueError(f"{name}[{shown(value)}] is not 0, 1 or 2")
    return ContestRecord(
        names=(head.get("PA", ""), head.get("PB", "")),
        seconds=_whole(head, "TL", 0),
        quiet_plies=_whole(head, "SL", Rules.of(LUZHANQI).no_contact),
        lineups=(head["AA"], head["AB"]),
        plies=tuple(plies),
        ends=(ends.get("EA", ABNORMAL), ends.get("EB", ABNORMAL)),
    )


def _whole(head: dict[str, str], name: str, default: int) -> int:
    text = head.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{name}[{shown(text)}] is not a whole number")
    return int(text)


def _escaped(name: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", " ".join(name.split()))
