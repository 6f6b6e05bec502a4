"""A game of the board as a record of the referee, and an interrupted game from its record."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from junqi_board.engines import Program, options_of
from junqi_board.game.game import PASS, RESIGN, BoardGame, Player, Ply
from junqi_board.game.seating import ENGINE, GUEST, ME, WITHOUT_CLOCKS, Seating, TimeOut
from junqi_engine.errors import Refused
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import bare, verify
from junqi_referee.time_control import Clock, TimeControl

MAX_NAME_CHARS = 24
"""Characters that are kept of a person's name."""
MAX_MOVES = 4_000
"""Of a game that is opened or resumed: passed turns are a few bytes each, and any number of them is legal."""


def record_of(game: BoardGame) -> GameRecord:
    """The game so far; the ending of an unfinished game is `interrupted`.

    The entries of `engines` tell besides who plays (`who`, `program`) and how much time remained when the clock last
    stood still (`remaining_ms`), so that the game can be resumed.
    """
    fault = "" if game.fault is None else game.fault.text
    return GameRecord(
        game=game.number,
        variant=game.board.variant,
        visibility=game.seating.visibility.value,
        engines={player.party.seats: _entry(game, player) for player in game.players},
        seed=game.seed,
        rules=asdict(game.seating.rules),
        lineups=dict(game.lineups),
        first=game.seating.first,
        moves=list(game.truth.moves) if game.truth else [],
        times_ms=[ply.time_ms for ply in game.history],
        scores=[ply.score for ply in game.history],
        result=game.result or "draw",
        ending=game.ending,
        detail=game.detail or fault,
    )


def public_record_of(game: BoardGame) -> GameRecord:
    """The record of a finished game for guests: without the commands and the error messages of the host's machine."""
    record = record_of(game)
    engines = {seats: entry | {"command": ""} for seats, entry in record.engines.items()}
    return replace(record, engines=engines, detail=game.detail)


def _entry(game: BoardGame, player: Player) -> dict[str, Any]:
    party, control = player.party, game.seating.time_control
    limits = control.as_record() if party.is_engine else replace(control, move_ms=None).as_record()
    if not party.is_engine:
        del limits["margin_ms"]
    if game.has_clocks:
        limits["time_out"] = game.seating.time_out.value
    entry: dict[str, Any] = {
        "name": game.name_of(party),
        "command": shlex.join(party.program.command) if party.program else "",
        "options": options_of(party.elo, game.board.variant),
        "limits": limits,
        "who": party.who,
        "program": party.program.name if party.program else "",
    }
    entry |= {} if party.elo is None else {"elo": party.elo}
    return entry | ({"remaining_ms": round(player.clock.remaining_ms)} if game.has_clocks else {})


def rule_options(game: BoardGame) -> dict[str, str]:
    """The options that tell an engine what is played."""
    return {"UCI_Variant": game.board.variant} | game.seating.rules.as_options()


def is_unfinished(record: GameRecord) -> bool:
    return record.ending == Ending.INTERRUPTED and all("who" in entry for entry in record.engines.values())


def resumed(record: GameRecord, number: int, programs: tuple[Program, ...], variants: tuple[str, ...]) -> BoardGame:
    """The game of a record, paused where it was interrupted; `Refused` says why it cannot go on."""
    if not is_unfinished(record):
        raise Refused("bad-record", "this is not an unfinished game of the board")
    if len(record.moves) > MAX_MOVES:
        told = f"the game has {len(record.moves)} moves; one of at most {MAX_MOVES} can be resumed"
        raise Refused("bad-record", told)
    seating = _seating(record, programs, variants)
    fault = verify(record)
    if fault is not None:
        raise Refused("bad-record", f"the record breaks the rules: {fault}")
    game = BoardGame(number, seating, record.seed, record.lineups)
    game.lineups = dict(record.lineups)
    game.history = list(_plies(game, record))
    game.truth = game.truth_after(record.moves)
    for player in game.players:
        player.clock.remaining_ms = float(_whole(record.engines[player.party.seats].get("remaining_ms", 0)))
        name = str(record.engines[player.party.seats]["name"])[:MAX_NAME_CHARS]
        if not player.party.is_engine and name != player.party.name:
            game.names[player.party.seats] = name
    game.is_paused = True
    return game


def _seating(record: GameRecord, programs: tuple[Program, ...], variants: tuple[str, ...]) -> Seating:
    board = BOARDS[record.variant]
    seats = {seat: _player_of(entry) for group, entry in record.engines.items() for seat in group}
    fields = {"variant": record.variant, "visibility": record.visibility, "seats": seats, **WITHOUT_CLOCKS}
    try:
        seating = Seating.read(fields, programs, variants)
        control, time_out = _time_of(record)
    except ValueError as error:
        code = error.code if isinstance(error, Refused) else "bad-record"
        raise Refused(code, str(error)) from None
    if set(record.lineups) != set(board.seats) or {party.seats for party in seating.parties} != set(record.engines):
        raise Refused("bad-record", "the record does not say who plays each seat")
    rules = Rules(**record.rules)
    return replace(seating, first=record.first, rules=rules, time_control=control, time_out=time_out)


def _player_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    who, program, options = entry.get("who"), entry.get("program"), entry.get("options", {})
    # Older records have an option of the engine.
    elo = entry.get("elo", options.get("UCI_Elo")) if isinstance(options, dict) else None
    if who not in (ME, GUEST, ENGINE) or not isinstance(program, str):
        raise Refused("bad-record", "the record does not say who plays each seat")
    if elo is not None and not re.fullmatch("[0-9]{1,5}", str(elo)):
        raise Refused("bad-record", f"the record has a wrong Elo: {elo!r:.40}")
    return {"who": who, "program": program, "elo": None if elo is None else int(elo)}


def _time_of(record: GameRecord) -> tuple[TimeControl, TimeOut]:
    """The time control, which an engine's entry tells in full, and what happens when a clock runs out."""
    entries = sorted(record.engines.values(), key=lambda entry: entry["who"] != ENGINE)
    limits = entries[0].get("limits", {})
    times = {name: _whole(limits[name]) for name in ("base_ms", "increment_ms", "move_ms") if name in limits}
    return TimeControl(**times), TimeOut(limits.get("time_out", TimeOut.LOSES.value))


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 10**12:
        raise Refused("bad-record", f"the record has a wrong time: {value!r:.40}")
    return value


def _plies(game: BoardGame, record: GameRecord) -> Iterator[Ply]:
    """The history of a game, with the clocks that follow from the times of the moves."""
    truth = game.truth_after(())
    clocks = {player.party: Clock(game.seating.time_control) for player in game.players}
    for number, move in enumerate(record.moves):
        is_resignation = move.startswith(RESIGN)
        seat = move.partition(":")[2][:1] if is_resignation or move.startswith(PASS) else truth.turn
        before_ms = tuple(clock.remaining_ms for clock in clocks.values())
        yield Ply(seat, is_resignation, record.times_ms[number], record.scores[number], before_ms)
        clock = clocks[game.player_of(seat).party]
        if game.seating.time_out == TimeOut.LOSES and not is_resignation:
            clock.spend(record.times_ms[number])
            clock.add_increment()
        truth.play(bare(move))
