"""Line-ups on the page: drawn, mirrored, checked as they are changed, read from and written to `.jql` files."""

import base64
import binascii
import random
from collections.abc import Awaitable, Callable
from typing import Any

from junqi_engine.errors import JunqiError
from junqi_engine.notation.lineup_files import format_jql, parse_jql
from junqi_engine.players import lineup_choice
from junqi_engine.rules import lineup as rules
from junqi_engine.rules.pieces import COUNTS, LETTERS, PIECES_PER_SEAT
from tools.board.messages import BadMessage

Send = Callable[[dict[str, Any]], None]


def faults(letters: str) -> list[dict[str, Any]]:
    """Every rule that a line-up breaks: its name, the places (0..24) that break it, the piece concerned."""
    found: list[dict[str, Any]] = []
    if len(letters) != PIECES_PER_SEAT:
        found.append({"rule": "length", "places": [], "piece": "", "count": len(letters)})
    unknown = [place for place, letter in enumerate(letters) if letter not in LETTERS]
    if unknown:
        found.append({"rule": "letter", "places": unknown, "piece": letters[unknown[0]], "count": len(unknown)})
    for kind, letter in enumerate(LETTERS):
        if letters.count(letter) != COUNTS[kind]:
            places = [place for place, other in enumerate(letters) if other == letter]
            found.append({"rule": "count", "places": places, "piece": letter, "count": len(places)})
    for letter, rule in (("j", "landmine-row"), ("k", "bomb-row"), ("l", "flag-headquarters")):
        allowed = 1 << LETTERS.index(letter)
        wrong = [
            place
            for place, (other, mask) in enumerate(zip(letters, rules.MASK_AT, strict=False))
            if other == letter and not mask & allowed
        ]
        if wrong:
            found.append({"rule": rule, "places": wrong, "piece": letter, "count": len(wrong)})
    return found


class LineupDesk:
    """Answers the `lineup_` messages of one page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.handlers: dict[str, Callable[..., Awaitable[None]]] = {
            "lineup_check": self._check,
            "lineup_random": self._random,
            "lineup_mirror": self._mirror,
            "lineup_load": self._load,
            "lineup_save": self._save,
        }

    def close(self) -> None:
        """Nothing is kept."""

    async def _check(self, identity: int | None, lineup: str) -> None:
        self._answer(identity, lineup)

    async def _random(self, identity: int | None) -> None:
        self._answer(identity, lineup_choice.sensible(random.Random()))

    async def _mirror(self, identity: int | None, lineup: str) -> None:
        if len(lineup) != PIECES_PER_SEAT:
            raise BadMessage("bad-lineup", f"a line-up has 25 letters, this one {len(lineup)}")
        self._answer(identity, rules.mirror(lineup))

    async def _load(self, identity: int | None, data: str) -> None:
        try:
            self._answer(identity, parse_jql(base64.b64decode(data, validate=True)))
        except binascii.Error:
            raise BadMessage("bad-message", "lineup_load: data is not base64") from None
        except JunqiError as error:
            raise BadMessage(error.code, str(error)) from None

    async def _save(self, identity: int | None, lineup: str) -> None:
        try:
            data = base64.b64encode(format_jql(lineup)).decode()
        except JunqiError as error:
            raise BadMessage(error.code, str(error)) from None
        self._send({"type": "file", "id": identity, "data": data})

    def _answer(self, identity: int | None, letters: str) -> None:
        self._send({"type": "lineup", "id": identity, "lineup": letters, "faults": faults(letters)})
