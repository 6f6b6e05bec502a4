"""What happens in a game. Each input to a `BoardGame` returns the events that it caused, in order.

Seats are letters; a party is named by its seats.
"""

from dataclasses import dataclass

from junqi_referee.endings import Ending


@dataclass(frozen=True)
class OfSeats:
    """Something that concerns the party with these seats."""

    seats: str


class LineupsSet(OfSeats):
    """The line-ups of these seats are final."""


class EngineReady(OfSeats):
    """The engine of these seats can be asked for moves."""


class EngineReplaced(OfSeats):
    """Another engine must be started for these seats."""


class MoveFound(OfSeats):
    """The engine of these seats has answered; its move is shown when its pace allows."""


class SearchCancelled(OfSeats):
    """The answer to the last `EngineToMove` is no longer wanted."""


@dataclass(frozen=True)
class GameStarted:
    """All line-ups are set."""


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
class MovePlayed:
    """A move, a resignation, or a turn that passed, as the public record shows it.

    It ends a draw offer of any other party.
    """

    seat: str
    move: str
    time_ms: int
    score: str | None


@dataclass(frozen=True)
class MovesTakenBack:
    """The game is back at this ply."""

    ply: int


@dataclass(frozen=True)
class DrawOffered:
    """These seats offer a draw; each party in `waiting_for` has yet to answer."""

    seats: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True)
class DrawAnswered(OfSeats):
    """The draw offer of these seats was answered by one of the parties that must."""

    by: str


class DrawAccepted(DrawAnswered):
    """It was accepted."""


class DrawDeclined(DrawAnswered):
    """It was declined."""


@dataclass(frozen=True)
class PauseSet:
    """The game was paused, or goes on."""

    is_paused: bool


@dataclass(frozen=True)
class PaceSet:
    """The shortest time between two moves that are shown has changed."""

    pace_ms: int


@dataclass(frozen=True)
class EngineFailed:
    """The engine of these seats is out of order; the game waits for a replacement."""

    seats: str
    code: str
    text: str


@dataclass(frozen=True)
class GameEnded:
    """`result` is the seats of the winning team, or `draw`."""

    result: str
    ending: Ending
    detail: str


Event = (
    LineupsSet
    | EngineReady
    | GameStarted
    | EngineToMove
    | MoveFound
    | SearchCancelled
    | MovePlayed
    | MovesTakenBack
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | PauseSet
    | PaceSet
    | EngineFailed
    | EngineReplaced
    | GameEnded
)
Events = tuple[Event, ...]
