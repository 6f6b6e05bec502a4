"""The lines that an engine writes, read field by field.

Total: any bytes are read, passed over or reported. A line that is not one of the protocol, and an unknown word in an
`info` line, are passed over, as UCI demands. A known field with a wrong value is a `LineFault`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import total_ordering
from typing import NamedTuple

from junqi_engine.errors import Refused, quoted

NO_MOVE = "(none)"
"""Stands after `bestmove` if the engine has no move to play."""
MAX_QUOTED = 80
"""Bytes of a line that a message quotes."""
MAX_TEXT = 200
"""Characters that are kept of a name."""
SIGUO_TEAMS = ("SN", "EW")

_WHOLE = re.compile(rb"\d{1,18}")
_SIGNED = re.compile(rb"[+-]?\d{1,18}")
_FREE_TEXT = re.compile(rb"\s*info\s+string(?:\s(.*))?", re.DOTALL)
_COUNTS = frozenset(b"depth seldepth time nodes nps hashfull multipv currmovenumber".split())


class LineFault(ValueError):
    """A line of the protocol with a field that has a wrong value; the text quotes the line in part."""


def spaced(line: bytes) -> bytes:
    """A line with one blank between its words, as all readers below expect it: in UCI any white space separates words.

    What follows `info string` is free text, such as a row of a drawing, and keeps its blanks.
    """
    text = _FREE_TEXT.fullmatch(line)
    return b" ".join(line.split()) if text is None else b"info string " + (text[1] or b"").rstrip()


@total_ordering
@dataclass(frozen=True)
class Score:
    """What a position is worth for the team to move: `cp`, in hundredths of a Lieutenant, or `mate`, in own moves.

    The other one is None; a negative `mate` is a loss. `turn` is the seat that was to move, where that is known, in
    a game of two `teams`. Scores of one team have an order; to compare those of two teams is a `Refused`.

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
            raise Refused("bad-argument", f"scores of {self.turn} and {other.turn} have no order; ask for one pov")
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[int, int]:
        """First a loss, then `cp`, then a win; a longer way to a loss and a shorter one to a win are better."""
        return (0, self.cp or 0) if self.mate is None else (-1 if self.mate < 0 else 1, -self.mate)

    def pov(self, seat: str) -> "Score":
        """The score from the point of view of the team of a seat. `Refused` if it is not known who was to move."""
        sign = _sign_for(seat, self.turn, self.teams)
        cp, mate = (None if value is None else sign * value for value in (self.cp, self.mate))
        return Score(cp, mate, seat, self.teams)


class Wdl(tuple[int, int, int]):
    """The chances of a win, a draw and a loss in permille: a tuple of three numbers.

    >>> from junqi_engine import Wdl
    >>> wdl = Wdl((600, 100, 300), turn="S")
    >>> wdl.wins, wdl.draws, wdl.losses, wdl.expectation(), wdl.pov("E").expectation()
    (600, 100, 300, 0.65, 0.35)
    """

    turn: str
    """The seat that was to move; empty where that is not known."""
    teams: tuple[str, str]
    """The seats of the two teams of the game."""

    def __new__(cls, chances: Iterable[int], turn: str = "", teams: tuple[str, str] = SIGUO_TEAMS) -> "Wdl":
        made = super().__new__(cls, chances)
        made.turn, made.teams = turn, teams
        return made

    @property
    def wins(self) -> int:
        """Of 1000 games."""
        return self[0]

    @property
    def draws(self) -> int:
        """Of 1000 games."""
        return self[1]

    @property
    def losses(self) -> int:
        """Of 1000 games."""
        return self[2]

    def expectation(self) -> float:
        """The points that may be expected, from 0 to 1; a draw counts half."""
        return (self.wins + self.draws / 2) / (sum(self) or 1)

    def pov(self, seat: str) -> "Wdl":
        """The chances from the point of view of the team of a seat. `Refused` if it is not known who was to move."""
        return Wdl(self if _sign_for(seat, self.turn, self.teams) == 1 else self[::-1], seat, self.teams)


def _sign_for(seat: str, turn: str, teams: tuple[str, str]) -> int:
    """1 if two seats are of one team, else -1."""
    seats = [each for each in "SENW" if each in "".join(teams)]
    if seat not in seats:
        raise Refused("bad-argument", f"seat {quoted(str(seat))} is not one of {', '.join(seats)}")
    if not turn:
        raise Refused("bad-argument", "pov: it is not known which seat was to move; ask with a View")
    return 1 if any(seat in team and turn in team for team in teams) else -1


@dataclass(frozen=True)
class Info:
    """What an `info` line reports; None for a field that it does not have.

    `wdl` are the chances of a win, a draw and a loss in permille. `pv` is the line of best moves, `string` a text.

    >>> from junqi_engine import Game, Engine
    >>> with Engine(options={"Player": "2.0", "Seed": 1}) as engine:
    ...     infos = list(engine.analysis(Game("luzhanqi", seed=1).view("S"), depth=2))
    >>> [info.depth for info in infos if info.depth]
    [1, 2]
    """

    depth: int | None = None
    seldepth: int | None = None
    multipv: int = 1
    score: Score | None = None
    wdl: Wdl | None = None
    pv: tuple[str, ...] = ()
    nodes: int | None = None
    time_ms: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    string: str = ""


