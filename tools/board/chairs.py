"""What stands around a game: chairs with their parties, engines and pages; faults; the plies of the history."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from tools.board.adviser import Adviser
from tools.board.clocks import PartyClock
from tools.board.engines import Engine
from tools.board.seating import Party


class Page(Protocol):
    """A page at the board, as a game sees it."""

    def send(self, message: dict[str, Any]) -> None: ...


@dataclass
class Chair:
    """A party and what it has at the board. `pages` are those that look over its shoulder."""

    party: Party
    clock: PartyClock
    engine: Engine | None = None
    pages: list[Page] = field(default_factory=list)
    last_score: str | None = None
    adviser: Adviser | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Tell all its pages."""
        for page in self.pages:
            page.send(message)


@dataclass(frozen=True)
class Fault:
    """An engine has failed; the game waits for another."""

    chair: Chair
    code: str
    text: str


@dataclass(frozen=True)
class Ply:
    """An entry of the history, beside the record's move: what `take_back` and the saved game need."""

    seat: str
    is_resignation: bool
    time_ms: int
    score: str | None
    clocks_before_ms: tuple[float, ...]
