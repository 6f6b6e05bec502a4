"""Problems from the host's own games: its blunders for which a review knows a clearly better move.

They are stored with the day of the review, and are offered from the next day on.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from junqi_board.game.record import host_seats
from junqi_board.problems import OWN, Problem
from junqi_board.store import OWN_PROBLEMS, Store
from junqi_engine.api.game_record import GameRecord
from junqi_engine.notation.fen import format_fen
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.records.replay import bare, begin

MOST_OF_A_GAME = 3
BLUNDER = "blunder"
"""The verdict of a review."""


def of_review(record: GameRecord, steps: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """The problems of a game of the host: its largest losses. `steps` are those of the review's table."""
    mine = host_seats(record)
    teams = [team for team in BOARDS[record.variant].teams if team[0] in mine or team[-1] in mine]
    viewer = teams[0] if teams and record.visibility != Visibility.DARK else mine
    blunders = [
        step
        for step in steps
        if step["seat"] in [*mine] and step["verdict"] == BLUNDER and step["best"] not in ("", bare(step["text"]))
    ]
    worst = sorted(blunders, key=lambda step: -step["loss"])[:MOST_OF_A_GAME]
    found = [_before(record, step["step"], viewer, step["best"]) for step in worst]
    return [one for one in found if one.answer in one.choices]


def _before(record: GameRecord, step: int, viewer: str, best: str) -> Problem:
    full = begin(record, "the record")
    for move in record.moves[:step]:
        full.play(bare(move))
    return Problem(OWN, record.variant, format_fen(full.view(viewer)), answer=best)


def keep(store: Store, problems: Sequence[Problem], day: date) -> None:
    for one in problems:
        value = {"variant": one.variant, "fen": one.fen, "best": one.answer, "day": day.isoformat()}
        store.add(OWN_PROBLEMS, one.id, value)


def offered(store: Store, day: date) -> dict[str, Problem]:
    """The problems of earlier days, by id."""
    facts = store.facts.get(OWN_PROBLEMS, {})
    due = {name: fact for name, fact in facts.items() if fact["day"] < day.isoformat()}
    return {name: Problem(OWN, fact["variant"], fact["fen"], answer=fact["best"]) for name, fact in due.items()}
