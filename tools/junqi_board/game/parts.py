"""The parts of a game's state: its phase, its players, a fault, a draw offer and whether an engine accepts it, the
plies of the history; and its events, which each input to a `BoardGame` returns in order. A party is named by its seats.
"""

from dataclasses import dataclass
from enum import StrEnum

from junqi_board.game.seating import Party
from junqi_referee.endings import Ending
from junqi_referee.time_control import Clock
from junqi_referee.truth import Truth


class Phase(StrEnum):
    ARRANGING = "arranging"
    PLAYING = "playing"
    OVER = "over"


@dataclass
class Player:
    """A party in the game. `has_engine`: its engine process is ready. `last_score`: what its engine last reported."""

    party: Party
    clock: Clock
    has_engine: bool = False
    last_score: str | None = None


@dataclass(frozen=True)
class Fault:
    """The engine of these seats has failed; the game waits until it is started again."""

    seats: str
    code: str
    text: str


@dataclass(frozen=True)
class GameVerdict:
    """An end of the game that the rules do not give: an agreed draw, or a loss on time.

    `result` is the seats of the winning team, or `draw`; `detail` adds to the ending.
    """

    result: str
    ending: Ending
    detail: str = ""


@dataclass(frozen=True)
class Offer:
    """A draw offer: the seats of the party that made it, and the parties that have yet to answer."""

    by: str
    waiting_for: tuple[str, ...]


@dataclass(frozen=True)
class Ply:
    """A move, a resignation or a passed turn, with what the public record lacks and `take_back` needs."""

    seat: str
    is_resignation: bool
    time_ms: int
    score: str | None
    clocks_before_ms: tuple[float, ...]


QUIET_PLIES = 20
"""An engine that reports no scores accepts after this many plies without a battle."""


def engine_accepts(truth: Truth, offering: Party, engine: Party, last_score: str | None) -> bool:
    """A partner always accepts; an opponent does unless its last score says that it is ahead.

    The protocol has no command for a draw, so the scores that the engine reported decide. `last_score` is `cp N` or
    `mate N` as it reported it, or None.
    """
    if any(offering.seats[0] in team and engine.seats[0] in team for team in truth.board.teams):
        return True
    if last_score is None:
        return truth.view(engine.viewer).quiet >= QUIET_PLIES
    kind, value = last_score.split()
    return int(value) <= 0 if kind == "cp" else int(value) < 0


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
    """The engine of these seats is out of order; the game waits until it is started again."""

    seats: str
    code: str


@dataclass(frozen=True)
class EngineRestarted:
    """The engine of these seats must be started again."""

    seats: str


Event = Happened | EngineToMove | SearchCancelled | MovePlayed | DrawDeclined | EngineFailed | EngineRestarted
Events = tuple[Event, ...]
