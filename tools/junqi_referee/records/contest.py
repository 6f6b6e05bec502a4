"""Contest records as text: `(;INFO[1.0]PA[name]...;MA[G2F2]RA[1]FA[00];...;EA[1]EB[0])`.

`A` is the side that the record belongs to. All squares are as A sees them, with its own rows at the bottom. A line-up
is written as its owner gave it, front row first, from its left. `F` after a move is the square of the flag of the
mover's opponent, once it has been revealed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ParamSpec, TypeVar

from junqi_engine.errors import IllegalMove, Refused
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, LUZHANQI
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import Outcome
from junqi_protocol.contest.notation import (
    ATTACKER_REMOVED,
    ATTACKER_WON,
    BOTH_REMOVED,
    NO_BATTLE,
    NO_FLAG,
    parse_flag,
    parse_outcome,
    point_of,
    shown,
    square_of,
    turned,
)
from junqi_protocol.contest.notation import parse_move as parse_squares
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import FROM_FEN, GameRecord
from junqi_referee.records.replay import verify
from junqi_referee.truth import Truth

VERSION = "1.0"
VISIBILITY = "partner"
"""Of games from files of other formats: their players see their partner's pieces."""
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
_SPACE = re.compile(r"\s*")
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
    text = text.strip().strip("\0")
    position = 0
    while position < len(text):
        number = len(records) + 1
        if not text.startswith("(", position):
            raise ValueError(f"game {number}: expected '(', not {shown(text[position : position + 20])}")
        properties, position = _properties(text, position + 1, number)
        try:
            records.append(_record(properties))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from error
    return records


def _properties(text: str, position: int, number: int) -> tuple[list[tuple[str, str]], int]:
    """The names and values from a position up to the closing parenthesis, and where the next record begins."""
    properties: list[tuple[str, str]] = []
    while True:
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]
        if text.startswith(")", position):
            return properties, _SPACE.match(text, position + 1).end()  # type: ignore[union-attr]
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


ENCODINGS = ("utf-8-sig", "gb18030")
"""Tried in this order; a text in GB18030 is hardly ever valid UTF-8."""

P = ParamSpec("P")
T = TypeVar("T")


