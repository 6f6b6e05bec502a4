"""The evaluator with fitted worths in plain numpy: features by dictionaries."""

import numpy as np

from junqi_engine.evaluation.worths import CLASSES
from junqi_engine.rules.board import Board
from junqi_engine.rules.pieces import FLAG, KINDS


def turned(board: Board, seat: int, is_mirrored: bool) -> dict[int, int]:
    """By point, the point that South would see there if the seat were South."""
    turns = {4: seat, 2: 2 * seat}[len(board.seats)]
    found = {}
    for point, (file, rank) in enumerate(board.squares):
        x, y = file - (board.width - 1) / 2, rank - (board.height - 1) / 2
        for _ in range(turns):
            x, y = y, -x
        if is_mirrored:
            x = -x
        square = (round(x + (board.width - 1) / 2), round(y + (board.height - 1) / 2))
        found[point] = board.point_at[square]
    return found


def pieces_of(board: Board, position: np.void) -> list[tuple[int, int, int]]:
    """(seat, slot, point) of all pieces on the board."""
    found = []
    for seat in range(len(board.seats)):
        if int(position["alive"]) >> seat & 1:
            slots = [slot for slot in range(25) if int(position["present"][seat]) >> slot & 1]
            found += [(seat, slot, int(position["where"][32 * seat + slot])) for slot in slots]
    return found


def score(board: Board, worths: np.void, position: np.void, classes: np.ndarray) -> int:
    """What the worths say for team 0, in hundredths of a Lieutenant."""
    seats, points = len(board.seats), len(board.points)
    pieces = pieces_of(board, position)
    kinds = position["kind"]
    total = 0
    for seat in range(seats):
        own_flags = [point for owner, slot, point in pieces if owner == seat and kinds[32 * seat + slot] == FLAG]
        is_mirrored = seats == 2 and any(point % 30 == 28 for point in own_flags)
        seen = turned(board, seat, is_mirrored)
        numbers = []
        for owner, slot, point in pieces:
            relation, piece = (owner - seat) % seats, 32 * owner + slot
            number = np.ravel_multi_index(
                (relation, int(kinds[piece]), int(classes[piece]), seen[point]), (seats, KINDS, CLASSES, points)
            )
            numbers.append(int(number))
        view = int(worths["worth"][numbers].sum(dtype=int))
        total += -view if seat % 2 else view
    return total
