"""The subcommand `review`: reads games, searches their positions, writes reports."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from junqi_engine.api.game import Game
from junqi_engine.api.game_record import GameRecord
from junqi_engine.errors import quoted
from junqi_engine.game_review.evaluation import ReviewSettings, StepEvaluator, StepValues
from junqi_engine.game_review.review import FORMAT, LOST, Review, ReviewedStep, Verdict, review_of
from junqi_engine.game_review.reviewed_game import ReviewedGame
from junqi_engine.game_review.surprises import Surprise, surprises_of
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError, report
from junqi_referee.jobs import LineProgress, process_pool
from junqi_referee.records.conversion import check_is_new, read_games, write_file
from junqi_referee.records.replay import verify


@dataclass(frozen=True)
class ReviewRequest:
    """A game of a record."""

    record: GameRecord
    game: ReviewedGame

    @classmethod
    def of(cls, record: GameRecord, takes_unfinished: bool = False) -> "ReviewRequest":
        """The request for a game; `RefereeError` if it cannot be reviewed."""
        if (fault := _fault_of(record, takes_unfinished)) is not None:
            raise RefereeError(f"game {record.game}: {fault}", ExitCode.FAILED)
        played = Game.from_record(vars(record)).clone()  # a clone has no moves to take back, so it is small
        result = None if record.ending == Ending.INTERRUPTED else record.result
        return cls(record, ReviewedGame(played, record.visibility, result, Ending.of(record).is_fault))

    @property
    def number(self) -> int:
        return self.record.game

    def name_of(self, player: str) -> str:
        """The name of the player of these seats; empty if the record has none."""
        names = (str(engine["name"]) for seats, engine in self.record.engines.items() if set(player) <= set(seats))
        return next(names, "")


def _fault_of(record: GameRecord, takes_unfinished: bool) -> str | None:
    """The reason why a game cannot be reviewed; None if it can."""
    if len(record.lineups) < len(BOARDS[record.variant].seats):
        return (
            "it has no line-ups; a game from a FEN cannot be reviewed, "
            "because what its players had seen before is not known"
        )
    if record.visibility not in [*Visibility]:
        return f"visibility={quoted(record.visibility)} is not one of {', '.join(Visibility)}"
    if not record.moves:
        return "it has no moves"
    if (fault := verify(record)) is not None:
        return f"it breaks the rules: {fault}"
    if record.ending == Ending.INTERRUPTED and not takes_unfinished:
        return f"it is unfinished, interrupted after {len(record.moves)} steps; --unfinished reviews it up to there"
    return None


Values = dict[tuple[int, int], StepValues]
"""The values found so far, by game and step."""
Steps = Sequence[tuple[ReviewRequest, Sequence[int]]]
"""Some steps of each game."""
SECONDS_BETWEEN_SHOWN = 0.5


def review_games(parsed: argparse.Namespace) -> ExitCode:
    out = Path(parsed.out)
    settings = ReviewSettings(parsed.nodes, parsed.seed)
    if out.suffix.lower() in (".html", ".htm"):
        raise RefereeError(f"--out {parsed.out}: the report is JSON; name it {out.with_suffix('.json').name}")
    requests, errors = _requests(parsed)
    if not requests:
        return report(errors)
    if not parsed.overwrite:
        check_is_new(out)
    if not out.parent.is_dir():
        raise RefereeError(f"--out {parsed.out}: there is no folder {out.parent}")
    found: Values = {}
    live = _Live(settings, parsed.live)
    _search(parsed, settings, [(request, range(len(request.game.steps) + 1)) for request in requests], found, live)
    if parsed.key_nodes and (keys := _key_moves(settings, requests, found)):
        # What is shown so far stays until the second search has come to its end.
        live.show_now(requests[-1], found)
        _search(parsed, replace(settings, nodes=parsed.key_nodes), keys, found, _Live(settings, is_on=False))
    tables = [_table(request, _review(request, settings, found)) for request in requests]
    contents = json.dumps({"format": FORMAT, "games": tables}, indent=1) + "\n"
    write_file(out, contents.encode(), parsed.overwrite)
    return report(errors)


def _requests(parsed: argparse.Namespace) -> tuple[list[ReviewRequest], list[RefereeError]]:
    """The games that can be reviewed, and an error for each of the others."""
    read = read_games(parsed.paths, parsed.names)
    requests, errors = [], list(read.errors)
    for record in read.games:
        try:
            requests.append(ReviewRequest.of(record, parsed.unfinished))
        except RefereeError as error:
            errors.append(error)
    if not requests and not errors:
        raise RefereeError(f"review: there are no games in {', '.join(parsed.paths)}", ExitCode.FAILED)
    return requests, errors


def _search(parsed: argparse.Namespace, settings: ReviewSettings, steps: Steps, found: Values, live: "_Live") -> None:
    """Add the values before some steps of some games to `found`."""
    counts = [len(numbers) for _, numbers in steps]
    with (
        LineProgress(sys.stderr, sum(counts), 0, "values") as progress,
        process_pool(min(parsed.concurrency, max(counts))) as pool,
    ):
        for request, numbers in steps:
            line = request.record.as_line()
            jobs = ((f"step {step}", partial(_evaluate, line, settings, step)) for step in numbers)
            for values in pool.results(jobs):
                found[request.number, values.step] = values
                progress.count(1, f"game {request.number}: ")
                live.show(request, found)


def _key_moves(settings: ReviewSettings, requests: Sequence[ReviewRequest], found: Values) -> Steps:
    """The steps that seem to have decided each game."""
    steps = []
    for request in requests:
        review = _review(request, settings, found)
        keys = {moment.step for moment in review.moments if moment.kind in LOST | {Verdict.BRILLIANT}}
        for player in request.game.players:
            keys |= _before_falls(review.steps, player)
        steps += [(request, sorted(keys))] if keys else []
    return steps


MIN_FALL = 0.2
MAX_FALLS = 3


def _before_falls(steps: Sequence[ReviewedStep], player: str) -> set[int]:
    """A player's last move before each of its largest falls by luck.

    A search with few nodes takes a threat that it had not seen for the enemy's luck.
    """
    falls = sorted((step for step in steps if step.luck[player] <= -MIN_FALL), key=lambda step: step.luck[player])
    own = [step.step for step in steps if step.player == player and step.best]
    return {max(before) for fall in falls[:MAX_FALLS] if (before := [step for step in own if step <= fall.step])}


@lru_cache(maxsize=1)
def _evaluator(line: str, settings: ReviewSettings) -> StepEvaluator:
    """The evaluator of a game; this process keeps that of the last game."""
    return StepEvaluator(ReviewRequest.of(GameRecord.from_line(line), takes_unfinished=True).game, settings)


def _evaluate(line: str, settings: ReviewSettings, step: int) -> StepValues:
    """The job: the values before a step of the game in a line of a record."""
    return _evaluator(line, settings).values_before(step)


def _review(
    request: ReviewRequest, settings: ReviewSettings, found: Values, surprises: tuple[Surprise, ...] | None = None
) -> Review:
    """The review of a game up to the first value that is missing."""
    steps = takewhile(lambda step: (request.number, step) in found, range(len(request.game.steps) + 1))
    values = [found[request.number, step] for step in steps]
    names = {player: request.name_of(player) for player in request.game.players}
    return review_of(request.game, settings, values, names, surprises)


class _Live:
    """Prints the review so far on stdout from time to time, for a program that shows it as it grows."""

    def __init__(self, settings: ReviewSettings, is_on: bool) -> None:
        self._settings, self._is_on = settings, is_on
        self._next_s = 0.0
        self._surprises: dict[int, tuple[Surprise, ...]] = {}

    def show_now(self, request: ReviewRequest, found: Values) -> None:
        self._next_s = 0.0
        self.show(request, found)

    def show(self, request: ReviewRequest, found: Values) -> None:
        if not self._is_on or time.monotonic() < self._next_s or (request.number, 0) not in found:
            return
        if request.number not in self._surprises:
            self._surprises[request.number] = surprises_of(request.game)
        table = _table(request, _review(request, self._settings, found, self._surprises[request.number]))
        print(json.dumps(table, separators=(",", ":")), flush=True)
        self._next_s = time.monotonic() + SECONDS_BETWEEN_SHOWN


def _table(request: ReviewRequest, review: Review) -> dict[str, Any]:
    return {"game": request.number, "ending": request.record.ending, **review.as_table()}
