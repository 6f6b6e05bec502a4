"""The game at the table."""

from msgspec import UNSET, Struct, UnsetType, field

from junqi_board.messages import Chances, Sent, Targets
from junqi_board.messages.scenes import Piece, RemovedPiece, Scene


class SeatState(Struct, kw_only=True):
    who: str
    name: str
    ready: bool
    elo: int | None
    is_named: bool
    is_here: bool
    was_here: bool
    is_thinking: bool
    remaining_ms: float | None
    is_running: bool


class Limits(Struct):
    no_contact: int
    no_contact_loses: bool
    max_plies: int


class EngineFailure(Struct):
    seats: str
    code: str
    text: str


class DrawOffer(Struct):
    by: str
    to_me: bool
    waiting: str
    """The seats that have yet to answer."""


class Permissions(Struct, kw_only=True):
    take_back: bool
    resign: bool
    hurry: bool
    be_helped: bool
    tell_partner: bool


class FaceUp(Struct):
    pieces: list[Piece]
    removed: list[RemovedPiece]


class Rating(Struct):
    rating: float
    history: list[int]


class CountedGame(Struct):
    """A rated game: 1 for a win, 0.5 for a draw, 0 for a loss. The level is empty for an engine at full strength."""

    day: str
    variant: str
    level: str
    score: float
    change: int


class Ladder(Struct):
    ratings: dict[str, Rating]
    wins: dict[str, int]
    streak: int
    best_streak: int = field(name="bestStreak")
    marshals: int
    games: list[CountedGame]


class RatingChange(Struct):
    rating: int
    change: int


class GameState(Scene, tag="game", kw_only=True):
    game: str
    phase: str
    mine: str
    viewer: str
    seats: dict[str, SeatState]
    limits: Limits
    fault: EngineFailure | None
    result: str | None
    ending: str | None
    saved: str | None
    unsaved: str | None
    offer: DrawOffer | None
    may: Permissions
    rematch: str
    score: dict[str, float]
    ladder: Ladder | None
    rating_change: RatingChange | None
    practice: bool
    short: bool
    surrendered: bool
    places: dict[str, list[int]] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    allowed: dict[str, list[int]] = field(default_factory=dict)
    moves: list[str] | UnsetType = UNSET
    targets: Targets | UnsetType = UNSET
    premoves: Targets | UnsetType = UNSET
    face_up: FaceUp | UnsetType = UNSET


class Gone(Sent, tag="gone"):
    """The game to which the page was invited has left the board."""


class Invitation(Struct):
    seats: str
    token: str


class OpenedGame(Sent, tag="opened"):
    game: str
    invitations: list[Invitation]


class RematchAsked(Sent, tag="rematch_asked"):
    """The others have not asked for it yet."""


class ChatLine(Struct):
    seats: str
    name: str
    words: str
    to_all: bool


class ChatLines(Sent, tag="chat_lines"):
    lines: list[ChatLine]
    count: int


class Ping(Sent, tag="ping"):
    """A point that a person shows its partner."""

    seats: str
    point: int


class Lineup(Sent, tag="lineup"):
    lineup: str


class Gallery(Sent, tag="gallery"):
    lineups: dict[str, str]


class QrCode(Sent, tag="qr"):
    rows: list[str]


class Belief(Sent, tag="belief"):
    game: str
    ply: int
    points: dict[str, Chances]


class AdvisedMove(Struct):
    move: str
    start: int = field(name="from")
    target: int = field(name="to")
    win: float | None


class Advice(Sent, tag="advice"):
    game: str
    ply: int
    move: str
    start: int = field(name="from")
    target: int = field(name="to")
    win: float | None
    others: list[AdvisedMove]
