"""A connection: what the page is told first, refusals, and what the host has stored."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from junqi_board.messages import Sent
from junqi_board.messages.game import Ladder
from junqi_board.messages.learning import ProblemRating, Teaser


class Done(Sent, tag="done"):
    """The answer to a request that asks for nothing."""


class RequestError(Sent, tag="error"):
    code: str
    text: str


class QuietLimit(Struct):
    """The plies without a battle that end a game of a variant; True if the side to move then loses."""

    no_contact: int
    loses: bool


class EngineChoice(Struct):
    program: str
    levels: Mapping[str, int | None]
    styles: Mapping[str, Mapping[str, str]]


class Alive(Sent, tag="alive"):
    """Sent every few seconds. After `silent_s` without a message the connection is dead."""

    silent_s: float


class Notice(Sent, tag="notice"):
    code: str
    text: str
    seats: str = ""
    """Those of whom it speaks, if any."""


class Starting(Sent, tag="starting"):
    """Progress of compiling: a share from 0 to 1, None if unknown."""

    is_ready: bool
    share: float | None


class Setting(Sent, tag="setting"):
    """A setting that a tab of the host has changed."""

    name: str
    value: str


class Fact(Sent, tag="fact"):
    """A fact that was added, or whose value has changed; None if it was removed."""

    kind: str
    fact: str
    value: Any


class Welcome(Sent, tag="welcome", kw_only=True):
    token: str
    is_host: bool
    positions: dict[str, list[Teaser]]
    tables: dict[str, str]
    limits: dict[str, QuietLimit]
    settings: dict[str, str]
    facts: dict[str, dict[str, Any]]
    ladder: Ladder | None
    problem_rating: ProblemRating | None
    today: str
    lan: str
    has_games: bool
    engines: list[EngineChoice]
    fault: str
