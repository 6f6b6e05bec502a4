"""The line-up editor of a page: checks, random line-ups, mirroring, and a gallery.

The gallery has a line-up of each style. The names and what they are for are in the texts of the page.
"""

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from junqi_board.errors import RequestError
from junqi_board.messages import LINEUP
from junqi_board.views.base import Command, MessageId, View
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup as rules
from junqi_engine.rules.layout import contains
from junqi_engine.rules.pieces import COUNTS, LETTERS, PIECES_PER_SEAT

GALLERY = {
    "balanced": "cfhed" + "ikb" + "daei" + "ckg" + "hjgji" + "gljhf",
    "left": "acehg" + "bki" + "dkhi" + "cih" + "dejgf" + "fgjlj",
    "right": "hgebc" + "ika" + "ihkd" + "gic" + "jjfed" + "jlfhg",
    "fortress": "fdheg" + "ici" + "ekdh" + "bca" + "gjkfi" + "jljhg",
    "trap": "gdhfe" + "kik" + "cabe" + "icd" + "fhjgi" + "hgjlj",
    "decoy": "dfgce" + "ibi" + "adhc" + "kgf" + "hjgke" + "jhjli",
}
"""By style, 25 letters: row by row, the front row first, from the owner's left."""


def faults(letters: str) -> list[dict[str, Any]]:
    """Every rule that a line-up breaks: its name, the places (0 to 24) that break it, the piece concerned, how many
    there are and how many are needed.
    """
    found: list[dict[str, Any]] = []

    def add(rule: str, places: list[int], piece: str, count: int, needed: int = 0) -> None:
        found.append({"rule": rule, "places": places, "piece": piece, "count": count, "needed": needed})

    if len(letters) != PIECES_PER_SEAT:
        add("length", [], "", len(letters), PIECES_PER_SEAT)
    unknown = [place for place, letter in enumerate(letters) if letter not in LETTERS]
    if unknown:
        add("letter", unknown, letters[unknown[0]], len(unknown))
    for kind, letter in enumerate(LETTERS):
        if letters.count(letter) != COUNTS[kind]:
            places = [place for place, other in enumerate(letters) if other == letter]
            add("count", places, letter, len(places), COUNTS[kind])
    for letter, rule in (("j", "landmine-row"), ("k", "bomb-row"), ("l", "flag-headquarters")):
        places = [place for place, other in enumerate(letters[:PIECES_PER_SEAT]) if other == letter]
        wrong = [place for place in places if not _may_stand(letter, place)]
        if wrong:
            add(rule, wrong, letter, len(wrong))
    return found


def _may_stand(letter: str, place: int) -> bool:
    return bool(contains(rules.MASK_AT[place], LETTERS.index(letter)))


class LineupEditor(View):
    """Every answer is a line-up with the rules that it breaks. Nothing is kept between messages."""

    async def _check(self, message_id: MessageId, lineup: str) -> None:
        self._answer(message_id, lineup)

    async def _random(self, message_id: MessageId) -> None:
        self._answer(message_id, lineup_choice.sensible(random.Random()))

    async def _gallery(self, message_id: MessageId) -> None:
        self.page.send({"type": "gallery", "id": message_id, "lineups": GALLERY})

    async def _mirror(self, message_id: MessageId, lineup: str) -> None:
        if len(lineup) != PIECES_PER_SEAT:
            raise RequestError("bad-lineup", f"lineup: expected {PIECES_PER_SEAT} letters, got {len(lineup)}")
        self._answer(message_id, rules.mirror(lineup))

    commands: ClassVar[Mapping[str, Command]] = {
        "lineup_check": Command(_check, {"lineup": LINEUP}),
        "lineup_random": Command(_random),
        "lineup_gallery": Command(_gallery),
        "lineup_mirror": Command(_mirror, {"lineup": LINEUP}),
    }

    def _answer(self, message_id: MessageId, letters: str) -> None:
        self.page.send({"type": "lineup", "id": message_id, "lineup": letters, "faults": faults(letters)})
