"""Boards and positions."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from junqi_board.messages import Sent, Targets


class Piece(Struct, array_like=True, frozen=True):
    """A piece on the board; the letter of a hidden one is `?`. `piece` is the public number that it keeps all game."""

    point: int
    piece: int
    seat: str
    letter: str


class BoardPoint(Struct):
    name: str
    x: float
    y: float
    kind: str
    seat: str | None


class BoardData(Sent, tag="board", kw_only=True):
    variant: str
    width: float
    height: float
    seats: str
    teams: list[str]
    points: list[BoardPoint]
    roads: list[list[int]]
    rails: list[list[Any]]
    signs: list[list[Any]]
    turns: dict[str, int]
    pieces: list[Piece] | UnsetType = UNSET


class KnownPiece(Struct):
    """A piece, on the board or removed: its letter, `?` if that is not certain, and the letters that it may have."""

    piece: int
    seat: str
    letter: str
    may: str


class RemovedPiece(KnownPiece):
    """`by` is the seat whose piece removed it; empty if that is not known."""

    by: str


class LastMove(Struct, kw_only=True):
    """The public facts of a move, resignation or passed turn. `attacker` and `defender` are None without a battle."""

    text: str
    start: int = field(name="from")
    target: int = field(name="to")
    outcome: str
    seat: str
    resigned: str | None
    passed: str | None
    flags: list[int]
    out: str
    path: list[int] = field(default_factory=list)
    attacker: KnownPiece | None = None
    defender: KnownPiece | None = None


class Scene(Sent, tag="scene", kw_only=True):
    variant: str
    pieces: list[Piece]
    proven: dict[str, str]
    turn: str
    alive: str
    counts: dict[str, int]
    ply: int
    quiet: int
    last: LastMove | None
    removed: list[RemovedPiece] = field(default_factory=list)
    fen: str | UnsetType = UNSET
    targets: Targets | UnsetType = UNSET


class AfterMove(Struct):
    pieces: list[Piece]
    last: LastMove | None
