"""A match or tournament: chooses the next game, keeps the record, and decides when to end."""

from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TextIO

from junqi_engine.api.game_record import GameRecord
from junqi_engine.client.engine_client import Patience
from junqi_engine.rules.board import BOARDS
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import Interrupted, RefereeError, command_line, one_line
from junqi_referee.jobs import LineProgress, WorkerPool
from junqi_referee.playing.arbiter import GameRequest, own_lineups
from junqi_referee.playing.engine_pool import LogFolder
from junqi_referee.playing.games import FailedGame, Play, pool_for
from junqi_referee.playing.openings import read_openings
from junqi_referee.playing.standings import PairingResults, Standings, with_error
from junqi_referee.records.record_file import RecordFile
from junqi_referee.records.replay import bare
from junqi_referee.settings.schedule import Book, Opening, PlannedGame, Schedule
from junqi_referee.settings.settings import Lineups, MatchSettings

SECONDS_BETWEEN_LINES = 10.0
LAST_MOVES = 6
"""Moves before a fault that are printed; the record has all."""


class Progress(LineProgress):
    """Prints each fault of an engine as it occurs, and the score with the remaining time."""

    def __init__(self, out: TextIO) -> None:
        super().__init__(out, 0, 0, "games", SECONDS_BETWEEN_LINES)

    def start(self, standings: Standings, total: int, before: int) -> None:
        """Begin with `total` games; `before` of them are in the record already."""
        self._standings = standings
        self.begin(total, before)

    def game_over(self, plan: PlannedGame, game: GameRecord) -> None:
        """Report a game that has ended and has been counted."""
        if Ending.of(game).is_fault:
            one, other = (self._standings.engines[index] for index in plan.teams)
            self.say(f"game {game.game}, {one} against {other}: {game.ending}: {_brief(game.detail)}")
        self.count()

    def state(self) -> str:
        """The current results, in one line."""
        parts = [f"{self.done}/{self.total} games"]
        if len(self._standings.by_pairing) == 1:
            parts.append(_score_text(next(iter(self._standings.by_pairing.values()))))
        if self._standings.test is not None:
            parts.append(str(self._standings.test))
        return ", ".join([*parts, f"{self.remaining()} remaining"])


def _brief(detail: str) -> str:
    """The detail of a fault, with the last moves in place of each position."""
    parts = detail.split("; ")
    for place, part in enumerate(parts):
        if part.startswith(("position startpos lineup ", "position fen ")):
            moves = part.partition(" moves ")[2].split()
            last = " ".join(moves[-LAST_MOVES:])
            parts[place] = f"after {len(moves)} moves, the last ones {last}" if moves else "at the first move"
    return "; ".join(parts)


def _score_text(standing: PairingResults) -> str:
    strength = standing.strength
    results = f"{standing.wins}-{standing.losses}-{standing.draws}"
    elo, nelo = with_error(strength.elo, strength.elo_error), with_error(strength.nelo, strength.nelo_error)
    return f"{results}, Elo {elo}, nElo {nelo}"


