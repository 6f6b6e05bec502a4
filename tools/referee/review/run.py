"""What `review` does: games in, values found and kept, reports out."""

import argparse
import json
import shlex
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from junqi_engine.analysis.evaluation import Settings, StepEvaluator, StepValues
from junqi_engine.analysis.review import FORMAT, Review, review_of
from junqi_engine.analysis.reviewed_game import ReviewedGame
from junqi_engine.analysis.secrecy import GameKnowledge, knowledge_of
from junqi_engine.version import __version__
from tools.jobs import Cluster, Job, Processes, Workers
from tools.progress import LineProgress
from tools.referee.exits import ExitCode, Interrupted, RefereeError, report
from tools.referee.records.conversion import check_is_new, read_games, write_file
from tools.referee.review.html import as_html
from tools.referee.review.work_file import SUFFIX, ReviewRequest, WorkFile

HTML, JSON = ".html", ".json"
MOST_PROCESSES = 256
SECONDS_BETWEEN_SHOWN = 0.5


def review_games(parsed: argparse.Namespace) -> ExitCode:
    """Carry out `review`."""
    out = Path(parsed.out)
    if out.suffix not in (HTML, JSON):
        raise RefereeError(f"--out {parsed.out}: the name must end in {HTML} or {JSON}")
    settings = _settings(parsed)
    requests, errors = _requests(parsed)
    if not requests:
        return report(tuple(errors))
    work_path = out.with_name(out.name + SUFFIX)
    if parsed.resume and not work_path.exists() and out.exists():
        print(f"junqi-referee: {out} is complete", file=sys.stderr)
        return report(tuple(errors))
    if not parsed.overwrite:
        check_is_new(out)
    with WorkFile(work_path, settings, requests, parsed.resume, parsed.overwrite) as work:
        _search(parsed, settings, requests, work)
        tables = [_table(one, _review(one, settings, work)) for one in requests]
        write_file(out, _contents(out, tables), parsed.overwrite)
        work.remove()
    return report(tuple(errors))


def _settings(parsed: argparse.Namespace) -> Settings:
    try:
        settings = Settings(parsed.nodes, parsed.seed)
    except ValueError as error:
        raise RefereeError(f"--{error}") from None
    if not 1 <= parsed.concurrency <= MOST_PROCESSES:
        raise RefereeError(f"--concurrency {parsed.concurrency} is not from 1 to {MOST_PROCESSES}")
    return settings


def _requests(parsed: argparse.Namespace) -> tuple[list[ReviewRequest], list[RefereeError]]:
    """The games that can be reviewed, and an error for each of the others."""
    paths, number = list(parsed.paths), None
    if len(paths) > 1 and paths[-1].isdecimal():
        number = int(paths.pop())
    read = read_games(paths, number, parsed.names)
    requests, errors = [], list(read.errors)
    for record in read.games:
        try:
            requests.append(ReviewRequest.of(record, parsed.unfinished))
        except RefereeError as error:
            errors.append(error)
    if not requests and not errors:
        raise RefereeError(f"review: there are no games in {', '.join(paths)}", ExitCode.FAILED)
    return requests, errors


def _search(parsed: argparse.Namespace, settings: Settings, requests: Sequence[ReviewRequest], work: WorkFile) -> None:
    """Find all values that are missing in the work file."""
    missing = {
        one.number: [step for step in range(len(one.game.steps) + 1) if (one.number, step) not in work.values]
        for one in requests
    }
    if not any(missing.values()):
        return
    total = sum(len(one.game.steps) + 1 for one in requests)
    live = _Live(settings, parsed.live)
    with LineProgress(sys.stderr, total, len(work.values), "values") as progress:
        try:
            with _workers(parsed, max(map(len, missing.values()))) as workers:
                for one in requests:
                    for values in workers.results(_jobs(one, settings, missing[one.number])):
                        work.add(one.number, values)
                        progress.count(1, f"game {one.number}: ")
                        live.show(one, work)
        except KeyboardInterrupt:
            progress.say(f"interrupted; {len(work.values)} of {total} values are in {work.path}; {_how_to_continue()}")
            raise Interrupted from None
        except RefereeError as error:
            kept = f"{len(work.values)} of {total} values are in {work.path}; continue with --resume"
            raise RefereeError(f"{error}; {kept}", error.code) from error


def _workers(parsed: argparse.Namespace, most: int) -> Workers:
    if parsed.scheduler is not None:
        return Cluster(parsed.scheduler)
    return Processes(min(parsed.concurrency, most))


def _jobs(one: ReviewRequest, settings: Settings, steps: Sequence[int]) -> Iterator[tuple[str, Job]]:
    for step in steps:
        yield f"step {step}", partial(_evaluate, one.game, settings, step, __version__)


_of_thread = threading.local()


def _evaluate(game: ReviewedGame, settings: Settings, step: int, version: str) -> StepValues:
    """The job: the values before a step. Another version of this package may find other values."""
    if version != __version__:
        raise RefereeError(f"a worker has version {__version__}, not {version}", ExitCode.INTERNAL)
    evaluator = getattr(_of_thread, "evaluator", None)
    if evaluator is None or (evaluator.game, evaluator.settings) != (game, settings):
        evaluator = _of_thread.evaluator = StepEvaluator(game, settings)
    return evaluator.values_before(step)


def _review(one: ReviewRequest, settings: Settings, work: WorkFile, knowledge: GameKnowledge | None = None) -> Review:
    """The review of a game up to the first value that is missing."""
    values = []
    for step in range(len(one.game.steps) + 1):
        if (one.number, step) not in work.values:
            break
        values.append(work.values[one.number, step])
    names = {player: one.name_of(player) for player in one.game.players}
    return review_of(one.game, settings, values, names, knowledge)


class _Live:
    """Prints the review so far on stdout from time to time, for a program that shows it as it grows."""

    def __init__(self, settings: Settings, is_on: bool) -> None:
        self._settings, self._is_on = settings, is_on
        self._next_s = 0.0
        self._knowledge: dict[int, GameKnowledge] = {}

    def show(self, one: ReviewRequest, work: WorkFile) -> None:
        if not self._is_on or time.monotonic() < self._next_s or (one.number, 0) not in work.values:
            return
        if one.number not in self._knowledge:
            self._knowledge[one.number] = knowledge_of(one.game)
        table = _table(one, _review(one, self._settings, work, self._knowledge[one.number]))
        print(json.dumps(table, separators=(",", ":")), flush=True)
        self._next_s = time.monotonic() + SECONDS_BETWEEN_SHOWN


def _table(one: ReviewRequest, review: Review) -> dict[str, Any]:
    return {"game": one.number, "ending": one.ending, **review.as_table()}


def _contents(out: Path, tables: Sequence[dict[str, Any]]) -> bytes:
    if out.suffix == HTML:
        return as_html(tables).encode()
    return (json.dumps({"format": FORMAT, "games": tables}, indent=1) + "\n").encode()


def _how_to_continue() -> str:
    words = [word for word in sys.argv[1:] if word != "--resume"]
    return f"continue with:\n{shlex.join(['junqi-referee', *words, '--resume'])}"
