"""What happens in a game. Each input to a `BoardGame` returns the events that it caused, in order.

Seats are letters; a party is named by its seats.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Happened:
    """What needs no more than that the pages get the new state: `S set`, `EW ready`, `back to 4`, `end EW flag`."""

    text: str
    changes_record: bool = False


@dataclass(frozen=True)
class EngineToMove:
    """The engine of these seats must search.

    `question` numbers the searches of a game; the answer carries it, so an answer that is out of date is recognised.
    `allowed_ms` is the time after which the answer is too late, None in a game without clocks.
    """

    seats: str
    question: int
    position: str
    go: str
    allowed_ms: float | None


@dataclass(frozen=True)
class SearchCancelled:
    """The answer to the last `EngineToMove` is no longer wanted."""

    seats: str


@dataclass(frozen=True)
class MovePlayed:
    """A move, a resignation, or a turn that passed, as the public record shows it.

    It ends a draw offer of any other party.
    """

    seat: str
    move: str
    time_ms: int


@dataclass(frozen=True)
class DrawDeclined:
    """The draw offer of these seats was declined by one of the parties that must answer."""

    seats: str
    by: str


@dataclass(frozen=True)
class EngineFailed:
    """The engine of these seats is out of order; the game waits for a replacement."""

    seats: str
    code: str


@dataclass(frozen=True)
class EngineReplaced:
    """Another engine must be started for these seats."""

    seats: str


Event = Happened | EngineToMove | SearchCancelled | MovePlayed | DrawDeclined | EngineFailed | EngineReplaced
Events = tuple[Event, ...]
