"""One game: asks each player in its turn, keeps the truth and the clocks, and says how it ended."""

from dataclasses import asdict, dataclass, field

from junqi_engine.errors import JunqiError
from junqi_engine.rules import lineup
from junqi_engine.rules.board import BOARDS
from protocol.client import EngineError, EngineFault
from tools.referee.endings import Ending
from tools.referee.exits import ExitCode, RefereeError
from tools.referee.playing.adjudication import adjudicate
from tools.referee.playing.engine_pool import Slot
from tools.referee.playing.engine_process import Player
from tools.referee.records.game_record import GameRecord
from tools.referee.schedule.schedule import Plan
from tools.referee.settings.settings import Settings, Visibility
from tools.referee.time_control import Clock, go_command
from tools.referee.truth import IllegalMove, Truth


@dataclass(frozen=True)
class Request:
    """A game to play. `started` are the engines that have been seen to start in this run.

    `own_lineups` are what the engines set up themselves in the first game of the pair, by engine index.
    """

    plan: Plan
    started: frozenset[str]
    own_lineups: tuple[tuple[int, tuple[str | None, ...]], ...] = ()


class _Lost(Exception):
    """The game is lost by a fault."""

    def __init__(self, loser: "_Party", ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.loser = loser
        self.ending = ending


@dataclass
class _Party:
    """A process at the table: the seats it plays, what it may see, its clock."""

    player: Player
    team: int
    seats: str
    viewer: str
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(self.player.engine.time_control)

    @property
    def name(self) -> str:
        return f"{self.player.engine.name} ({self.seats})"


class Table:
    """Plays the games of one slot, one after the other."""

    def __init__(self, settings: Settings, slot: Slot) -> None:
        self.settings = settings
        self.slot = slot
        self._board = BOARDS[settings.variant]

    def play(self, request: Request) -> GameRecord:
        """Play a game to its end, whatever the engines do.

        A `RefereeError` ends the match instead: an engine not in `request.started` that does not start, or an option
        that an engine refuses.
        """
        plan = request.plan
        parties = self._parties(plan)
        lineups: dict[str, str] = dict(plan.lineups or ())
        truth = None
        times_ms: list[int] = []
        scores: list[str | None] = []
        try:
            self._prepare(parties, request.started)
            if plan.lineups is None:
                self._set_up(parties, request, lineups)
            truth = Truth(self.settings.variant, lineups, plan.first, self.settings.rules)
            result, ending, detail = self._play_out(truth, parties, times_ms, scores)
        except _Lost as lost:
            result, ending, detail = self._board.teams[1 - lost.loser.team], lost.ending, str(lost)
            lost.loser.player.close()
        detail = self._say_goodbye(parties, result, detail)
        return GameRecord(
            game=plan.game,
            variant=self.settings.variant,
            visibility=self.settings.visibility,
            engines=self._engines_by(parties),
            seed=self.settings.seed,
            rules=asdict(self.settings.rules),
            lineups=lineups,
            first=plan.first,
            moves=truth.moves if truth else [],
            times_ms=times_ms,
            scores=scores,
            result=result,
            ending=ending,
            detail=detail,
        )

    def _parties(self, plan: Plan) -> list[_Party]:
        parties = []
        for team, seats in enumerate(self._board.teams):
            engine = self.settings.engines[plan.teams[team]]
            if self.settings.visibility == Visibility.DARK:
                parties += [
                    _Party(self.slot.player(engine, number), team, seat, seat) for number, seat in enumerate(seats)
                ]
            else:
                viewer = "*" if self.settings.visibility == Visibility.OPEN else seats
                parties.append(_Party(self.slot.player(engine, 0), team, seats, viewer))
        return parties

    def _prepare(self, parties: list[_Party], started: frozenset[str]) -> None:
        for party in parties:
            try:
                party.player.prepare()
            except EngineError as error:
                engine = party.player.engine
                if error.fault == EngineFault.NO_START and engine.name not in started:
                    party.player.close()
                    raise RefereeError(f"engine {engine.name}: {error}", ExitCode.NO_START) from error
                raise _Lost(party, Ending.of(error.fault), f"{party.name}: {error}") from error

    def _set_up(self, parties: list[_Party], request: Request, lineups: dict[str, str]) -> None:
        """Ask for the engines' own line-ups; to the second game of a pair they bring those of the first."""
        brought = dict(request.own_lineups)
        for party in parties:
            engine = request.plan.teams[party.team]
            party.player.draw_afresh(request.plan.seed_of(engine, self.settings.seed))
            for seat in party.seats:
                place = self._board.teams[party.team].index(seat)
                own = brought.get(engine, ())
                known = own[place] if place < len(own) and not party.player.sets_up_afresh else None
                lineups[seat] = known or self._ask_lineup(party, seat, seat == request.plan.first)

    def _ask_lineup(self, party: _Party, seat: str, is_first: bool) -> str:
        asked = f"position startpos viewer {party.viewer}; go setup {seat}"
        try:
            answer = party.player.ask_lineup(party.viewer, seat, is_first)
        except EngineError as error:
            raise _Lost(party, Ending.of(error.fault), f"{party.name}: {error}; {asked}") from error
        try:
            lineup.check(answer.removeprefix("@"))
            if not answer.startswith("@"):
                raise JunqiError("bad-lineup", "it does not begin with @")
        except JunqiError as error:
            raise _Lost(party, Ending.BAD_LINEUP, f"{party.name}: {answer[:60]!r}: {error}; {asked}") from error
        return answer.removeprefix("@")

    def _play_out(
        self, truth: Truth, parties: list[_Party], times_ms: list[int], scores: list[str | None]
    ) -> tuple[str, Ending, str]:
        by_seat = {seat: party for party in parties for seat in party.seats}
        clocks = (parties[0].clock, parties[1].clock) if len(parties) == 2 else None
        teams: list[int] = []
        while truth.result is None:
            party = by_seat[truth.turn]
            position = truth.position_line(party.viewer)
            go = go_command(party.clock, clocks)
            try:
                answer = party.player.ask(position, go, party.clock.allowed_ms)
                seen = truth.play(answer.move, party.seats)
                times_ms.append(round(answer.time_ms))
                scores.append(answer.score)
                party.player.outcome(seen)
            except EngineError as error:
                text = f"{party.name}: {error}; {position}; {go}"
                raise _Lost(party, Ending.of(error.fault), text) from error
            except IllegalMove as error:
                # A second answer to the last go can come so late that it is taken for the answer to this one.
                twice = party.player.has_answered_twice()
                reason = f"a second answer to one go: {answer.move[:60]!r}" if twice else str(error)
                ending = Ending.PROTOCOL if twice else Ending.ILLEGAL_MOVE
                raise _Lost(party, ending, f"{party.name}: {reason}; {position}; {go}") from error
            party.clock.spend(answer.time_ms)
            party.clock.add_increment()
            teams.append(party.team)
            verdict = adjudicate(self.settings.adjudication, scores, teams) if truth.result is None else None
            if verdict is not None:
                result = "draw" if verdict.winner is None else self._board.teams[verdict.winner]
                return result, Ending.ADJUDICATED, verdict.reason
        return truth.result, truth.ending, ""

    def _say_goodbye(self, parties: list[_Party], result: str, detail: str) -> str:
        """Tell everyone the result. A fault that shows only now does not change it, but the process is replaced."""
        for party in parties:
            if not party.player.is_running:
                continue
            won = self._board.teams[party.team] == result
            try:
                party.player.game_over("draw" if result == "draw" else "win" if won else "loss")
            except EngineError as error:
                party.player.close()
                detail += f"{'; ' if detail else ''}after the end, {party.name}: {error}"
        return detail

    def _engines_by(self, parties: list[_Party]) -> dict[str, dict]:
        return {party.seats: party.player.engine.as_record() for party in parties}


def own_lineups(plan: Plan, record: GameRecord, teams: tuple[str, str]) -> dict[int, tuple[str | None, ...]]:
    """What each engine set up in a game, in the order of its team's seats; None where the game did not get so far."""
    return {
        engine: tuple(record.lineups.get(seat) for seat in seats)
        for engine, seats in zip(plan.teams, teams, strict=True)
    }
