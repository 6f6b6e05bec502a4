"""The network in plain numpy and floating point: all rows of a position are added up, nothing is kept."""

import numpy as np

from junqi_engine.information.public_game import CLASSES
from junqi_engine.rules.board import Board
from junqi_engine.rules.pieces import FLAG, KINDS
from tests.references.slow_worths import pieces_of, turned


def seen_by_seat(board: Board, rows: np.ndarray, bias: np.ndarray, output: np.ndarray, position: np.void,
                 classes: np.ndarray) -> list[float]:  # fmt: skip
    """What each seat sees, in hundredths of a Lieutenant; 0 for one that is eliminated."""
    seats, points = len(board.seats), len(board.points)
    pieces, kinds = pieces_of(board, position), position["kind"]
    right = {owner: point % 30 == 28 for owner, slot, point in pieces if kinds[32 * owner + slot] == FLAG}
    table = rows.reshape(2, seats, KINDS, CLASSES, points, -1)
    found = []
    for seat in range(seats):
        if seat not in right:
            found.append(0.0)
            continue
        is_mirrored = seats == 2 and right[seat]
        side = right[seat] != right[1 - seat] if seats == 2 else right[seat]
        seen = turned(board, seat, is_mirrored)
        units = bias.astype(float)
        for owner, slot, point in pieces:
            piece = 32 * owner + slot
            units += table[int(side), (owner - seat) % seats, kinds[piece], classes[piece], seen[point]]
        found.append(float(np.clip(units, 0, 256) @ output.astype(float)) / 256)
    return found


def score(board: Board, rows: np.ndarray, bias: np.ndarray, output: np.ndarray, position: np.void,
          classes: np.ndarray) -> float:  # fmt: skip
    """What the network says for team 0."""
    seen = seen_by_seat(board, rows, bias, output, position, classes)
    return sum(seen[0::2]) - sum(seen[1::2])
