"""Conversion between game records and `.jgs` files, both ways.

A `.jgs` file holds the line-ups, the moves and the result of a game of Siguo with its default rules. It does not hold
seed, times, scores and engines. The players' names are kept only on request.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

from junqi_engine.notation.jgs import Elimination, End, Event, GameFile, Move, Pass, Reason
from junqi_engine.notation.jgs_events import replay
from junqi_engine.notation.moves import parse_move
from junqi_engine.rules.board import LINEUP_INDICES, SIGUO
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.options import Rules
from tools.referee.endings import Ending
from tools.referee.records.game_record import DRAW, GameRecord
from tools.referee.records.replay import bare, begin, verify
from tools.referee.truth import Truth

VISIBILITY = "partner"
"""QQ's players see their partner's pieces."""
NO_NAMES = ("",) * len(SIGUO.seats)


class Played(NamedTuple):
    """A token of a record with the seat that moves, passes or resigns."""

    seat: int
    seen: SeenMove


def game_of_jgs(file: GameFile, number: int) -> GameRecord:
    """The game of a `.jgs` file; ValueError if it breaks the rules.

    A draw that the rules do not give is `agreed`. A file without an end is an interrupted game.
    """
    lineups = dict(zip(SIGUO.seats, file.lineups, strict=True))
    rules = Rules.of(SIGUO)
    truth = Truth(SIGUO.variant, lineups, SIGUO.seats[file.first], rules)
    end = replay(file.events, truth, truth.play)
    result = truth.result
    ending = truth.ending if result is not None else Ending.INTERRUPTED if end is None else Ending.AGREED
    return GameRecord(
        game=number,
        variant=SIGUO.variant,
        visibility=VISIBILITY,
        engines=_players(file.names),
        seed=0,
        rules=asdict(rules),
        lineups=lineups,
        first=SIGUO.seats[file.first],
        moves=truth.moves,
        times_ms=[0] * len(truth.moves),
        scores=[None] * len(truth.moves),
        result=result or DRAW,
        ending=ending,
    )


def jgs_of(game: GameRecord, with_names: bool = False) -> GameFile:
    """The `.jgs` file of a game; ValueError if the format cannot express it."""
    if game.variant != SIGUO.variant:
        raise ValueError(f"variant {game.variant} has no .jgs files, only {SIGUO.variant} has")
    if game.ending == Ending.MAX_PLIES:
        raise ValueError("ended by max-plies; a .jgs file has no limit of plies")
    if _ending_in_file(game).breaks_off and _ending_in_file(game) not in (Ending.INTERRUPTED, Ending.AGREED):
        raise ValueError(f"{game.result} by {game.ending}; a .jgs file cannot express this ending")
    fault = verify(game)
    if fault is not None:
        raise ValueError(f"breaks the rules: {fault}")
    events = _events(game)
    if game.ending != Ending.INTERRUPTED:
        events.append(End(game.result == DRAW))
    has_names = with_names and game.engines != _players(NO_NAMES)
    names = tuple(_name_of(game, seat) if has_names else "" for seat in SIGUO.seats)
    lineups = tuple(game.lineups[seat] for seat in SIGUO.seats)
    file = GameFile(lineups, tuple(events), SIGUO.seats.index(game.first), names)
    _check_reads_back(game, file)
    return file


def losses(game: GameRecord) -> list[str]:
    """What the `.jgs` file of a game does not tell that changes how the game was played, as sentences."""
    changed = {"visibility": (game.visibility, VISIBILITY), "the ending": (game.ending, _ending_in_file(game))}
    return [
        f"a .jgs file does not hold {what} {kept}; it reads back as {read}"
        for what, (kept, read) in changed.items()
        if kept != read
    ]


def _ending_in_file(game: GameRecord) -> Ending:
    """The ending that a game reads back with: every draw that the rules do not give reads back as agreed."""
    return Ending.AGREED if game.ending == Ending.ADJUDICATED and game.result == DRAW else game.ending


def _events(game: GameRecord) -> list[Event]:
    """The events of a record that has been verified, without the end."""
    truth = begin(game, f"game {game.game}")
    events: list[Event] = []
    for text in game.moves:
        seat = SIGUO.seats.index(truth.turn)
        truth.play(bare(text))
        seen = parse_move(SIGUO, text)
        gone = list(seen.eliminated)
        if seen.resigned is not None:
            events.append(Elimination(seen.resigned, Reason.RESIGNED))
            gone = [seat for seat in gone if seat != seen.resigned]
        elif seen.passed is not None:
            events.append(Pass(seen.passed))
        else:
            events.append(Move(seat, seen.from_point, seen.to_point, seen.outcome, seen.shown_flags))
        events += [Elimination(seat, _reason(game, seen, seat)) for seat in gone]
    return events


def _reason(game: GameRecord, seen: SeenMove, seat: int) -> Reason:
    """Why the rules eliminated a seat in a ply."""
    flag = SIGUO.block(seat)[LINEUP_INDICES[game.lineups[SIGUO.seats[seat]].index("l")]]
    return Reason.FLAG if seen.to_point == flag else Reason.NO_MOVES


def _check_reads_back(game: GameRecord, file: GameFile) -> None:
    """ValueError if the file reads back as another game: it holds no rules, so the game must have had the default."""
    try:
        again = game_of_jgs(file, game.game)
    except ValueError as error:
        raise ValueError(f"the game differs under the default rules, which a .jgs file implies: {error}") from error
    if (again.moves, again.result, again.ending) != (game.moves, game.result, _ending_in_file(game)):
        limit = Rules.of(SIGUO).no_contact
        told = f"{game.result} by {game.ending} would read back as {again.result} by {again.ending}"
        raise ValueError(f"{told}: a .jgs file implies the default rules, with a no-contact limit of {limit}")


def _players(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The entry `engines` of a record: by team, or by seat if there are names."""
    if not any(names):
        return {team: {"name": team} for team in SIGUO.teams}
    return {seat: {"name": name} for seat, name in zip(SIGUO.seats, names, strict=True)}


def _name_of(game: GameRecord, seat: str) -> str:
    return next((str(engine["name"]) for seats, engine in game.engines.items() if seat in seats), "")
