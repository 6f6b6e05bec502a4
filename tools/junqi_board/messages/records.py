"""Saved games, records and their reviews, and positions of a study."""

from msgspec import Struct, field

from junqi_board.messages import Sent, Targets
from junqi_board.messages.scenes import LastMove, Scene


class SavedGame(Struct, kw_only=True):
    name: str
    state: str
    variant: str
    players: list[tuple[str, str]]
    mine: str
    moves: int
    result: str
    ending: str
    rated: bool
    surrendered: bool


class Library(Sent, tag="library"):
    games: list[SavedGame]
    all: int


class AddedRecord(Sent, tag="library_added"):
    name: str


class RecordLine(Sent, tag="record"):
    line: str


class RecordLines(Sent, tag="records"):
    lines: list[str]


class Replay(Sent, tag="replay", kw_only=True):
    variant: str
    mine: str
    surrendered: bool
    names: dict[str, str]
    moves: list[str]
    result: str
    ending: str
    viewers: list[str]


class Story(Sent, tag="story"):
    entries: list[LastMove]


class PastTargets(Sent, tag="past_targets"):
    targets: Targets


class ReviewedStep(Struct, kw_only=True):
    text: str
    seat: str
    fair: dict[str, float]
    truth: float
    loss: float
    luck: dict[str, float]
    best: str
    line: list[str]


class PlayerReview(Struct, kw_only=True):
    player: str
    team: str
    luck: float


class Moment(Struct):
    step: int
    kind: str
    size: float
    player: str


class Surprise(Struct):
    step: int
    player: str
    chance: float


class Review(Struct, kw_only=True):
    """The parts of a review of the engine that the page shows."""

    variant: str
    result: str | None
    players: list[PlayerReview]
    fair: dict[str, float]
    truth: float
    steps: list[ReviewedStep]
    moments: list[Moment]
    surprises: list[Surprise]


class GrowingReview(Sent, tag="review"):
    number: int
    review: Review


class ReviewEnd(Sent, tag="reviewed"):
    is_whole: bool


class StudyPosition(Scene, tag="study_position", kw_only=True):
    start: str
    moves: list[str]
    over: str


class StudyOutcomes(Sent, tag="study_outcomes"):
    moves: list[str]


class StudyLine(Struct):
    rank: int
    win: float | None
    moves: list[str]
    start: int = field(name="from")
    target: int = field(name="to")


class StudyLines(Sent, tag="study_lines"):
    fen: str
    lines: list[StudyLine]