def contest_of(game: GameRecord, side: str) -> ContestRecord:
    """The contest record of a game by the seat `side`; ValueError if the format cannot express it."""
    if game.variant != LUZHANQI.variant:
        raise ValueError(f"variant {game.variant} has no contest records, only {LUZHANQI.variant} has")
    if game.fen:
        raise ValueError(FROM_FEN)
    other = next(seat for seat in LUZHANQI.seats if seat != side)
    if not {side, other} <= set(game.lineups):
        raise ValueError(f"ended by {game.ending} before both line-ups were set")
    fault = verify(game)
    if fault is not None:
        raise ValueError(f"it breaks the rules: {fault}")
    quiet_plies = game.rules.get("no_contact", 0)
    if quiet_plies >= NO_LIMIT:
        raise ValueError(f"no_contact={quiet_plies}: a contest record has fewer than {NO_LIMIT}")
    plies = []
    flags: dict[str, str] = {}
    turn = game.first
    for text in game.moves:
        seen = parse_move(LUZHANQI, text)
        if seen.resigned is not None:
            break  # the format records a resignation only by the result
        if seen.passed is not None:
            raise ValueError("a contest record has no passed turns")
        opponent = other if turn == side else side
        for point in seen.shown_flags:
            flags[LUZHANQI.seats[point // BLOCK_POINTS]] = square_of(LUZHANQI.names[point], side)
        start, target = (square_of(LUZHANQI.names[point], side) for point in (seen.from_point, seen.to_point))
        letter = SIDES[0] if turn == side else SIDES[1]
        plies.append(RecordedPly(letter, start, target, OUTCOME_CODES[seen.outcome], flags.get(opponent, NO_FLAG)))
        turn = opponent
    if not plies and game.first != side:
        raise ValueError(f"a contest record without moves does not tell that {game.first} begins")
    ends = {"draw": (ABNORMAL, ABNORMAL), side: (WON, LOST), other: (LOST, WON)}[game.result]
    engines = [game.engine_of(seat) for seat in (side, other)]
    return ContestRecord(
        names=(engines[0].get("name", ""), engines[1].get("name", "")),
        seconds=engines[0].get("limits", {}).get("base_ms", 0) // 1000,
        quiet_plies=quiet_plies or NO_LIMIT,
        lineups=(game.lineups[side], game.lineups[other]),
        plies=tuple(plies),
        ends=ends,
    )


def game_of(record: ContestRecord, number: int) -> GameRecord:
    """The game of a contest record, with A as South; ValueError if it breaks the rules.

    A record with A at the top is recognised by its moves, and rotated.
    """
    try:
        return _game_of(record, number)
    except ValueError as error:
        try:
            return _game_of(record.turned(), number)
        except ValueError:
            raise error from None


def games_of(data: bytes, number: int | None) -> list[GameRecord]:
    """The games of a file of contest records, or game `number` alone; ValueError names the game that is at fault."""
    records = list(enumerate(parse_contest(_decoded(data)), 1))
    return [_named(game, game_of, record, game) for game, record in chosen(records, number)]


def contest_texts(games: Sequence[GameRecord], side: str) -> list[str]:
    """The contest records of games; ValueError names the game that is at fault."""
    return [_named(game.game, contest_of, game, side).as_text() for game in games]


def chosen(entries: Sequence[tuple[int, T]], number: int | None) -> list[tuple[int, T]]:
    """The entry with a number, or all entries for None; ValueError if there are none."""
    found = [entry for entry in entries if number is None or entry[0] == number]
    if not found:
        raise ValueError("there are no games" if number is None else f"there is no game {number}")
    return found


def _named(number: int, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Call `work`; the message of a ValueError is prefixed with the number of the game."""
    try:
        return work(*given, **named)
    except ValueError as error:
        raise ValueError(f"game {number}: {error}") from error


def _decoded(data: bytes) -> str:
    for encoding in ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            last = error
    raise ValueError(f"not UTF-8 or GB18030: {last.reason} at byte {last.start}")


def _game_of(record: ContestRecord, number: int) -> GameRecord:
    seats = LUZHANQI.seats
    rules = replace(Rules.of(LUZHANQI), no_contact=0 if record.quiet_plies >= NO_LIMIT else record.quiet_plies)
    lineups = dict(zip(seats, record.lineups, strict=True))
    for side, letters in zip(SIDES, record.lineups, strict=True):
        try:
            lineup.check(letters)
        except Refused as error:
            raise ValueError(f"A{side}: {error}") from error
    first = seats[SIDES.index(record.plies[0].side)] if record.plies else seats[0]
    truth = Truth(LUZHANQI.variant, lineups, first, rules)
    for index, ply in enumerate(record.plies, 1):
        _play(truth, ply, f"move {index}, M{ply.side}[{ply.start}{ply.target}]")
    told = {(WON, LOST): seats[0], (LOST, WON): seats[1]}.get(record.ends)
    if truth.result is not None and told is not None and truth.result != told:
        raise ValueError(f"EA[{record.ends[0]}]EB[{record.ends[1]}]: by the rules, {truth.result} won")
    is_over = truth.result is not None
    limits = {"base_ms": 1000 * record.seconds} if record.seconds else {}
    engines = {seat: {"name": name, "limits": limits} for seat, name in zip(seats, record.names, strict=True)}
    ending = truth.ending if is_over else Ending.ADJUDICATED
    detail = "" if is_over else f"the contest record ends with EA[{record.ends[0]}]EB[{record.ends[1]}]"
    return record_of(truth, number, engines, truth.result or told or "draw", ending, detail)


def record_of(
    truth: Truth, number: int, engines: dict[str, dict[str, Any]], result: str, ending: Ending, detail: str = ""
) -> GameRecord:
    """The record of a game from a file of another format, which has neither seed, times nor scores."""
    plies = len(truth.moves)
    return GameRecord(
        number, truth.board.variant, VISIBILITY, engines, 0, asdict(truth.rules), truth.lineups, truth.first,
        truth.moves, [0] * plies, [None] * plies, result, ending, detail,
    )  # fmt: skip


def _play(truth: Truth, ply: RecordedPly, where: str) -> None:
    """Play a recorded move, and check its outcome."""
    seat = LUZHANQI.seats[SIDES.index(ply.side)]
    if truth.result is None and truth.turn != seat:
        raise ValueError(f"{where}: it is the other side's turn")
    frame = LUZHANQI.seats[0]
    try:
        played = truth.play(point_of(ply.start, frame) + point_of(ply.target, frame))
    except IllegalMove as error:
        raise ValueError(f"{where}: {error}") from error
    outcome = OUTCOME_CODES[parse_move(LUZHANQI, played).outcome]
    if ply.outcome not in ("", outcome):
        raise ValueError(f"{where}: outcome {ply.outcome} is recorded, {outcome} was played")