class Tournament:
    """The games of some settings. `run` plays them; `standings` and `finished` are the results.

    `failed` has the games without a result: an unexpected exception ended them, or the game whose line-ups they need.
    """

    def __init__(self, settings: MatchSettings, patience: Patience | None = None) -> None:
        self.settings = settings
        self.patience = patience or Patience()
        self._book = Book.read(settings.book) if settings.lineups == Lineups.BOOK else None
        self._openings: tuple[Opening, ...] = ()
        if settings.openings is not None:
            rules = settings.rules
            self._openings = read_openings(settings.openings, settings.variant, settings.opening_ply, rules)
        self.schedule = Schedule(settings, self._book, None, self._openings)
        names = [engine.name for engine in settings.engines]
        self.standings = Standings(names, self.schedule.pairings, settings.sprt)
        self.finished: dict[int, GameRecord] = {}
        self.failed: set[int] = set()
        self._teams = BOARDS[settings.variant].teams
        self._started: set[str] = set()
        self._command = one_line(command_line())

    def run(self, progress: Progress, resume: bool) -> None:
        """Play all games that are not in the record yet; raises `Interrupted` on Ctrl-C.

        With `resume`, continue the games that the record file holds.
        """
        with ExitStack() as stack:
            record = None
            if self.settings.record is not None:
                record = stack.enter_context(RecordFile(self.settings.record, resume))
                if record.was_damaged:
                    progress.say(f"the last line of {record.path} was damaged; its game is played again")
                if record.games and self.settings.seed is None:
                    self.schedule = Schedule(self.settings, self._book, record.games[0].seed, self._openings)
                for game in record.games:
                    self._count_recorded(game)
            progress.start(self.standings, len(self.schedule), len(self.finished))
            if self._is_over():
                return
            logs = stack.enter_context(_log_folder(self.settings, progress))
            pool, play = pool_for(self.settings, logs, self.patience, progress.say)
            is_complete = False
            try:
                self._play(pool, play, record, progress)
                # Games after the deciding pair do not count.
                is_complete = not self.standings.is_decided
            except KeyboardInterrupt:
                raise Interrupted from None
            finally:
                pool.end(abandon=not is_complete)

    def _play(self, pool: WorkerPool, play: Play, record: RecordFile | None, progress: Progress) -> None:
        ahead = (plan for plan in self.schedule if plan.game not in self.finished)
        postponed: deque[PlannedGame] = deque()
        running: dict[int, PlannedGame] = {}
        while not self._is_over():
            while len(running) < pool.capacity and (request := self._next(postponed, ahead)) is not None:
                running[request.plan.game] = request.plan
                pool.submit(f"game {request.plan.game}", partial(play, request))
            if not running:
                continue  # all other games need games that failed
            game: GameRecord | FailedGame = pool.wait()
            if game.game not in running:
                continue  # the game was played twice, because a cluster lost contact with a worker
            plan = running.pop(game.game)
            if isinstance(game, FailedGame):
                self._count_failed(plan, game.reason, postponed, progress)
                continue
            if record is not None:
                record.append(game)
            self._count(plan, game)
            if game.ending != Ending.NO_START:
                self._started |= {self.settings.engines[index].name for index in plan.teams}
            progress.game_over(plan, game)

    def _next(self, postponed: deque[PlannedGame], ahead: Iterator[PlannedGame]) -> GameRequest | None:
        """The first game that can be played now, None if there is none.

        If the engines make their own line-ups, the second game of a pair is postponed until the first has ended.
        """
        plan = next((plan for plan in postponed if plan.other in self.finished), None)
        if plan is not None:
            postponed.remove(plan)
        else:
            for plan in ahead:
                if plan.lineups is not None or not plan.is_second or plan.other in self.finished:
                    break
                if plan.other in self.failed:
                    self._fail(plan)
                    continue
                postponed.append(plan)
            else:
                return None
        own: dict[int, tuple[str | None, ...]] = {}
        if plan.lineups is None and plan.is_second:
            own = own_lineups(self.schedule.plan(plan.other), self.finished[plan.other], self._teams)
        return GameRequest(plan, frozenset(self._started), tuple(own.items()), self._command)

    def _is_over(self) -> bool:
        return len(self.finished) + len(self.failed) == len(self.schedule) or self.standings.is_decided

    def _count(self, plan: PlannedGame, game: GameRecord) -> None:
        self.finished[game.game] = game
        self.standings.add(plan, game.result, Ending.of(game), self._teams)

    def _count_failed(self, plan: PlannedGame, reason: str, postponed: deque[PlannedGame], progress: Progress) -> None:
        progress.say(f"game {plan.game} failed and has no result: {reason}")
        self._fail(plan)
        other = next((waiting for waiting in postponed if waiting.other == plan.game), None)
        if other is not None:
            postponed.remove(other)
            self._fail(other)
            progress.say(f"game {other.game} is not played: it needs the line-ups of game {plan.game}")

    def _fail(self, plan: PlannedGame) -> None:
        self.failed.add(plan.game)
        self.standings.pass_over(plan.game)

    def _count_recorded(self, game: GameRecord) -> None:
        """Count a game of the record, after checking that it belongs to these settings."""
        where = f"record {self.settings.record}, game {game.game}"
        if not 1 <= game.game <= len(self.schedule):
            raise RefereeError(f"{where}: these settings have only {len(self.schedule)} games")
        plan = self.schedule.plan(game.game)
        for team, index in zip(self._teams, plan.teams, strict=True):
            engine = self.settings.engines[index]
            expected = engine.as_record()
            for seats, recorded in game.engines.items():
                if not set(seats) <= set(team) or recorded == expected:
                    continue
                known, asked = recorded.get("revision"), expected.get("revision")
                if known != asked:
                    text = f"played by revision {known}, these settings name revision {asked}"
                else:
                    limits = f"{engine.name} {engine.time_control}"
                    text = f"engine, options or limits differ from these settings ({limits})"
                raise RefereeError(f"{where}: {seats}: {text}")
        fixed = {
            "variant": self.settings.variant,
            "visibility": self.settings.visibility,
            "seed": plan.seed,
            "first": plan.first,
            "rules": vars(self.settings.rules),
            "fen": plan.fen,
        }
        if plan.lineups is not None:
            fixed["lineups"] = dict(plan.lineups)
        for name, value in fixed.items():
            if getattr(game, name) != value:
                raise RefereeError(f"{where}: {name} differs from these settings")
        if tuple(map(bare, game.moves[: len(plan.moves)])) != plan.moves:
            raise RefereeError(f"{where}: its opening differs from these settings")
        self._count(plan, game)


@contextmanager
def _log_folder(settings: MatchSettings, progress: Progress) -> Iterator[LogFolder]:
    """Open the folder for the stderr of the engines."""
    asked = settings.log or (f"{settings.record}.logs" if settings.record else None)
    folder = LogFolder(asked)
    try:
        yield folder
    finally:
        if folder.close() and asked is None:
            progress.say(f"the engines' stderr is in {folder.path}")
