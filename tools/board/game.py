"""A game at the board: the truth, who plays, the clocks, the record; and what each page is told of it.

All of it happens in the event loop; engines think in threads of their own and are awaited. Whatever an engine does,
the game stays as it was: a `Fault` is shown, the game saved, and another engine can take the seats.
"""

import asyncio
import secrets
import time
from collections.abc import Coroutine
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from junqi_engine import lineup as lineup_rules
from junqi_engine.errors import JunqiError
from protocol.client import Answer, EngineError
from tools.board import scenes, telling
from tools.board.adviser import Adviser
from tools.board.clocks import PartyClock
from tools.board.engines import Engine, Refused, Stable
from tools.board.messages import BadMessage
from tools.board.saving import SavedGame
from tools.board.seating import GUEST, ME, Party, Seating
from tools.referee.endings import Ending
from tools.referee.limits import MARGIN_MS
from tools.referee.records import GameRecord
from tools.referee.replay import bare
from tools.referee.truth import IllegalMove, Truth

SETUP_PATIENCE_S = 30.0
LATE_MS = 2000
"""What an engine may be late with a move that has a time of its own but no clock."""
QUIET_PLIES_FOR_DRAW = 20


class Page(Protocol):
    """A page at the board, as a game sees it."""

    def send(self, message: dict[str, Any]) -> None: ...


@dataclass
class Chair:
    """A party and what it has at the board. `pages` are those that look over its shoulder."""

    party: Party
    clock: PartyClock
    engine: Engine | None = None
    pages: list[Page] = field(default_factory=list)
    last_score: str | None = None
    adviser: Adviser | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Tell all its pages."""
        for page in self.pages:
            page.send(message)


@dataclass(frozen=True)
class Fault:
    """An engine has failed; the game waits for another."""

    chair: Chair
    code: str
    text: str


@dataclass(frozen=True)
class Ply:
    """An entry of the history, beside the record's move: what `take_back` and the saved game need."""

    seat: str
    is_resignation: bool
    time_ms: int
    score: str | None
    clocks_before_ms: tuple[float, ...]


