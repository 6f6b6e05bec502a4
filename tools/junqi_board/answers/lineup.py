"""Line-ups to begin from: a random one, and a gallery with one of each style, whose names are in the texts of the page.

The page itself allows only swaps that are legal.
"""

import random

from junqi_board.connection import Connection, answers
from junqi_board.messages.game import Gallery, Lineup
from junqi_board.styles import GALLERY
from junqi_engine.players import lineup_choice


@answers()
async def lineup_random(connection: Connection) -> Lineup:
    return Lineup(lineup_choice.sensible(random.Random()))


@answers()
async def lineup_gallery(connection: Connection) -> Gallery:
    return Gallery(GALLERY)
