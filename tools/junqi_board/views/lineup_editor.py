"""The line-up editor of a page: random line-ups, and a gallery.

The gallery has a line-up of each style. The names and what they are for are in the texts of the page.
"""

import random
from collections.abc import Mapping
from typing import ClassVar

from junqi_board.views.base import Command, MessageId, View
from junqi_engine.players import lineup_choice

GALLERY = {
    "balanced": "cfhed" + "ikb" + "daei" + "ckg" + "hjgji" + "gljhf",
    "left": "acehg" + "bki" + "dkhi" + "cih" + "dejgf" + "fgjlj",
    "right": "hgebc" + "ika" + "ihkd" + "gic" + "jjfed" + "jlfhg",
    "fortress": "fdheg" + "ici" + "ekdh" + "bca" + "gjkfi" + "jljhg",
    "trap": "gdhfe" + "kik" + "cabe" + "icd" + "fhjgi" + "hgjlj",
    "decoy": "dfgce" + "ibi" + "adhc" + "kgf" + "hjgke" + "jhjli",
}
"""By style, 25 letters: row by row, the front row first, from the owner's left."""


class LineupEditor(View):
    """Nothing is kept between messages. The page itself allows only swaps that are legal."""

    async def _random(self, message_id: MessageId) -> None:
        self.page.send({"type": "lineup", "id": message_id, "lineup": lineup_choice.sensible(random.Random())})

    async def _gallery(self, message_id: MessageId) -> None:
        self.page.send({"type": "gallery", "id": message_id, "lineups": GALLERY})

    commands: ClassVar[Mapping[str, Command]] = {
        "lineup_random": Command(_random),
        "lineup_gallery": Command(_gallery),
    }
