"""Conversion between game records and contest records, both ways."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import ParamSpec, TypeVar

from junqi_engine.errors import JunqiError
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BLOCK_POINTS, LUZHANQI
from junqi_engine.rules.options import Rules
from protocol.contest.notation import NO_FLAG, point_of, square_of
from tools.referee.endings import Ending
from tools.referee.records.contest_text import (
    ABNORMAL,
    LOST,
    NO_LIMIT,
    OUTCOME_CODES,
    SIDES,
    WON,
    ContestRecord,
    RecordedPly,
    parse_contest,
)
from tools.referee.records.game_record import GameRecord
from tools.referee.truth import IllegalMove, Truth

ENCODINGS = ("utf-8-sig", "gb18030")
"""Tried in this order; a text in GB18030 is hardly ever valid UTF-8."""

P = ParamSpec("P")
T = TypeVar("T")


def contest_of(game: GameRecord, side: str) -> ContestRecord:
    """The contest record of a game by the seat `side`; ValueError if the format cannot express it."""
    if game.variant != LUZHANQI.variant:
        raise ValueError(f"variant {game.variant} has no contest records, only {LUZHANQI.variant} has")
    other = next(seat for seat in LUZHANQI.seats if seat != side)
    if not {side, other} <= set(game.lineups):
        raise ValueError(f"ended by {game.ending} before both line-ups were set")
    plies = []
    flags: dict[str, str] = {}
    turn = game.first
    for text in game.moves:
        seen = parse_move(LUZHANQI, text)
        if seen.resigned is not None:
            break  # the format records a resignation only by the result
        opponent = other if turn == side else side
        for point in seen.shown_flags:
            flags[LUZHANQI.seats[point // BLOCK_POINTS]] = square_of(LUZHANQI.names[point], side)
        start, target = (square_of(LUZHANQI.names[point], side) for point in (seen.from_point, seen.to_point))
        letter = SIDES[0] if turn == side else SIDES[1]
        plies.append(RecordedPly(letter, start, target, OUTCOME_CODES[seen.outcome], flags.get(opponent, NO_FLAG)))
        turn = opponent
    ends = {"draw": (ABNORMAL, ABNORMAL), side: (WON, LOST), other: (LOST, WON)}[game.result]
    engines = [_engine_of(game, seat) for seat in (side, other)]
    return ContestRecord(
        names=(engines[0].get("name", ""), engines[1].get("name", "")),
        seconds=engines[0].get("limits", {}).get("base_ms", 0) // 1000,
        quiet_plies=game.rules.get("no_contact", 0) or NO_LIMIT,
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
        except JunqiError as error:
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
    return GameRecord(
        game=number,
        variant=LUZHANQI.variant,
        visibility="partner",
        engines={seat: {"name": name, "limits": limits} for seat, name in zip(seats, record.names, strict=True)},
        seed=0,
        rules=asdict(rules),
        lineups=lineups,
        first=first,
        moves=truth.moves,
        times_ms=[0] * len(truth.moves),
        scores=[None] * len(truth.moves),
        result=truth.result or told or "draw",
        ending=truth.ending if is_over else Ending.ADJUDICATED,
        detail="" if is_over else f"the contest record ends with EA[{record.ends[0]}]EB[{record.ends[1]}]",
    )


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


def _engine_of(game: GameRecord, seat: str) -> dict:
    return next((engine for seats, engine in game.engines.items() if seat in seats), {})
