"""The puzzle of the day of Junqi itself: a position of a game as one seat saw it, and a question about it.

`daily.json` has the puzzles, which come from games of engines. A page
gets the position without the answer; the answer and its reasons follow its first try.
"""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Any, ClassVar

from junqi_board.drawing import junqi
from junqi_board.errors import RequestError
from junqi_board.messages import number, text
from junqi_board.views.base import Command, MessageId, View
from junqi_engine.notation.fen import HIDDEN, parse_fen
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.pieces import letters_of

MAX_DAYS_BACK = 365
Puzzle = dict[str, Any]


@cache
def puzzles() -> list[Puzzle]:
    """All puzzles: `kind`, `variant`, `fen`, `answers`, and what explains them.

    The answers are moves, for the kinds `win` and `safe`, or names of points, for `flag`, which also has `asked`.
    """
    return list(json.loads(resources.files("junqi_board").joinpath("daily.json").read_text("utf-8")))


def of_day(days_back: int) -> tuple[date, Puzzle]:
    """The puzzle of today, or of this many days before."""
    day = date.today() - timedelta(days_back)
    return day, puzzles()[day.toordinal() % len(puzzles())]


def shown(puzzle: Puzzle) -> dict[str, Any]:
    """What a page may know before it has answered."""
    board = BOARDS[puzzle["variant"]]
    view = parse_fen(board, puzzle["fen"])
    mine = board.seats[view.turn]
    points = [board.point_named[name] for name in puzzle["told"].get("asked", [])]
    targets = {} if points else junqi.targets(view, mine)
    scene = junqi.scene(view)
    may = {
        point: letters_of(view.mask_at(point))
        for point, _, seat, letter in scene["pieces"]
        if letter == HIDDEN and seat not in mine
    }
    return {
        "kind": puzzle["kind"], "variant": board.variant, "mine": mine, "targets": targets, "asked": points,
        "pieces": scene["pieces"], "proven": scene["proven"], "may": may,
        "alive": scene["alive"], "counts": scene["counts"],
    }  # fmt: skip


class Daily(View):
    """Nothing is kept here; the page keeps which days were solved."""

    async def _show(self, message_id: MessageId, back: int) -> None:
        day, puzzle = of_day(back)
        self.page.send({"type": "daily", "id": message_id, "day": day.isoformat(), **shown(puzzle)})

    async def _try(self, message_id: MessageId, back: int, answer: str) -> None:
        _, puzzle = of_day(back)
        board = BOARDS[puzzle["variant"]]
        moves = {move for targets in shown(puzzle)["targets"].values() for move in targets.values()}
        if answer not in moves | set(puzzle["told"].get("asked", [])):
            raise RequestError("illegal-move", f"answer: {answer!r} is not one of the answers to choose from")
        told = puzzle["told"] | {"answers": puzzle["answers"], "answer": answer}
        points = [board.point_named[name] for name in puzzle["answers"] if name in board.point_named]
        self.page.send(
            {"type": "daily_told", "id": message_id, "is_right": answer in puzzle["answers"], "points": points, **told}
        )

    _BACK: ClassVar = {"back": number(0, MAX_DAYS_BACK)}
    commands: ClassVar[Mapping[str, Command]] = {
        "daily": Command(_show, _BACK, host_only=True),
        "daily_try": Command(_try, {**_BACK, "answer": text(12)}, host_only=True),
    }
