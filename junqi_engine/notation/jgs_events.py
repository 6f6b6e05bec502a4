"""The events of a `.jgs` file, played and compared with the rules."""

from collections.abc import Callable, Sequence
from typing import Protocol

from junqi_engine.notation.jgs import Elimination, End, Event, MoveEvent, Pass
from junqi_engine.notation.moves import format_code, parse_move
from junqi_engine.rules.board import SIGUO
from junqi_engine.rules.game_state import SeenMove
from junqi_engine.rules.layout import move_of


class GameStanding(Protocol):
    """The state of a game: the seats that are not eliminated, and the result, a team or `draw`."""

    @property
    def alive(self) -> str: ...
    @property
    def result(self) -> str | None: ...


def replay(events: Sequence[Event], game: GameStanding, play: Callable[[str], str]) -> End | None:
    """Play the events of a file; returns the event `End`, if there is one. A draw may be by agreement.

    `play` plays a move without a suffix in `game`, and returns it with its suffix. ValueError if the rules contradict
    the file.
    """
    awaited: set[int] = set()  # seats eliminated by the rules, but not yet by the file
    for number, event in enumerate(events, 1):
        where = f"event {number}"
        if isinstance(event, End):
            _check_end(event, game)
            return event
        if isinstance(event, Elimination) and event.seat in awaited:
            awaited.remove(event.seat)
            continue
        if isinstance(event, Elimination) and SIGUO.seats[event.seat] not in game.alive:
            continue  # the player of an eliminated seat has left
        if awaited:
            seats = ", ".join(SIGUO.seats[seat] for seat in sorted(awaited))
            raise ValueError(f"{where}: by the rules, {seats} is eliminated before it")
        awaited = set(_play_event(event, game, play, where).eliminated)
        if isinstance(event, Elimination):
            awaited.discard(event.seat)
    return None


def _check_end(end: End, game: GameStanding) -> None:
    if game.result is None and not end.is_draw:
        raise ValueError(f"the file ends with a win, but {game.alive} are still in the game")
    if game.result is not None and end.is_draw != (game.result not in SIGUO.teams):
        told = "a draw" if end.is_draw else "a win"
        raise ValueError(f"the file ends with {told}; by the rules it is {game.result}")


def _play_event(
    event: MoveEvent | Pass | Elimination, game: GameStanding, play: Callable[[str], str], where: str
) -> SeenMove:
    if isinstance(event, Elimination):
        seat = SIGUO.seats[event.seat]
        if event.reason.is_by_rules:
            raise ValueError(f"{where}: {seat} is eliminated; by the rules it is not")
        text = f"resign:{seat}"
    elif isinstance(event, Pass):
        text = f"pass:{SIGUO.seats[event.seat]}"
    else:
        text = format_code(SIGUO, move_of(event.from_point, event.to_point))
    try:
        played = play(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    seen = parse_move(SIGUO, played)
    if isinstance(event, MoveEvent):
        if event.outcome != seen.outcome:
            raise ValueError(f"{where}: outcome {event.outcome} is recorded, {played} was played")
        if sorted(event.revealed_flags) != sorted(seen.revealed_flags):
            flags = ", ".join(SIGUO.names[point] for point in event.revealed_flags) or "none"
            raise ValueError(f"{where}: revealed flags {flags}, but {played} was played")
    return seen
