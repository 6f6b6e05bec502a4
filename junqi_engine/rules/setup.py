"""Setting up a position: limits, pieces on points, line-ups."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup as lineups_module
from junqi_engine.rules.board import LINEUP_INDICES, Board
from junqi_engine.rules.layout import SEATS, SLOTS, contains, occupant_of, piece_of, seat_of, seats_of_team, slot_of
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import IMMOBILE_MASK, LETTERS
from junqi_engine.rules.position import POSITION, Result


@dataclass(frozen=True)
class Placement:
    """A piece on the board: its seat, point and kind (`pieces.UNKNOWN` for a hidden one)."""

    seat: int
    point: int
    kind: int


def new_position(board: Board, rules: Rules, alive: int, turn: int, quiet: int = 0, ply: int = 0) -> np.void:
    """An empty board as a `POSITION` record."""
    position = np.zeros(1, POSITION)[0]
    position["alive"], position["turn"], position["quiet"], position["ply"] = alive, turn, quiet, ply
    position["result"] = result_by_team(alive)
    set_rules(board, position, rules)
    return position


def set_rules(board: Board, position: np.void, rules: Rules) -> None:
    """Copy rules that leave nothing to the variant into a position."""
    position["no_contact"] = rules.no_contact
    position["no_contact_loses"] = bool(rules.no_contact_loses)
    position["max_plies"] = rules.max_plies
    position["eliminates_immobile"] = rules.eliminates_immobile(board)


def place(board: Board, position: np.void, piece: int, point: int, kind: int) -> None:
    """Put a piece on an empty point."""
    position["board"][point] = occupant_of(piece)
    position["kind"][piece] = kind
    position["where"][piece] = point
    position["present"][seat_of(piece)] |= 1 << slot_of(piece)
    if not contains(IMMOBILE_MASK, kind) and not board.is_headquarters(point):
        position["movable"][seat_of(piece)] |= 1 << slot_of(piece)


def lineup_kinds(letter: str, lineup: str) -> list[int]:
    """The kinds of the line-up of seat `letter`, in index order; `bad-lineup` if it is not legal."""
    try:
        lineups_module.check(lineup)
    except JunqiError as error:
        raise JunqiError(error.code, f"{letter}'s line-up: {error}") from None
    return [LETTERS.index(piece) for piece in lineup]


def place_lineup(board: Board, position: np.void, seat: int, kinds: Iterable[int]) -> None:
    """Set up a seat's 25 pieces from their `kinds` in index order; the k-th gets slot k."""
    for slot, (index, kind) in enumerate(zip(LINEUP_INDICES, kinds, strict=True)):
        place(board, position, piece_of(seat, slot), board.block(seat)[index], kind)


def set_movable(board: Board, position: np.void, may_move: np.ndarray) -> None:
    """Compute the movable pieces: on the board, in no headquarters, and `may_move`, (128,) bool, by their kind."""
    may_move = may_move & ~board.tables["headquarters"].astype(bool)[position["where"]]
    sets = np.packbits(may_move.reshape(SEATS, SLOTS), axis=1, bitorder="little").view(np.uint32).ravel()
    position["movable"] = sets & position["present"]


def result_by_team(alive: int) -> Result:
    """The result that follows from the seats that are not eliminated."""
    if not alive & seats_of_team(0):
        return Result.TEAM_1
    return Result.ONGOING if alive & seats_of_team(1) else Result.TEAM_0
