"""The parts of a game's state: its phase, its players, a fault, a draw offer, the plies of the history."""

from dataclasses import dataclass
from enum import StrEnum

from tools.board.game.seating import Party
from tools.referee.endings import Ending
from tools.referee.time_control import Clock


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
    """The engine of these seats has failed; the game waits for a replacement."""

    seats: str
    code: str
    text: str


@dataclass(frozen=True)
class Verdict:
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
