"""A match or a tournament from its first game to its last: what is next, what is recorded, when it is over."""

import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from junqi_engine.rules.board import BOARDS
from protocol.client import Patience
from tools.referee.endings import Ending
from tools.referee.exits import RefereeError
from tools.referee.playing.arbiter import Request, own_lineups
from tools.referee.records.game_record import GameRecord, RecordFile
from tools.referee.results.standings import Standings
from tools.referee.running.local import LocalRunner, Runner
from tools.referee.running.progress import Progress
from tools.referee.schedule.book import Book
from tools.referee.schedule.schedule import Plan, Schedule
from tools.referee.settings.settings import Lineups, Settings
from tools.referee.statistics.sprt import Verdict


class Interrupted(Exception):
    """Ctrl-C: all finished games are in the record."""


class Tournament:
    """Settings turned into games. `run` plays them; `standings` is what they come to."""

    def __init__(self, settings: Settings, patience: Patience | None = None) -> None:
        self.settings = settings
        self.patience = patience
        book = Book.read(settings.book) if settings.lineups == Lineups.BOOK else None
        self.schedule = Schedule(settings, book)
        names = [engine.name for engine in settings.engines]
        self.standings = Standings(names, self.schedule.pairings, settings.sprt)
        self.finished: dict[int, GameRecord] = {}
        self._teams = BOARDS[settings.variant].teams
        self._started: set[str] = set()

    def run(self, progress: Progress, resume: bool) -> None:
        """Play all games that are not in the record yet; `Interrupted` when broken off from outside."""
        with ExitStack() as stack:
            record = None
            if self.settings.record is not None:
                record = stack.enter_context(RecordFile(self.settings.record, resume))
                if record.set_aside is not None:
                    progress.say(f"the last line of {record.path} was damaged and is now in {record.set_aside}")
                for game in record.games:
                    self._take_up(game)
            progress.begin(self.standings, len(self.schedule), len(self.finished))
            if self._is_over():
                return
            logs = stack.enter_context(_log_folder(self.settings, progress))
            runner = self._runner(logs)
            try:
                self._play(runner, record, progress)
            except KeyboardInterrupt:
                runner.interrupt()
                raise Interrupted from None
            except BaseException:
                runner.interrupt()
                raise
            if self.standings.verdict == Verdict.CONTINUE:
                runner.close()
            else:
                runner.interrupt()  # games beyond the deciding pair are of no more interest

    def _play(self, runner: Runner, record: RecordFile | None, progress: Progress) -> None:
        ahead = (plan for plan in self.schedule if plan.game not in self.finished)
        postponed: deque[Plan] = deque()
        running: dict[int, Plan] = {}
        while not self._is_over():
            while len(running) < runner.capacity and (request := self._next(postponed, ahead)) is not None:
                running[request.plan.game] = request.plan
                runner.submit(request)
            game = runner.wait()
            if game.game not in running:
                continue  # played twice, as a cluster does when it loses sight of a worker
            plan = running.pop(game.game)
            if record is not None:
                record.append(game)
            self._count(plan, game)
            if game.ending != Ending.NO_START:
                self._started |= {self.settings.engines[index].name for index in plan.teams}
            progress.game_over(self.standings, plan, game)

    def _next(self, postponed: deque[Plan], ahead: Iterator[Plan]) -> Request | None:
        """The first game that can be played now.

        With line-ups of the engines' own a second game needs those of its first: it is postponed until that is over.
        """
        plan = next((plan for plan in postponed if plan.other in self.finished), None)
        if plan is not None:
            postponed.remove(plan)
        else:
            for plan in ahead:
                if plan.lineups is not None or not plan.is_second or plan.other in self.finished:
                    break
                postponed.append(plan)
            else:
                return None
        own: dict[int, tuple[str | None, ...]] = {}
        if plan.lineups is None and plan.is_second:
            own = own_lineups(self.schedule.plan(plan.other), self.finished[plan.other], self._teams)
        return Request(plan, frozenset(self._started), tuple(own.items()))

    def _is_over(self) -> bool:
        return len(self.finished) == len(self.schedule) or self.standings.verdict != Verdict.CONTINUE

    def _count(self, plan: Plan, game: GameRecord) -> None:
        self.finished[game.game] = game
        self.standings.add(plan, game.result, game.ending, self._teams)

    def _take_up(self, game: GameRecord) -> None:
        """Count a game of the record, after making sure that it is one of this schedule."""
        where = f"record {self.settings.record}, game {game.game}"
        if not 1 <= game.game <= len(self.schedule):
            raise RefereeError(f"{where}: there are only {len(self.schedule)} games to play")
        plan = self.schedule.plan(game.game)
        engines = [self.settings.engines[index].as_record() for index in plan.teams]
        for team, engine in zip(self._teams, engines, strict=True):
            for seats, found in game.engines.items():
                if set(seats) <= set(team) and found != engine:
                    raise RefereeError(f"{where}: {seats} was played by another engine, or by other options or limits")
        expected = {
            "variant": self.settings.variant,
            "visibility": self.settings.visibility,
            "seed": self.settings.seed,
            "first": plan.first,
            "rules": vars(self.settings.rules),
        }
        if plan.lineups is not None:
            expected["lineups"] = dict(plan.lineups)
        for name, value in expected.items():
            if getattr(game, name) != value:
                raise RefereeError(f"{where}: {name} is not that of these settings")
        self._count(plan, game)

    def _runner(self, logs: Path) -> Runner:
        if self.settings.scheduler is not None:
            from tools.referee.running.cluster import ClusterRunner

            return ClusterRunner(self.settings, self.patience)
        return LocalRunner(self.settings, logs, self.patience)


@contextmanager
def _log_folder(settings: Settings, progress: Progress) -> Iterator[Path]:
    """The folder for what the engines write to stderr; one that nobody asked for goes again if nothing was written."""
    asked = settings.log or (f"{settings.record}.logs" if settings.record else None)
    try:
        folder = Path(asked or tempfile.mkdtemp(prefix="junqi-referee-"))
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RefereeError(f"log folder {asked}: {error.strerror}") from error
    try:
        yield folder
    finally:
        logs = list(folder.glob("*.log"))
        empty = [log for log in logs if log.stat().st_size == 0]
        for log in empty:
            log.unlink(missing_ok=True)
        if len(empty) == len(logs):
            with suppress(OSError):  # it may hold other things, or be gone
                folder.rmdir()
        elif asked is None:
            progress.say(f"what the engines wrote to stderr is in {folder}")
