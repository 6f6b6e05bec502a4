"""Worlds of a view: a kind for every piece, (128,) uint8, `pieces.UNKNOWN` where there is no piece."""

import numpy as np

from junqi_engine.information.view import SeatView
from junqi_engine.rules.pieces import FLAG, MINE, UNKNOWN
from junqi_engine.rules.position import copied, set_movable


def positions_of_world(view: SeatView, kinds: np.ndarray) -> np.ndarray:
    """The position of a view if the pieces are of these `kinds`, (128,); an array of one record."""
    positions = copied(view.positions)
    positions["kind"] = kinds
    set_movable(view.board, positions[0], (kinds != MINE) & (kinds != FLAG) & (kinds != UNKNOWN))
    return positions


def distinct_worlds(view: SeatView, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The worlds that differ in pieces on the board, and the number of `worlds` equal to each, (n,) int64."""
    on_board = np.unpackbits(view.position["present"].view(np.uint8), bitorder="little").astype(bool)
    equal: dict[bytes, list[int]] = {}
    for number, kinds in enumerate(worlds[:, on_board]):
        equal.setdefault(kinds.tobytes(), []).append(number)
    firsts = [numbers[0] for numbers in equal.values()]
    return worlds[firsts], np.array([len(numbers) for numbers in equal.values()], np.int64)