class Game:
    """One game, from the arranging of the line-ups to its end."""

    def __init__(self, number: int, seating: Seating, stable: Stable, folder: Path) -> None:
        self.number = number
        self.seating = seating
        self.board = seating.board
        self.chairs = [Chair(party, PartyClock(seating.base_ms, seating.increment_ms)) for party in seating.parties]
        self.watchers: list[Page] = []
        self.truth: Truth | None = None
        self.lineups: dict[str, str] = {}
        self.drafts = {seat: lineup_rules.sensible(_rng()) for seat in self.board.seats}
        self.history: list[Ply] = []
        self.fault: Fault | None = None
        self.offer: tuple[Chair, list[Chair]] | None = None
        self.is_paused = False
        self.detail = ""
        self.pace_ms = seating.pace_ms
        self.seed = secrets.randbelow(2**31)
        self._agreed_draw = False
        self._is_closed = False
        self._stable = stable
        self._saved = SavedGame(folder)
        self._generation = 0
        self._tasks: set[asyncio.Task] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._shown_at = 0.0
        self.thinking: Chair | None = None

    # Who is here

    @property
    def phase(self) -> str:
        """`arranging`, `playing` or `over`."""
        if self.truth is None:
            return "arranging"
        return "playing" if self.result is None else "over"

    @property
    def result(self) -> str | None:
        if self._agreed_draw:
            return "draw"
        return None if self.truth is None else self.truth.result

    def chair_of(self, seats: str) -> Chair | None:
        """The chair whose party has exactly these seats."""
        return next((chair for chair in self.chairs if chair.party.seats == seats), None)

    def join(self, page: Page, seats: str) -> None:
        """A page has come for the seats of a party, or, without any, to watch."""
        chair = self.chair_of(seats)
        (self.watchers if chair is None else chair.pages).append(page)
        page.send({"type": "board", **scenes.board_data(self.board)})
        self.tell()

    def leave(self, page: Page) -> None:
        for pages in (self.watchers, *(chair.pages for chair in self.chairs)):
            if page in pages:
                pages.remove(page)
        if not self._is_closed:
            self.tell()

    # How it goes on

    def open(self) -> None:
        """Have the engines started and their line-ups made."""
        for chair in self.chairs:
            if chair.party.is_engine:
                self.run(self._seat_engine(chair))

    def ready(self, chair: Chair, lineups: dict[str, str]) -> None:
        """A person's line-ups are as they shall be."""
        if self.phase != "arranging":
            raise BadMessage("too-late", "the game has begun: line-ups stay as they are")
        if set(lineups) != set(chair.party.seats):
            raise BadMessage("bad-lineup", f"line-ups of the seats {chair.party.seats} are needed")
        for seat, letters in lineups.items():
            try:
                lineup_rules.check(letters)
            except JunqiError as error:
                raise BadMessage(error.code, f"{seat}'s line-up: {error}") from None
        self.lineups |= lineups
        self.drafts |= lineups
        self._begin_if_ready()

    def move(self, chair: Chair, ply: int, text: str) -> None:
        """A person moves; `ply` is the number of moves that its page has seen."""
        truth = self._truth_in_play()
        if ply != len(truth.moves):
            raise BadMessage("stale", "the position has changed meanwhile")
        if truth.turn not in chair.party.seats:
            raise BadMessage("not-your-turn", f"{truth.turn} is to move")
        if text.startswith("resign"):
            raise BadMessage("illegal-move", f"{text[:20]!r} is no move")
        self._play(chair, text, chair.clock.elapsed_ms, None)

    def resign(self, chair: Chair, detail: str = "") -> None:
        """All seats of a party give up."""
        truth = self._truth_in_play()
        seats = [seat for seat in chair.party.seats if seat in truth.alive]
        if not seats:
            raise BadMessage("not-your-turn", "your seats are out already")
        self._interrupt()
        self.detail = detail
        for seat in seats:
            if truth.result is None:
                self._enter(f"resign:{seat}", seat, True, 0, None)
        self._proceed()

    def offer_draw(self, chair: Chair) -> None:
        """Ask everyone else for a draw. An engine of the other team agrees when it does not think itself ahead."""
        truth = self._truth_in_play()
        others = [other for other in self.chairs if other is not chair and self.is_alive(other)]
        if any(other.party.is_engine and not self._agrees(chair, other, truth) for other in others):
            raise BadMessage("draw-declined", "the engine plays on")
        self.offer = chair, [other for other in others if not other.party.is_engine]
        self._settle_offer()

    def answer_draw(self, chair: Chair, accept: bool) -> None:
        if self.offer is None or chair not in self.offer[1]:
            raise BadMessage("no-offer", "no draw has been offered to you")
        offering, waited_for = self.offer
        if accept:
            waited_for.remove(chair)
            self._settle_offer()
            return
        self.offer = None
        offering.send({"type": "notice", "code": "draw-declined", "text": "the draw was declined"})
        self.tell()

    def take_back(self, chair: Chair) -> None:
        """Back to before the last move of a person who plays engines only."""
        place = self.last_move_of(chair)
        if place is None:
            raise BadMessage("no-take-back", "there is nothing to take back, or another person plays")
        self._interrupt()
        moves = self.truth.moves[:place] if self.truth else []
        for other, left_ms in zip(self.chairs, self.history[place].clocks_before_ms, strict=True):
            other.clock.left_ms = left_ms
        self.history = self.history[:place]
        self._agreed_draw, self.detail = False, ""
        self.truth = self._new_truth()
        for move in moves:
            self.truth.play(bare(move))
        self._proceed()

    def pause(self, on: bool) -> None:
        """Stop or go on; for those who watch or play engines only."""
        if self.persons > 1:
            raise BadMessage("not-alone", "another person plays")
        self.is_paused = on
        if on:
            self._interrupt()
        self._proceed()

    async def replace_engine(self, seats: str, program: str, player: str) -> None:
        """Another engine takes the seats of one that has failed."""
        chair = self.chair_of(seats)
        found = self._stable.program(program)
        if chair is None or not chair.party.is_engine or found is None:
            raise BadMessage("bad-setup", "there is no such engine, or none has those seats")
        self._interrupt()
        if chair.engine is not None:
            chair.engine.close()
            chair.engine = None
        chair.party = Party(chair.party.who, chair.party.seats, chair.party.viewer, found, player)
        if self.fault is not None and self.fault.chair is chair:
            self.fault = None
        self.tell()
        await self._seat_engine(chair)

    async def advise(self, chair: Chair, move_ms: int) -> None:
        """Ask the adviser of a person what it would play."""
        truth = self._truth_in_play()
        viewer = chair.party.viewer
        await self._adviser(chair).advise(truth.position_line(viewer), truth.view(viewer), chair.party.seats, move_ms)

    def stop_advice(self, chair: Chair) -> None:
        if chair.adviser is not None:
            chair.adviser.stop()

    def show_belief(self, chair: Chair, on: bool) -> None:
        """Show, or show no longer, at every position what the adviser of a person believes."""
        self._adviser(chair).shows_belief = on
        self._refresh_belief(chair)

    def _adviser(self, chair: Chair) -> Adviser:
        if chair.adviser is None:
            options = {"UCI_Variant": self.board.variant, **self._rule_options()}
            chair.adviser = Adviser(self.board, options, self._stable, chair.send)
        return chair.adviser

    def _refresh_belief(self, chair: Chair) -> None:
        if chair.adviser is not None and chair.adviser.shows_belief and self.truth is not None:
            self.run(chair.adviser.believe(self.truth.position_line(chair.party.viewer)))

    def close(self) -> None:
        """The board turns to another game: save this one and let the engines go."""
        self._is_closed = True
        self._interrupt()
        if self.phase == "playing":
            self.save()
        for task in self._tasks:
            task.cancel()
        for chair in self.chairs:
            if chair.engine is not None:
                self._stable.give_back(chair.engine)
                chair.engine = None
            if chair.adviser is not None:
                chair.adviser.close()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Let a coroutine run on its own; what it raises is not lost."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Engines

    async def _seat_engine(self, chair: Chair) -> None:
        """Start an engine for a chair, and let it set up its pieces if that is still to do."""
        party = chair.party
        assert party.program is not None
        engine = None
        try:
            engine = await self._stable.take(party.program)
            options = {"UCI_Variant": self.board.variant, **self._rule_options(), "Seed": str(self.seed)}
            await engine.set_options(options | ({"Player": party.player} if party.player else {}))
            lineups = {}
            for seat in party.seats if self.phase == "arranging" else ():
                position = f"position startpos viewer {party.viewer}"
                answer = await engine.search(position, f"go setup {seat}", patience_s=SETUP_PATIENCE_S)
                lineup_rules.check(answer.move.removeprefix("@"))
                lineups[seat] = answer.move.removeprefix("@")
        except EngineError as error:
            self._fail(chair, engine, error.fault.value, str(error))
        except Refused as error:
            self._fail(chair, engine, "option-refused", str(error))
        except JunqiError as error:
            self._fail(chair, engine, error.code, str(error))
        else:
            if self._is_closed or chair.engine is not None:
                self._stable.give_back(engine)
                return
            chair.engine = engine
            engine.listener = lambda lines: self._show_lines(chair, lines)
            self.lineups |= lineups
            if self.phase == "arranging":
                self._begin_if_ready()
            else:
                self._proceed()

    def _rule_options(self) -> dict[str, str]:
        rules = self.seating.rules
        return {
            "NoContactLimit": str(rules.no_contact),
            "NoContactResult": "loss" if rules.no_contact_loses else "draw",
            "MaxPlies": str(rules.max_plies),
        }

    async def _think(self, chair: Chair, engine: Engine) -> None:
        """Have an engine move."""
        truth, generation = self._truth_in_play(), self._generation
        position = truth.position_line(chair.party.viewer)
        clock = chair.clock
        if clock.base_ms is None:
            go, allowed_ms = f"go movetime {self.seating.move_ms}", self.seating.move_ms + LATE_MS
        else:
            go = f"go time {int(clock.left_ms)} inc {clock.increment_ms}"
            allowed_ms = int(clock.left_ms) + MARGIN_MS
        clock.start()
        try:
            answer = await engine.search(position, go, allowed_ms)
        except EngineError as error:
            if generation == self._generation:
                if error.fault.value == "timeout" and clock.base_ms is not None:
                    self._out_of_time(chair)
                else:
                    clock.forgive()
                    self._fail(chair, engine, error.fault.value, str(error))
            return
        spent_ms = answer.time_ms
        await asyncio.sleep(max(0.0, self._shown_at + self.pace_ms / 1000 - time.monotonic()))
        if generation != self._generation:
            return
        clock.forgive()
        self._take_answer(chair, engine, answer, spent_ms)

    def _take_answer(self, chair: Chair, engine: Engine, answer: Answer, spent_ms: float) -> None:
        resigned = answer.move.removeprefix("resign:") if answer.move.startswith("resign:") else None
        try:
            if resigned is not None and resigned not in chair.party.seats:
                raise IllegalMove(f"{answer.move[:20]!r} resigns for another")
            chair.last_score = answer.score
            if chair.clock.base_ms is not None:
                chair.clock.left_ms = max(0.0, chair.clock.left_ms - spent_ms)
            self._play(chair, answer.move, spent_ms, answer.score)
        except IllegalMove as error:
            self._fail(chair, engine, Ending.ILLEGAL_MOVE.value, str(error))

    def _fail(self, chair: Chair, engine: Engine | None, code: str, text: str) -> None:
        """An engine is of no more use."""
        if engine is not None:
            engine.close()
        if self._is_closed:
            return
        if chair.engine is engine:
            chair.engine = None
        self.thinking = None
        self.fault = Fault(chair, code, f"{chair.party.name} ({chair.party.seats}): {text}")
        self._halt_clocks()
        if self.truth is not None:
            self.save()
        self.tell()

    def _show_lines(self, chair: Chair, lines: list[str]) -> None:
        """Info lines go to pages that see all that the engine sees, and to no others: a line of play tells much."""
        message = {"type": "info", "name": chair.party.name, "seats": chair.party.seats, "lines": lines}
        for other in self.chairs:
            if other.party.viewer in (chair.party.viewer, "*"):
                other.send(message)
        for page in self.watchers:
            page.send(message)

    # The rules of the table

    def _begin_if_ready(self) -> None:
        if set(self.lineups) == set(self.board.seats) and self.fault is None:
            self.truth = self._new_truth()
            self._shown_at = time.monotonic()
            self._proceed()
        else:
            self.tell()

    def _new_truth(self) -> Truth:
        return Truth(self.board.variant, self.lineups, self.seating.first, self.seating.rules)

    def _proceed(self) -> None:
        """Go on from a position that has just come about."""
        self._generation += 1
        self.thinking = None
        self._cancel_alarm()
        if self.truth is None or self._is_closed:
            self.tell()
            return
        if self.result is not None:
            self._halt_clocks()
            self.offer = None
        elif not self.is_paused and self.fault is None:
            chair = next(chair for chair in self.chairs if self.truth.turn in chair.party.seats)
            if not chair.party.is_engine:
                chair.clock.start()
                if chair.clock.base_ms is not None:
                    loop = asyncio.get_running_loop()
                    self._alarm = loop.call_later(chair.clock.left_ms / 1000, self._out_of_time, chair)
            elif chair.engine is not None:
                self.thinking = chair
                chair.clock.start()
                self.run(self._think(chair, chair.engine))
        self.save()
        self.tell()

    def _play(self, chair: Chair, text: str, spent_ms: float, score: str | None) -> None:
        """A move that has been answered; `IllegalMove` if it is none."""
        truth = self._truth_in_play()
        seat = truth.turn
        try:
            self._enter(text, seat, text.startswith("resign:"), round(spent_ms), score)
        except IllegalMove as error:
            if not chair.party.is_engine:
                raise BadMessage("illegal-move", str(error)) from None
            raise
        if chair.clock.is_running:
            chair.clock.stop()
        elif chair.clock.base_ms is not None:
            chair.clock.left_ms += chair.clock.increment_ms
        if self.offer is not None and self.offer[0] is not chair:
            self.offer = None
        self._shown_at = time.monotonic()
        self._proceed()

    def _enter(self, text: str, seat: str, is_resignation: bool, time_ms: int, score: str | None) -> None:
        before = tuple(chair.clock.left_ms for chair in self.chairs)
        self._truth_in_play().play(text)
        self.history.append(Ply(seat, is_resignation, time_ms, score, before))

    def _interrupt(self) -> None:
        """Whatever is being thought about is thought about in vain."""
        self._generation += 1
        self._cancel_alarm()
        self.thinking = None
        for chair in self.chairs:
            chair.clock.forgive() if chair.party.is_engine else chair.clock.halt()
            if chair.engine is not None:
                chair.engine.stop()

    def _out_of_time(self, chair: Chair) -> None:
        self.resign(chair, f"{chair.party.name} ({chair.party.seats}) has run out of time")

    def _halt_clocks(self) -> None:
        self._cancel_alarm()
        for chair in self.chairs:
            chair.clock.halt()

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _settle_offer(self) -> None:
        if self.offer is not None and not self.offer[1]:
            self.offer, self._agreed_draw, self.detail = None, True, "draw agreed"
            self._interrupt()
            self._proceed()
        else:
            self.tell()

    def _agrees(self, chair: Chair, engine: Chair, truth: Truth) -> bool:
        is_partner = any(chair.party.seats[0] in team and engine.party.seats[0] in team for team in self.board.teams)
        if is_partner:
            return True
        if engine.last_score is None:
            return truth.view(engine.party.viewer).quiet >= QUIET_PLIES_FOR_DRAW
        kind, value = engine.last_score.split()
        return int(value) <= 0 if kind == "cp" else int(value) < 0

    def is_alive(self, chair: Chair) -> bool:
        """Whether a party still has a seat in the game."""
        return self.truth is not None and any(seat in self.truth.alive for seat in chair.party.seats)

    def last_move_of(self, chair: Chair) -> int | None:
        """Which entry of the history `take_back` would go back to before; None if it may not."""
        if self.persons > 1 or self.truth is None:
            return None
        places = [
            place for place, ply in enumerate(self.history) if ply.seat in chair.party.seats and not ply.is_resignation
        ]
        return places[-1] if places else None

    @property
    def persons(self) -> int:
        """How many parties are persons."""
        return sum(chair.party.who in (ME, GUEST) for chair in self.chairs)

    def _truth_in_play(self) -> Truth:
        if self.truth is None:
            raise BadMessage("too-early", "the game has not begun")
        if self.result is not None:
            raise BadMessage("game-over", "the game has ended")
        return self.truth

    # What is told

    def tell(self) -> None:
        """Send everyone the state of the game as it may be seen."""
        for chair in self.chairs:
            if chair.pages:
                chair.send(telling.state(self, chair))
                self._refresh_belief(chair)
        if self.watchers:
            message = telling.state(self, None)
            for page in self.watchers:
                page.send(message)

    # What is kept

    @property
    def path(self) -> Path | None:
        """The file of the game, once there is one."""
        return self._saved.path

    @property
    def ending(self) -> Ending:
        """How the game ended; `interrupted` as long as it goes on."""
        if self.truth is None or self.result is None:
            return Ending.INTERRUPTED
        return Ending.ADJUDICATED if self._agreed_draw else self.truth.ending

    def record(self) -> GameRecord:
        """The game as a referee's record; one that is not over is `interrupted`."""
        engines = {}
        for chair in self.chairs:
            party = chair.party
            command = " ".join(party.program.command) if party.program else ""
            options = {"Player": party.player} if party.player else {}
            engines[party.seats] = {"name": party.name, "command": command, "options": options}
        fault = "" if self.fault is None else self.fault.text
        return GameRecord(
            game=self.number,
            variant=self.board.variant,
            visibility=self.seating.visibility.value,
            engines=engines,
            seed=self.seed,
            rules=asdict(self.seating.rules),
            lineups=dict(self.lineups),
            first=self.seating.first,
            moves=list(self.truth.moves) if self.truth else [],
            times_ms=[ply.time_ms for ply in self.history],
            scores=[ply.score for ply in self.history],
            result=self.result or "draw",
            ending=self.ending,
            detail=self.detail or fault,
        )

    def save(self) -> None:
        """Write the record; a disk that is full is told, and the game goes on."""
        if self.truth is None:
            return
        try:
            self._saved.write(self.record())
        except OSError as error:
            notice = {"type": "notice", "code": "not-saved", "text": f"the game cannot be saved: {error.strerror}"}
            for page in [*self.watchers, *(page for chair in self.chairs for page in chair.pages)]:
                page.send(notice)


def _rng() -> Any:
    return secrets.SystemRandom()
