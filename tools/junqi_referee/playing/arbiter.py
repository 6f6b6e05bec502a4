"""The arbiter plays one game: it asks each engine in its turn, keeps the position and the clocks, and makes the record.

On request, it adjudicates a game by the scores that the engines report.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from junqi_engine.api.game_record import DRAW, GameRecord
from junqi_engine.client.engine_client import Reply
from junqi_engine.client.line_process import WaiterStopped
from junqi_engine.errors import BadLineup, EngineError, EngineFault, IllegalMove, Refused, quoted
from junqi_engine.notation.moves import OPEN_VIEWER
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from junqi_engine.rules.visibility import Visibility
from junqi_referee.endings import Ending
from junqi_referee.exit_codes import ExitCode, RefereeError
from junqi_referee.full_game import MAX_QUOTED, FullGame
from junqi_referee.machine import load, machine
from junqi_referee.playing.engine_pool import EnginePool
from junqi_referee.playing.engine_process import EngineProcess
from junqi_referee.settings.schedule import PlannedGame
from junqi_referee.settings.settings import DrawRule, MatchSettings, ResignRule
from junqi_referee.time_control import Clock, go_command

MATE_CP = 100_000
"""The score of a mate in no moves; each move to the mate takes one centipawn off."""


@dataclass(frozen=True)
class Decision:
    """The result of an adjudicated game: the winning team by number, None for a draw."""

    winner: int | None
    reason: str


def adjudicate(
    resign: ResignRule | None, draw: DrawRule | None, scores: Sequence[str | None], teams: Sequence[int | None]
) -> Decision | None:
    """The decision on a game after its last move, if a rule applies.

    `scores` has the reported score of each ply, from the point of view of the team that moved; `teams` has that team,
    None for a ply of the opening.
    """
    mover = teams[-1] if teams else None
    if resign is not None and resign.movecount and mover is not None:
        last = _last_scores(mover, resign.movecount, scores, teams)
        if len(last) == resign.movecount and all(score is not None and score <= -resign.score for score in last):
            return Decision(1 - mover, f"{resign.movecount} scores at or below {-resign.score}")
    if draw is not None and draw.movecount and len(scores) >= draw.movenumber:
        recent = [score for team in (0, 1) for score in _last_scores(team, draw.movecount, scores, teams)]
        if len(recent) == 2 * draw.movecount and all(
            score is not None and abs(score) <= draw.score for score in recent
        ):
            return Decision(None, f"{draw.movecount} scores of each team within {draw.score} of 0")
    return None


def _last_scores(team: int, count: int, scores: Sequence[str | None], teams: Sequence[int | None]) -> list[int | None]:
    """The last scores of a team in centipawns, latest first, at most `count`."""
    last: list[int | None] = []
    for score, mover in zip(reversed(scores), reversed(teams), strict=True):
        if mover == team:
            last.append(centipawns(score))
            if len(last) == count:
                break
    return last


def centipawns(score: str | None) -> int | None:
    """The centipawns of `cp N` or `mate N`; None without a score."""
    if score is None:
        return None
    kind, _, number = score.partition(" ")
    value = int(number)
    if kind == "cp":
        return value
    return MATE_CP - value if value > 0 else -MATE_CP - value


@dataclass(frozen=True)
class GameRequest:
    """A game to play. `started` names the engines that have started before in this run.

    `own_lineups` has the line-ups that the engines made in the first game of the pair, by engine index. `command` is
    the command line of the run, for the record.
    """

    plan: PlannedGame
    started: frozenset[str]
    own_lineups: tuple[tuple[int, tuple[str | None, ...]], ...] = ()
    command: str = ""


@dataclass
class _Participant:
    """An engine process in a game: its seats, its viewer, its clock."""

    process: EngineProcess
    team: int
    seats: str
    viewer: str
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(self.process.engine.time_control)

    @property
    def name(self) -> str:
        return f"{self.process.engine.name} ({self.seats})"


class _GameLost(Exception):
    def __init__(self, loser: _Participant, ending: Ending, *details: str) -> None:
        super().__init__(f"{loser.name}: {'; '.join(details)}")
        self.loser = loser
        self.ending = ending


@dataclass
class _Log:
    """The columns of the record so far, one entry per move; the moves of the opening have no team."""

    teams: list[int | None] = field(default_factory=list)
    times_ms: list[int] = field(default_factory=list)
    scores: list[str | None] = field(default_factory=list)
    depths: list[int | None] = field(default_factory=list)
    nodes: list[int | None] = field(default_factory=list)

    def add(self, team: int | None = None, reply: Reply | None = None) -> None:
        self.teams.append(team)
        self.times_ms.append(round(reply.time_ms) if reply else 0)
        self.scores.append(reply.score if reply else None)
        self.depths.append(reply.info.depth if reply else None)
        self.nodes.append(reply.info.nodes if reply else None)


class Arbiter:
    """Plays one game at a time with the processes of a pool."""

    def __init__(self, settings: MatchSettings, pool: EnginePool) -> None:
        self.settings = settings
        self.pool = pool
        self._board = BOARDS[settings.variant]

    def play(self, request: GameRequest) -> GameRecord:
        """Play a game to its end, whatever the engines do.

        Raises `RefereeError`, which ends the match, if an engine that has not started before does not start, or if an
        engine rejects an option. `WaiterStopped` if the referee was suspended while a clock ran: there is no game.
        """
        plan = request.plan
        participants = self._participants(plan)
        lineups: dict[str, str] = dict(plan.lineups or ())
        full = None
        log = _Log()
        began, load_before = datetime.now(UTC), load()
        try:
            self._prepare(participants, request)
            if plan.lineups is None:
                self._ask_lineups(participants, request, lineups)
            full = FullGame(self.settings.variant, lineups, plan.first, self.settings.rules, plan.fen)
            for move in plan.moves:
                full.play(move)
                log.add()
            result, ending, detail = self._play_out(full, participants, log)
        except _GameLost as lost:
            result, ending, detail = self._board.teams[1 - lost.loser.team], lost.ending, str(lost)
            lost.loser.process.close()
        detail = self._announce(participants, result, detail)
        return GameRecord(
            game=plan.game,
            variant=self.settings.variant,
            visibility=self.settings.visibility,
            engines={participant.seats: participant.process.engine.as_record() for participant in participants},
            seed=plan.seed,
            rules=asdict(self.settings.rules),
            lineups=lineups,
            first=plan.first,
            moves=full.moves if full else [],
            times_ms=log.times_ms,
            scores=log.scores,
            result=result,
            ending=ending,
            detail=detail,
            depths=log.depths,
            nodes=log.nodes,
            date=f"{began:%Y-%m-%dT%H:%M:%SZ}",
            fen=plan.fen,
            run={
                "command": request.command,
                "machine": machine(),
                "versions": {participant.seats: participant.process.version for participant in participants},
                "load": [load_before, load()],
            },
        )

    def _participants(self, plan: PlannedGame) -> list[_Participant]:
        participants = []
        for team, seats in enumerate(self._board.teams):
            engine = self.settings.engines[plan.teams[team]]
            if self.settings.visibility == Visibility.DARK:
                for place, seat in enumerate(seats):
                    participants.append(_Participant(self.pool.process(engine, place), team, seat, seat))
            else:
                viewer = OPEN_VIEWER if self.settings.visibility == Visibility.OPEN else seats
                participants.append(_Participant(self.pool.process(engine, 0), team, seats, viewer))
        return participants

    def _prepare(self, participants: list[_Participant], request: GameRequest) -> None:
        """Make every process ready, and set the seed of the pair, without which an engine could not repeat a game."""
        for participant in participants:
            place = self._board.teams[participant.team].index(participant.seats[0])
            seed = request.plan.seed_of(request.plan.teams[participant.team], place)
            try:
                participant.process.prepare()
                participant.process.set_seed(seed)
            except EngineError as error:
                engine = participant.process.engine
                # If the system has too few files or too little memory, an engine that started before is not at fault.
                is_new = engine.name not in request.started or isinstance(error.__cause__, OSError)
                if error.fault == EngineFault.NO_START and is_new:
                    participant.process.close()
                    raise RefereeError(f"engine {engine.name}: {error}", ExitCode.NO_START) from error
                raise _GameLost(participant, Ending.of_fault(error.fault), str(error)) from error

    def _ask_lineups(self, participants: list[_Participant], request: GameRequest, lineups: dict[str, str]) -> None:
        """Ask the engines for their line-ups; in the second game of a pair they keep the line-ups of the first."""
        kept = dict(request.own_lineups)
        for participant in participants:
            engine = request.plan.teams[participant.team]
            for seat in participant.seats:
                place = self._board.teams[participant.team].index(seat)
                own = kept.get(engine, ())
                known = own[place] if place < len(own) and not participant.process.chooses_every_lineup else None
                lineups[seat] = known or self._ask_lineup(participant, seat, seat == request.plan.first)

    def _ask_lineup(self, participant: _Participant, seat: str, is_first: bool) -> str:
        asked = f"position startpos viewer {participant.viewer}; go setup {seat}"
        try:
            answer = participant.process.ask_lineup(participant.viewer, seat, is_first)
        except EngineError as error:
            raise _GameLost(participant, Ending.of_fault(error.fault), str(error), asked) from error
        try:
            lineup.check(answer.removeprefix("@"))
            if not answer.startswith("@"):
                raise BadLineup("bad-lineup", "it does not begin with @")
        except Refused as error:
            text = f"{quoted(answer, MAX_QUOTED)}: {error}"
            raise _GameLost(participant, Ending.BAD_LINEUP, text, asked) from error
        return answer.removeprefix("@")

    def _play_out(self, full: FullGame, participants: list[_Participant], log: _Log) -> tuple[str, Ending, str]:
        """Play moves until the game ends; return its result, ending and detail."""
        by_seat = {seat: participant for participant in participants for seat in participant.seats}
        clocks = (participants[0].clock, participants[1].clock) if len(participants) == 2 else None
        while full.result is None:
            mover = by_seat[full.turn]
            self._play_move(full, mover, clocks, log)
            if full.result is None:
                decision = adjudicate(self.settings.resign, self.settings.draw, log.scores, log.teams)
                if decision is not None:
                    result = DRAW if decision.winner is None else self._board.teams[decision.winner]
                    return result, Ending.ADJUDICATED, decision.reason
        return full.result, full.ending, ""

    def _play_move(self, full: FullGame, mover: _Participant, clocks: tuple[Clock, Clock] | None, log: _Log) -> None:
        position = full.position_line(mover.viewer)
        go = go_command(mover.clock, clocks)
        try:
            reply = mover.process.ask(position, go, mover.clock.allowed_ms)
            seen = full.play(reply.move, mover.seats)
            log.add(mover.team, reply)
            mover.process.tell_outcome(seen)
        except WaiterStopped:
            raise
        except EngineError as error:
            raise _GameLost(mover, Ending.of_fault(error.fault), str(error), position, go) from error
        except IllegalMove as error:
            raise _GameLost(mover, Ending.ILLEGAL_MOVE, str(error), position, go) from error
        mover.clock.spend(reply.time_ms)
        mover.clock.add_increment()

    def _announce(self, participants: list[_Participant], result: str, detail: str) -> str:
        """Tell all engines the result; return the detail, with faults added.

        A fault at this point does not change the result; the process is replaced.
        """
        for participant in participants:
            if not participant.process.is_running:
                continue
            has_won = self._board.teams[participant.team] == result
            try:
                participant.process.game_over("draw" if result == DRAW else "win" if has_won else "loss")
            except EngineError as error:
                participant.process.close()
                detail += f"{'; ' if detail else ''}after the end, {participant.name}: {error}"
        return detail


def own_lineups(plan: PlannedGame, record: GameRecord, teams: tuple[str, str]) -> dict[int, tuple[str | None, ...]]:
    """The line-ups of each engine in a game, by engine index, in the order of its team's seats; None where missing."""
    return {
        engine: tuple(record.lineups.get(seat) for seat in seats)
        for engine, seats in zip(plan.teams, teams, strict=True)
    }
