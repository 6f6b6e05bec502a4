"""What `review` does: games in, values found and kept, reports out.

The values found so far are in a file beside the result: one JSON object per line. The first line says what is reviewed
and how. Each other line has the values before one step of one game, written as soon as they are known. The file
survives a killed process: at worst its last line is cut off, and is found again.
"""

import argparse
import hashlib
import json
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from junqi_engine.api.game import Game
from junqi_engine.client.line_process import own_command
from junqi_engine.files import lock, open_regular, write_all
from junqi_engine.foreign_json import read_json
from junqi_engine.game_review.evaluation import Choice, ReviewSettings, StepEvaluator, StepValues
from junqi_engine.game_review.review import FORMAT, LOST, Review, Verdict, review_of
from junqi_engine.game_review.reviewed_game import VISIBILITIES, ReviewedGame
from junqi_engine.game_review.surprises import Surprise, surprises_of
from junqi_engine.rules.board import BOARDS
from junqi_engine.version import __version__
from junqi_referee.endings import Ending
from junqi_referee.exits import ExitCode, Interrupted, RefereeError, file_error, how_to_continue, report
from junqi_referee.jobs import Cluster, Job, LineProgress, Processes, Workers
from junqi_referee.records.conversion import check_is_new, game_of_paths, read_games, write_file
from junqi_referee.records.game_record import GameRecord
from junqi_referee.records.replay import verify


@dataclass(frozen=True)
class ReviewRequest:
    """A game of a record, by its number, and what is told about it."""

    number: int
    game: ReviewedGame
    names: tuple[tuple[str, str], ...]
    ending: str
    record: GameRecord = field(repr=False)

    @classmethod
    def of(cls, record: GameRecord, takes_unfinished: bool = False) -> "ReviewRequest":
        """The request for a game; `RefereeError` if it cannot be reviewed."""
        where = f"game {record.game}"
        if len(record.lineups) < len(BOARDS[record.variant].seats):
            raise _refused(
                f"{where}: it has no line-ups; a game from a FEN cannot be reviewed, "
                "because what its players had seen before is not known"
            )
        if record.visibility not in VISIBILITIES:
            raise _refused(f"{where}: visibility={record.visibility!r} is not one of {', '.join(VISIBILITIES)}")
        if not record.moves:
            raise _refused(f"{where}: it has no moves")
        fault = verify(record)
        if fault is not None:
            raise _refused(f"{where}: it breaks the rules: {fault}")
        is_finished = record.ending != Ending.INTERRUPTED
        if not is_finished and not takes_unfinished:
            raise _refused(
                f"{where}: it is unfinished, interrupted after {len(record.moves)} steps; "
                "--unfinished reviews it up to there"
            )
        played = Game.from_record(vars(record)).clone()  # which has no moves to take back, so it is soon sent
        result = record.result if is_finished else None
        game = ReviewedGame(played, record.visibility, result, record.ending.is_fault)
        names = tuple((seats, str(engine["name"])) for seats, engine in record.engines.items())
        return cls(record.game, game, names, record.ending.value, record)

    def name_of(self, player: str) -> str:
        """The name of a player, who plays these seats; empty if the record has none."""
        return next((name for seats, name in self.names if set(player) <= set(seats)), "")


def _refused(text: str) -> RefereeError:
    return RefereeError(text, ExitCode.FAILED)


SUFFIX = ".part"
LINE_START = b'{"review":'
"""How a file of values begins."""


