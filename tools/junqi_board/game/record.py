"""A game of the board as a record of the referee, and an interrupted game from its record."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from junqi_board.engines import Program, options_of
from junqi_board.game.game import PASS, RESIGN, BoardGame, Player, Ply, is_opened
from junqi_board.game.seating import ENGINE, Elo, Seating, Setup, Taker, TimeOut
from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import Refused
from junqi_engine.rules.options import Rules
from junqi_referee.endings import Ending
from junqi_referee.records.replay import bare, verify
from junqi_referee.time_control import Clock, TimeControl

MAX_NAME_CHARS = 24
"""Characters that are kept of a person's name."""
MAX_MOVES = 4_000
"""Limit on the moves of an opened or resumed game: passes are short, and any number of them is legal."""


def record_of(game: BoardGame) -> GameRecord:
    """The game so far; the ending of an unfinished game is `interrupted`.

    The entries of `engines` tell besides who plays (`who`, `program`), how much time remained when the clock last
    stood still (`remaining_ms`), whether the game is rated, and its id, so that the game can be resumed.
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
        moves=list(game.moves),
        times_ms=[ply.time_ms for ply in game.history],
        scores=[ply.score for ply in game.history],
        result=game.result or "draw",
        ending=game.verdict.ending,
        detail=game.verdict.detail or fault,
    )


def public_record_of(game: BoardGame) -> GameRecord:
    """The record of a finished game for guests: without the commands and the error messages of the host's machine."""
    record = record_of(game)
    engines = {seats: entry | {"command": ""} for seats, entry in record.engines.items()}
    return replace(record, engines=engines, detail=game.verdict.detail)


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
        "rated": game.is_rated,
        "id": game.id,
    }
    entry |= {} if party.elo is None else {"elo": party.elo}
    return entry | ({"remaining_ms": round(player.clock.remaining_ms)} if game.has_clocks else {})


def rule_options(game: BoardGame) -> dict[str, str]:
    return {"UCI_Variant": game.board.variant} | game.seating.rules.as_options()


def is_unfinished(record: GameRecord) -> bool:
    return record.ending == Ending.INTERRUPTED and all("who" in entry for entry in record.engines.values())


def would_be_lost(record: GameRecord) -> bool:
    """True if an unfinished game counts as a loss when it is deleted."""
    is_rated = any(entry.get("rated") is True for entry in record.engines.values())
    return is_rated and is_unfinished(record) and is_opened(record.moves, record.lineups)


def host_seats(record: GameRecord) -> str:
    """The host's seats in a record that this kind of board saved; empty for other records."""
    return "".join(seats for seats, entry in record.engines.items() if entry.get("who") == "me")


def check(record: GameRecord) -> None:
    """`Refused` unless the rules allow a record, and it is short enough to be followed."""
    check_length(len(record.moves))
    fault = verify(record)
    if fault is not None:
        raise Refused("bad-record", f"the record breaks the rules: {fault}")


def check_length(moves: int) -> None:
    if moves > MAX_MOVES:
        raise Refused("bad-record", f"the game has {moves} moves; one of at most {MAX_MOVES} can be opened")


def resumed(record: GameRecord, programs: tuple[Program, ...], variants: tuple[str, ...]) -> BoardGame:
    """The game of a record, where it was interrupted; `Refused` says why it cannot go on."""
    if not is_unfinished(record):
        raise Refused("no-such-game", "this is not an unfinished game of the board")
    check(record)
    entries = entries_of(record)
    seating = _seating(record, entries, programs, variants)
    game = game_at(len(record.moves), record, seating)
    for player in game.players:
        entry = entries[player.party.seats]
        player.clock.remaining_ms = float(entry.remaining_ms)
        game.is_rated, game.id = entry.rated, entry.id
        if not player.party.is_engine and entry.name != player.party.name:
            game.names[player.party.seats] = entry.name[:MAX_NAME_CHARS]
    return game


def game_at(ply: int, record: GameRecord, seating: Seating) -> BoardGame:
    seating = replace(seating, first=record.first, rules=Rules(**record.rules))
    game = BoardGame(seating, record.seed, record.lineups)
    game.lineups = dict(record.lineups)
    game.history = list(_plies(game, record))[:ply]
    game.full = game.full_game_after(record.moves[:ply])
    return game


Ms = Annotated[int, Meta(ge=0, lt=10**12)]


class Limits(Struct, frozen=True):
    base_ms: Ms | None = None
    increment_ms: Ms = 0
    move_ms: Ms | None = None
    time_out: TimeOut = TimeOut.LOSES


class Options(Struct, frozen=True, rename={"elo": "UCI_Elo"}):
    elo: Elo = None


class Entry(Taker, kw_only=True, forbid_unknown_fields=False):
    """A party's entry in the record of a game of the board."""

    name: str
    elo: Elo = None
    options: Options = Options()
    limits: Limits = Limits()
    remaining_ms: Ms = 0
    rated: bool = False
    id: str = ""

    def __post_init__(self) -> None:
        # Older records have an option of the engine.
        self.elo = self.options.elo if self.elo is None else self.elo


def entries_of(record: GameRecord) -> dict[str, Entry]:
    """The parties by their seats; `Refused` if it is not the record of a game of the board."""
    try:
        return msgspec.convert(record.engines, dict[str, Entry], strict=False)
    except msgspec.ValidationError as error:
        raise Refused("bad-record", f"the record does not say who plays each seat: {error}") from None


def _seating(
    record: GameRecord, entries: Mapping[str, Entry], programs: tuple[Program, ...], variants: tuple[str, ...]
) -> Seating:
    seats: dict[str, Taker] = {seat: entry for group, entry in entries.items() for seat in group}
    seating = Seating.read(Setup(record.variant, record.visibility, seats), programs, variants)
    if set(record.lineups) != set(seats) or {party.seats for party in seating.parties} != set(entries):
        raise Refused("bad-record", "the record does not say who plays each seat")
    # The entry of an engine tells the time control in full.
    limits = min(entries.values(), key=lambda entry: entry.who != ENGINE).limits
    control = TimeControl(limits.base_ms, limits.increment_ms, limits.move_ms)
    return replace(seating, time_control=control, time_out=limits.time_out)


def _plies(game: BoardGame, record: GameRecord) -> Iterator[Ply]:
    full = game.full_game_after(())
    clocks = {player.party: Clock(game.seating.time_control) for player in game.players}
    for number, move in enumerate(record.moves):
        is_resignation = move.startswith(RESIGN)
        seat = move.partition(":")[2][:1] if is_resignation or move.startswith(PASS) else full.turn
        before_ms = tuple(clock.remaining_ms for clock in clocks.values())
        yield Ply(seat, record.times_ms[number], record.scores[number], before_ms)
        clock = clocks[game.player_of(seat).party]
        if game.seating.time_out == TimeOut.LOSES and not is_resignation:
            clock.spend(record.times_ms[number])
            clock.add_increment()
        full.play(bare(move))
