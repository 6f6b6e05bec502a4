"""Problems and brain teasers."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from junqi_board.messages import Chances, Sent, Targets
from junqi_board.messages.scenes import AfterMove, Piece


class ListedProblem(Struct, array_like=True):
    problem: str
    variant: str
    level: str


class ProblemList(Sent, tag="problem_list"):
    problems: list[ListedProblem]
    today: str


class ProblemStatement(Sent, tag="problem", kw_only=True):
    problem: str
    theme: str
    level: str
    variant: str
    mine: str
    pieces: list[Piece]
    proven: dict[str, str]
    alive: str
    counts: dict[str, int]
    targets: Targets
    choices: dict[str, str]
    marked: list[int]
    may: dict[str, str]


class ProblemRating(Sent, tag="problem_rating"):
    rating: float
    tried: int
    row: int
    best: int


class PieceReason(Struct):
    piece: str
    may: str


class ProblemVerdict(Sent, tag="problem_verdict", kw_only=True):
    is_right: bool
    why: str
    may: str
    piece: str | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    points: list[int] | UnsetType = UNSET
    face_up: list[Piece] | UnsetType = UNSET
    fen: str | UnsetType = UNSET
    after: AfterMove | UnsetType = UNSET
    best: PieceReason | UnsetType = UNSET
    chances: Chances | UnsetType = UNSET
    is_proven: bool | UnsetType = UNSET


class Teaser(Struct, kw_only=True):
    variant: str
    name: str
    position: str
    goal: str
    best: int | None
    level: str
    swaps: int


class TeaserList(Sent, tag="teaser_list"):
    today: list[Teaser]
    all: dict[str, list[Teaser]]


class TeaserShape(Struct):
    id: str
    x: float
    y: float
    rects: list[list[Any]]
    tone: int
    label: str
    kind: str


class TeaserChoice(Struct):
    move: str
    id: str
    x: float
    y: float


class TeaserScene(Sent, tag="teaser_position", kw_only=True):
    """A brain teaser as it is drawn; `scenes/teasers.py` explains its parts."""

    width: float
    height: float
    floor: list[list[Any]]
    line: list[list[float]] = field(default_factory=list)
    shapes: list[TeaserShape]
    choices: list[TeaserChoice]
    taken: str | None = None
    exit: list[float] | None = None
    solved: bool = False
    points: int | None = None
    waves: list[int] = field(default_factory=list)


class SolverReply(Sent, tag="teaser_solution", kw_only=True):
    what: Literal["hint", "solution"]
    moves: list[str]
    left: int | UnsetType | None = UNSET
    said: list[str]
