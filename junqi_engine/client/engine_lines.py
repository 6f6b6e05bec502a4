"""A parser of the lines that an engine writes.

These functions accept any bytes. Other lines, and unknown words of an `info` line, are ignored, as UCI demands. A known
field with a wrong value raises `LineFault`.
"""

import re
from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any

from junqi_engine.errors import EngineError, EngineFault, Refused, expect_one_of, quoted

MAX_QUOTED = 80
"""Maximal number of characters of a line in a message."""
MAX_TEXT = 200
"""Maximal number of characters of a name."""
SIGUO_TEAMS = ("SN", "EW")

_WHOLE = re.compile(rb"\d{1,18}")
_SIGNED = re.compile(rb"[+-]?\d{1,18}")
_FREE_TEXT = re.compile(rb"\s*info\s+string(?:\s(.*))?", re.DOTALL)
_COUNTS = {
    name.encode(): {"time": "time_ms"}.get(name, name)
    for name in ("depth", "seldepth", "multipv", "nodes", "time", "nps", "hashfull")
}
"""By word of an `info` line that takes a whole number, the field of `Info`."""


class LineFault(EngineError):
    """An `info` line with a wrong value in a field; the text quotes the line."""

    def __init__(self, line: bytes, expected: str) -> None:
        super().__init__(EngineFault.PROTOCOL, f"malformed line {quoted(line, MAX_QUOTED)}: {expected}")


def spaced(line: bytes) -> bytes:
    """A line with single blanks between its words, as the other functions expect it. UCI allows any white space.

    The free text after `info string`, such as a row of a drawing, keeps its blanks.
    """
    text = _FREE_TEXT.fullmatch(line)
    return b" ".join(line.split()) if text is None else b"info string " + (text[1] or b"").rstrip()


@total_ordering
@dataclass(frozen=True)
class Score:
    """The score of a position for the team to move: `cp`, in hundredths of a Lieutenant, or `mate`, in its own moves.

    The other one is None; a negative `mate` is a loss. `turn` is the seat to move, or "" if it is not known, in a game
    of two `teams`. Scores of one team have an order; `Refused` if scores of two teams are compared.

    >>> from junqi_engine import Score
    >>> Score(cp=31).cp, str(Score(mate=-4)), str(Score(cp=31, turn="E").pov("N"))
    (31, 'mate -4', 'cp -31')
    >>> Score(mate=-1) < Score(mate=-3) < Score(cp=9) < Score(mate=3) < Score(mate=1)
    True
    """

    cp: int | None = None
    mate: int | None = None
    turn: str = field(default="", compare=False)
    teams: tuple[str, str] = field(default=SIGUO_TEAMS, compare=False, repr=False)

    def __str__(self) -> str:
        return f"cp {self.cp}" if self.mate is None else f"mate {self.mate}"

    def __lt__(self, other: "Score") -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        if self.turn and other.turn and _sign_for(other.turn, self.turn, self.teams) != 1:
            raise Refused("bad-argument", f"scores of {self.turn} and {other.turn} cannot be compared; use pov")
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[int, int]:
        """The sort key: losses, then `cp`, then wins. A later loss and an earlier win are better."""
        return (0, self.cp or 0) if self.mate is None else (-1 if self.mate < 0 else 1, -self.mate)

    def pov(self, seat: str) -> "Score":
        """The score from the point of view of the team of a seat. `Refused` if the seat to move is not known."""
        sign = _sign_for(seat, self.turn, self.teams)
        cp, mate = (None if value is None else sign * value for value in (self.cp, self.mate))
        return Score(cp, mate, seat, self.teams)


def _sign_for(seat: str, turn: str, teams: tuple[str, str]) -> int:
    seats = [each for each in "SENW" if each in "".join(teams)]
    expect_one_of("seat", seat, seats)
    if not turn:
        raise Refused("bad-argument", "pov: the seat to move is not known; search a View")
    return 1 if any(seat in team and turn in team for team in teams) else -1


@dataclass(frozen=True)
class Info:
    """The fields of an `info` line; None for a missing one.

    `wdl` are the chances of a win, a draw and a loss in permille, for the team to move. `pv` is the principal
    variation, `string` a text.

    >>> from junqi_engine import Game, Engine
    >>> with Engine(options={"Seed": 1}) as engine:
    ...     infos = list(engine.analysis(Game("luzhanqi", seed=1).view("S"), depth=2))
    >>> [info.depth for info in infos if info.depth]
    [1, 2]
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    score: Score | None = None
    wdl: tuple[int, int, int] | None = None
    pv: tuple[str, ...] = ()
    nodes: int | None = None
    time_ms: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    string: str = ""


def read_info(line: bytes, turn: str = "", teams: tuple[str, str] = SIGUO_TEAMS) -> Info | None:
    """The fields of an `info` line; None for any other line. `turn` is the seat to move. Raises `LineFault`."""
    words = line.split()
    if words[:1] != [b"info"] or words[1:2] == [b"belief"]:
        return None
    if words[1:2] == [b"string"]:
        return Info(string=b" ".join(line.split(maxsplit=2)[2:]).decode("utf-8", "replace").strip())
    found: dict[str, Any] = {}
    place = 1
    while place < len(words) and words[place] not in (b"pv", b"string"):
        name, values = words[place], words[place + 1 : place + 4]
        place += 1
        if name in _COUNTS:
            if not values or not _WHOLE.fullmatch(values[0]):
                raise LineFault(line, f"{name.decode()} must be a whole number of at most 18 digits")
            found[_COUNTS[name]] = int(values[0])
            place += 1
        elif name == b"score":
            if len(values) < 2 or values[0] not in (b"cp", b"mate") or not _SIGNED.fullmatch(values[1]):
                raise LineFault(line, "score must be cp or mate and a number of at most 18 digits")
            found["score"] = Score(**{values[0].decode(): int(values[1])}, turn=turn, teams=teams)
            place += 2
        elif name == b"wdl":
            if len(values) < 3 or not all(map(_WHOLE.fullmatch, values)):
                raise LineFault(line, "wdl must be three whole numbers of at most 18 digits")
            found["wdl"] = tuple(map(int, values))
            place += 3
    if words[place : place + 1] == [b"pv"]:
        found["pv"] = tuple(word.decode("utf-8", "replace") for word in words[place + 1 :])
    return Info(**found)


def option_name(text: str) -> str:
    return text.removeprefix("option name ").partition(" type ")[0]


def option_choices(text: str) -> tuple[str, ...]:
    """The choices of a declaration `option name X type combo default D var A var B`; none for another type."""
    words = text.partition(" type combo ")[2].split()
    return tuple(word for place, word in enumerate(words) if place and words[place - 1] == "var")
