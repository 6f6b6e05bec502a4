"""What the environments of PettingZoo and Gymnasium have in common: the space of observations, and a picture of a game
as an array of pixels.
"""

import numpy as np
from gymnasium import spaces

from junqi_engine.env.observation import Observer
from junqi_engine.rules.game_state import GameState
from junqi_engine.rules.layout import seat_of
from junqi_engine.rules.pieces import KINDS

MOST_COUNT = 1000.0
"""No entry of `counts` is larger: no game has a million plies."""

CELL = 12
"""Pixels of a point in each direction."""
_BACKGROUND, _POINT, _CAMPSITE, _HEADQUARTERS = (244, 236, 216), (255, 250, 240), (216, 205, 170), (185, 166, 126)
_SEATS = ((200, 85, 61), (47, 111, 159), (60, 141, 90), (138, 90, 158))


def space_of(observer: Observer) -> spaces.Dict:
    """The space of the observations of a seat."""
    points = len(observer.frame(0).absolute)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (points, observer.channels), np.uint8),
            "counts": spaces.Box(0, MOST_COUNT, (observer.count_entries,), np.float32),
            "action_mask": spaces.Box(0, 1, (points * points,), np.int8),
        }
    )


def draw_rgb(game: GameState) -> np.ndarray:
    """The board, (12 * height, 12 * width, 3) of uint8, the highest rank at the top.

    A piece has the colour of its seat; a white bar at its foot is the longer, the lower its letter is.
    """
    board = game.board
    picture = np.empty((board.height * CELL, board.width * CELL, 3), np.uint8)
    picture[:] = _BACKGROUND
    for point, (file, rank) in enumerate(board.squares):
        top, left = (board.height - 1 - rank) * CELL, file * CELL
        cell = picture[top + 1 : top + CELL - 1, left + 1 : left + CELL - 1]
        piece = game.piece_at(point)
        if piece is None:
            cell[:] = (
                _CAMPSITE if board.is_campsite(point) else _HEADQUARTERS if board.is_headquarters(point) else _POINT
            )
            continue
        cell[:] = _SEATS[seat_of(piece)]
        length = round((CELL - 2) * (KINDS - int(game.position["kind"][piece])) / KINDS)
        cell[-2:, :length] = 255
    return picture