class SpinBounds(NamedTuple):
    """The bounds of an option of type spin."""

    least: int
    most: int


def quoted_line(line: bytes) -> str:
    """A line for a message: its beginning, in quotes."""
    cut = line[:MAX_QUOTED].decode("utf-8", "replace").strip()
    return repr(f"{cut}..." if len(line) > MAX_QUOTED else cut)


class _Fields(NamedTuple):
    """The words of an `info` line: whole numbers by name, the score as two words, the chances, what follows `pv`."""

    counts: dict[bytes, bytes]
    score: tuple[bytes, bytes] | None
    wdl: list[bytes]
    pv: list[bytes]


def best_score(line: bytes) -> str | None:
    """`cp N` or `mate N` from an `info` line about the best line; None from any other line. Raises `LineFault`."""
    fields = _fields(line)
    if fields is None or fields.score is None or int(fields.counts.get(b"multipv", 1)) != 1:
        return None
    kind, number = fields.score
    return f"{kind.decode()} {int(number)}"


def read_info(line: bytes, turn: str = "", teams: tuple[str, str] = SIGUO_TEAMS) -> Info | None:
    """What an `info` line reports; None for any other line. `turn` is the seat to move. Raises `LineFault`."""
    words = line.split(maxsplit=2)
    if words[:1] != [b"info"]:
        return None
    if words[1:2] == [b"string"]:
        return Info(string=words[2].decode("utf-8", "replace").strip() if len(words) > 2 else "")
    fields = _fields(line)
    if fields is None:
        return None
    counts = {name.decode(): int(number) for name, number in fields.counts.items()}
    score = None
    if fields.score is not None:
        kind, number = fields.score
        cp, mate = (int(number), None) if kind == b"cp" else (None, int(number))
        score = Score(cp, mate, turn, teams)
    chances = [int(number) for number in fields.wdl]
    return Info(
        depth=counts.get("depth"),
        seldepth=counts.get("seldepth"),
        multipv=counts.get("multipv", 1),
        score=score,
        wdl=Wdl(chances, turn, teams) if chances else None,
        pv=tuple(word.decode("utf-8", "replace") for word in fields.pv),
        nodes=counts.get("nodes"),
        time_ms=counts.get("time"),
        nps=counts.get("nps"),
        hashfull=counts.get("hashfull"),
    )


def _fields(line: bytes) -> _Fields | None:
    """The fields of an `info` line; None for any other line, for text and for a belief. Raises `LineFault`."""
    words = line.split()
    if words[:1] != [b"info"] or words[1:2] in ([b"string"], [b"belief"]):
        return None
    counts: dict[bytes, bytes] = {}
    score, wdl = None, []
    place = 1
    while place < len(words) and words[place] not in (b"pv", b"string"):
        name = words[place]
        value = words[place + 1] if place + 1 < len(words) else b""
        if name in _COUNTS:
            if not _WHOLE.fullmatch(value):
                raise LineFault(f"{quoted_line(line)}: {name.decode()} must be a whole number of at most 18 digits")
            counts[name] = value
            place += 2
        elif name == b"score":
            number = words[place + 2] if place + 2 < len(words) else b""
            if value not in (b"cp", b"mate") or not _SIGNED.fullmatch(number):
                raise LineFault(f"{quoted_line(line)}: score must be cp or mate and a number of at most 18 digits")
            score = value, number
            place += 3
        elif name == b"wdl":
            wdl = words[place + 1 : place + 4]
            if len(wdl) < 3 or not all(map(_WHOLE.fullmatch, wdl)):
                raise LineFault(f"{quoted_line(line)}: wdl must be three whole numbers of at most 18 digits")
            place += 4
        else:
            place += 1
    return _Fields(counts, score, wdl, words[place + 1 :] if words[place : place + 1] == [b"pv"] else [])


def option_name(text: str) -> str:
    """The name that the text of an `option name ...` line declares."""
    return text.removeprefix("option name ").partition(" type ")[0]


def option_choices(text: str) -> tuple[str, ...]:
    """The values of a declaration `option name X type combo default D var A var B`; none for another type."""
    words = text.partition(" type combo ")[2].split()
    return tuple(word for place, word in enumerate(words) if place and words[place - 1] == "var")


def spin_bounds(text: str) -> SpinBounds | None:
    """The bounds of a declaration `option name X type spin [default D] min A max B`.

    None if it is of another type. Raises `LineFault`.
    """
    rest = text.removeprefix("option name ").partition(" type ")[2].split()
    if rest[:1] != ["spin"]:
        return None
    values: dict[str, int] = {}
    for name, value in zip(rest[1::2], rest[2::2], strict=False):
        if name in ("default", "min", "max"):
            if not _SIGNED.fullmatch(value.encode("utf-8", "replace")):
                raise LineFault(f"{quoted_line(text.encode())}: {name} must be a whole number of at most 18 digits")
            values[name] = int(value)
    if not {"min", "max"} <= values.keys() or values["min"] > values["max"]:
        raise LineFault(f"{quoted_line(text.encode())}: a spin needs min and max, with min at most max")
    return SpinBounds(values["min"], values["max"])