class WorkFile:
    """An open file of values, as a context manager; only one process at a time can open it.

    `values` are those found so far, by game and step.
    """

    def __init__(
        self, path: Path, settings: ReviewSettings, requests: Sequence[ReviewRequest], resume: bool, replaces: bool
    ) -> None:
        """Open or create the file. One with values is refused unless `resume` or `replaces` is True."""
        self.path = path
        self.values: dict[tuple[int, int], StepValues] = {}
        self._games = {one.number: one.game for one in requests}
        head = {"review": __version__, **asdict(settings), "games": {str(one.number): _digest(one) for one in requests}}
        try:
            self._file = open_regular(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise file_error(path, error) from error
        except ValueError as error:  # a null byte in the path
            raise RefereeError(f"{path}: {error}") from error
        try:
            self._begin(head, resume, replaces)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> "WorkFile":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def add(self, game: int, values: StepValues) -> None:
        """Write the values before one step; `RefereeError` if there is no room."""
        self.values[game, values.step] = values
        self._write({"game": game, **asdict(values)})

    def remove(self) -> None:
        """Remove the file: what it held is in the result."""
        self.path.unlink(missing_ok=True)

    def _begin(self, head: Mapping[str, Any], resume: bool, replaces: bool) -> None:
        if not lock(self._file):
            raise RefereeError(f"{self.path}: another review is writing to it")
        data = self.path.read_bytes()
        if data[: len(LINE_START)] != LINE_START[: len(data)]:
            raise RefereeError(f"{self.path}: it is not a file of values, so it is not replaced")
        if data and not resume and not replaces:
            raise RefereeError(f"{self.path}: an interrupted review; --resume continues it, --overwrite begins anew")
        good = self._load(data, head) if resume else 0
        os.ftruncate(self._file, good)
        os.lseek(self._file, 0, os.SEEK_END)
        if not good:
            self._write(head)

    def _load(self, data: bytes, head: Mapping[str, Any]) -> int:
        """Read the values; returns where the last whole line ends."""
        good = 0
        for number, line in enumerate(data.splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                break
            try:
                table = read_json(line)
                if number == 0:
                    self._check_head(table, head)
                else:
                    game, values = table.pop("game"), _values_of(table)
                    self._check_players(values, self._games[game])
                    self.values[game, values.step] = values
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise RefereeError(f"{self.path}, line {number + 1}: not a value of a review: {error}") from error
            good += len(line)
        return good

    def _check_players(self, values: StepValues, game: ReviewedGame) -> None:
        named, players = set(values.fair), set(game.players)
        if not -1 <= values.turn < len(game.board.seats) or not 0 <= values.step <= len(game.steps):
            raise ValueError("there is no such turn or step")
        if not named <= players or (values.step == 0 and named != players):
            raise ValueError(f"fair names {', '.join(sorted(named)) or 'nobody'}; the players are {', '.join(players)}")

    def _check_head(self, found: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        for name, value in head.items():
            if found.get(name) != value:
                what = "the games differ" if name == "games" else f"{name} {found.get(name)}, now {value}"
                raise RefereeError(f"{self.path}: it belongs to another review: {what}; --overwrite begins anew")

    def _write(self, table: Mapping[str, Any]) -> None:
        data = (json.dumps(table, separators=(",", ":")) + "\n").encode()
        try:
            write_all(self._file, data)
        except OSError as error:
            raise RefereeError(f"{self.path}: {error.strerror}", ExitCode.INTERNAL) from error


def _values_of(table: dict[str, Any]) -> StepValues:
    choice = table.pop("choice")
    if choice is not None:
        _check(choice, "best", str)
        _check(choice, "line", list)
        choice = Choice(**{**choice, "line": tuple(choice["line"])})
        chances = [choice.best_chance, choice.played_chance, choice.glance_loss]
        if not all(isinstance(move, str) for move in choice.line):
            raise ValueError("line is not a list of moves")
    else:
        chances = []
    for name, kind in (("step", int), ("turn", int), ("nodes", int), ("fair", dict)):
        _check(table, name, kind)
    values = StepValues(**table, choice=choice)
    for chance in (*chances, values.truth, *values.fair.values()):
        if type(chance) not in (int, float) or not math.isfinite(chance):
            raise ValueError(f"{chance!r} is not a number")
    return values


def _check(table: Mapping[str, Any], name: str, kind: type) -> None:
    if type(table[name]) is not kind:
        raise ValueError(f"{name} is not of the type {kind.__name__}")


def _digest(request: ReviewRequest) -> str:
    return hashlib.blake2b(request.record.as_line().encode(), digest_size=16).hexdigest()


HTML, JSON = ".html", ".json"
PAGE_MODULE = "junqi_board.review_file"
MAX_REASON = 300
MOST_PROCESSES = 256
SECONDS_BETWEEN_SHOWN = 0.5


def review_games(parsed: argparse.Namespace) -> ExitCode:
    out = Path(parsed.out)
    if out.suffix not in (HTML, JSON):
        raise RefereeError(f"--out {parsed.out}: the name must end in {HTML} or {JSON}")
    settings = _settings(parsed)
    requests, errors = _requests(parsed)
    if not requests:
        return report(errors)
    work_path = out.with_name(out.name + SUFFIX)
    if parsed.resume and not work_path.exists() and out.exists():
        print(f"junqi-referee: {out} is complete", file=sys.stderr)
        return report(errors)
    if not parsed.overwrite:
        check_is_new(out)
    with WorkFile(work_path, settings, requests, parsed.resume, parsed.overwrite) as work:
        _search(parsed, settings, requests, work)
        if parsed.key_nodes:
            _search_key_moves(parsed, settings, requests, work)
        tables = [_table(one, _review(one, settings, work)) for one in requests]
        write_file(out, _contents(out, requests, tables), parsed.overwrite)
        work.remove()
    return report(errors)


def _settings(parsed: argparse.Namespace) -> ReviewSettings:
    try:
        settings = ReviewSettings(parsed.nodes, parsed.seed)
        if parsed.key_nodes:
            replace(settings, nodes=parsed.key_nodes)
    except ValueError as error:
        raise RefereeError(f"--{error}") from None
    if not 1 <= parsed.concurrency <= MOST_PROCESSES:
        raise RefereeError(f"--concurrency {parsed.concurrency} is not from 1 to {MOST_PROCESSES}")
    return settings


def _requests(parsed: argparse.Namespace) -> tuple[list[ReviewRequest], list[RefereeError]]:
    """The games that can be reviewed, and an error for each of the others."""
    paths, number = game_of_paths(parsed.paths)
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


def _search(
    parsed: argparse.Namespace, settings: ReviewSettings, requests: Sequence[ReviewRequest], work: WorkFile
) -> None:
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
            kept = f"{len(work.values)} of {total} values are in {work.path}"
            raise Interrupted(f"interrupted; {kept}; {how_to_continue()}") from None
        except RefereeError as error:
            kept = f"{len(work.values)} of {total} values are in {work.path}; continue with --resume"
            raise RefereeError(f"{error}; {kept}", error.code) from error


def _search_key_moves(
    parsed: argparse.Namespace, settings: ReviewSettings, requests: Sequence[ReviewRequest], work: WorkFile
) -> None:
    """Search the moves that seem to have decided again, with more positions; these values replace the first ones."""
    deep = replace(settings, nodes=parsed.key_nodes)
    for one in requests:
        moments = _review(one, settings, work).moments
        keys = sorted({moment.step for moment in moments if moment.kind in LOST | {Verdict.BRILLIANT}})
        if keys:
            with _workers(parsed, len(keys)) as workers:
                for values in workers.results(_jobs(one, deep, keys)):
                    work.values[one.number, values.step] = values


def _workers(parsed: argparse.Namespace, most: int) -> Workers:
    if parsed.scheduler is not None:
        return Cluster(parsed.scheduler)
    return Processes(min(parsed.concurrency, most))


def _jobs(one: ReviewRequest, settings: ReviewSettings, steps: Sequence[int]) -> Iterator[tuple[str, Job]]:
    for step in steps:
        yield f"step {step}", partial(_evaluate, one, settings, step, __version__)


_of_thread = threading.local()


def _evaluate(one: ReviewRequest, settings: ReviewSettings, step: int, version: str) -> StepValues:
    """The job: the values before a step. Another version of this package may find other values."""
    if version != __version__:
        raise RefereeError(f"a worker has version {__version__}, not {version}", ExitCode.INTERNAL)
    if getattr(_of_thread, "asked", None) != (one.record, settings):
        _of_thread.asked, _of_thread.evaluator = (one.record, settings), StepEvaluator(one.game, settings)
    values: StepValues = _of_thread.evaluator.values_before(step)
    return values


def _review(
    one: ReviewRequest, settings: ReviewSettings, work: WorkFile, surprises: tuple[Surprise, ...] | None = None
) -> Review:
    """The review of a game up to the first value that is missing."""
    values = []
    for step in range(len(one.game.steps) + 1):
        if (one.number, step) not in work.values:
            break
        values.append(work.values[one.number, step])
    names = {player: one.name_of(player) for player in one.game.players}
    return review_of(one.game, settings, values, names, surprises)


class _Live:
    """Prints the review so far on stdout from time to time, for a program that shows it as it grows."""

    def __init__(self, settings: ReviewSettings, is_on: bool) -> None:
        self._settings, self._is_on = settings, is_on
        self._next_s = 0.0
        self._surprises: dict[int, tuple[Surprise, ...]] = {}

    def show(self, one: ReviewRequest, work: WorkFile) -> None:
        if not self._is_on or time.monotonic() < self._next_s or (one.number, 0) not in work.values:
            return
        if one.number not in self._surprises:
            self._surprises[one.number] = surprises_of(one.game)
        table = _table(one, _review(one, self._settings, work, self._surprises[one.number]))
        print(json.dumps(table, separators=(",", ":")), flush=True)
        self._next_s = time.monotonic() + SECONDS_BETWEEN_SHOWN


def _table(one: ReviewRequest, review: Review) -> dict[str, Any]:
    return {"game": one.number, "ending": one.ending, **review.as_table()}


def _contents(out: Path, requests: Sequence[ReviewRequest], tables: Sequence[dict[str, Any]]) -> bytes:
    if out.suffix == HTML:
        games = zip((one.record.as_line() for one in requests), tables, strict=True)
        # The board, which is above the referee, makes the page.
        asked, utf_8 = json.dumps(list(games)).encode(), os.environ | {"PYTHONIOENCODING": "utf-8"}
        made = subprocess.run(own_command(PAGE_MODULE), input=asked, capture_output=True, env=utf_8)
        if made.returncode != 0:
            raise RefereeError(f"{out}: {made.stderr.decode(errors='replace')[-MAX_REASON:]}", ExitCode.INTERNAL)
        return made.stdout
    return (json.dumps({"format": FORMAT, "games": tables}, indent=1) + "\n").encode()
